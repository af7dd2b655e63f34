import DeskCalendar
import DeskModel
import DeskStore
import DeskTeam

/// A report as it is answered.
struct Report {
    /// Most members that a cut names.
    static let mostMembers = 500

    /// A row by time.
    struct Row {
        let begin: Timestamp
        let end: Timestamp
        let counts: ReportCounts
    }

    /// A row by what the report is cut by.
    struct Member {
        /// What it is, such as an agent's id; nil for what has no name of its own.
        let id: String?
        /// What people call it.
        let name: String
        let counts: ReportCounts
    }

    let business: BusinessID
    let query: ReportQuery
    /// The event up to which was counted; nil before anything was.
    let countedUpTo: EventID?
    let rows: [Row]
    let previous: ReportCounts?
    var members: [Member] = []

    /// All rows together.
    var total: ReportCounts {
        rows.reduce(into: ReportCounts()) { $0 += $1.counts }
    }

    /// The text of a row's first moment by the clock of the report's zone, with its offset.
    func text(of time: Timestamp) -> String {
        let second = time.milliseconds / 1_000
        let offset = query.period.zone.offset(at: time)
        let local = Timestamp(seconds: second + Int64(offset)).text.prefix(19)
        let minutes = abs(offset) / 60
        return
            "\(local)\(offset < 0 ? "-" : "+")\(Self.two(minutes / 60)):\(Self.two(minutes % 60))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension ReportCounts {
    /// What is shown of the numbers, in the order of columns; nil where nothing can be said.
    var shown: [(name: StaticString, value: Int?)] {
        [
            ("begun", Int(begun)), ("received", Int(received)), ("sent", Int(sent)),
            ("closed", Int(closed)), ("firstAnswers", Int(answers)),
            ("firstAnswerSeconds", Self.mean(answerMilliseconds, of: answers)),
            ("waits", Int(waits)), ("waitSeconds", Self.mean(waitMilliseconds, of: waits)),
            ("resolutionSeconds", Self.mean(resolutionMilliseconds, of: closed)),
            ("cards", Int(cards)), ("cardsAnswered", Int(cardsAnswered)),
            ("cardsPaid", Int(cardsPaid)),
            ("firstAnswerMedianSeconds", seconds(50, of: .answer)),
            ("firstAnswerP90Seconds", seconds(90, of: .answer)),
            ("waitMedianSeconds", seconds(50, of: .wait)),
            ("waitP90Seconds", seconds(90, of: .wait)),
            ("resolutionMedianSeconds", seconds(50, of: .resolution)),
            ("resolutionP90Seconds", seconds(90, of: .resolution)),
            ("firstOverdue", Int(firstOverdue)), ("nextOverdue", Int(nextOverdue)),
            ("satisfactionAsked", Int(asked)),
            ("satisfactionAnswered", Int(scored.reduce(0, +))), ("scored1", Int(scored1)),
            ("scored2", Int(scored2)), ("scored3", Int(scored3)), ("scored4", Int(scored4)),
            ("scored5", Int(scored5)),
        ]
    }

    private func seconds(_ percent: Int64, of kind: ReportSpans.Kind) -> Int? {
        spans.percentile(percent, of: kind).map { Int(($0 + 499) / 1_000) }
    }

    /// The mean of the scores with two decimals; nil without one.
    var meanScore: String? {
        let count = scored.reduce(0, +)
        guard count > 0 else { return nil }
        let sum = zip(Satisfaction.scores, scored).reduce(0) { $0 + Int64($1.0) * $1.1 }
        let hundredths = (sum * 200 / count + 1) / 2
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func mean(_ milliseconds: Int64, of count: Int64) -> Int? {
        count > 0 ? Int((milliseconds / count + 500) / 1_000) : nil
    }
}
