import DeskModel
import DeskStore
import PostgresSupport
import TestSupport
import Testing

@testable import DeskStorePostgres

/// What blobs in a database add to their contract: several processes, and uploads that never end.
@Suite struct PostgresBlobTests {
    /// Makes everything that came in older.
    static func pass(_ time: Duration, in store: PostgresStore) async throws {
        let seconds = time.components.seconds
        try await store.write { sql throws(StoreError) in
            for (table, time) in [("blobs", "stored_at"), ("blob_uploads", "begun_at")] {
                let statement = try sql.statement(
                    "UPDATE \(table) SET \(time) = \(time) - ?::bigint * interval '1 second'")
                try statement.bind(seconds)
                _ = try statement.runCounting()
            }
        }
    }

    /// How many rows each table of blobs has.
    private struct Rows: Equatable {
        var blobs: Int64
        var uploads: Int64
        var pieces: Int64
    }

    private static func rows(in store: PostgresStore) async throws -> Rows {
        try await store.readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT (SELECT count(*) FROM blobs), (SELECT count(*) FROM blob_uploads), \
                    (SELECT count(*) FROM blob_pieces)
                    """)
            let found = try statement.first {
                Rows(blobs: $0.integer(), uploads: $0.integer(), pieces: $0.integer())
            }
            return found ?? Rows(blobs: -1, uploads: -1, pieces: -1)
        }
    }

    private static func with(
        _ count: Int, _ body: (PostgresStore, [PostgresBlobs]) async throws -> Void
    ) async throws {
        try await KeptRegistries.withDatabase { stores, options in
            let nodes = (0..<count).map { _ in PostgresBlobs(options) }
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(stores[0], nodes))
            } catch {
                result = .failure(error)
            }
            for blobs in nodes { await blobs.close() }
            try result.get()
        }
    }

    private static func bytes(_ count: Int, _ seed: Int = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 + seed) &* 31 >> 3) }
    }

    @Test func `the same bytes on two nodes at once are one blob, and no byte is left over`()
        async throws
    {
        try await Self.with(2) { store, nodes in
            for round in 1...8 {
                let bytes = Self.bytes(600_000, round)
                async let one = nodes[0].store(bytes)
                async let other = nodes[1].store(bytes)
                let blobs = try await [one, other]
                #expect(blobs[0] == blobs[1])
                #expect(
                    try await Self.rows(in: store)
                        == Rows(blobs: Int64(round), uploads: 0, pieces: Int64(3 * round)))
                let file = try #require(try await nodes[1].openBlob(blobs[0].id))
                #expect(try await file.read(at: 0, atMost: .max) == bytes)
            }
        }
    }

    @Test func `bytes that came in on one node are not removed by another`() async throws {
        try await Self.with(2) { store, nodes in
            let bytes = Self.bytes(300_000)
            for _ in 0..<20 {
                async let stored = nodes[0].store(bytes)
                async let isGone = nodes[1].removeUnnamed(AttachmentID(.sha256(bytes)))
                let (blob, _) = try await (stored, isGone)
                let file = try #require(try await nodes[1].openBlob(blob.id))
                #expect(try await file.read(at: 0, atMost: .max) == bytes)
                #expect(try await !nodes[1].removeUnnamed(blob.id))
                #expect(
                    try await Self.rows(in: store) == Rows(blobs: 1, uploads: 0, pieces: 2))
                try await Self.pass(.seconds(601), in: store)
            }
            #expect(try await nodes[1].removeUnnamed(AttachmentID(.sha256(bytes))))
            #expect(try await Self.rows(in: store) == Rows(blobs: 0, uploads: 0, pieces: 0))
        }
    }

    @Test(arguments: [true, false])
    func `an upload that is cancelled or let go of leaves nothing`(isCancelled: Bool) async throws {
        try await Self.with(1) { store, nodes in
            var upload: BlobUpload? = try await nodes[0].makeUpload(limit: 1_000_000)
            try await upload?.write(Self.bytes(600_000))
            #expect(try await Self.rows(in: store) == Rows(blobs: 0, uploads: 1, pieces: 2))
            if isCancelled { await upload?.cancel() }
            upload = nil
            try await Wait.until("the upload is gone") {
                try await Self.rows(in: store) == Rows(blobs: 0, uploads: 0, pieces: 0)
            }
        }
    }

    @Test func `what a node that died left over is removed by another after a day`() async throws {
        try await Self.with(3) { store, nodes in
            let dying = try await nodes[0].makeUpload(limit: 1_000_000)
            try await dying.write(Self.bytes(600_000))
            try await Self.pass(.seconds(3_600), in: store)
            let young = try await nodes[1].makeUpload(limit: 1_000_000)
            try await young.write(Self.bytes(300_000))
            try await Self.pass(.seconds(82_801), in: store)
            #expect(try await Self.rows(in: store) == Rows(blobs: 0, uploads: 2, pieces: 3))
            try await nodes[2].removeLeftovers()
            #expect(try await Self.rows(in: store) == Rows(blobs: 0, uploads: 1, pieces: 1))
            // A node that stood still goes on too late.
            let error = await #expect(throws: StoreError.self) { try await dying.finish() }
            #expect(error?.code == .closed)
            _ = try await young.finish()
            #expect(try await Self.rows(in: store) == Rows(blobs: 1, uploads: 0, pieces: 2))
        }
    }

    @Test func `an upload of which the server lost a piece is not acknowledged`() async throws {
        try await Self.with(1) { store, nodes in
            let upload = try await nodes[0].makeUpload(limit: 1_000_000)
            try await upload.write(Self.bytes(600_000))
            try await store.write { sql throws(StoreError) in
                _ = try sql.statement(literal: "DELETE FROM blob_pieces WHERE piece = 1")
                    .runCounting()
            }
            let error = await #expect(throws: StoreError.self) { try await upload.finish() }
            #expect(error?.code == .unavailable)
            try await Wait.until("the upload is gone") {
                try await Self.rows(in: store) == Rows(blobs: 0, uploads: 0, pieces: 0)
            }
        }
    }

    @Test func `a blob that is removed while it is read, and one that lost a piece, say so`()
        async throws
    {
        try await Self.with(2) { store, nodes in
            let bytes = Self.bytes(600_000)
            let blob = try await nodes[0].store(bytes)
            let file = try #require(try await nodes[0].openBlob(blob.id))
            #expect(try await file.read(at: 0, atMost: 100) == Array(bytes.prefix(100)))
            #expect(try await nodes[1].removeBlob(blob.id))
            var error = await #expect(throws: StoreError.self) {
                try await file.read(at: 300_000, atMost: 100)
            }
            #expect(error?.code == .refused)
            _ = try await nodes[0].store(bytes)
            let other = try #require(try await nodes[0].openBlob(blob.id))
            try await store.write { sql throws(StoreError) in
                _ = try sql.statement(literal: "DELETE FROM blob_pieces WHERE piece = 1")
                    .runCounting()
            }
            error = await #expect(throws: StoreError.self) {
                try await other.read(at: 300_000, atMost: 100)
            }
            #expect(error?.code == .damaged)
        }
    }

    @Test(
        "Pieces wait for no standby; the end of an upload does, and a lost confirmation loses no byte",
        arguments: [false, true])
    func standby(isLost: Bool) async throws {
        let address = try await PostgresServer.startAnother()
        let options = PostgresRegistries.Options(address: address, keys: .random())
        let registries = PostgresRegistries(options)
        try await registries.makeTables()
        await registries.close()
        let server = try PostgresConnection(address: address, library: options.library)
        try server.execute("ALTER SYSTEM SET synchronous_standby_names = 'absent'")
        try server.execute("SELECT pg_reload_conf()")
        // Each new connection has the new settings.
        try await Wait.until("commits wait for a standby") {
            let connection = try PostgresConnection(address: address, library: options.library)
            return try connection.statement(literal: "SHOW synchronous_standby_names")
                .first { $0.textIfAny() } == "absent"
        }
        let bytes = Self.bytes(600_000)
        let blobs = PostgresBlobs(options)
        let upload = try await blobs.makeUpload(limit: 1_000_000)
        try await upload.write(bytes)
        let ending = Task { try await upload.finish() }
        try await Wait.until("the end waits for the standby") {
            let statement = try server.statement(
                literal: "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
            return try statement.first { $0.integer() } == 1
        }
        if isLost {
            try server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            )
            let error = await #expect(throws: StoreError.self) { try await ending.value }
            #expect(error?.code == .unknown)
        }
        try server.execute("ALTER SYSTEM RESET synchronous_standby_names")
        try server.execute("SELECT pg_reload_conf()")
        if !isLost {
            do {
                #expect(try await ending.value.byteCount == 600_000)
            } catch let error as StoreError {
                // The settings reached the server more than 5 s after the end began to wait.
                #expect(error.code == .unknown)
            }
        }
        // All that was to be dropped is dropped.
        await blobs.close()
        let other = PostgresBlobs(options)
        let file = try #require(try await other.openBlob(AttachmentID(.sha256(bytes))))
        #expect(try await file.read(at: 0, atMost: .max) == bytes)
        await other.close()
    }
}
