import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskMessages
import DeskModel
import DeskStore

/// The body of an inbound message as a provider gets it: attachments and large payloads by reference.
struct ProviderBody {
    let link: GatewayLink
    let message: StoredMessage
    let parts: GatewayParts

    /// The text, with nothing changed but what has to travel encrypted.
    ///
    /// The same message gives the same bytes at every attempt.
    func text() async throws(DeliveryFault) -> [UInt8] {
        guard let payload = message.payload.carriedBytes else {
            throw DeliveryFault(.refused(status: nil, detail: "the message has no payload"))
        }
        var kept: [String] = []
        let text: [UInt8]
        do throws(StoreError) {
            // Safe: it was parsed when it was accepted; what is no JSON is sent as it is.
            guard let root = try? JSONDocument(parsing: payload).root else { return payload }
            var edits: [(range: Range<Int>, text: [UInt8])] = []
            if let list = root["attachments"], !message.facts.attachments.isEmpty {
                edits.append((list.range, try await attachments(&kept)))
            }
            if let member = root.members.first(where: { $0.keyEquals("interactiveData") }),
                member.value.rawBytes.count > LinkSettings(link.settings).referenceBytes
            {
                let reply = try await LargeReference(parts: parts, link: link).keep(
                    member.value, for: GatewayLink.purpose(ofReply: message.id))
                kept.append(reply.object.id)
                edits.append((member.keyRange, Array(#""interactiveDataRef""#.utf8)))
                edits.append((member.value.range, reply.text(isForReuse: false).bytes()))
            }
            text = edits.isEmpty ? payload : EnvelopeText.replacing(edits, in: payload)
        } catch {
            throw DeliveryFault(
                .failed(status: nil, detail: "the store: \(error.code)", retryAfter: nil))
        }
        if !kept.isEmpty, try await endErased(kept) {
            throw DeliveryFault(.refused(status: nil, detail: "the message was erased"))
        }
        return text
    }

    /// Ends what was kept of the message where it was erased since it was read, and says whether it was.
    private func endErased(_ kept: [String]) async throws(DeliveryFault) -> Bool {
        do {
            let now = try await parts.store.findMessage(message.id, in: message.conversation)
            // A tombstone stays one: nothing but the object ends by this order.
            guard now?.erasedAt != nil else { return false }
            _ = try await parts.broker.erase(
                message.id, in: message.conversation, by: .server, objects: kept)
            return true
        } catch {
            throw DeliveryFault(.failed(status: nil, detail: "\(error)", retryAfter: nil))
        }
    }

    private func attachments(_ kept: inout [String]) async throws(StoreError) -> [UInt8] {
        let objects = MediaObjectStore(parts: parts)
        var dictionaries: [JSON] = []
        for (place, use) in message.facts.attachments.enumerated() {
            let (object, key) = try await objects.lend(
                use.id, byteCount: use.byteCount,
                for: "attachment \(place) of \(message.id.text)", over: link)
            kept.append(object.id)
            dictionaries.append(
                .raw(
                    AttachmentWire(
                        url: objects.address(of: object), owner: MediaObjectStore.owner, key: key,
                        signature: object.signature, byteCount: object.byteCount
                    ).text(of: use, .inbound)))
        }
        return JSON.array(dictionaries).bytes()
    }
}
