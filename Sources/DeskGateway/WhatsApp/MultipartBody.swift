import DeskHTTP
import Synchronization

/// A form of texts and one file (RFC 7578), whose bytes are read piece by piece.
final class MultipartBody: BodySource {
    private enum Place: Sendable {
        case head
        case file
        case end
    }

    /// Separates the parts: a text of 40 characters of chance is in no file.
    let boundary: String
    let byteCount: Int64
    private let head: [UInt8]
    private let tail: [UInt8]
    private let file: BlobPieces
    private let place = Mutex(Place.head)

    /// - Parameters:
    ///   - fields: names and values, which are ours.
    ///   - name: the file's name, of which only what a quoted text may have is written.
    init(
        fields: [(String, String)], file: BlobPieces, name: String, mediaType: String,
        boundary: String
    ) {
        var head = ""
        for (name, value) in fields {
            head += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n"
            head += "\(value)\r\n"
        }
        head += "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; "
        head += "filename=\"\(Self.quoted(name))\"\r\nContent-Type: \(mediaType)\r\n\r\n"
        self.boundary = boundary
        self.head = Array(head.utf8)
        tail = Array("\r\n--\(boundary)--\r\n".utf8)
        self.file = file
        byteCount = Int64(self.head.count) + file.byteCount + Int64(tail.count)
    }

    /// The value of `Content-Type`.
    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    func next() async throws(BodyError) -> [UInt8]? {
        let now = place.withLock { place in
            let now = place
            if now == .head { place = .file }
            return now
        }
        switch now {
        case .head: return head
        case .file:
            if let piece = try await file.next() { return piece }
            place.withLock { $0 = .end }
            return tail
        case .end: return nil
        }
    }

    /// A name without what would end the quotes or the line.
    private static func quoted(_ name: String) -> String {
        String(
            decoding: name.utf8.map { byte in
                byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
                    ? UInt8(ascii: "_") : byte
            }, as: UTF8.self)
    }
}
