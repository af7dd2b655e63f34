/// What the work of a business is counted by.
public enum ReportDimension: String, Sendable, CaseIterable {
    /// Everything; its only member is the empty text.
    case total
    /// The agent who answered or closed; members are agents' ids.
    case agent
    /// The team that looked after the conversation; members are teams' ids.
    case team
    /// A label that the conversation had; members are labels' ids.
    case label
    /// The kind of the message; members are the words of `MessageKind`.
    case kind
    /// The intent and the group of the link by which the customer came (`ReportEntry`).
    case entry
}

/// The link by which a customer came, as a member of `ReportDimension.entry`.
public struct ReportEntry: Hashable, Sendable {
    /// Longest part of an intent or a group that is counted by, in bytes; the rest is cut off.
    public static let maximumBytes = 128

    /// The intent of the link.
    public let intent: String
    /// The group of the link.
    public let group: String

    /// The entry of an intent and a group; empty texts for those that were not said.
    public init(intent: String?, group: String?) {
        self.intent = Self.cut(intent)
        self.group = Self.cut(group)
    }

    /// Both in one text, unambiguous as bytes.
    public var text: String { "\(intent.utf8.count):\(intent)\(group)" }

    /// Reads what `text` wrote; nil for any other text.
    public init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            let count = Int(text[..<colon])
        else { return nil }
        let rest = text.utf8[text.utf8.index(after: colon)...]
        guard count >= 0, count <= rest.count else { return nil }
        intent = String(decoding: rest.prefix(count), as: UTF8.self)
        group = String(decoding: rest.dropFirst(count), as: UTF8.self)
    }

    /// Whole characters only, so that the text can be read back.
    private static func cut(_ text: String?) -> String {
        guard let text, text.utf8.count > maximumBytes else { return text ?? "" }
        var kept = ""
        for scalar in text.unicodeScalars {
            guard kept.utf8.count + String(scalar).utf8.count <= maximumBytes else { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept
    }
}

/// What happened within a time: numbers and sums of times, which can be added up.
public struct ReportCounts: Hashable, Sendable {
    /// Conversations that began, or began again after they were closed.
    public var begun: Int64 = 0
    /// Messages of customers.
    public var received: Int64 = 0
    /// Messages to customers.
    public var sent: Int64 = 0
    /// Conversations that were closed.
    public var closed: Int64 = 0
    /// From the beginning to the close, over `closed`, in milliseconds.
    public var resolutionMilliseconds: Int64 = 0
    /// First answers to conversations that began.
    public var answers: Int64 = 0
    /// From a customer's first message to the first answer, over `answers`, in milliseconds.
    public var answerMilliseconds: Int64 = 0
    /// Times that a customer waited and was answered.
    public var waits: Int64 = 0
    /// How long customers waited, over `waits`, in milliseconds.
    public var waitMilliseconds: Int64 = 0
    /// Cards sent that can be answered.
    public var cards: Int64 = 0
    /// Of these cards, those that were answered since.
    public var cardsAnswered: Int64 = 0
    /// Of these cards, the payments that were made since.
    public var cardsPaid: Int64 = 0
    /// Customers who were asked how satisfied they are.
    public var asked: Int64 = 0
    /// Of those asked, who gave the score 1, and so on.
    public var scored1: Int64 = 0, scored2: Int64 = 0, scored3: Int64 = 0, scored4: Int64 = 0,
        scored5: Int64 = 0
    /// First answers that were overdue by the service levels, each time that they were.
    public var firstOverdue: Int64 = 0
    /// Further answers that were overdue.
    public var nextOverdue: Int64 = 0
    /// How the times of `answers`, `waits` and `closed` are distributed.
    public var spans = ReportSpans()

    /// Nothing happened.
    public init() {}

    private typealias Number = any WritableKeyPath<ReportCounts, Int64> & Sendable

    /// The numbers with the names of their columns, in an order that never changes.
    private static let all: [(column: String, path: Number)] = [
        ("begun", \.begun), ("received", \.received), ("sent", \.sent), ("closed", \.closed),
        ("resolution_ms", \.resolutionMilliseconds), ("answers", \.answers),
        ("answer_ms", \.answerMilliseconds), ("waits", \.waits), ("wait_ms", \.waitMilliseconds),
        ("cards", \.cards), ("cards_answered", \.cardsAnswered), ("cards_paid", \.cardsPaid),
        ("asked", \.asked), ("scored_1", \.scored1), ("scored_2", \.scored2),
        ("scored_3", \.scored3), ("scored_4", \.scored4), ("scored_5", \.scored5),
        ("first_overdue", \.firstOverdue), ("next_overdue", \.nextOverdue),
    ]

    /// The names of the columns, in the order of `values`.
    public static let columns = all.map(\.column)

    /// The numbers in the order of `columns`.
    public var values: [Int64] { Self.all.map { self[keyPath: $0.path] } }

    /// Notes a first answer after so many milliseconds.
    public mutating func addAnswer(after milliseconds: Int64) {
        answers += 1
        answerMilliseconds += milliseconds
        spans.add(milliseconds, to: .answer)
    }

    /// Notes an answer to a customer who waited so many milliseconds.
    public mutating func addWait(of milliseconds: Int64) {
        waits += 1
        waitMilliseconds += milliseconds
        spans.add(milliseconds, to: .wait)
    }

    /// Notes a close so many milliseconds after the beginning.
    public mutating func addClose(after milliseconds: Int64) {
        closed += 1
        resolutionMilliseconds += milliseconds
        spans.add(milliseconds, to: .resolution)
    }

    /// Reads the numbers in the order of `columns`; the distributions are read apart.
    public init<Failure: Error>(_ next: () throws(Failure) -> Int64) throws(Failure) {
        for (_, path) in Self.all { self[keyPath: path] = try next() }
    }

    /// The scores by their numbers, that of 1 first.
    public var scored: [Int64] { [scored1, scored2, scored3, scored4, scored5] }

    /// Adds to the number of a score, one of `Satisfaction.scores`.
    public mutating func score(_ score: Int, by number: Int64) {
        switch score {
        case 1: scored1 += number
        case 2: scored2 += number
        case 3: scored3 += number
        case 4: scored4 += number
        default: scored5 += number
        }
    }

    /// Adds what happened in another time.
    public static func += (left: inout ReportCounts, right: ReportCounts) {
        for (_, path) in all { left[keyPath: path] += right[keyPath: path] }
        left.spans += right.spans
    }
}
