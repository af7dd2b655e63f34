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
        ]
    }

    private static func mean(_ milliseconds: Int64, of count: Int64) -> Int? {
        count > 0 ? Int((milliseconds / count + 500) / 1_000) : nil
    }
}
