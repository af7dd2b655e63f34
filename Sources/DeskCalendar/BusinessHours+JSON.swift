package import DeskJSON
import DeskModel

extension BusinessHours {
    /// What is wrong with a value of hours, in the words of a finding.
    package struct Fault {
        /// The value.
        package let value: JSONValue
        /// What it may be.
        package let allowed: String
        /// What to do.
        package let fix: String
    }

    /// Reads hours from their JSON object; nil where anything is wrong with them, which is noted.
    ///
    /// Whether there is a zone of the name is not looked at.
    package static func read(
        _ root: JSONValue, _ faults: inout [Fault]
    ) -> BusinessHours? {
        var reader = HoursReader()
        let hours = reader.hours(root)
        faults += reader.faults
        return reader.faults.isEmpty ? hours : nil
    }

    /// Reads what `json` wrote; nil for anything else.
    package init?(_ json: [UInt8]) {
        var faults: [Fault] = []
        guard let root = JSONValue.parsed(json), let hours = Self.read(root, &faults) else {
            return nil
        }
        self = hours
    }

    /// The same as a JSON object's text.
    package var json: [UInt8] {
        JSONWriter.object { text in
            text.member("timeZone", timeZone)
            text.member("week") { text in
                text.object { text in
                    for (name, intervals) in zip(Self.weekdays, week) {
                        text.key(text: name)
                        write(intervals, to: &text)
                    }
                }
            }
            text.member("holidays") { text in
                text.array { text in
                    for holiday in holidays {
                        text.object {
                            $0.member("date", holiday.date.text)
                            $0.member("name", holiday.name)
                            $0.member("open") { write(holiday.open, to: &$0) }
                        }
                    }
                }
            }
        }
    }

    private func write(_ intervals: [Interval], to text: inout JSONWriter) {
        text.array { text in
            for interval in intervals {
                text.object {
                    $0.member("from", Self.clock(interval.from))
                    $0.member("to", Self.clock(interval.to))
                }
            }
        }
    }

    /// Whether a text is a time of a day, `00:00` to `23:59`.
    package static func isTimeOfDay(_ text: String) -> Bool {
        HoursReader.minutes(text).map { $0 < 1_440 } ?? false
    }

    /// `09:30`.
    private static func clock(_ minutes: Int) -> String {
        twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
    }

    fileprivate static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

extension CivilDate {
    /// `2026-12-25`; for the years 1000 to 9999.
    fileprivate var text: String {
        "\(year)-\(BusinessHours.twoDigits(month))-\(BusinessHours.twoDigits(day))"
    }

    /// Reads what `text` wrote, of a day that there is.
    fileprivate init?(_ text: String) {
        guard text.utf8.count == 10, let start = Timestamp(text + "T00:00:00Z") else { return nil }
        self.init(daysSince1970: CivilDate.divide(Int(start.milliseconds), by: 86_400_000).quotient)
        guard year >= 1_000 else { return nil }
    }
}

/// Reads hours, and gathers everything wrong with them.
private struct HoursReader {
    /// Faults that are noted of one value at most.
    private static let mostFaults = 50

    var faults: [BusinessHours.Fault] = []

    mutating func hours(_ root: JSONValue) -> BusinessHours? {
        // The reader of the request names unknown members to its sender.
        guard root.kind == .object else {
            note(root, "an object", "Send a JSON object.")
            return nil
        }
        let zone = root["timeZone"]?.string
        if !(1...TimeZones.maximumNameBytes).contains(zone?.utf8.count ?? 0) {
            note(
                root["timeZone"] ?? root, "the name of a time zone, such as Europe/Berlin",
                "Send timeZone.")
        }
        let week = week(root["week"], in: root)
        let holidays = holidays(root["holidays"])
        guard let zone else { return nil }
        return BusinessHours(timeZone: zone, week: week, holidays: holidays)
    }

    private mutating func week(
        _ value: JSONValue?, in root: JSONValue
    ) -> [[BusinessHours.Interval]] {
        guard let value else {
            note(root, "the member week", "Add week, an object of weekdays.")
            return []
        }
        guard isObject(value, of: BusinessHours.weekdays) else { return [] }
        return BusinessHours.weekdays.map { day in value[day].map { intervals($0) } ?? [] }
    }

    private mutating func holidays(_ value: JSONValue?) -> [BusinessHours.Holiday] {
        guard let value, !value.isNull else { return [] }
        let most = BusinessHours.mostHolidays
        guard value.kind == .array, value.count <= most else {
            note(value, "a list of up to \(most) holidays", "Leave out holidays that are past.")
            return []
        }
        var found: [BusinessHours.Holiday] = []
        var dates: Set<CivilDate> = []
        for element in value.elements {
            guard isObject(element, of: ["date", "name", "open"]) else { continue }
            guard let date = element["date"]?.string.flatMap({ CivilDate($0) }) else {
                note(element["date"] ?? element, "a date such as 2026-12-25", "Send the date.")
                continue
            }
            guard dates.insert(date).inserted else {
                note(element["date"] ?? element, "each date once", "Leave out one of the two.")
                continue
            }
            found.append(
                BusinessHours.Holiday(
                    date: date, name: name(element["name"]),
                    open: element["open"].map { intervals($0) } ?? []))
        }
        return found.sorted { $0.date.daysSince1970 < $1.date.daysSince1970 }
    }

    private mutating func name(_ value: JSONValue?) -> String {
        guard let value, !value.isNull else { return "" }
        let most = BusinessHours.maximumHolidayBytes
        guard let text = value.string, text.utf8.count <= most else {
            note(value, "a text of up to \(most) bytes", "Send a shorter name.")
            return ""
        }
        return text
    }

    private mutating func intervals(_ value: JSONValue) -> [BusinessHours.Interval] {
        let most = BusinessHours.mostIntervals
        guard value.kind == .array, value.count <= most else {
            note(value, "a list of up to \(most) intervals", "Join intervals that touch.")
            return []
        }
        var found: [(interval: BusinessHours.Interval, value: JSONValue)] = []
        for element in value.elements {
            if let interval = interval(element) { found.append((interval, element)) }
        }
        let sorted = found.sorted { $0.interval.from < $1.interval.from }
        for (one, next) in zip(sorted, sorted.dropFirst())
        where next.interval.from < one.interval.to {
            note(
                next.value["from"] ?? next.value,
                "a time from the end of the interval before it on, so that no two overlap",
                "Let it begin later, or the one before end earlier.")
        }
        return sorted.map(\.interval)
    }

    private mutating func interval(_ value: JSONValue) -> BusinessHours.Interval? {
        guard isObject(value, of: ["from", "to"]) else { return nil }
        let from = value["from"]?.string.flatMap { Self.minutes($0) }
        // The midnight at the end of the day is written in either way, and answered as 24:00.
        let to = value["to"]?.string.flatMap { Self.minutes($0) }.map { $0 == 0 ? 1_440 : $0 }
        if from == nil || from == 1_440 {
            note(value["from"] ?? value, "a time from 00:00 to 23:59", "Send from as HH:MM.")
        }
        guard let to else {
            note(
                value["to"] ?? value, "a time from 00:01 to 24:00, or 00:00 for the end of the day",
                "Send to as HH:MM.")
            return nil
        }
        guard let from, from < 1_440 else { return nil }
        guard from < to else {
            note(
                value["to"] ?? value, "a time after from",
                "Let the interval end after it begins; what goes on after midnight is an interval "
                    + "of the next day.")
            return nil
        }
        return BusinessHours.Interval(from: from, to: to)
    }

    /// The minutes of `09:30`; nil for anything else.
    static func minutes(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 0x30 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard minutes < 60, hours < 24 || (hours == 24 && minutes == 0) else { return nil }
        return hours * 60 + minutes
    }

    private mutating func isObject(_ value: JSONValue, of names: [String]) -> Bool {
        guard value.kind == .object else {
            note(value, "an object", "Send a JSON object.")
            return false
        }
        for member in value.members where !names.contains(where: { member.keyEquals($0) }) {
            note(
                member.value, "no member but " + names.joined(separator: ", "),
                "Take the member out.")
        }
        return true
    }

    private mutating func note(_ value: JSONValue, _ allowed: String, _ fix: String) {
        guard faults.count < Self.mostFaults else { return }
        faults.append(BusinessHours.Fault(value: value, allowed: allowed, fix: fix))
    }
}
