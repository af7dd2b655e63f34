import DeskBroker
import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore

/// Fetches at once what an upstream's message only refers to; its links live for seconds (page 2.5).
struct UpstreamFetch {
    /// The message with everything that belongs to it.
    struct Fetched {
        var kind: MessageKind
        var payload: [UInt8]
        var attachments: [AttachmentUse] = []
    }

    /// Times that a link is asked for anew, when it has expired before it was used.
    private static let attempts = 3

    let parts: GatewayParts
    let link: GatewayLink
    let conversation: ConversationID?
    /// The request that brought the message.
    let trace: RequestTrace

    func fetch(
        _ inbound: UpstreamInbound, _ kind: MessageKind
    ) async throws(GatewayRefusal) -> Fetched {
        var fetched = Fetched(kind: kind, payload: inbound.posted)
        var client = UpstreamClient(parts: parts, link: link, conversation: conversation)
        client.message = inbound.id
        client.trace = trace
        do throws(UpstreamClient.Fault) {
            // A form may carry both; then interactiveData holds the selections (page 2.1).
            if let member = inbound.root.members.first(where: {
                $0.keyEquals("interactiveDataRef")
            }), inbound.root["interactiveData"] == nil {
                let data = try await decoded(member.value, over: client)
                fetched.payload = EnvelopeText.replacing(
                    [
                        (member.keyRange, Array(#""interactiveData""#.utf8)),
                        (member.value.range, data),
                    ], in: inbound.posted)
                let judgement = parts.rulebook.judge(
                    fetched.payload,
                    JudgementContext(
                        direction: .inbound, now: parts.time.now(), profile: .lenient))
                fetched.kind = judgement.kind ?? .interactive
            }
            for element in (inbound.root["attachments"]?.elements).map({ Array($0) }) ?? [] {
                fetched.attachments.append(try await attachment(element, over: client))
            }
            return fetched
        } catch {
            throw GatewayRefusal(
                .serviceUnavailable, "what the message refers to could not be had: \(error.detail)")
        }
    }

    private func attachment(
        _ element: JSONValue, over client: UpstreamClient
    ) async throws(UpstreamClient.Fault) -> AttachmentUse {
        let dictionary: AttachmentDictionary
        do throws(GatewayRefusal) {
            dictionary = try AttachmentDictionary(element)
        } catch {
            throw UpstreamClient.Fault(status: nil, detail: error.detail)
        }
        let blob = try await download(
            element, key: dictionary.key, byteCount: dictionary.byteCount, over: client)
        return AttachmentUse(
            id: blob.id, name: dictionary.name, mediaType: dictionary.mediaType,
            byteCount: blob.byteCount)
    }

    private func decoded(
        _ reference: JSONValue, over client: UpstreamClient
    ) async throws(UpstreamClient.Fault) -> [UInt8] {
        let key: [UInt8]
        do throws(GatewayRefusal) {
            key = try AttachmentDictionary.key(reference["key"]?.string ?? "", at: reference)
        } catch {
            throw UpstreamClient.Fault(status: nil, detail: error.detail)
        }
        let size = reference["size"]?.int ?? reference["size"]?.string.flatMap { Int($0) }
        let blob = try await download(
            reference, key: key, byteCount: size.map { Int64($0) }, over: client)
        let packed: [UInt8]
        do {
            let file = try await parts.blobs.openBlob(blob.id)
            packed =
                try await file?.read(at: 0, atMost: LargeReference.maximumPackedBytes + 1) ?? []
        } catch {
            throw UpstreamClient.Fault(status: nil, detail: "the store: \(error)")
        }
        guard packed.count <= LargeReference.maximumPackedBytes else {
            throw UpstreamClient.Fault(status: nil, detail: "the referred data are too large")
        }
        var fields = client.fields
        fields.append("bid", reference["bid"]?.string ?? "")
        fields.append("accept", "*/*")
        let request = OutgoingRequest(
            .post, client.address("/decodePayload"), headers: fields, body: .bytes(packed),
            answerLimit: LargeReference.maximumBytes)
        let root = try await client.askJSON(request)
        return Array(root.rawBytes)
    }

    /// Exchanges a reference for a link, fetches the ciphertext and stores what it says.
    private func download(
        _ reference: JSONValue, key: [UInt8], byteCount: Int64?, over client: UpstreamClient
    ) async throws(UpstreamClient.Fault) -> Blob {
        var fault = UpstreamClient.Fault(status: nil, detail: "nothing was tried")
        for _ in 0..<Self.attempts {
            do throws(UpstreamClient.Fault) {
                let link = try await client.askJSON(
                    OutgoingRequest(
                        .get, client.address("/preDownload"),
                        headers: try fields(reference, client)))
                guard let address = link["download-url"]?.string else {
                    throw UpstreamClient.Fault(
                        status: nil, detail: "preDownload's answer has no download-url")
                }
                return try await take(address, key, byteCount)
            } catch {
                fault = error
            }
        }
        throw fault
    }

    private func fields(
        _ reference: JSONValue, _ client: UpstreamClient
    ) throws(UpstreamClient.Fault) -> HeaderFields {
        let base64 = reference["signature-base64"]?.string
        let hexadecimal = (reference["signature"]?.string).flatMap { Hex.decode($0) }
        guard let signature = base64 ?? hexadecimal.map({ Base64.encode($0) }) else {
            throw UpstreamClient.Fault(
                status: nil, detail: "\(reference.pointer) has no readable signature")
        }
        var fields = client.fields
        let url = reference["url"]?.string ?? reference["mmcs-url"]?.string ?? ""
        let owner = reference["owner"]?.string ?? reference["mmcs-owner"]?.string ?? ""
        for (name, value) in [("url", url), ("owner", owner), ("signature", signature)] {
            // Gateways of all years: the old name and the new one (page 1.3).
            fields.append(name, value)
            fields.append("MMCS-" + name.prefix(1).uppercased() + name.dropFirst(), value)
        }
        return fields
    }

    private func take(
        _ address: String, _ key: [UInt8], _ byteCount: Int64?
    ) async throws(UpstreamClient.Fault) -> Blob {
        do {
            let answer = try await parts.client.open(
                OutgoingRequest(.get, address, timeout: .seconds(60)))
            guard answer.status == .ok else {
                throw UpstreamClient.Fault(
                    status: answer.status.code,
                    detail: "the download answered \(answer.status.code)")
            }
            let pieces = DecryptedBody(answer.body, try AESCounter(key: key))
            let blob = try await ObjectShelf(parts: parts).store(pieces)
            if let byteCount, blob.byteCount != byteCount {
                throw UpstreamClient.Fault(
                    status: nil,
                    detail: "\(blob.byteCount) bytes came, \(byteCount) were announced")
            }
            return blob
        } catch let fault as UpstreamClient.Fault {
            throw fault
        } catch {
            throw UpstreamClient.Fault(status: nil, detail: "the download failed: \(error)")
        }
    }
}
