import DeskBytes
public import DeskModel

/// The browsers that are notified: customers of answers, and agents of what concerns them.
///
/// A customer's subscription lives as long as its conversation has a session, an agent's as long as the agent's device is
/// known and for `PushSubscription.agentDays` since it was saved: without that it is not found, and
/// `prunePushSubscriptions` removes it. The erasure of the conversation removes a customer's.
public protocol PushRegistry: Sendable {
    /// Adds a subscription, or replaces the one of the same name.
    ///
    /// Limit: `PushSubscription.mostPerConversation` or `mostPerAgent`; a further one ends the oldest. Order: of two
    /// callers both are added.
    func save(_ subscription: PushSubscription, author: Author) async throws(StoreError)
    /// Removes a subscription of an owner, an agent's of any device; returns whether there was one of its name.
    func removePushSubscription(
        _ id: Digest, of owner: PushOwner, author: Author
    ) async throws(StoreError) -> Bool
    /// Lists the subscriptions of conversations that have a session at a moment, the oldest first.
    ///
    /// Those whose secrets cannot be decrypted are left out.
    func pushSubscriptions(
        in conversations: [ConversationID], at time: Timestamp
    ) async throws(StoreError) -> [PushSubscription]
    /// Removes all subscriptions of a conversation.
    func removePushSubscriptions(
        in conversation: ConversationID, author: Author
    ) async throws(StoreError)
    /// Lists the subscriptions of the members of businesses that live at a moment, the oldest first.
    ///
    /// Those whose secrets cannot be decrypted are left out.
    func agentPushSubscriptions(
        ofMembersOf businesses: [BusinessID], at time: Timestamp
    ) async throws(StoreError) -> [PushSubscription]
    /// Lists the subscriptions of an agent on a device that live at a moment, the oldest first.
    func agentPushSubscriptions(
        of agent: AgentID, on device: Digest, at time: Timestamp
    ) async throws(StoreError) -> [PushSubscription]
    /// Removes all subscriptions of an agent on a device.
    func removeAgentPushSubscriptions(
        of agent: AgentID, on device: Digest, author: Author
    ) async throws(StoreError)
    /// Removes the subscriptions that do not live at a moment any more.
    func prunePushSubscriptions(at time: Timestamp) async throws(StoreError)
}

extension PushSubscription {
    /// The name of what a browser gave for a conversation.
    public static func id(of endpoint: String, in conversation: ConversationID) -> Digest {
        id(of: endpoint, for: conversation.text)
    }

    /// The name of what a browser gave for an agent.
    public static func id(of endpoint: String, for agent: AgentID) -> Digest {
        id(of: endpoint, for: agent.text)
    }

    private static func id(of endpoint: String, for owner: String) -> Digest {
        Digest.sha256(Array("\(owner) \(endpoint)".utf8))
    }
}

/// What lies encrypted in a subscription's row.
package enum PushRow {
    /// The secrets as they are before they are encrypted.
    package static func text(of subscription: PushSubscription) -> [UInt8] {
        var record = RowFields.Record()
        record["endpoint"] = subscription.endpoint
        record["point"] = Base64.encode(subscription.point, alphabet: .url)
        record["secret"] = Base64.encode(subscription.secret, alphabet: .url)
        return Array(RowFields.write([record]).utf8)
    }

    /// Reads them; nil when the bytes are none of ours.
    package static func secrets(
        _ bytes: [UInt8]
    ) -> (endpoint: String, point: [UInt8], secret: [UInt8])? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let record = RowFields.read(text, unnamed: [])?.first,
            let endpoint = record["endpoint"],
            let point = record["point"].flatMap({ Base64.decode($0, alphabet: .url) }),
            let secret = record["secret"].flatMap({ Base64.decode($0, alphabet: .url) })
        else { return nil }
        return (endpoint, point, secret)
    }
}
