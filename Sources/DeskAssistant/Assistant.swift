import DeskJSON
public import DeskModel
import Synchronization

/// Asks the operator's model for drafts, summaries and translations.
///
/// It sends nothing to customers: what it returns is stored as a suggestion, or shown to an agent.
public final class Assistant: Sendable {
    /// How often findings are given back to the model.
    public static let maximumCorrections = 2
    /// Requests that are under way at once, in this process; one more is refused.
    public static let maximumAtOnce = 8
    /// Those of them that are one business's, while as many are left to the others.
    public static let maximumOfBusiness = 4

    /// What is asked for.
    public enum Purpose: String, Sendable, CaseIterable {
        /// A reply in words.
        case reply
        /// A card.
        case card
        /// A summary of a conversation.
        case summary
        /// A message in another language.
        case translation
    }

    /// What leaves the server, for the record that is made before.
    public struct Sending: Sendable {
        /// What for.
        public let purpose: Purpose
        /// The model's name.
        public let model: String
        /// 1 for the first request, one more with each correction.
        public let round: Int
        /// How many bytes.
        public let byteCount: Int
        /// How many different values were blanked.
        public let blanked: [Blanking.Kind: Int]
    }

    /// Records that something leaves the server; where it fails, nothing is sent.
    public typealias Record = @Sendable (Sending) async throws -> Void

    /// The model's name.
    public var model: String { server.model }

    private let server: ChatCompletions
    private let blanks: Set<Blanking.Kind>
    private let schemas: BundledSchemas
    private let deadline: Duration
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let underWay = Mutex(
        FairShare(of: Assistant.maximumAtOnce, perBusiness: Assistant.maximumOfBusiness))

    /// An assistant with a model.
    ///
    /// - Parameters:
    ///   - blanks: what is removed from texts before they are sent.
    ///   - schemas: those of messages, each named by its path below Schemas/.
    ///   - deadline: for a whole request, all rounds together.
    ///   - clock: what the deadline is measured by.
    public init(
        _ server: ChatCompletions, blanks: Set<Blanking.Kind>,
        schemas: [(name: String, bytes: [UInt8])], deadline: Duration,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.server = server
        self.blanks = blanks
        self.schemas = BundledSchemas(schemas)
        self.deadline = deadline
        self.clock = clock
    }

    /// The kinds of messages that a model can be asked for.
    public static let kinds: [MessageKind] = [.text, .quickReply, .list, .time, .form]

    /// What the rulebook says of a message.
    public enum Verdict: Sendable {
        /// It may be sent, as these bytes.
        case good([UInt8])
        /// It may not; a sentence for each finding, and the findings as a JSON array's text.
        case bad(sentences: [String], findings: [UInt8])

        /// A refusal of a whole message, with one finding in the form of those of requests.
        public static func refused(
            _ message: [UInt8], found: String, allowed: String, fix: String
        ) -> Verdict {
            let finding: JSON = [
                "rule": "request-value", "severity": "error", "pointer": "", "line": 1,
                "column": 1, "start": 0, "end": .integer(message.count), "found": .string(found),
                "allowed": .string(allowed), "fix": .string(fix),
                "docs": "/docs/rules/request-value",
            ]
            return .bad(sentences: [fix], findings: JSON.array([finding]).bytes())
        }
    }

    /// A message as JSON that the rulebook accepts.
    ///
    /// - Parameters:
    ///   - instruction: what the agent wants; nil lets the model answer what the customer said last.
    ///   - owner: the business whose share of the requests it is.
    ///   - judge: what the rulebook says.
    public func draft(
        _ kind: MessageKind, _ instruction: String?, after lines: [Line], of business: String,
        for owner: BusinessID, at now: Timestamp, locale: String?, record: @escaping Record,
        judge: @Sendable ([UInt8]) async throws -> Verdict
    ) async throws(AssistantError) -> [UInt8] {
        var blanking = Blanking(blanks)
        guard let schema = schemas.bundle(of: kind) else {
            throw AssistantError(.unusable, "There is no schema of this kind.")
        }
        let prompt = Prompt(of: business, at: now, locale: locale)
        var messages = prompt.draft(
            kind, instruction: instruction.map { blanking.blank($0) },
            after: blanked(lines, by: &blanking))
        var exchange = try begin(kind == .text ? .reply : .card, for: owner, record)
        defer { end(for: owner) }
        var last: (isJSON: Bool, rules: Int, findings: [UInt8]) = (true, 0, [])
        for _ in 0...Self.maximumCorrections {
            let written = try await ask(
                messages, .json(name: kind.rawValue, schema: schema), blanking, &exchange)
            let json = Self.json(in: written)
            let restored = blanking.restore(json)
            // What a person wrote in brackets has a placeholder of its own, and may be repeated.
            let left = blanking.left(in: json)
            let verdict: Verdict
            if !left.isEmpty {
                verdict = Self.refusal(of: restored, with: left)
            } else {
                do { verdict = try await judge(Array(restored.utf8)) } catch {
                    throw AssistantError(.unusable, "The model's message could not be judged.")
                }
            }
            switch verdict {
            case .good(let bytes): return bytes
            case .bad(let sentences, let findings):
                last = (JSONValue.parsed(Array(json.utf8)) != nil, sentences.count, findings)
                // What was judged has the values again, and a sentence may repeat them; one about
                // placeholders has them as the model wrote them.
                messages += prompt.correction(
                    of: written,
                    left.isEmpty ? sentences.map { blanking.blankKnown($0) } : sentences)
            }
        }
        let rules = last.rules == 1 ? "a rule" : "\(last.rules) rules"
        let fault =
            last.isJSON ? "The model's message broke \(rules)" : "The model's answer was no JSON"
        throw AssistantError(
            .unusable, "\(fault), and still so after \(Self.maximumCorrections) corrections.",
            findings: last.findings)
    }

    /// What was said, for a colleague who goes on with it, in a language named as in `en` or `pt-BR`.
    public func summary(
        of lines: [Line], in language: String, of business: String, for owner: BusinessID,
        at now: Timestamp, record: @escaping Record
    ) async throws(AssistantError) -> String {
        var blanking = Blanking(blanks)
        let messages = Prompt(of: business, at: now, locale: nil)
            .summary(of: blanked(lines, by: &blanking), in: language)
        var exchange = try begin(.summary, for: owner, record)
        defer { end(for: owner) }
        return blanking.restore(try await ask(messages, .text, blanking, &exchange))
    }

    /// A text in another language.
    public func translation(
        of text: String, to language: String, for owner: BusinessID, record: @escaping Record
    ) async throws(AssistantError) -> String {
        var blanking = Blanking(blanks)
        // Blanked before it is cut, as in `blanked`.
        let short = Blanking.shorten(blanking.blank(text), to: Blanking.mostBytes)
        let messages = Prompt.translation(of: short, to: language)
        var exchange = try begin(.translation, for: owner, record)
        defer { end(for: owner) }
        return blanking.restore(try await ask(messages, .text, blanking, &exchange))
    }

    // MARK: Exchanges

    private struct Exchange {
        let purpose: Purpose
        let record: Record
        let end: ContinuousClock.Instant
        var round = 0
    }

    private func begin(
        _ purpose: Purpose, for owner: BusinessID, _ record: @escaping Record
    ) throws(AssistantError) -> Exchange {
        guard underWay.withLock({ $0.begin(for: owner) }) else {
            throw AssistantError(.busy, "The model answers others at the moment.")
        }
        return Exchange(purpose: purpose, record: record, end: clock().advanced(by: deadline))
    }

    private func end(for owner: BusinessID) { underWay.withLock { $0.end(for: owner) } }

    private func ask(
        _ messages: [ChatCompletions.Message], _ form: ChatCompletions.Form, _ blanking: Blanking,
        _ exchange: inout Exchange
    ) async throws(AssistantError) -> String {
        exchange.round += 1
        let left = clock().duration(to: exchange.end)
        guard left > .zero else {
            throw AssistantError(.slow, "The model did not answer in time.")
        }
        let body = server.body(messages, form)
        do {
            try await exchange.record(
                Sending(
                    purpose: exchange.purpose, model: model, round: exchange.round,
                    byteCount: body.count,
                    blanked: Blanking.Kind.allCases.reduce(into: [:]) {
                        $0[$1] = blanking.count(of: $1)
                    }))
        } catch {
            throw AssistantError(.unrecorded, "The request could not be recorded.")
        }
        return try await server.ask(body, within: left)
    }

    private func blanked(_ lines: [Line], by blanking: inout Blanking) -> [Line] {
        // Blanked before they are cut: half a number is a number too.
        let whole = lines.suffix(Blanking.mostMessages)
            .map { Line($0.speaker, blanking.blank($0.text)) }
        return Blanking.shorten(whole)
    }

    /// What is wrong with a message that a customer would read these placeholders in.
    private static func refusal(of text: String, with left: [String]) -> Verdict {
        let names = left.joined(separator: ", ")
        return .refused(
            Array(text.utf8), found: names, allowed: "words that the customer can read",
            fix: "Write the message without \(names).")
    }

    /// The object in what a model wrote, without the fence and the words that some put around it.
    static func json(in text: String) -> String {
        let bytes = Array(text.utf8)
        guard let start = bytes.firstIndex(of: UInt8(ascii: "{")) else { return text }
        return String(decoding: bytes[start..<endOfObject(in: bytes, from: start)], as: UTF8.self)
    }

    /// Behind the brace that closes an object; the end of the text where none does.
    private static func endOfObject(in bytes: [UInt8], from start: Int) -> Int {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for place in start..<bytes.count {
            let byte = bytes[place]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return place + 1 }
            default: break
            }
        }
        return bytes.count
    }
}
