import DeskModel
import DeskStore
import FoundationEssentials
import Testing

/// What the directory blob store promises.
@Suite struct BlobStoreTests {
    @Test func `bytes are found under the digest of what they are`() async throws {
        try await withScratch { directory in
            let store = try DirectoryBlobStore(directory: directory + "/blobs")
            let upload = try await store.makeUpload(limit: 1_000)
            try await upload.write(Array("hello ".utf8))
            try await upload.write(Array("world".utf8))
            let blob = try await upload.finish()
            #expect(
                blob == Blob(id: AttachmentID(.sha256(Array("hello world".utf8))), byteCount: 11))
            let again = try DirectoryBlobStore(directory: directory + "/blobs")
            let file = try #require(try await again.openBlob(blob.id))
            #expect(file.byteCount == 11)
            #expect(try await file.read(at: 6, atMost: 100) == Array("world".utf8))
            #expect(try await file.read(at: 0, atMost: 5) == Array("hello".utf8))
            #expect(try await file.read(at: 11, atMost: 5) == [])
            #expect(try await file.read(at: -1, atMost: 5) == [])
        }
    }

    @Test func `equal bytes are stored once`() async throws {
        try await withScratch { directory in
            let store = try DirectoryBlobStore(directory: directory)
            let first = try await store.store([1, 2, 3])
            let second = try await store.store([1, 2, 3])
            #expect(first == second)
            #expect(try await store.removeBlob(first.id))
            #expect(try await !store.removeBlob(first.id))
            #expect(try await store.openBlob(first.id) == nil)
        }
    }

    @Test func `an upload over its limit is refused and leaves nothing`() async throws {
        try await withScratch { directory in
            let store = try DirectoryBlobStore(directory: directory)
            let upload = try await store.makeUpload(limit: 4)
            try await upload.write([1, 2, 3, 4])
            await #expect(throws: StoreError(.refused, "upload is over 4 bytes")) {
                try await upload.write([5])
            }
            await upload.cancel()
            await #expect(throws: StoreError(.closed)) { try await upload.finish() }
        }
    }

    @Test func `what an earlier process left half is removed`() async throws {
        try await withScratch { directory in
            let incoming = directory + "/incoming"
            try FileManager.default.createDirectory(
                atPath: incoming, withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: incoming + "/7", contents: nil))
            _ = try DirectoryBlobStore(directory: directory)
            #expect(try FileManager.default.contentsOfDirectory(atPath: incoming) == [])
        }
    }
}
