import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore

/// The body of an outbound message as the upstream gets it: attachments encrypted and uploaded there.
struct UpstreamBody {
    let message: StoredMessage
    let client: UpstreamClient

    /// The text; nothing changes in it but the attachments and what the upstream calls the business.
    func text() async throws(UpstreamClient.Fault) -> [UInt8] {
        let payload = message.payload.carriedBytes ?? []
        // Safe: it was parsed when it was accepted; what is no JSON is sent as it is.
        guard let root = try? JSONDocument(parsing: payload).root else { return payload }
        var edits: [(range: Range<Int>, text: [UInt8])] = []
        if let source = root["sourceId"], source.string != client.business.text {
            edits.append((source.range, JSON.string(client.business.text).bytes()))
        }
        if let list = root["attachments"], !message.facts.attachments.isEmpty {
            edits.append((list.range, try await attachments(Array(list.elements))))
        }
        return edits.isEmpty ? payload : EnvelopeText.replacing(edits, in: payload)
    }

    /// The list with our files uploaded there; what names a file elsewhere stays as it is.
    private func attachments(
        _ elements: [JSONValue]
    ) async throws(UpstreamClient.Fault) -> [UInt8] {
        let uses = message.facts.attachments
        var dictionaries: [JSON] = []
        var place = 0
        // Files of ours come in the order of the list; where all are ours, so is every address.
        for element in uses.count < elements.count ? elements : [] {
            let address = ["url", "mmcs-url"].lazy.compactMap { element[$0]?.string }.first ?? ""
            if place < uses.count, address.hasSuffix("/\(uses[place].id.text)") {
                dictionaries.append(.raw(try await upload(uses[place], place)))
                place += 1
            } else {
                dictionaries.append(.raw(Array(element.rawBytes)))
            }
        }
        for (place, use) in uses.enumerated().dropFirst(place) {
            dictionaries.append(.raw(try await upload(use, place)))
        }
        return JSON.array(dictionaries).bytes()
    }

    /// Encrypts a file on its way to the address that the upstream gave (protocol page 4).
    private func upload(
        _ use: AttachmentUse, _ place: Int
    ) async throws(UpstreamClient.Fault) -> [UInt8] {
        // A fresh key for each file of each message; a repeated attempt uses the same one.
        let key = HMACSHA256.code(
            for: Array("upload key \(place) of \(message.id.text)".utf8),
            key: client.link.secret)
        let pieces = try await ciphertext(of: use, key)
        var fields = client.fields
        fields.append("MMCS-Size", String(pieces.byteCount))
        fields.append("size", String(pieces.byteCount))
        let reserved: JSONValue
        do throws(UpstreamClient.Fault) {
            reserved = try await client.askJSON(
                .bounded(.get, client.address("/preUpload"), headers: fields))
        } catch {
            // It names no customer, so 410 does not say here that one has left.
            throw UpstreamClient.Fault(
                status: error.status == 410 ? nil : error.status,
                detail: "preUpload \(error.detail)", retryAfter: error.retryAfter)
        }
        let target = try require("upload-url", in: reserved)
        let url = try require("mmcs-url", in: reserved)
        let owner = try require("mmcs-owner", in: reserved)
        let answer: JSONValue
        do throws(UpstreamClient.Fault) {
            answer = try await client.askJSON(
                OutgoingRequest(
                    .post, target, headers: ["Content-Type": "application/octet-stream"],
                    body: .pieces(pieces, byteCount: pieces.byteCount), timeout: .seconds(60),
                    longest: .ofUpload(pieces.byteCount)))
        } catch {
            // Addresses end, by use, by time or with a restart there: another one may be had, so no
            // status of this one is final.
            throw UpstreamClient.Fault(
                status: nil, detail: "the upload: \(error.detail)", retryAfter: error.retryAfter)
        }
        let sum = answer["singleFile"]?["fileChecksum"]?.string ?? ""
        guard let signature = Base64.decode(sum), !signature.isEmpty else {
            throw UpstreamClient.Fault(
                status: nil, detail: "the upload's answer has no singleFile.fileChecksum")
        }
        return AttachmentWire(
            url: url, owner: owner, key: key, signature: signature, byteCount: pieces.byteCount
        ).text(of: use, .outbound)
    }

    private func ciphertext(
        of use: AttachmentUse, _ key: [UInt8]
    ) async throws(UpstreamClient.Fault) -> BlobPieces {
        do {
            if let file = try await client.parts.blobs.openBlob(use.id) {
                return BlobPieces(file, cipher: try AESCounter(key: key))
            }
        } catch {
            throw UpstreamClient.Fault(
                status: nil, detail: "the attachment \(use.name) cannot be read")
        }
        throw UpstreamClient.Fault(
            status: 404, detail: "the attachment \(use.name) is not stored here any more")
    }

    private func require(
        _ name: String, in answer: JSONValue
    ) throws(UpstreamClient.Fault) -> String {
        guard let text = answer[name]?.string, !text.isEmpty else {
            throw UpstreamClient.Fault(status: nil, detail: "preUpload's answer has no \(name)")
        }
        return text
    }
}
