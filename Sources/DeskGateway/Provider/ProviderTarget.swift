import DeskBroker
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore

/// A provider behind our gateway: it receives what the customer does, as from the real gateway.
struct ProviderTarget: DeliveryTarget {
    let id: GatewayLinkID
    let parts: GatewayParts

    /// Everything from the customer, and that the customer closed the conversation.
    func wants(_ event: Event) -> Bool {
        guard !event.isImported else { return false }
        return switch event.body {
        case .message(let message): message.facts.direction == .inbound
        case .conversation: event.type == .customerLeft
        case .note, .json: false
        }
    }

    /// Makes one attempt of at most ten seconds.
    func deliver(_ event: Event, _ delivery: Delivery) async -> DeliveryResult {
        guard let link = parts.links.find(id), let conversation = event.conversation else {
            return .refused(status: nil, detail: "the registration was removed")
        }
        guard !link.isSecretUnreadable else { return .secretUnreadable }
        let post: ProviderPost
        do throws(DeliveryFault) {
            post = try await self.post(event, in: conversation, of: link)
        } catch {
            return error.result
        }
        let settings = LinkSettings(link.settings)
        let faults = parts.faults?.ofDelivery(over: link) ?? DeliveryFaults()
        if let delay = faults.delay {
            // Safe: the end of the server cuts the delay short.
            try? await parts.time.sleep(delay)
        }
        // A message ends typing; a provider that got the live signal gets no second one.
        let wasSignalled = parts.typing.end(conversation.id, over: id)
        if case .message(let message) = event.body, message.facts.kind == .text,
            settings.announcesText, !wasSignalled
        {
            let id = derivedID("typing \(message.id.text)", over: link)
            await sendSignal("typing_start", id: id, in: conversation, over: link)
        }
        var result = DeliveryResult.failed(status: nil, detail: "not sent", retryAfter: nil)
        for one in await posts(post, of: event, in: conversation, over: link, faults) {
            let answer = await send(one, over: link, settings, about: event, in: conversation)
            if one.id == post.id { result = answer }
        }
        return result
    }

    /// Posts a typing signal without waiting; a lost one is not sent again.
    ///
    /// Without an id it gets a new one.
    func sendSignal(
        _ type: String, id: UniqueID? = nil, in conversation: Conversation, over link: GatewayLink
    ) async {
        let capabilities = (conversation.customer.capabilities ?? []).joined(separator: ",")
        _ = await send(
            .bare(
                type, id: id ?? parts.broker.makeID(), from: conversation,
                capabilities: capabilities),
            over: link, LinkSettings(link.settings), about: nil, in: conversation)
    }

    private func post(
        _ event: Event, in conversation: Conversation, of link: GatewayLink
    ) async throws(DeliveryFault) -> ProviderPost {
        let capabilities = (conversation.customer.capabilities ?? []).joined(separator: ",")
        guard case .message(let stored) = event.body else {
            let last = try await lastWords(before: event, in: conversation)
            return .bare(
                "close", id: derivedID("close \(last)", over: link), from: conversation,
                capabilities: capabilities, references: try await invitations(in: conversation))
        }
        let message = try await whole(stored)
        guard message.erasedAt == nil else {
            throw DeliveryFault(.refused(status: nil, detail: "the message was erased"))
        }
        return try await self.post(message, in: conversation, of: link)
    }

    /// What the customer wrote last before leaving, which identifies the leaving: a customer has to
    /// write before leaving again.
    private func lastWords(
        before event: Event, in conversation: Conversation
    ) async throws(DeliveryFault) -> String {
        do throws(StoreError) {
            let page = try await parts.store.messages(in: conversation.id, .newest, limit: 300)
            let last = page.elements.last { message in
                message.facts.direction == .inbound && message.position < event.id.position
            }
            return last?.id.text ?? event.id.text
        } catch {
            throw DeliveryFault(.failed(status: nil, detail: "\(error.code)", retryAfter: nil))
        }
    }

    /// The id of what has none of its own: the same however often it is sent.
    private func derivedID(_ what: String, over link: GatewayLink) -> UniqueID {
        let code = HMACSHA256.code(for: Array(what.utf8), key: link.secret)
        return UniqueID(bytes: Array(code.prefix(16))) ?? parts.broker.makeID()
    }

    /// A message as a post, with what only travels encrypted kept where it is fetched.
    func post(
        _ message: StoredMessage, in conversation: Conversation, of link: GatewayLink
    ) async throws(DeliveryFault) -> ProviderPost {
        let capabilities = (conversation.customer.capabilities ?? []).joined(separator: ",")
        return ProviderPost(
            id: message.id.text, source: conversation.customer.id,
            body: try await ProviderBody(link: link, message: message, parts: parts).text(),
            capabilities: capabilities)
    }

    /// The message with its payload.
    private func whole(_ message: StoredMessage) async throws(DeliveryFault) -> StoredMessage {
        let found: StoredMessage?
        do throws(StoreError) {
            found = try await parts.whole(message)
        } catch {
            throw DeliveryFault(.failed(status: nil, detail: "\(error.code)", retryAfter: nil))
        }
        guard let found else {
            throw DeliveryFault(.refused(status: nil, detail: "the message is damaged"))
        }
        return found
    }

    private func send(
        _ post: ProviderPost, over link: GatewayLink, _ settings: LinkSettings,
        about event: Event?, in conversation: Conversation
    ) async -> DeliveryResult {
        let request = post.request(over: link, settings, now: parts.tokenClock())
        var sending = WireSending(
            request, body: post.body, over: link, conversation: conversation.id, parts)
        if event != nil { sending.message = MessageID(post.id) }
        // The status is the answer (protocol page 1.6): a body that cannot be read sends no message twice.
        sending.needsBody = false
        let outcome = await sending.send()
        let result = ProviderAnswer.result(
            of: outcome, from: request.url, at: parts.time.now())
        await parts.note(sending.exchange(outcome, finding: result.detailOfFailure))
        return result
    }
}

/// A delivery that cannot be attempted, with its result.
struct DeliveryFault: Error {
    let result: DeliveryResult

    init(_ result: DeliveryResult) { self.result = result }
}

extension DeliveryResult {
    /// What went wrong; nil for an accepted one.
    var detailOfFailure: String? {
        switch self {
        case .accepted: nil
        case .failed(_, let detail, _), .refused(_, let detail): detail
        }
    }
}
