import DeskModel
import DeskStore
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// The blob stores that keep the contract, by name.
enum BlobsKept: CaseIterable, Sendable {
    case inDirectory
    /// Without files of this machine, as a store in a database is.
    case elsewhere

    func with(_ body: (any BlobStore) async throws -> Void) async throws {
        switch self {
        case .inDirectory:
            try await withScratch { try await body(DirectoryBlobStore(directory: $0 + "/blobs")) }
        case .elsewhere: try await body(DistantBlobs())
        }
    }
}

/// Keeps blobs where the kernel cannot find them.
private final class DistantBlobs: BlobStore {
    private let blobs = Mutex<[AttachmentID: [UInt8]]>([:])

    func makeUpload(limit: Int64) async throws(StoreError) -> BlobUpload {
        let state = Arriving()
        return BlobUpload(
            write: { piece throws(StoreError) in try state.add(piece, limit: limit) },
            finish: { [self] () throws(StoreError) -> Blob in
                let bytes = try state.take()
                let id = AttachmentID(.sha256(bytes))
                blobs.withLock { $0[id] = bytes }
                return Blob(id: id, byteCount: Int64(bytes.count))
            },
            cancel: { state.drop() })
    }

    func openBlob(_ id: AttachmentID) async throws(StoreError) -> BlobFile? {
        guard let bytes = blobs.withLock({ $0[id] }) else { return nil }
        return BlobFile(byteCount: Int64(bytes.count)) { offset, count in
            Array(bytes[Int(offset)..<(Int(offset) + count)])
        }
    }

    func removeBlob(_ id: AttachmentID) async throws(StoreError) -> Bool {
        blobs.withLock { $0.removeValue(forKey: id) } != nil
    }

    func removeUnnamed(_ id: AttachmentID) async throws(StoreError) -> Bool { false }
}

/// Pieces of an upload that is not finished.
private final class Arriving: Sendable {
    private let bytes = Mutex<[UInt8]?>([])

    func add(_ piece: [UInt8], limit: Int64) throws(StoreError) {
        let error: StoreError? = bytes.withLock { bytes in
            guard let count = bytes?.count else { return StoreError(.closed) }
            guard count + piece.count <= Int(limit) else {
                return StoreError(.refused, "upload is over \(limit) bytes")
            }
            bytes?.append(contentsOf: piece)
            return nil
        }
        if let error { throw error }
    }

    func take() throws(StoreError) -> [UInt8] {
        guard let taken = bytes.withLock({ $0.take() }) else { throw StoreError(.closed) }
        return taken
    }

    func drop() { bytes.withLock { $0 = nil } }
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
