import DeskModel
import DeskSQL
import DeskStore
import DeskStorePostgres
import TestSupport
import Testing

/// What stores promise of runs of scripts, however many processes share them.
@Suite struct ScriptRunContract {
    private static let long = Duration.seconds(3_600)
    private static let most = 4

    private static func id(_ number: UInt64) -> ScriptRunID { ScriptRunID(uniqueID(number)) }

    private static func run(_ number: UInt64) -> ScriptRunRow {
        ScriptRunRow(id: id(number), start: dawn, document: [UInt8(number)])
    }

    private static func lease(
        of number: UInt64, life: Duration = long, in store: any SQLRegistries
    ) async throws -> Lease {
        try #require(try await store.acquireLease(ScriptRunRow.lease(of: id(number)), life: life))
    }

    private static func begin(
        _ number: UInt64, _ customers: [String] = [], in store: any SQLRegistries
    ) async throws -> (ScriptRunBeginning, Lease) {
        let lease = try await lease(of: number, in: store)
        let begun = try await store.beginScriptRun(
            run(number), of: customers, atMost: most, under: lease)
        return (begun, lease)
    }

    private static func end(
        _ number: UInt64, keeping kept: Int = 9, under lease: Lease, in store: any SQLRegistries
    ) async throws {
        try await store.endScriptRun(
            id(number), as: [0xE], at: dawn.advanced(by: .seconds(9)), keeping: kept, under: lease)
    }

    private static func numbers(in store: any SQLRegistries) async throws -> [ScriptRunID] {
        try await store.scriptRuns().map(\.id)
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a run is shown as its player stored it, until it ends`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let (begun, lease) = try await Self.begin(1, in: store)
            #expect(begun == .begun)
            #expect(try await store.findScriptRun(Self.id(1)) == Self.run(1))
            #expect(try await store.findScriptRun(Self.id(2)) == nil)
            try await store.updateScriptRun(Self.id(1), to: [7], under: lease)
            #expect(try await store.findScriptRun(Self.id(1))?.document == [7])
            try await Self.end(1, under: lease, in: store)
            let ended = ScriptRunRow(
                id: Self.id(1), start: dawn, end: dawn.advanced(by: .seconds(9)), document: [0xE])
            #expect(try await store.scriptRuns() == [ended])
            // An end is not changed, nor ended again.
            try await store.updateScriptRun(Self.id(1), to: [8], under: lease)
            try await store.endScriptRun(
                Self.id(1), as: [9], at: dawn, keeping: 9, under: lease)
            #expect(try await store.scriptRuns() == [ended])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a customer is in one run at a time, and no more run than may`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            // Names that look the same are two, as bytes are.
            let (_, first) = try await Self.begin(1, ["1 Aki", "1 Caf\u{E9}"], in: store)
            #expect(try await Self.begin(2, ["1 Bo", "1 Aki"], in: store).0 == .isBusy("1 Aki"))
            #expect(try await Self.begin(3, ["1 Cafe\u{301}"], in: store).0 == .begun)
            #expect(try await Self.begin(4, ["2 Aki"], in: store).0 == .begun)
            #expect(try await Self.begin(5, in: store).0 == .begun)
            #expect(try await Self.begin(6, in: store).0 == .tooMany)
            #expect(
                try await Self.numbers(in: store) == [5, 4, 3, 1].map { Self.id($0) })
            try await Self.end(1, under: first, in: store)
            #expect(try await Self.begin(7, ["1 Aki"], in: store).0 == .begun)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what is asked of a run is seen by its player, and of one that has ended by none`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let (_, lease) = try await Self.begin(1, in: store)
            #expect(try await store.askScriptRun(Self.id(1), for: .skip(line: 3)))
            #expect(try await store.findScriptRun(Self.id(1))?.skippedLine == 3)
            #expect(try await store.findScriptRun(Self.id(1))?.isStopWanted == false)
            #expect(try await store.askScriptRun(Self.id(1), for: .skip(line: 5)))
            #expect(try await store.askScriptRun(Self.id(1), for: .stop))
            // What is shown changes beside it.
            try await store.updateScriptRun(Self.id(1), to: [7], under: lease)
            let asked = ScriptRunRow(
                id: Self.id(1), start: dawn, document: [7], skippedLine: 5, isStopWanted: true)
            #expect(try await store.findScriptRun(Self.id(1)) == asked)
            try await Self.end(1, under: lease, in: store)
            for wish in [ScriptRunWish.stop, .skip(line: 1)] {
                #expect(try await store.askScriptRun(Self.id(1), for: wish) == false)
                #expect(try await store.askScriptRun(Self.id(2), for: wish) == false)
            }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `of the runs that ended the last ones are kept, and those that run`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            _ = try await Self.begin(1, in: store)
            for number in 2...5 as ClosedRange<UInt64> {
                let (_, lease) = try await Self.begin(number, in: store)
                try await Self.end(number, keeping: 2, under: lease, in: store)
            }
            #expect(try await Self.numbers(in: store) == [5, 4, 1].map { Self.id($0) })
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a player that lost its lease changes nothing, and another one ends the run`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let first = try await Self.lease(of: 1, life: .zero, in: store)
            #expect(
                try await store.beginScriptRun(
                    Self.run(1), of: [], atMost: Self.most, under: first) == .begun)
            let second = try await Self.lease(of: 1, in: store)
            let late: [() async throws -> Void] = [
                { try await store.updateScriptRun(Self.id(1), to: [7], under: first) },
                { try await Self.end(1, under: first, in: store) },
                {
                    _ = try await store.beginScriptRun(
                        Self.run(2), of: [], atMost: Self.most, under: first)
                },
            ]
            for write in late {
                let error = await #expect(throws: StoreError.self) { try await write() }
                #expect(error?.code == .superseded)
            }
            #expect(try await store.scriptRuns() == [Self.run(1)])
            try await Self.end(1, under: second, in: store)
            #expect(try await store.findScriptRun(Self.id(1))?.end != nil)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `of runs that begin at once, on however many nodes, no more begin than may`(
        _ kept: KeptRegistries
    ) async throws {
        switch kept {
        case .inSQLite: try await kept.with { store in try await Self.beginAtOnce(on: [store]) }
        case .inPostgreSQL:
            try await KeptRegistries.withPostgres(3) { try await Self.beginAtOnce(on: $0) }
        }
    }

    private static func beginAtOnce(on stores: [any SQLRegistries]) async throws {
        let begun = try await withThrowingTaskGroup(of: ScriptRunBeginning.self) { group in
            for number in 1...9 as ClosedRange<UInt64> {
                group.addTask {
                    try await begin(
                        number, ["\(number / 2)"], in: stores[Int(number) % stores.count]
                    ).0
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(begun.filter { $0 == .begun }.count == most)
        #expect(try await stores[0].scriptRuns().count == most)
    }
}
