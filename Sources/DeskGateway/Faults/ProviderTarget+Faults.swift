import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore

extension ProviderTarget {
    /// The posts that a delivery is made of: usually one, with faults up to three.
    ///
    /// Where the conversation's next message goes first, it is delivered again in its turn, with the
    /// same id.
    func posts(
        _ post: ProviderPost, of event: Event, in conversation: Conversation,
        over link: GatewayLink, _ faults: DeliveryFaults
    ) async -> [ProviderPost] {
        var posts = [post]
        if faults.isRepeated { posts.append(post) }
        if faults.isCopied, let copy = post.copied(as: parts.broker.makeID().text) {
            posts.append(copy)
        }
        if faults.followsNext, let next = await next(after: event, in: conversation, over: link) {
            posts.insert(next, at: 0)
        }
        return posts
    }

    /// What the customer said next, if it was said already.
    private func next(
        after event: Event, in conversation: Conversation, over link: GatewayLink
    ) async -> ProviderPost? {
        guard let sequence = event.sequence else { return nil }
        do {
            let page = try await parts.store.messages(
                in: conversation.id, .after(sequence), limit: 10)
            let said = page.elements.filter { $0.facts.direction == .inbound }
            guard let next = said.min(by: { $0.sequence < $1.sequence }) else { return nil }
            return try await post(next, in: conversation, of: link)
        } catch {
            // Without a next one there is no other order.
            return nil
        }
    }
}

extension ProviderPost {
    /// The same under another id; nil when its body names none.
    func copied(as other: String) -> ProviderPost? {
        // Safe: a body of ours is JSON; one that is not has no copy.
        guard let id = try? JSONDocument(parsing: body).root["id"] else { return nil }
        return ProviderPost(
            id: other, source: source,
            body: EnvelopeText.replacing([(id.range, JSON.string(other).bytes())], in: body),
            capabilities: capabilities)
    }
}
