import Testing

@testable import DeskStorePostgres

/// When alarms of a database begin and end.
@Suite struct DatabaseAlarmTests {
    private typealias Alarm = DatabaseAlarms.Alarm

    private static func holder(_ age: Duration?, _ oldest: String = "700") -> DatabaseStatus.Holder
    {
        DatabaseStatus.Holder(
            kind: age == nil ? "replication slot" : "connection", name: "a", age: age,
            oldest: oldest)
    }

    private static let cases: [(DatabaseStatus, [Alarm])] = [
        (DatabaseStatus(), []),
        (DatabaseStatus(seesOthers: false), [.statisticsHidden]),
        (DatabaseStatus(awaitsStandby: true), [.standbyMissing]),
        // What is not seen is not missed.
        (DatabaseStatus(seesOthers: false, awaitsStandby: true), [.statisticsHidden]),
        (DatabaseStatus(awaitsStandby: true, standbys: 1), [.standbyMissing]),
        (DatabaseStatus(awaitsStandby: true, standbys: 1, synchronousStandbys: 1), []),
        (DatabaseStatus(standbys: 1, standbyLag: 64 << 20), []),
        (DatabaseStatus(standbys: 1, standbyLag: 64 << 20 + 1), [.standbyBehind]),
        (DatabaseStatus(isArchiveFailing: true), [.archiveFailing]),
        (DatabaseStatus(settingsOff: ["fsync"]), [.settingsUnsafe]),
        (DatabaseStatus(idle: .init(process: 7, age: .milliseconds(9_999))), []),
        (DatabaseStatus(idle: .init(process: 7, age: .seconds(10))), [.transactionIdle]),
        (DatabaseStatus(holders: [holder(.seconds(59)), holder(.seconds(1))]), []),
        (DatabaseStatus(holders: [holder(.seconds(1)), holder(.seconds(60))]), [.snapshotOld]),
        (DatabaseStatus(holders: [holder(nil)]), []),
    ]

    @Test(arguments: cases.indices)
    func `an alarm begins once and ends once`(row: Int) {
        let (status, expected) = Self.cases[row]
        var alarms = DatabaseAlarms(.init())
        let now = ContinuousClock.now
        #expect(
            alarms.note(status, at: now) == expected.map { .init(alarm: $0, begins: true) })
        #expect(alarms.note(status, at: now).isEmpty)
        #expect(
            alarms.note(DatabaseStatus(), at: now)
                == expected.map { .init(alarm: $0, begins: false) })
    }

    @Test func `what has no age by the server's clock gets one from when it was seen first`() {
        var alarms = DatabaseAlarms(.init())
        let now = ContinuousClock.now
        let held = DatabaseStatus(holders: [Self.holder(nil)])
        #expect(alarms.note(held, at: now).isEmpty)
        #expect(alarms.note(held, at: now + .seconds(59)).isEmpty)
        #expect(
            alarms.note(held, at: now + .seconds(60)) == [
                .init(alarm: .snapshotOld, begins: true)
            ])
        // It goes on from another transaction.
        let moved = DatabaseStatus(holders: [Self.holder(nil, "900")])
        #expect(
            alarms.note(moved, at: now + .seconds(61)) == [
                .init(alarm: .snapshotOld, begins: false)
            ])
    }
}
