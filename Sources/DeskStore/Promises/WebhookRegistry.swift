public import DeskModel

/// The webhook endpoints of businesses.
///
/// Their secrets and the fields that they choose are stored encrypted; an endpoint whose secrets cannot be decrypted
/// is read without them (`Webhook.isSecretUnreadable`), and others as ever. Every node has a change before it is answered.
public protocol WebhookRegistry: Sendable {
    /// Adds an endpoint that receives what happens from now on; false when its business has as many as it may.
    ///
    /// Limit: `Webhook.most` of a business.
    func add(_ webhook: Webhook, author: Author) async throws(StoreError) -> Bool

    /// Replaces what members may change of an endpoint; false when that was changed since it was read, or the
    /// endpoint is not there: then nothing was stored.
    ///
    /// That is all but its state, what the handshake found, and how its attempts went.
    func save(
        _ webhook: Webhook, over known: Webhook, author: Author
    ) async throws(StoreError) -> Bool

    /// Lists the endpoints of a business, or with nil of all, oldest first; one whose row is damaged is left
    /// out, so that the others go on, and reported.
    func webhooks(of business: BusinessID?) async throws(StoreError) -> [Webhook]

    /// Finds an endpoint.
    func findWebhook(_ id: WebhookID) async throws(StoreError) -> Webhook?

    /// Ends deliveries to an endpoint; false when they had ended or there is none.
    func disable(
        _ id: WebhookID, as disabled: Webhook.Disabled, author: Author
    ) async throws(StoreError) -> Bool

    /// Lets an endpoint receive what happens from now on, where it was disabled; what is pending is due at `time`,
    /// or was before, and the holder of the lease looks at it at once.
    ///
    /// The first 3,000 deliveries are brought forward in the commit that enables it, others in further ones.
    /// - Returns: whether it was disabled.
    func enable(
        _ id: WebhookID, at time: Timestamp, author: Author
    ) async throws(StoreError) -> Bool

    /// Stores what a handshake found; returns whether there is such an endpoint.
    func note(
        _ handshake: WebhookHandshake, of id: WebhookID, author: Author
    ) async throws(StoreError) -> Bool

    /// Removes deliveries of an outbox, and returns how many there were.
    ///
    /// Limit: 3,000 at a time. An endpoint is disabled before, so that none is noted meanwhile.
    func removeDeliveries(of outbox: OutboxID) async throws(StoreError) -> Int

    /// Removes an endpoint, and deliveries that are left; returns whether there was one.
    func remove(_ id: WebhookID, author: Author) async throws(StoreError) -> Bool
}

/// The queue of webhook endpoints, which one reader fills and one sender empties, under one lease.
///
/// Their deliveries are those of outboxes (`OutboxRegistry`), without cursors of their own and without claims:
/// the holder of the lease alone knows what it attempts.
public protocol WebhookQueue: Sendable {
    /// What is attempted next, of each of some outboxes: `nextDeliveries` of each.
    ///
    /// Limit: 300 of an outbox.
    func nextDeliveries(
        of outboxes: [OutboxID: Int]
    ) async throws(StoreError) -> [OutboxID: [Delivery]]

    /// Stores the results of attempts, and how their endpoints fare since, in one commit.
    ///
    /// Left out is a delivery that is not pending any more, or was attempted as often already.
    /// - Throws: `superseded` when the lease is no longer the caller's; then nothing was stored.
    func settle(
        _ deliveries: [Delivery], _ health: [WebhookID: WebhookHealth], under lease: Lease
    ) async throws(StoreError)

    /// Has events delivered again that were delivered or given up, and now those that were not noted.
    ///
    /// - Returns: how many; pending ones are none of them.
    func replay(
        _ deliveries: [Delivery], of outbox: OutboxID, author: Author
    ) async throws(StoreError) -> Int
}

/// Whether attempts to reach an endpoint fail.
public enum WebhookHealth: Hashable, Sendable {
    /// One succeeded.
    case recovered
    /// All failed since a moment.
    case failing(since: Timestamp)
}

/// Disables an endpoint and appends the event of it, in one commit.
///
/// Refused as `notFound` without the business.
public struct DisableWebhook: WriteStep {
    let id: WebhookID
    let business: BusinessID
    let disabled: Webhook.Disabled
    let event: [UInt8]
    let author: Author

    /// Says which endpoint, and why.
    ///
    /// - Parameter event: what the event says, a JSON object's text.
    public init(
        _ webhook: Webhook, as disabled: Webhook.Disabled, event: [UInt8],
        by author: Author = .server
    ) {
        self.author = author
        id = webhook.id
        business = webhook.business
        self.disabled = disabled
        self.event = event
    }

    /// Answers whether it was enabled; otherwise nothing is stored.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Bool {
        try decision.disable(self)
    }
}
