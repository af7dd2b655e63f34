import DeskJSON
public import DeskModel
import DeskStore

/// What is published of keys and webhook endpoints that people end, replace and enable.
extension Broker {
    /// Disables a webhook endpoint and publishes that, in one commit; answers whether it was enabled.
    ///
    /// - Throws: `notFound` as a refusal.
    public func disable(_ webhook: Webhook, by author: Author) async throws(BrokerError) -> Bool {
        let reason = Webhook.DisabledReason.member
        let event = Self.data(of: webhook, by: author) { $0.member("reason", reason.rawValue) }
        return try await commit(
            DisableWebhook(
                webhook, as: Webhook.Disabled(reason, at: now()), event: event, by: author))
    }

    /// Publishes that a webhook endpoint was enabled.
    public func publishEnabled(
        _ webhook: Webhook, by author: Author
    ) async throws(BrokerError) {
        _ = try await append(
            .webhookEnabled, of: webhook.business, data: Self.data(of: webhook, by: author) { _ in }
        )
    }

    /// Publishes that a key acts for businesses no longer.
    public func publishRevoked(
        _ key: KeyID, for businesses: [BusinessID], by author: Author
    ) async throws(BrokerError) {
        let data = JSONWriter.object { text in
            text.member("key", key.text)
            text.author(author)
        }
        for business in businesses { _ = try await append(.keyRevoked, of: business, data: data) }
    }

    /// Publishes that a key has a successor, and until when it goes on at most.
    public func publishReplaced(
        _ key: KeyID, by successor: APIKey, until end: Timestamp, author: Author
    ) async throws(BrokerError) {
        let data = JSONWriter.object { text in
            text.member("key", key.text)
            text.member("successor", successor.id.text)
            text.member("until", end)
            text.author(author)
        }
        for business in successor.businesses {
            _ = try await append(.keyReplaced, of: business, data: data)
        }
    }

    private static func data(
        of webhook: Webhook, by author: Author, _ more: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        JSONWriter.object { text in
            text.member("webhook", webhook.id.text)
            text.member("url", webhook.origin)
            more(&text)
            text.author(author)
        }
    }
}

extension JSONWriter {
    /// Writes who did it: without a name, for it is stored in the log.
    fileprivate mutating func author(_ author: Author) {
        member("by") {
            $0.object {
                $0.member("type", author.kind)
                $0.member("id", author.name)
            }
        }
    }
}
