import DeskCalendar
import DeskHTTP
import DeskModel
import DeskTeam
import DeskWeb

/// What a report is asked for.
struct ReportQuery {
    /// Most days of one report.
    static let mostDays = 400
    /// Most days of one report by hours.
    static let mostDaysOfHours = 31
    /// Days of a report for which none are named.
    private static let usualDays = 7

    /// How the report is written.
    enum Format: String, CaseIterable {
        case json, csv
    }

    /// What the report is cut by, beside time.
    enum Cut: String, CaseIterable {
        case agent, team, label, kind, entry

        var dimension: ReportDimension {
            switch self {
            case .agent: .agent
            case .team: .team
            case .label: .label
            case .kind: .kind
            case .entry: .entry
            }
        }
    }

    let zoneName: String
    let period: ReportPeriod
    let step: ReportPeriod.Step
    let cut: Cut?
    let isCompared: Bool
    let format: Format

    static let names = ["from", "to", "zone", "step", "by", "compare", "format"]

    /// Reads a query.
    ///
    /// - Throws: `invalid` with the parameter that is wrong.
    init(_ query: Query, in zones: TimeZones, now: Timestamp) throws(Problem) {
        zoneName = query["zone"] ?? "UTC"
        guard let zone = zones.rules(of: zoneName) else {
            throw Problem(
                parameter: "zone", in: query,
                allowed: "a name of the tz database that this machine has, such as Asia/Tokyo",
                fix: "Send such a name, or leave the parameter out for UTC.")
        }
        step = try query.word("step", ReportPeriod.Step.self) ?? .day
        cut = try query.word("by", Cut.self)
        format = try query.word("format", Format.self) ?? .json
        isCompared = try query.word("compare", Claim.self) == .true
        let last =
            try Self.day("to", in: query) ?? zone.date(at: now).daysSince1970
        let first = try Self.day("from", in: query) ?? last - Self.usualDays + 1
        guard first <= last else {
            throw Problem(
                parameter: "from", in: query, allowed: "a day that is not after \(Self.text(last))",
                fix: "Send the earlier day as from, the later one as to.")
        }
        let most = step == .hour ? Self.mostDaysOfHours : Self.mostDays
        guard last - first < most else {
            throw Problem(
                parameter: query["from"] == nil ? "to" : "from", in: query,
                allowed: "at most \(most) days\(step == .hour ? " by hours" : "")",
                fix: "Ask for fewer days at a time.")
        }
        period = ReportPeriod(from: first, to: last, in: zone)
    }

    private enum Claim: String, CaseIterable {
        case `true`, `false`
    }

    /// A day's text, such as `2026-11-23`.
    static func text(_ day: Int) -> String {
        String(Timestamp(seconds: Int64(day) * 86_400).text.prefix(10))
    }

    private static func day(_ name: String, in query: Query) throws(Problem) -> Int? {
        guard let text = query[name] else { return nil }
        guard text.utf8.count == 10, let time = Timestamp(text + "T00:00:00Z") else {
            throw Problem(
                parameter: name, in: query, allowed: "a day such as 2026-11-23",
                fix: "Send a day of the calendar as year-month-day.")
        }
        return Int(time.milliseconds / 86_400_000)
    }
}
