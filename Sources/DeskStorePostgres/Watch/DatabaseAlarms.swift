/// Which alarms of a database are raised: each begins once and ends once.
struct DatabaseAlarms: Sendable {
    /// What an operator has to look at.
    enum Alarm: String, CaseIterable, Sendable {
        /// The role may not see what others do, so that most of the other alarms cannot be raised.
        case statisticsHidden = "database_statistics_hidden"
        /// Commits wait for a standby, and none is there.
        case standbyMissing = "database_standby_missing"
        /// A standby has less of the log than it should.
        case standbyBehind = "database_standby_behind"
        /// The log is not archived.
        case archiveFailing = "database_archive_failing"
        /// A power cut may lose what was acknowledged, or a damaged disk would not be noticed.
        case settingsUnsafe = "database_settings_unsafe"
        /// Something keeps the rows of the past.
        case snapshotOld = "database_snapshot_old"
        /// A client left a transaction open.
        case transactionIdle = "database_transaction_idle"
    }

    /// What begins or ends.
    struct Change: Equatable, Sendable {
        let alarm: Alarm
        let begins: Bool
    }

    /// From when on something is an alarm.
    struct Bounds: Sendable {
        /// The age of a snapshot.
        var snapshot: Duration = .seconds(60)
        /// The time for which a transaction is idle.
        var idle: Duration = .seconds(10)
        /// What a standby lacks of the log: four of its files.
        var lag = 64 * 1_024 * 1_024
    }

    /// What has kept the rows of the past for the longest time, by this process's clock where the server's says
    /// nothing.
    private(set) var oldest: (holder: DatabaseStatus.Holder, age: Duration)?
    private let bounds: Bounds
    private var raised: Set<Alarm> = []
    /// Since when holders whose age the server does not say keep the same transaction.
    private var seen: [String: ContinuousClock.Instant] = [:]

    init(_ bounds: Bounds) { self.bounds = bounds }

    /// Notes what the server says now; what begins and what ends.
    mutating func note(
        _ status: DatabaseStatus, at now: ContinuousClock.Instant
    ) -> [Change] {
        findOldest(among: status.holders, at: now)
        return Alarm.allCases.compactMap { alarm in
            let isRaised = holds(alarm, of: status)
            guard isRaised != raised.contains(alarm) else { return nil }
            if isRaised { raised.insert(alarm) } else { raised.remove(alarm) }
            return Change(alarm: alarm, begins: isRaised)
        }
    }

    private mutating func findOldest(
        among holders: [DatabaseStatus.Holder], at now: ContinuousClock.Instant
    ) {
        var known: [String: ContinuousClock.Instant] = [:]
        oldest = nil
        for holder in holders {
            let key = "\(holder.kind) \(holder.name) \(holder.oldest)"
            let since = seen[key] ?? now
            if holder.age == nil { known[key] = since }
            let age = holder.age ?? since.duration(to: now)
            if oldest.map({ $0.age < age }) ?? true { oldest = (holder, age) }
        }
        seen = known
    }

    private func holds(_ alarm: Alarm, of status: DatabaseStatus) -> Bool {
        switch alarm {
        case .statisticsHidden: !status.seesOthers
        // Without the right to see them, none seems to be there.
        case .standbyMissing:
            status.seesOthers && status.awaitsStandby && status.synchronousStandbys == 0
        case .standbyBehind: status.standbyLag > bounds.lag
        case .archiveFailing: status.isArchiveFailing
        case .settingsUnsafe: !status.settingsOff.isEmpty
        case .snapshotOld: oldest.map { $0.age >= bounds.snapshot } ?? false
        case .transactionIdle: status.idle.map { $0.age >= bounds.idle } ?? false
        }
    }
}
