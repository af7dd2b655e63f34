import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskLog
import DeskModel
import DeskStore
import DeskTranslate

/// A business's number at WhatsApp: it is sent what the business says to the customers that came over it.
struct WhatsAppTarget: DeliveryTarget {
    let id: GatewayLinkID
    let parts: GatewayParts

    /// Everything from the business; whose customers came over the link is looked up with each.
    func wants(_ event: Event) -> Bool {
        guard case .message(let message) = event.body, !event.isImported else { return false }
        return message.facts.direction == .outbound
    }

    /// Makes one attempt: uploads files, then posts the message, in WhatsApp's form.
    ///
    /// 2xx is accepted, whether or not the answer can be read. What was accepted before a node ended is not sent
    /// again, nor is what a receipt came for. What gets no answer is: WhatsApp knows no message's id of ours by which
    /// it could drop the second one.
    func deliver(_ event: Event, _ delivery: Delivery) async -> DeliveryResult {
        guard let link = parts.links.find(id) else {
            return .refused(status: nil, detail: "the connection was removed")
        }
        guard !link.isSecretUnreadable else { return .secretUnreadable }
        guard case .message(let stored) = event.body, let conversation = event.conversation else {
            return .refused(status: nil, detail: "no message")
        }
        do {
            if try await hasReceipt(delivery, over: link) {
                let result = DeliveryResult.accepted(
                    status: 200, detail: DeliveryReceipt.accepted.rawValue)
                if let message = try await parts.whole(stored) {
                    // Safe: what cannot be translated was not sent, and so has no receipt.
                    let losses = (try? WhatsAppParts(message, parts.translator))?.losses ?? []
                    await parts.report(result, losses, of: message, in: conversation)
                }
                return result
            }
            let bound = try await parts.store.findUpstream(of: conversation.id)
            guard parts.links.reaches(conversation, boundTo: bound, over: link),
                let number = WhatsAppNames.number(of: conversation.customer.id)
            else { return .accepted(status: nil, detail: "the customer is not of this number") }
            guard let message = try await parts.whole(stored) else {
                return .refused(status: nil, detail: "the message is damaged")
            }
            guard message.erasedAt == nil else {
                return .refused(status: nil, detail: "the message was erased")
            }
            guard let secrets = WhatsAppSecrets(link.secret) else {
                return .refused(
                    status: nil,
                    detail:
                        "the secrets of the number are missing: enter them under Settings, Gateway")
            }
            let client = WhatsAppClient(
                parts: parts, link: link, secrets: secrets, conversation: conversation.id,
                message: message.id)
            let (result, losses) = await send(message, to: number, over: client)
            await parts.report(result, losses, of: message, in: conversation)
            return result
        } catch {
            return .failed(status: nil, detail: "the store: \(error)", retryAfter: nil)
        }
    }

    /// Whether WhatsApp has the message from an attempt before: its result was not stored, or its answer was lost.
    private func hasReceipt(
        _ delivery: Delivery, over link: GatewayLink
    ) async throws(StoreError) -> Bool {
        if DeliveryReceipt(detail: delivery.last?.detail) != nil { return true }
        // One may have come while this attempt waited for its turn.
        guard delivery.last != nil || delivery.claim != nil else { return false }
        let now = try await parts.store.deliveries(of: link.outbox, at: [delivery.position])
        return DeliveryReceipt(detail: now.first?.last?.detail) != nil
    }

    private func send(
        _ message: StoredMessage, to number: String, over client: WhatsAppClient
    ) async -> (DeliveryResult, losses: [JSON]) {
        do throws(WhatsAppFault) {
            let content = try WhatsAppParts(message, parts.translator)
            // All files before the first message: one that cannot be uploaded would have those before it
            // sent again.
            var messages: [[(String, JSON)]] = []
            for part in content.parts {
                switch part {
                case .message(let own): messages.append(own)
                case .file(let file, let kind, let caption):
                    messages.append(
                        WhatsAppParts.Part.content(
                            about: try await client.upload(file), file, kind, caption: caption))
                }
            }
            for (place, members) in messages.enumerated() {
                // The last of several stands for all: until it is accepted the others may be sent again.
                let isLast = place == messages.count - 1
                let name = try await client.post(
                    members, to: number, for: isLast ? message : nil, losses: content.losses)
                if isLast { await note(name, of: message, over: client.link) }
            }
            return (
                .accepted(status: 200, detail: DeliveryReceipt.accepted.rawValue), content.losses
            )
        } catch {
            switch error.outlook {
            case .never: return (.refused(status: error.status, detail: error.detail), [])
            case .later, .here:
                return (
                    .failed(
                        status: error.status, detail: error.detail, retryAfter: error.retryAfter),
                    []
                )
            }
        }
    }

    /// Keeps at once that a message was accepted, and what it is called there.
    private func note(_ name: String, of message: StoredMessage, over link: GatewayLink) async {
        do throws(StoreError) {
            _ = try await parts.store.noteReceipt(
                .accepted, of: name, because: nil, at: message.position, of: link.outbox,
                time: parts.time.now())
        } catch {
            // The attempt's result is stored next, and says the same.
            parts.log.warning("receipt_not_stored", ["message": .text(message.id.text)])
        }
    }
}

extension WhatsAppClient {
    /// Posts one message and returns what it is called there; empty where the answer does not say.
    ///
    /// - Parameter message: the message that statuses are about; nil where they are about another part of it.
    func post(
        _ members: [(String, JSON)], to number: String, for message: StoredMessage?,
        losses: [JSON]
    ) async throws(WhatsAppFault) -> String {
        var members = members + [("to", .string(number))]
        if let message {
            let reference = WhatsAppNames.reference(message.id, in: message.conversation)
            members.append(("biz_opaque_callback_data", .string(reference)))
        }
        let body = JSON.object(members).bytes()
        var headers = fields
        headers.append("Content-Type", "application/json")
        let answer = try await submit(
            .bounded(
                .post, address("/\(link.mspID)/messages"), headers: headers, body: .bytes(body)),
            body: body,
            findings: losses.map { loss in
                ["severity": "info", "found": .string(Self.sentence(of: loss))]
            })
        // Without a name it is accepted all the same.
        return answer?["messages"]?[0]?["id"]?.string ?? ""
    }

    private static func sentence(of loss: JSON) -> String {
        func text(_ name: String) -> String {
            if case .string(let text) = loss.member(name) { text } else { "" }
        }
        return "\(text("kind")): \(text("pointer")): \(text("reason"))"
    }
}

extension GatewayParts {
    /// Translates messages for channels.
    var translator: Translator {
        Translator(rulebook: rulebook, requestIdentifier: "", now: time.now())
    }
}
