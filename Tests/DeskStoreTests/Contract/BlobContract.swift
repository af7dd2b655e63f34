import DeskModel
import DeskStore
import DeskStorePostgres
import FoundationEssentials
import S3Support
import TestSupport
import Testing

/// The blob stores that keep the contract, by name.
enum BlobsKept: CaseIterable, Sendable {
    case inDirectory
    case inPostgreSQL
    case inS3

    static let allCases: [BlobsKept] = TestedEngines.chosen([.inDirectory], [.inPostgreSQL, .inS3])

    func with(_ body: (any BlobStore) async throws -> Void) async throws {
        try await with { store, _ in try await body(store) }
    }

    /// Lends a store, and a way to let time pass for what it holds.
    func with(
        _ body: (any BlobStore, _ pass: (Duration) async throws -> Void) async throws -> Void
    ) async throws {
        switch self {
        case .inDirectory:
            try await withScratch { directory in
                let clock = VirtualClock(start: dawn)
                let store = try DirectoryBlobStore(
                    directory: directory + "/blobs", instant: clock.source.instant)
                try await body(store) { clock.advance(by: $0) }
            }
        case .inPostgreSQL:
            try await withRows(body)
        case .inS3:
            let server = try await S3Server.shared.running()
            try await withScratch { directory in
                let bucket = try server.store("\(UUID().uuidString)/")
                try await withRows(
                    in: PostgresBlobs.Objects(in: bucket, spool: directory), body)
            }
        }
    }

    /// Lends a store whose rows are in a database.
    private func withRows(
        in objects: PostgresBlobs.Objects? = nil,
        _ body: (any BlobStore, _ pass: (Duration) async throws -> Void) async throws -> Void
    ) async throws {
        try await KeptRegistries.withDatabase { stores, options in
            let blobs = PostgresBlobs(options, objects: objects)
            let result: Result<Void, any Error>
            do {
                result = .success(
                    try await body(blobs) { time in
                        try await PostgresBlobTests.pass(time, in: stores[0])
                    })
            } catch {
                result = .failure(error)
            }
            await blobs.close()
            try result.get()
        }
    }
}

/// What every blob store promises.
@Suite struct BlobContract {
    @Test(arguments: BlobsKept.allCases)
    func `bytes are found under the digest of what they are`(kept: BlobsKept) async throws {
        try await kept.with { store in
            let upload = try await store.makeUpload(limit: 1_000)
            try await upload.write(Array("hello ".utf8))
            try await upload.write(Array("there".utf8))
            let blob = try await upload.finish()
            #expect(
                blob == Blob(id: AttachmentID(.sha256(Array("hello there".utf8))), byteCount: 11))
            let file = try #require(try await store.openBlob(blob.id))
            #expect(file.byteCount == 11)
            #expect(try await file.read(at: 6, atMost: 100) == Array("there".utf8))
            #expect(try await file.read(at: 0, atMost: 5) == Array("hello".utf8))
            #expect(try await file.read(at: 11, atMost: 5) == [])
            #expect(try await file.read(at: -1, atMost: 5) == [])
            #expect(try await file.read(at: 0, atMost: 0) == [])
        }
    }

    @Test(arguments: BlobsKept.allCases)
    func `equal bytes are stored once`(kept: BlobsKept) async throws {
        try await kept.with { store in
            let first = try await store.store([1, 2, 3])
            let second = try await store.store([1, 2, 3])
            #expect(first == second)
            #expect(try await store.removeBlob(first.id))
            #expect(try await !store.removeBlob(first.id))
            #expect(try await store.openBlob(first.id) == nil)
        }
    }

    @Test(arguments: BlobsKept.allCases)
    func `bytes of any number come back, whichever part of them is read`(
        kept: BlobsKept
    ) async throws {
        let piece = 256 * 1_024
        let all = (0..<3 * piece).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 4) }
        try await kept.with { store in
            for count in [0, 1, piece - 1, piece, piece + 1, 2 * piece, 2 * piece + 100_000] {
                let bytes = Array(all.prefix(count))
                let upload = try await store.makeUpload(limit: Int64(count))
                var left = bytes[...]
                while !left.isEmpty {
                    try await upload.write(Array(left.prefix(100_003)))
                    left = left.dropFirst(100_003)
                }
                let blob = try await upload.finish()
                #expect(
                    blob == Blob(id: AttachmentID(.sha256(bytes)), byteCount: Int64(count)))
                let file = try #require(try await store.openBlob(blob.id))
                #expect(file.byteCount == Int64(count))
                #expect(try await file.read(at: 0, atMost: .max) == bytes)
                for start in [1, piece - 5, piece, 2 * piece - 1] where start < count {
                    let part = try await file.read(at: Int64(start), atMost: 65_536)
                    #expect(part == Array(bytes[start..<min(count, start + 65_536)]))
                }
            }
        }
    }

    @Test(arguments: BlobsKept.allCases)
    func `equal bytes that come in at once are stored once`(kept: BlobsKept) async throws {
        let bytes = [UInt8](repeating: 7, count: 600_000)
        try await kept.with { store in
            let blobs = try await withThrowingTaskGroup(of: Blob.self) { group in
                for _ in 0..<6 { group.addTask { try await store.store(bytes) } }
                return try await group.reduce(into: Set<Blob>()) { $0.insert($1) }
            }
            let blob = try #require(blobs.first)
            #expect(blobs.count == 1)
            let file = try #require(try await store.openBlob(blob.id))
            #expect(try await file.read(at: 0, atMost: .max) == bytes)
            #expect(try await store.removeBlob(blob.id))
            #expect(try await store.openBlob(blob.id) == nil)
        }
    }

    @Test(arguments: BlobsKept.allCases)
    func `bytes that no row names stay for ten minutes after they last came in`(
        kept: BlobsKept
    ) async throws {
        try await kept.with { store, pass in
            // Two minutes less, for a busy machine.
            let blob = try await store.store([1, 2, 3])
            #expect(try await !store.removeUnnamed(blob.id))
            try await pass(.seconds(480))
            #expect(try await !store.removeUnnamed(blob.id))
            #expect(try await store.store([1, 2, 3]) == blob)
            try await pass(.seconds(480))
            #expect(try await !store.removeUnnamed(blob.id))
            #expect(try await store.openBlob(blob.id) != nil)
            try await pass(.seconds(121))
            #expect(try await store.removeUnnamed(blob.id))
            #expect(try await store.openBlob(blob.id) == nil)
            #expect(try await store.removeUnnamed(AttachmentID(.sha256([9]))))
        }
    }

    @Test(arguments: BlobsKept.allCases)
    func `bytes that come in while they are removed are there afterwards`(
        kept: BlobsKept
    ) async throws {
        let bytes = [UInt8](repeating: 3, count: 300_000)
        try await kept.with { store, pass in
            let blob = try await store.store(bytes)
            for _ in 0..<20 {
                try await pass(.seconds(601))
                async let isGone = store.removeUnnamed(blob.id)
                async let stored = store.store(bytes)
                _ = try await (isGone, stored)
                let file = try #require(try await store.openBlob(blob.id))
                #expect(try await file.read(at: 0, atMost: .max) == bytes)
            }
        }
    }

    @Test(arguments: BlobsKept.allCases)
    func `an upload that has ended accepts no more bytes`(kept: BlobsKept) async throws {
        try await kept.with { store in
            let upload = try await store.makeUpload(limit: 10)
            try await upload.write([1])
            _ = try await upload.finish()
            await #expect(throws: StoreError(.closed)) { try await upload.write([2]) }
            await #expect(throws: StoreError(.closed)) { try await upload.finish() }
            await upload.cancel()
            #expect(try await store.openBlob(AttachmentID(.sha256([1]))) != nil)
        }
    }

    @Test(arguments: BlobsKept.allCases)
    func `an upload over its limit is refused and leaves nothing`(kept: BlobsKept) async throws {
        try await kept.with { store in
            let upload = try await store.makeUpload(limit: 4)
            try await upload.write([1, 2, 3, 4])
            await #expect(throws: StoreError(.refused, "upload is over 4 bytes")) {
                try await upload.write([5])
            }
            await upload.cancel()
            await #expect(throws: StoreError(.closed)) { try await upload.finish() }
            #expect(try await store.openBlob(AttachmentID(.sha256([1, 2, 3, 4]))) == nil)
        }
    }

    @Test(arguments: BlobsKept.allCases)
    func `uploads at once do not mix`(kept: BlobsKept) async throws {
        try await kept.with { store in
            let one = try await store.makeUpload(limit: 10)
            let other = try await store.makeUpload(limit: 10)
            try await one.write([1])
            try await other.write([9])
            try await one.write([2])
            #expect(try await one.finish().id == AttachmentID(.sha256([1, 2])))
            #expect(try await other.finish().id == AttachmentID(.sha256([9])))
        }
    }

    @Test(arguments: BlobsKept.allCases)
    func `an open blob's file has its bytes though the blob is removed`(
        kept: BlobsKept
    ) async throws {
        try await kept.with { store in
            let blob = try await store.store([1, 2, 3])
            guard let file = try #require(try await store.openBlob(blob.id)).file else {
                #expect(store.disk == nil)
                return
            }
            #expect(try await store.removeBlob(blob.id))
            #expect(TestFiles.bytes(of: file) == [1, 2, 3])
            let space = try await store.disk?.read()
            #expect(try #require(space).totalBytes > 0)
        }
    }
}

/// What the directory of blobs promises beside that.
@Suite struct DirectoryBlobTests {
    @Test func `two stores on one directory keep both uploads`() async throws {
        try await withScratch { directory in
            let one = try DirectoryBlobStore(directory: directory)
            let upload = try await one.makeUpload(limit: 10)
            try await upload.write([1, 2])
            // The second one starts while the first receives, and counts from one too.
            let other = try DirectoryBlobStore(directory: directory)
            let second = try await other.makeUpload(limit: 10)
            try await second.write([3, 4])
            let blobs = [try await upload.finish(), try await second.finish()]
            for (blob, bytes) in zip(blobs, [[1, 2], [3, 4]] as [[UInt8]]) {
                let file = try #require(try await one.openBlob(blob.id))
                #expect(try await file.read(at: 0, atMost: 10) == bytes)
            }
        }
    }

    @Test func `a start removes what an earlier process left a day ago, and nothing younger`()
        async throws
    {
        try await withScratch { directory in
            let incoming = directory + "/incoming"
            try FileManager.default.createDirectory(
                atPath: incoming, withIntermediateDirectories: true)
            for (name, age) in [("7", 86_500.0), ("8", 86_300.0)] {
                #expect(
                    FileManager.default.createFile(
                        atPath: incoming + "/" + name, contents: nil,
                        attributes: [.modificationDate: Date(timeIntervalSinceNow: -age)]))
            }
            _ = try DirectoryBlobStore(directory: directory)
            #expect(try FileManager.default.contentsOfDirectory(atPath: incoming) == ["8"])
        }
    }
}
