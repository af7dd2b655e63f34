import DeskHTTP
import DeskModel
import DeskStore
import Synchronization
import TestSupport
import Testing

@testable import DeskAPI

/// How stored files go out, whether or not the kernel can find them.
struct SentFileTests {
    /// The same blobs, of which no file of this machine is known.
    private struct Distant: BlobStore {
        let blobs: any BlobStore

        func makeUpload(limit: Int64) async throws(StoreError) -> BlobUpload {
            try await blobs.makeUpload(limit: limit)
        }
        func openBlob(_ id: AttachmentID) async throws(StoreError) -> BlobFile? {
            guard let file = try await blobs.openBlob(id) else { return nil }
            return BlobFile(byteCount: file.byteCount) { offset, count throws(StoreError) in
                try await file.read(at: offset, atMost: count)
            }
        }
        func removeBlob(_ id: AttachmentID) async throws(StoreError) -> Bool {
            try await blobs.removeBlob(id)
        }
        func removeUnnamed(_ id: AttachmentID) async throws(StoreError) -> Bool {
            try await blobs.removeUnnamed(id)
        }
    }

    private final class Sink: ResponseSink {
        private let state = Mutex<[UInt8]>([])
        var bytes: [UInt8] { state.withLock { $0 } }
        var isDraining: Bool { false }
        func write(_ bytes: [UInt8]) async throws(StreamError) { state.withLock { $0 += bytes } }
        func cut() async { Issue.record("the body was cut") }
    }

    private static func bytes(of body: Response.Body) async throws -> [UInt8] {
        switch body {
        case .openFile(let file, let range): return Array(TestFiles.bytes(of: file)[range])
        case .counted(_, let write):
            let sink = Sink()
            await write(ResponseStream(sink))
            return sink.bytes
        case .bytes, .file, .empty, .cut, .stream, .steps, .socketSteps: throw Unexpected("\(body)")
        }
    }

    @Test(arguments: [nil, "bytes=70000-150000"], [true, false])
    func `a file is sent whole or in part from any blob store`(
        range: String?, isLocal: Bool
    ) async throws {
        let scratch = try ScratchFolder()
        let directory = try DirectoryBlobStore(directory: scratch.path)
        let blobs: any BlobStore = isLocal ? directory : Distant(blobs: directory)
        let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let blob = try await blobs.store(content)
        var headers = HeaderFields()
        if let range { headers.append("Range", range) }
        let request = try Request(method: .get, target: "/f", headers: headers, body: [])
        let use = AttachmentUse(
            id: blob.id, name: "a.bin", mediaType: "application/octet-stream",
            byteCount: blob.byteCount)
        let response = try await SentFile.response(use, request, from: BlobFiles(blobs: blobs))
        #expect(response.status == (range == nil ? .ok : .partialContent))
        let sent = try await Self.bytes(of: response.body)
        #expect(sent == (range == nil ? content : Array(content[70_000...150_000])))
    }
}
