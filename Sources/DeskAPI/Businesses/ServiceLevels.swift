import DeskCalendar
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// How soon a business wants to answer, by priority, and by which clock.
struct ServiceLevels: Hashable {
    /// Longest time in minutes that can be promised: 30 days.
    static let longestMinutes = 43_200
    /// Longest time in minutes before an answer is due from which on it is about to break.
    static let longestWarning = 1_440

    /// The clock by which the time runs.
    enum Clock: String, CaseIterable {
        /// Within the hours of the conversation's team, or else of its business.
        case hours
        /// At all times.
        case always
    }

    /// Minutes by priority; what has none is not promised.
    var minutes: [AnswerDue.Kind: [Priority: Int]] = [:]
    var clock = Clock.hours
    /// So many minutes before it is due an answer is about to break.
    var warningMinutes = 15

    /// Reads a request's body, or what was stored.
    ///
    /// - Throws: `invalid` with the place of each fault.
    init(_ value: JSONValue) throws(Problem) {
        var fields = try Fields(value)
        for (kind, name) in [(AnswerDue.Kind.first, "firstAnswer"), (.next, "nextAnswer")] {
            guard let stated = fields.requireValue(name), !stated.isNull else { continue }
            minutes[kind] = Self.minutes(stated, &fields)
        }
        clock = fields.word("clock", Clock.self) ?? .hours
        warningMinutes = fields.number("warningMinutes", 0...Self.longestWarning) ?? 15
        try fields.finish()
    }

    /// Reads what was stored; nil for what this program does not know.
    init?(stored bytes: [UInt8]?) {
        guard let bytes, let value = JSONValue.parsed(bytes),
            let read = try? ServiceLevels(value)
        else { return nil }
        self = read
    }

    private static func minutes(
        _ value: JSONValue, _ fields: inout Fields
    ) -> [Priority: Int] {
        guard value.kind == .object else {
            fields.note(
                .type, value, "an object or null", "Send minutes by the words of priorities.")
            return [:]
        }
        var found: [Priority: Int] = [:]
        for member in value.members {
            guard let priority = Priority(rawValue: member.key) else {
                fields.note(
                    .unknown, member.value,
                    Priority.allCases.map(\.rawValue).joined(separator: ", "),
                    "Take the member out.")
                continue
            }
            if member.value.isNull { continue }
            guard let minutes = member.value.int, (1...longestMinutes).contains(minutes) else {
                fields.note(
                    .value, member.value, "a whole number from 1 to \(longestMinutes), or null",
                    "Send minutes within these bounds.")
                continue
            }
            found[priority] = minutes
        }
        return found
    }

    /// Whether nothing is promised.
    var isEmpty: Bool { minutes.values.allSatisfy(\.isEmpty) }

    /// When an answer is due that is awaited since a moment; nil where none is promised, or never within
    /// the hours.
    func due(
        _ kind: AnswerDue.Kind, _ priority: Priority, from start: Timestamp, _ times: OpeningTimes?
    ) -> Timestamp? {
        guard let minutes = minutes[kind]?[priority] else { return nil }
        let time = Duration.seconds(minutes * 60)
        guard clock == .hours, let times else { return start.advanced(by: time) }
        return times.moment(after: time, from: start)
    }

    /// The JSON that is stored and answered.
    var json: [UInt8] {
        JSONWriter.object { text in
            text.member("firstAnswer") { write(.first, to: &$0) }
            text.member("nextAnswer") { write(.next, to: &$0) }
            text.member("clock", clock.rawValue)
            text.member("warningMinutes", warningMinutes)
        }
    }

    private func write(_ kind: AnswerDue.Kind, to text: inout JSONWriter) {
        text.object { text in
            for priority in Priority.allCases {
                guard let minutes = minutes[kind]?[priority] else { continue }
                text.key(text: priority.rawValue)
                text.number(minutes)
            }
        }
    }
}

extension Services {
    /// What a business promises; nil for nothing.
    func serviceLevels(of business: BusinessID) async throws(Problem) -> ServiceLevels? {
        ServiceLevels(
            stored: try await asking { store throws(StoreError) in
                try await store.serviceLevels(of: business)
            })
    }

    /// Until when a list of due answers goes in each business: so many minutes from now, or with nil as
    /// `dueSoon`.
    func dueEnds(
        _ minutes: Int?, in businesses: Set<BusinessID>
    ) async throws(Problem) -> [BusinessID: Timestamp] {
        guard let minutes else { return try await dueSoon(in: businesses) }
        let end = time.now().advanced(by: .seconds(minutes * 60))
        return Dictionary(uniqueKeysWithValues: businesses.map { ($0, end) })
    }

    /// Until when an answer of each business is about to break, or is overdue; those that promise
    /// nothing are left out.
    func dueSoon(in businesses: Set<BusinessID>) async throws(Problem) -> [BusinessID: Timestamp] {
        let now = time.now()
        var soon: [BusinessID: Timestamp] = [:]
        for business in businesses {
            guard let levels = try await serviceLevels(of: business) else { continue }
            soon[business] = now.advanced(by: .seconds(levels.warningMinutes * 60))
        }
        return soon
    }
}
