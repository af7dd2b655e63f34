import DeskBroker
import DeskHTTP
import DeskLinks
import DeskModel
import DeskStore

/// An upstream gateway: it is sent what the business says to the customers that came over it.
struct UpstreamTarget: DeliveryTarget {
    let id: GatewayLinkID
    let parts: GatewayParts

    /// Everything from the business; whose customers are the upstream's is looked up with each.
    func wants(_ event: Event) -> Bool {
        guard case .message(let message) = event.body, !event.isImported else { return false }
        return message.facts.direction == .outbound
    }

    /// Makes one attempt: uploads attachments, then posts the message.
    ///
    /// 2xx is accepted; 410 closes the conversation; other 4xx are final and shown on the message;
    /// 429, 5xx and silence are tried again.
    func deliver(_ event: Event, _ delivery: Delivery) async -> DeliveryResult {
        guard let link = parts.links.find(id) else {
            return .refused(status: nil, detail: "the connection was removed")
        }
        guard !link.isSecretUnreadable else { return .secretUnreadable }
        guard case .message(let stored) = event.body, let conversation = event.conversation else {
            return .refused(status: nil, detail: "no message")
        }
        do {
            guard try await parts.store.findUpstream(of: conversation.id) == id else {
                return .accepted(status: nil, detail: "the customer is ours")
            }
            guard let message = try await parts.whole(stored) else {
                return .refused(status: nil, detail: "the message is damaged")
            }
            guard message.erasedAt == nil else {
                return .refused(status: nil, detail: "the message was erased")
            }
            // A message ends typing by itself.
            _ = parts.typing.end(conversation.id, over: id)
            let client = UpstreamClient(
                parts: parts, link: link, conversation: conversation.id, message: message.id)
            let result = await send(message, to: conversation, over: client)
            if case .refused(410, _) = result { await leave(conversation, as: message) }
            await parts.report(result, of: message, in: conversation)
            return result
        } catch {
            return .failed(status: nil, detail: "the store: \(error)", retryAfter: nil)
        }
    }

    private func send(
        _ message: StoredMessage, to conversation: Conversation, over client: UpstreamClient
    ) async -> DeliveryResult {
        let customer = conversation.customer.id.text
        do throws(UpstreamClient.Fault) {
            let body = try await UpstreamBody(message: message, client: client).text()
            var headers = client.fields
            headers.append("id", message.id.text)
            headers.append("destination-id", customer)
            headers.append("Content-Type", "application/json")
            headers.append("msp-agent", "Frontdesk")
            let known = message.facts.headers.first { $0.name == "auto-reply" }
            if let known { headers.append(known.name, known.value) }
            let path = message.facts.kind == .authentication ? "/authenticate" : "/message"
            let request = OutgoingRequest.bounded(
                .post, client.address(path), headers: headers, body: .bytes(body))
            // What was accepted is not sent again for want of a body that says nothing.
            let got = try await client.ask(request, body: body, needsBody: false)
            let code = got.answer.status.code
            if (200...299).contains(code) { return .accepted(status: code, detail: "accepted") }
            throw client.fault(got.answer, got.body, request)
        } catch {
            guard let status = error.status, (400...499).contains(status), status != 408,
                status != 429
            else {
                return .failed(
                    status: error.status, detail: error.detail, retryAfter: error.retryAfter)
            }
            return .refused(status: status, detail: error.detail)
        }
    }

    /// Closes the conversation of a customer who is gone; `message` is the one that was not received.
    private func leave(_ conversation: Conversation, as message: StoredMessage) async {
        do throws(BrokerError) {
            _ = try await parts.broker.change(conversation.id, .leave, by: .provider("upstream"))
        } catch {
            // The next message to the customer is answered with 410 again.
            parts.noteMissingOutcome(of: message)
        }
    }
}
