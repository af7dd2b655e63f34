import DeskModel
import DeskStore
import Foundation
import PostgresSupport
import S3Support
import TestSupport
import Testing

@testable import DeskStorePostgres

/// What blobs in a bucket add to their contract: rows that agree with the objects, whatever fails between both.
@Suite struct PostgresS3Tests {
    /// Some nodes on one database and one bucket.
    private struct Installation {
        let server: S3Server.Running
        let prefix: String
        let rows: PostgresStore
        let options: PostgresRegistries.Options
        let nodes: [PostgresBlobs]

        var objects: [String] { get throws { try server.objects(below: prefix) } }

        /// How many rows there are of blobs, and of objects that are none.
        func counts() async throws -> [Int64] {
            try await rows.readRegistry { sql throws(StoreError) in
                let statement = try sql.statement(
                    literal:
                        "SELECT (SELECT count(*) FROM blobs), (SELECT count(*) FROM blob_uploads)")
                return try statement.first { [$0.integer(), $0.integer()] } ?? []
            }
        }
    }

    private static func with(
        _ count: Int, failing: Bool = false, _ body: (Installation) async throws -> Void
    ) async throws {
        let server =
            failing ? try await S3Server.startAnother() : try await S3Server.shared.running()
        let prefix = UUID().uuidString + "/"
        try await withScratch { directory in
            try await KeptRegistries.withDatabase { stores, options in
                let nodes = try (0..<count).map { _ in
                    PostgresBlobs(
                        options, objects: .init(in: try server.store(prefix), spool: directory))
                }
                let result: Result<Void, any Error>
                do {
                    result = .success(
                        try await body(
                            Installation(
                                server: server, prefix: prefix, rows: stores[0], options: options,
                                nodes: nodes)))
                } catch {
                    result = .failure(error)
                }
                for node in nodes { await node.close() }
                try result.get()
                #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
            }
        }
    }

    private static func bytes(_ count: Int, _ seed: Int = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 + seed) &* 31 >> 3) }
    }

    @Test func `the same bytes on two nodes at once are one blob and one object`() async throws {
        try await Self.with(2) { all in
            for round in 1...8 {
                let bytes = Self.bytes(600_000, round)
                async let one = all.nodes[0].store(bytes)
                async let other = all.nodes[1].store(bytes)
                let blobs = try await [one, other]
                #expect(blobs[0] == blobs[1])
                #expect(try await all.counts() == [Int64(round), 0])
                #expect(try all.objects.count == round)
                let file = try #require(try await all.nodes[1].openBlob(blobs[0].id))
                #expect(try await file.read(at: 0, atMost: .max) == bytes)
            }
        }
    }

    @Test
    func
        `bytes that come in while another node removes them are there, and no object is left over`()
        async throws
    {
        try await Self.with(2) { all in
            let bytes = Self.bytes(300_000)
            for _ in 0..<20 {
                async let stored = all.nodes[0].store(bytes)
                async let isGone = all.nodes[1].removeUnnamed(AttachmentID(.sha256(bytes)))
                let (blob, _) = try await (stored, isGone)
                let file = try #require(try await all.nodes[1].openBlob(blob.id))
                #expect(try await file.read(at: 0, atMost: .max) == bytes)
                #expect(try all.objects.count == 1)
                try await PostgresBlobTests.pass(.seconds(601), in: all.rows)
            }
            #expect(try await all.nodes[1].removeUnnamed(AttachmentID(.sha256(bytes))))
            #expect(try all.objects == [])
            #expect(try await all.counts() == [0, 0])
        }
    }

    @Test func `a blob whose object cannot be removed is gone at once, and its object later`()
        async throws
    {
        try await Self.with(2, failing: true) { all in
            let blob = try await all.nodes[0].store([1, 2, 3])
            try all.server.fail("kept")
            #expect(try await all.nodes[0].removeBlob(blob.id))
            #expect(try await all.nodes[1].openBlob(blob.id) == nil)
            try await all.nodes[1].removeLeftovers()
            #expect(try all.objects.count == 1)
            #expect(try await all.counts() == [0, 1])
            try all.server.fail("")
            #expect(try await all.nodes[1].store([1, 2, 3]) == blob)
            try await all.nodes[1].removeLeftovers()
            #expect(try all.objects.count == 1)
            #expect(try await all.counts() == [1, 0])
            #expect(try await all.nodes[0].openBlob(blob.id)?.read(at: 0, atMost: 9) == [1, 2, 3])
        }
    }

    @Test func `an object whose answer was lost is no blob, and removed after a day`() async throws
    {
        try await Self.with(2, failing: true) { all in
            try all.server.fail("silent")
            let error = await #expect(throws: StoreError.self) {
                try await all.nodes[0].store([1, 2, 3])
            }
            #expect(error?.code == .unavailable)
            try all.server.fail("")
            #expect(try all.objects.count == 1)
            #expect(try await all.nodes[1].openBlob(AttachmentID(.sha256([1, 2, 3]))) == nil)
            try await PostgresBlobTests.pass(.seconds(86_300), in: all.rows)
            try await all.nodes[1].removeLeftovers()
            #expect(try all.objects.count == 1)
            try await PostgresBlobTests.pass(.seconds(101), in: all.rows)
            try await all.nodes[1].removeLeftovers()
            #expect(try all.objects == [])
            #expect(try await all.counts() == [0, 0])
        }
    }

    @Test func `an upload that was removed as a leftover cannot end`() async throws {
        try await Self.with(1) { all in
            let blob = Blob(id: AttachmentID(.sha256([1])), byteCount: 1)
            let upload = BlobRows.makeObject()
            try await all.rows.write { sql throws(StoreError) in
                _ = try BlobRows.beginObject(upload, of: blob.id, on: sql)
            }
            try await PostgresBlobTests.pass(.seconds(86_401), in: all.rows)
            let found = try await all.rows.write { sql throws(StoreError) in
                try BlobRows.unneededObjects(on: sql)
            }
            #expect(found == [upload])
            let error = await #expect(throws: StoreError.self) {
                try await all.rows.write { sql throws(StoreError) in
                    _ = try BlobRows.finishObject(upload, blob, insteadOf: nil, on: sql)
                }
            }
            #expect(error?.code == .closed)
        }
    }

    @Test func `a blob that is removed while it is read, and one whose object is lost, say so`()
        async throws
    {
        try await Self.with(2) { all in
            let bytes = Self.bytes(1_000_000)
            let blob = try await all.nodes[0].store(bytes)
            let file = try #require(try await all.nodes[0].openBlob(blob.id))
            #expect(try await file.read(at: 0, atMost: 100) == Array(bytes.prefix(100)))
            #expect(try await all.nodes[1].removeBlob(blob.id))
            var error = await #expect(throws: StoreError.self) {
                try await file.read(at: 900_000, atMost: 100)
            }
            #expect(error?.code == .refused)
            _ = try await all.nodes[0].store(bytes)
            try all.server.lose(try #require(try all.objects.first), below: all.prefix)
            let other = try #require(try await all.nodes[0].openBlob(blob.id))
            error = await #expect(throws: StoreError.self) {
                try await other.read(at: 0, atMost: 100)
            }
            #expect(error?.code == .damaged)
        }
    }

    @Test func `bytes that were lost in the bucket are there again when they come in once more`()
        async throws
    {
        try await Self.with(2) { all in
            let bytes = Self.bytes(700_000)
            let blob = try await all.nodes[0].store(bytes)
            let lost = try #require(try all.objects.first)
            try all.server.lose(lost, below: all.prefix)
            // On both nodes at once: one of the new objects is the blob's, the other is not needed.
            async let one = all.nodes[0].store(bytes)
            async let other = all.nodes[1].store(bytes)
            #expect(try await [one, other] == [blob, blob])
            try await all.nodes[0].removeLeftovers()
            #expect(try all.objects.count == 1 && all.objects != [lost])
            #expect(try await all.counts() == [1, 0])
            let file = try #require(try await all.nodes[1].openBlob(blob.id))
            #expect(try await file.read(at: 0, atMost: .max) == bytes)
            // What is there is not stored again.
            let before = try all.objects
            #expect(try await all.nodes[1].store(bytes) == blob)
            #expect(try all.objects == before)
        }
    }

    @Test func `attachments that lie in the database stay there and are read`() async throws {
        try await Self.with(1) { all in
            let former = PostgresBlobs(all.options)
            let bytes = Self.bytes(600_000)
            let blob = try await former.store(bytes)
            try await former.requireObjects()
            #expect(try await all.nodes[0].store(bytes) == blob)
            #expect(try all.objects == [])
            let file = try #require(try await all.nodes[0].openBlob(blob.id))
            #expect(try await file.read(at: 0, atMost: .max) == bytes)
            #expect(try await all.nodes[0].removeBlob(blob.id))
            await former.close()
        }
    }

    @Test func `a node that looks for attachments in the wrong place is refused`() async throws {
        try await Self.with(1) { all in
            try await all.nodes[0].requireObjects()
            let blob = try await all.nodes[0].store([1, 2, 3])
            try await all.nodes[0].requireObjects()
            let without = PostgresBlobs(all.options)
            var error = await #expect(throws: StoreError.self) {
                try await without.requireObjects()
            }
            #expect(error?.detail.contains("name it with --blobs") == true)
            error = await #expect(throws: StoreError.self) { try await without.openBlob(blob.id) }
            #expect(error?.code == .unavailable)
            let elsewhere = PostgresBlobs(
                all.options,
                objects: .init(in: try all.server.store("elsewhere/"), spool: "/nowhere"))
            error = await #expect(throws: StoreError.self) { try await elsewhere.requireObjects() }
            #expect(error?.detail.contains("the bucket and prefix of before") == true)
            error = await #expect(throws: StoreError.self) { try await elsewhere.store([4]) }
            #expect(error?.code == .unavailable)
            await without.close()
            await elsewhere.close()
        }
    }
}
