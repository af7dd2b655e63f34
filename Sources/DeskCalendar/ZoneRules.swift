package import DeskModel

/// How far the clocks of a time zone are from UTC, at every moment.
///
/// Read from a compiled file of the IANA time zone database (RFC 8536, versions 2 to 4): a table of
/// changes, and a rule for the time after the last of them. All seconds are since 1970.
package struct ZoneRules: Hashable, Sendable {
    /// A moment from which on the clocks are so far ahead of UTC.
    struct Change: Hashable {
        /// The moment in seconds.
        let at: Int
        /// Seconds east of UTC.
        let offset: Int
    }

    /// UTC itself.
    package static let utc = ZoneRules(first: 0, changes: [], rest: nil)

    private let first: Int
    private let changes: [Change]
    private let rest: YearlyRule?

    init(first: Int, changes: [Change], rest: YearlyRule?) {
        self.first = first
        self.changes = changes
        self.rest = rest
    }

    /// Seconds by which the clocks are ahead of UTC at a moment.
    package func offset(at moment: Timestamp) -> Int { offset(at: moment.wholeSeconds) }

    func offset(at seconds: Int) -> Int {
        guard let last = changes.last, seconds < last.at else {
            return rest?.offset(at: seconds) ?? changes.last?.offset ?? first
        }
        return changes.prefix(upTo: place(after: seconds)).last?.offset ?? first
    }

    /// The first moment after another from which the offset may be different; nil for never.
    func nextChange(after seconds: Int) -> Int? {
        if let last = changes.last, seconds < last.at { return changes[place(after: seconds)].at }
        return rest?.nextChange(after: seconds)
    }

    /// The place of the first change after a moment.
    private func place(after seconds: Int) -> Int {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].at <= seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension ZoneRules {
    /// The date that calendars show at a moment.
    package func date(at moment: Timestamp) -> CivilDate {
        let seconds = moment.wholeSeconds
        return CivilDate(
            daysSince1970: CivilDate.divide(seconds + offset(at: seconds), by: 86_400).quotient)
    }

    /// The first moment of a date: where clocks skip midnight, the moment at which they do.
    ///
    /// The next date's start is 23, 24 or 25 hours later, or another number where a zone changed more.
    package func start(of date: CivilDate) -> Timestamp {
        let local = date.daysSince1970 * 86_400
        let around = [offset(at: local - 86_400), offset(at: local + 86_400)]
        // The clock that is further ahead reaches the date first.
        for offset in around.sorted(by: >) where self.offset(at: local - offset) == offset {
            return Timestamp(seconds: Int64(local - offset))
        }
        let early = local - (around.max() ?? 0)
        return Timestamp(seconds: Int64(nextChange(after: early - 1) ?? early))
    }
}

extension Timestamp {
    /// The seconds since 1970, without the fraction.
    var wholeSeconds: Int { CivilDate.divide(Int(milliseconds), by: 1_000).quotient }
}
