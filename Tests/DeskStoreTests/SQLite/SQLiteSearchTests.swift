import DeskModel
import DeskStore
import FoundationEssentials
import Testing

@testable import DeskStoreSQLite

/// What holds for the index in a file alone.
struct SQLiteSearchTests {
    private static func withStore(
        _ body: (SQLiteStore, String) async throws -> Void
    ) async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
            try await store.begin(conversation(1))
            for number in 1...5 {
                _ = try await store.accept(
                    submission("m\(number)", to: conversation(1), "parcel \(number)"))
            }
            do {
                try await body(store, directory)
            } catch {
                await store.close()
                throw error
            }
            await store.close()
        }
    }

    private static func open(_ store: SQLiteStore, _ directory: String) throws -> SQLiteSearch {
        try SQLiteSearch(of: store, directory: directory, readable: readable)
    }

    @Test func `an index goes on where it ended`() async throws {
        try await Self.withStore { store, directory in
            let first = try Self.open(store, directory)
            try await first.catchUp()
            await first.close()
            let second = try Self.open(store, directory)
            #expect(second.indexed == store.newest)
            #expect(try await second.ids("parcel").count == 5)
            await second.close()
        }
    }

    /// What is done to the file while no process serves it.
    enum Harm: CaseIterable, Sendable {
        case deleted, emptied, noDatabase, halved, otherLife, ahead

        func happen(to path: String) throws {
            switch self {
            case .deleted: try FileManager.default.removeItem(atPath: path)
            case .emptied: try Data().write(to: URL(filePath: path))
            case .noDatabase:
                try Data(repeating: 0x5A, count: 40_000).write(to: URL(filePath: path))
            case .halved:
                let whole = try Data(contentsOf: URL(filePath: path))
                try whole.prefix(whole.count / 2 / 4_096 * 4_096).write(to: URL(filePath: path))
            case .otherLife, .ahead:
                let connection = try Connection(path: path, mayWrite: true)
                try connection.execute(
                    self == .ahead
                        ? "UPDATE state SET cursor = 1000000" : "UPDATE state SET epoch = 5")
            }
        }
    }

    @Test(arguments: Harm.allCases)
    func `an index that is missing, damaged or another's is made anew`(harm: Harm) async throws {
        try await Self.withStore { store, directory in
            let first = try Self.open(store, directory)
            try await first.catchUp()
            await first.close()
            try harm.happen(to: directory + "/" + SQLiteSearch.fileName)
            let second = try Self.open(store, directory)
            // Damage inside may show itself only when that place is read or written.
            for _ in 0..<3 {
                do {
                    try await second.catchUp()
                    _ = try await second.ids("parcel")
                } catch let error as StoreError {
                    #expect(error.code == .damaged || error.code == .refused)
                    #expect(try await second.advance().isAnew)
                }
            }
            #expect(try await second.ids("parcel") == ["m5", "m4", "m3", "m2", "m1"])
            await second.close()
        }
    }

    @Test func `a message that is not whole is passed over and named`() async throws {
        try await Self.withStore { store, directory in
            let rest = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: true)
            try rest.execute(
                "UPDATE messages SET payload = CAST('parcel X' AS BLOB) WHERE id = 'm3'")
            let search = try Self.open(store, directory)
            var damaged: [Position] = []
            var advance = SearchAdvance()
            repeat {
                advance = try await search.advance()
                damaged += advance.damaged
            } while advance.mayGoOn
            #expect(damaged.count == 1)
            #expect(try await search.ids("parcel") == ["m5", "m4", "m2", "m1"])
            await search.close()
        }
    }

    @Test func `what the index says wrongly is not shown`() async throws {
        try await Self.withStore { store, directory in
            let search = try Self.open(store, directory)
            try await search.catchUp()
            let rest = try Connection(
                path: directory + "/" + SQLiteSearch.fileName, mayWrite: true)
            let wrong = SearchRowNumber.number(of: 1, business: 1)
            try rest.execute(
                "INSERT INTO words_0 (rowid, words) VALUES (\(wrong), 'letter')")
            #expect(try await search.ids("letter") == [])
            await search.close()
        }
    }

    @Test func `a search looks through every table from the newest to the oldest`() async throws {
        try await withScratch { directory in
            let path = directory + "/" + SQLiteSearch.fileName
            let newest = Position(3 << 18)
            let writer = try SearchFileWriter(path: path, epoch: Epoch(1), newest: newest)
            let places: [Int64] = [1, 2, 1 << 18, 2 << 18, 2 << 18 + 1]
            for place in places {
                _ = try writer.add(
                    [
                        SearchRow(
                            position: Position(place), business: business(1), words: "parcel")
                    ], upTo: Position(place))
            }
            let reader = SearchFileReader(path: path)
            var found: [Int64] = []
            var end = newest
            var pages = 0
            while true {
                let page = try reader.find(
                    SearchLook(
                        expression: "\"parcel\"", businesses: [business(1)],
                        positions: 1..<end.value, isBackward: false, limit: 2,
                        until: .now + .seconds(60)), life: 0)
                found += page.positions.map(\.value)
                pages += 1
                guard let next = page.rest else { break }
                end = next
            }
            #expect(found == places.reversed())
            #expect(pages == 3)
        }
    }

    @Test func `a search that reached its time limit says where to resume`() async throws {
        try await withScratch { directory in
            let path = directory + "/" + SQLiteSearch.fileName
            let newest = Position(3 << 18)
            let writer = try SearchFileWriter(path: path, epoch: Epoch(1), newest: newest)
            for place in [1, 1 << 18, 2 << 18] as [Int64] {
                let row = SearchRow(
                    position: Position(place), business: business(1), words: "parcel")
                _ = try writer.add([row], upTo: Position(place))
            }
            let reader = SearchFileReader(path: path)
            func look(_ positions: Range<Int64>, isBackward: Bool = false) throws -> FoundPositions
            {
                try reader.find(
                    SearchLook(
                        expression: "\"parcel\"", businesses: [business(1)], positions: positions,
                        isBackward: isBackward, limit: 10, until: .now - .seconds(1)), life: 0)
            }
            let first = try look(1..<newest.value)
            #expect(first.positions == [Position(2 << 18)])
            #expect(first.rest == Position(2 << 18))
            let second = try look(1..<2 << 18)
            #expect(second.positions == [Position(1 << 18)])
            let third = try look(1..<1 << 18)
            #expect(third.positions == [Position(1)] && third.rest == nil)
            // Back again.
            let back = try look(1..<newest.value, isBackward: true)
            #expect(back.positions == [Position(1)] && back.rest == Position(1 << 18 - 1))
            let next = try look(1 << 18..<newest.value, isBackward: true)
            #expect(next.positions == [Position(1 << 18)])
            let last = try look(2 << 18..<newest.value, isBackward: true)
            #expect(last.positions == [Position(2 << 18)] && last.rest == nil)
        }
    }
}
