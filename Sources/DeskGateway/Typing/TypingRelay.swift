import DeskBroker
import DeskHTTP
import DeskLinks
import DeskModel
import DeskStore

/// Passes typing on over one link: the customer's to a provider, the business's to an upstream or to WhatsApp, which
/// also learns what was read.
///
/// A signal is a courtesy: it is posted once and never again. A message ends typing by itself, so
/// that `typing_end` is posted only for who stops without sending (protocol page 2.1).
struct TypingRelay: Sendable {
    let id: GatewayLinkID
    let parts: GatewayParts

    /// Listens until cancelled, or until the tail has ended.
    func run() async {
        guard let business = parts.links.find(id)?.business else { return }
        while !Task.isCancelled {
            let reader = parts.broker.events(after: nil, in: .businesses([business]))
            do throws(StoreError) {
                guard try await follow(reader) else { return }
            } catch {
                return
            }
        }
    }

    /// Returns false when there is nothing more to follow, true when it fell behind.
    private func follow(_ reader: EventReader) async throws(StoreError) -> Bool {
        while let item = try await reader.next() {
            switch item {
            case .signal(let signal):
                if signal.kind == .typing || signal.kind == .read { await pass(signal) }
            case .event(let shared):
                if case .message(let message) = shared.event.body { await passAnswer(message) }
            case .live, .reset: continue
            case .cutOff: return true
            }
        }
        return false
    }

    private func pass(_ signal: Signal) async {
        guard let link = parts.links.find(id), let place = signal.conversation else { return }
        let isCustomer =
            switch signal.who {
            case .customer, .script: true
            case .agent, .key, .provider, .command, .server, .rule: false
            }
        if link.side == .whatsapp {
            guard !isCustomer, signal.kind == .read || signal.state == .start else { return }
            return await mark(place, over: link, isTyping: signal.kind == .typing)
        }
        guard signal.kind == .typing, isCustomer == (link.side == .provider),
            signal.state == .start || signal.state == .end
        else { return }
        let isNews =
            signal.state == .start
            ? parts.typing.begin(place, over: id, at: parts.time.instant())
            : parts.typing.end(place, over: id)
        guard isNews else { return }
        let type = signal.state == .start ? "typing_start" : "typing_end"
        do {
            guard let conversation = try await parts.store.findConversation(place),
                !conversation.hasLeft
            else { return }
            switch link.side {
            case .provider:
                guard LinkSettings(link.settings).announcesText else { return }
                await ProviderTarget(id: id, parts: parts).sendSignal(
                    type, in: conversation, over: link)
            case .upstream:
                guard try await parts.store.findUpstream(of: conversation.id) == id else { return }
                try await sendSignal(type, conversation, over: link)
            case .whatsapp: return
            }
        } catch {
            // A typing signal may be lost; the wire log has its exchange.
        }
    }

    private func sendSignal(
        _ type: String, _ conversation: Conversation, over link: GatewayLink
    ) async throws(UpstreamClient.Fault) {
        let client = UpstreamClient(
            parts: parts, link: link, conversation: conversation.id, message: nil)
        let message = parts.broker.makeID().text
        let customer = conversation.customer.id.text
        let body = EnvelopeText.object([
            ("id", message), ("type", type), ("sourceId", client.business.text),
            ("destinationId", customer),
        ])
        var headers = client.fields
        headers.append("id", message)
        headers.append("destination-id", customer)
        headers.append("Content-Type", "application/json")
        _ = try await client.ask(
            .bounded(
                .post, client.address("/message"), headers: headers, body: .bytes(body)),
            body: body)
    }
}
