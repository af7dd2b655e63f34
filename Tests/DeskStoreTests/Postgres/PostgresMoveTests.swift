import DeskModel
import DeskSQL
import DeskStore
import DeskStorePostgres
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskStoreSQLite

/// Moving all data from a directory into a database, and back.
@Suite struct PostgresMoveTests {
    /// Every row of every table, but for what a move begins anew.
    private static func rows(of directory: String) throws -> [String: [String]] {
        let file = try Connection(path: directory + "/frontdesk.sqlite", for: .reading)
        var found: [String: [String]] = [:]
        for table in MovedTables.copied + ["settled", "sqlite_sequence"] where table != "epochs" {
            let columns = try file.prepare("SELECT name FROM pragma_table_info('\(table)')")
                .all { $0.text() }.filter { !(table == "readers" && $0 == "epoch") }
            // Data that was a text is bytes now, and its row has another checksum for that.
            let row = columns.filter { table != "events" || RowLayout.events.columns.contains($0) }
                .map { $0 == "data" ? "quote(CAST(data AS BLOB))" : "quote(\($0))" }
                .joined(separator: "||','||")
            let lines = try file.prepare("SELECT \(row) FROM \(table) ORDER BY 1").all { $0.text() }
            found[table] = lines.filter { !$0.hasPrefix("'epochs'") }
        }
        return found
    }

    /// Lays out a store that has something of everything.
    private static func layOut(in directory: String) async throws -> String {
        let from = directory + "/from"
        try await MovedDirectory.layOut(in: from)
        return from
    }

    private static func move(
        from source: any MoveSource, to target: any MoveTarget, epoch: UInt64 = 0xF
    ) throws -> [String: Int64] {
        var move = try StoreMove(from: source, to: target) { _ in }
        try move.copy()
        try move.finish(newEpoch: Epoch(epoch))
        return move.rows
    }

    @Test func `what goes into a database and back is every row that there was`() async throws {
        try await withScratch { directory in
            let from = try await Self.layOut(in: directory)
            let to = directory + "/to"
            try await PostgresSchema.with { address in
                do {
                    let source = try await SQLiteMoveSource(
                        directory: from, keys: nil, newEpoch: Epoch(1))
                    let target = try PostgresMoveTarget(address: address, mustBeDurable: false)
                    let counts = try Self.move(from: source, to: target)
                    #expect(counts["messages", default: 0] > 30)
                }
                let store = try await Self.open(address, keysIn: from)
                #expect(store.epoch == Epoch(0xF))
                try await Self.goOn(with: store)
                await store.close()
                try await Self.removeWhatWentOn(at: address)
                let source = try await PostgresMoveSource(address: address, mustBeDurable: false)
                let target = try SQLiteMoveTarget(directory: to, acceptsDamage: false)
                let (blobs, there) = try (
                    DirectoryBlobStore(directory: from + "/blobs"),
                    DirectoryBlobStore(directory: target.blobs)
                )
                for name in SchemaFixture.files {
                    let file = try #require(
                        try await blobs.openBlob(AttachmentID(.sha256(Array(name.utf8)))))
                    _ = try await there.store(try await file.read(at: 0, atMost: 4_096))
                }
                _ = try Self.move(from: source, to: target, epoch: 0x10)
                #expect(target.verification?.isClean == true)
            }
            let (before, after) = (try Self.rows(of: from), try Self.rows(of: to))
            // How far rows follow the log is written at the end of a move, whatever it was before.
            for (table, rows) in before where !["sqlite_sequence", "settled"].contains(table) {
                #expect(after[table] == rows, "\(table)")
            }
            // The oldest tables do not note what they gave last.
            #expect(
                Set(before["sqlite_sequence"] ?? []).isSubset(of: after["sqlite_sequence"] ?? []))
            try await Self.serves(to, from, epoch: Epoch(0x10))
        }
    }

    @Test func `what is moved by these tests has rows in every table, or a reason why not`()
        async throws
    {
        try await withScratch { directory in
            let from = try await Self.layOut(in: directory)
            let file = try Connection(path: from + "/frontdesk.sqlite", for: .reading)
            let empty = try MovedDirectory.emptyTables(of: file)
            #expect(Set(empty) == Set(MovedDirectory.empty.keys), "\(empty)")
        }
    }

    private static func open(
        _ address: String, keysIn folder: String,
        ended: @escaping @Sendable (PostgresStoreEnd) -> Void = { _ in }
    ) async throws -> PostgresStore {
        let keys = try #require(try EncryptionKeyFile(in: folder).read())
        return try await PostgresStore(
            .init(address: address, keys: keys), newEpoch: Epoch(1),
            damaged: { Issue.record("\($0)") }, ended: ended)
    }

    /// The readers' positions are those of before, in the new epoch.
    private static func serves(_ to: String, _ from: String, epoch: Epoch) async throws {
        var options = SQLiteStore.Options()
        options.keys = .file(EncryptionKeyFile(in: from))
        let store = try SQLiteStore(directory: to, newEpoch: Epoch(1), options: options)
        #expect(store.epoch == epoch)
        await store.close()
        let file = try Connection(path: to + "/frontdesk.sqlite", for: .reading)
        let epochs = try file.prepare("SELECT DISTINCT epoch FROM readers").all { $0.integer() }
        #expect(epochs == [Int64(bitPattern: epoch.value)])
    }

    /// A business that is added gets a number that no other had.
    private static func goOn(with store: PostgresStore) async throws {
        let numbers = try await store.readRegistry { sql throws(StoreError) in
            try sql.statement(literal: "SELECT number FROM businesses").all { $0.integer() }
        }
        try await store.save(
            Business(
                id: business(77), name: "Later", colour: "#336699", mode: .live, createdAt: dawn),
            author: .server)
        let after = try await store.readRegistry { sql throws(StoreError) in
            try sql.statement(literal: "SELECT number FROM businesses").all { $0.integer() }
        }
        #expect(Set(after).subtracting(numbers).allSatisfy { $0 > (numbers.max() ?? 0) })
        #expect(after.count == numbers.count + 1)
        // The newest messages are readable as they were written.
        let page = try await store.events(after: .start, in: .everything, limit: 300)
        #expect(page.events.allSatisfy { $0.type != .eventDamaged } && page.events.count > 30)
    }

    private static func removeWhatWentOn(at address: String) async throws {
        let outside = PostgresRegistries(.init(address: address, keys: .random()))
        try await outside.execute(
            """
            DELETE FROM businesses WHERE name = 'Later';
            DELETE FROM audit WHERE number > (SELECT max(number) - 1 FROM audit);
            SELECT setval(pg_get_serial_sequence('businesses', 'number'), max(number))
            FROM businesses;
            SELECT setval(pg_get_serial_sequence('audit', 'number'), max(number)) FROM audit
            """)
        await outside.close()
    }

    @Test func `every table of either engine is copied or has a reason why not`() async throws {
        try await withScratch { directory in
            let file = try Connection(path: directory + "/a.sqlite", mayWrite: true)
            try Migrations.run(on: file)
            let inSQLite = try SQLiteTables.all(of: file).map(\.name)
            try await PostgresSchema.with { address in
                let target = try PostgresMoveTarget(address: address, mustBeDurable: false)
                let inDatabase = try target.tables().map(\.name)
                for name in Set(inSQLite).union(inDatabase) {
                    let isCopied = MovedTables.copied.contains(name)
                    #expect(isCopied != (MovedTables.rebuilt[name] != nil), "\(name)")
                }
                let known = Set(inSQLite).union(inDatabase).union([MoveNote.table])
                #expect(
                    Set(MovedTables.copied).union(MovedTables.rebuilt.keys).isSubset(of: known))
            }
        }
    }

    @Test func `a move that was interrupted goes on, and is not served before its end`()
        async throws
    {
        try await withScratch { directory in
            let from = try await Self.layOut(in: directory)
            try await PostgresSchema.with { address in
                let source = try await SQLiteMoveSource(
                    directory: from, keys: nil, newEpoch: Epoch(1))
                do {
                    let target = Interrupted(
                        try PostgresMoveTarget(address: address, mustBeDurable: false),
                        after: "messages")
                    var move = try StoreMove(from: source, to: target) { target.see($0) }
                    #expect(throws: StoreError.self) { try move.copy() }
                }
                let error = await #expect(throws: StoreError.self) {
                    _ = try await PostgresMoveSource(address: address, mustBeDurable: false)
                }
                #expect(error?.detail.contains("is not finished") == true)
                let target = try PostgresMoveTarget(address: address, mustBeDurable: false)
                let kept = try target.sql.statement(once: "SELECT count(*) FROM messages")
                    .first { $0.integer() }
                #expect(kept == 38)
                let counts = try Self.move(from: source, to: target)
                #expect(counts["messages"] == 38)
            }
        }
    }

    @Test func `rows that were changed on the way are found`() async throws {
        try await withScratch { directory in
            let from = try await Self.layOut(in: directory)
            try await PostgresSchema.with { address in
                let source = try await SQLiteMoveSource(
                    directory: from, keys: nil, newEpoch: Epoch(1))
                let target = try PostgresMoveTarget(address: address, mustBeDurable: false)
                var move = try StoreMove(from: source, to: target) { progress in
                    guard progress.work == .comparing, progress.table == "settings" else { return }
                    // Safe: a change that fails is found by the test's expectation.
                    try? target.sql.statement(
                        once:
                            "UPDATE messages SET summary = '!' WHERE position = (SELECT max(position) FROM messages)"
                    ).run()
                }
                let error = #expect(throws: StoreError.self) { try move.copy() }
                #expect(error?.code == .damaged && error?.detail.contains("messages") == true)
            }
        }
    }

    @Test func `a database that has data, or is served, is not moved into or from`() async throws {
        try await withScratch { directory in
            let from = try await Self.layOut(in: directory)
            try await PostgresSchema.with { address in
                let ends = Mutex(0)
                let store = try await Self.open(address, keysIn: from) { _ in
                    ends.withLock { $0 += 1 }
                }
                let error = #expect(throws: StoreError.self) {
                    _ = try PostgresMoveTarget(address: address, mustBeDurable: false)
                }
                #expect(error?.code == .refused)
                // A place that is not held any more after some seconds without a processor says nothing.
                var served: StoreError?
                for _ in 1...5 where served == nil {
                    let place = try await NodePlace.find(for: "http://localhost", in: store)
                    guard case .granted(let held, _) = place else {
                        throw Unexpected("\(place)")
                    }
                    do throws(StoreError) {
                        _ = try await PostgresMoveSource(
                            address: address, patience: .zero, mustBeDurable: false)
                    } catch {
                        served = error
                    }
                    try await held.release()
                }
                #expect(served?.code == .busy)
                let source = try await PostgresMoveSource(address: address, mustBeDurable: false)
                try source.note(MoveNote(place: "the directory /elsewhere", day: "2027-01-31"))
                // A node that started beside the move writes nothing into what was left behind.
                try await Wait.until("the node that was left behind ends") {
                    ends.withLock { $0 } > 0
                }
                await store.close()
                let gone = await #expect(throws: StoreError.self) {
                    _ = try await PostgresMoveSource(address: address, mustBeDurable: false)
                }
                #expect(gone?.detail.contains("/elsewhere on 2027-01-31") == true)
            }
        }
    }

    @Test func `a text that PostgreSQL does not keep is named before anything is served`()
        async throws
    {
        try await withScratch { directory in
            let from = try await Self.layOut(in: directory)
            try FullStore.change(
                from, "UPDATE businesses SET name = 'a' || char(0) || 'b' WHERE number = 1")
            try await PostgresSchema.with { address in
                let source = try await SQLiteMoveSource(
                    directory: from, keys: nil, newEpoch: Epoch(1))
                let target = try PostgresMoveTarget(address: address, mustBeDurable: false)
                var move = try StoreMove(from: source, to: target) { _ in }
                let error = #expect(throws: StoreError.self) { try move.copy() }
                #expect(error?.code == .refused)
                #expect(error?.detail.contains("businesses") == true, "\(error?.detail ?? "")")
            }
        }
    }
}

/// A target that fails once a table is copied.
private final class Interrupted: MoveTarget {
    private let target: PostgresMoveTarget
    private let last: String
    private var isOver = false

    init(_ target: PostgresMoveTarget, after last: String) {
        self.target = target
        self.last = last
    }

    func see(_ progress: StoreMove.Progress) { isOver = isOver || progress.table == last }

    var sql: any SQLSession { target.sql }
    func tables() throws(StoreError) -> [TableShape] { try target.tables() }
    func lastNumbers() throws(StoreError) -> [String: Int64] { try target.lastNumbers() }
    func setLastNumbers(_ numbers: [String: Int64]) throws(StoreError) {
        try target.setLastNumbers(numbers)
    }
    func finish() throws(StoreError) { try target.finish() }

    func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        guard !isOver else { throw StoreError(.unavailable, "interrupted") }
        try target.transaction(body)
    }
}
