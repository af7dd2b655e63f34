import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore

/// How a file is shown in WhatsApp, and up to which size; docs/whatsapp.md cites where that is published.
enum WhatsAppFileKind: String {
    case image
    case video
    case audio
    case document

    private static let documentBytes: Int64 = 100_000_000

    /// The kind of a file; nil for one that is too large for every kind.
    init?(_ file: AttachmentUse) {
        let kind: WhatsAppFileKind
        let most: Int64
        switch file.mediaType {
        case "image/jpeg", "image/png": (kind, most) = (.image, 5_000_000)
        case "video/mp4", "video/3gpp": (kind, most) = (.video, 16_000_000)
        case "audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg":
            (kind, most) = (.audio, 16_000_000)
        default: (kind, most) = (.document, Self.documentBytes)
        }
        if file.byteCount <= most {
            self = kind
        } else if file.byteCount <= Self.documentBytes {
            self = .document
        } else {
            return nil
        }
    }

    /// Whether words may stand under it.
    var hasCaption: Bool { self != .audio }
}

extension WhatsAppClient {
    /// Uploads a stored file and returns the id that messages name it by.
    func upload(_ file: AttachmentUse) async throws(WhatsAppFault) -> String {
        let mediaType =
            file.mediaType.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "/.+-".utf8.contains($0) }
                && !file.mediaType.isEmpty ? file.mediaType : "application/octet-stream"
        let form = MultipartBody(
            fields: [("messaging_product", "whatsapp"), ("type", mediaType)],
            file: try await pieces(of: file), name: file.name, mediaType: mediaType,
            boundary: Hex.encode(RandomBytes.make(20)))
        var headers = fields
        headers.append("Content-Type", form.contentType)
        let answer = try await askJSON(
            OutgoingRequest(
                .post, address("/\(link.mspID)/media"), headers: headers,
                body: .pieces(form, byteCount: form.byteCount), timeout: .seconds(60),
                longest: .ofUpload(form.byteCount)))
        guard let id = answer["id"]?.string, !id.isEmpty else {
            throw WhatsAppFault(status: 200, detail: "the upload's answer has no id", .later)
        }
        return id
    }

    private func pieces(of file: AttachmentUse) async throws(WhatsAppFault) -> BlobPieces {
        do {
            if let stored = try await parts.blobs.openBlob(file.id) {
                return BlobPieces(stored, cipher: nil)
            }
        } catch {
            throw WhatsAppFault(
                status: nil, detail: "the attachment \(file.name) cannot be read", .later)
        }
        throw WhatsAppFault(
            status: nil, detail: "the attachment \(file.name) is not stored here any more", .never)
    }

    /// Fetches a file of a customer's and stores it.
    ///
    /// Its address is asked for by its id, and both are asked with the access token.
    ///
    /// - Parameter longest: how long the download may last, however fast it moves.
    func fetch(
        _ id: String, timeout: Duration, longest: Duration
    ) async throws(WhatsAppFault) -> Blob {
        guard id.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }) else {
            throw WhatsAppFault(status: nil, detail: "the id of the file is none", .never)
        }
        let answer = try await askJSON(
            .bounded(
                .get, address("/\(id)?phone_number_id=\(link.mspID)"), headers: fields,
                timeout: timeout))
        guard let url = answer["url"]?.string, mayShowToken(to: url) else {
            throw WhatsAppFault(
                status: 200, detail: "the answer has no address of the file that may be asked",
                .never)
        }
        if let size = answer["file_size"]?.int, Int64(size) > MediaObjectStore.maximumBytes {
            throw WhatsAppFault(status: 200, detail: "the file has \(size) bytes", .never)
        }
        let got: OutgoingAnswer
        do throws(OutgoingError) {
            got = try await parts.client.open(
                OutgoingRequest(
                    .get, url, headers: fields, timeout: timeout, longest: longest))
        } catch {
            throw WhatsAppFault(status: nil, detail: "the download failed: \(error)", .later)
        }
        guard got.status == .ok else { throw WhatsAppFault(got, [], at: parts.time.now()) }
        return try await store(got.body)
    }

    /// Whether the token may be sent to where a file is: only to who is asked over TLS, unless the Graph API itself
    /// is asked without.
    private func mayShowToken(to url: String) -> Bool {
        url.hasPrefix("https://") || (url.hasPrefix("http://") && link.url.hasPrefix("http://"))
    }

    private func store(_ body: RequestBody) async throws(WhatsAppFault) -> Blob {
        do throws(MediaObjectStore.Fault) {
            return try await MediaObjectStore(parts: parts).store(PlainBody(body))
        } catch {
            if case .store(let failure) = error {
                throw WhatsAppFault(
                    status: nil, detail: "the file cannot be stored: \(failure.code.rawValue)",
                    failure.code == .refused ? .never : .here)
            }
            throw WhatsAppFault(status: nil, detail: "the download was cut off", .later)
        }
    }
}

/// An answer's body as it is.
private final class PlainBody: BodySource {
    private let body: RequestBody

    init(_ body: RequestBody) { self.body = body }

    func next() async throws(BodyError) -> [UInt8]? { try await body.next() }
}
