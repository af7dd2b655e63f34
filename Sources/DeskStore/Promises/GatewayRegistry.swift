public import DeskModel

/// The links to providers and upstreams.
public protocol LinkRegistry: Sendable {
    /// Adds a link or replaces what may change of it; false when the business has another of its side.
    func save(_ link: GatewayLink, author: Author) async throws(StoreError) -> Bool

    /// Adds a link, where none was known, or replaces what may change of the one that was read.
    ///
    /// - Returns: false when the link was changed or removed since it was read, or the business has another of its
    ///   side: then nothing was stored.
    func save(
        _ link: GatewayLink, over known: GatewayLink?, author: Author
    ) async throws(StoreError) -> Bool

    /// Lists all links, oldest first.
    func gatewayLinks() async throws(StoreError) -> [GatewayLink]

    /// Removes a link with its exchanges and its outbox, all of it or nothing; returns whether there was one.
    func removeGatewayLink(_ id: GatewayLinkID, author: Author) async throws(StoreError) -> Bool

    /// The upstream link over which a conversation's customer is reached; nil for one of ours.
    func findUpstream(
        of conversation: ConversationID
    ) async throws(StoreError) -> GatewayLinkID?
}

/// The ciphertext that links exchange.
public protocol ObjectRegistry: Sendable {
    /// Keeps an object; one of the same id stays as it is, and the answer is false.
    @discardableResult
    func save(_ object: MMCSObject, author: Author) async throws(StoreError) -> Bool

    /// Forgets the objects that had expired then; returns the files that no row names any more.
    ///
    /// Limit: 300 objects a call.
    func pruneMMCSObjects(before time: Timestamp) async throws(StoreError) -> [AttachmentID]

    /// Finds an object by the last part of its address.
    func findMMCSObject(_ id: String) async throws(StoreError) -> MMCSObject?
}

/// What went over the wire.
public protocol WireLog: Sendable {
    /// Records an exchange and returns its number; of each link the newest 10,000 are kept.
    func note(_ exchange: WireExchange) async throws(StoreError) -> Int64

    /// Lists a business's exchanges, newest first; the edge is an exchange's number.
    ///
    /// Limit: 300.
    func exchanges(
        of business: BusinessID, in scope: WireScope, at edge: PageEdge<Int64>, limit: Int
    ) async throws(StoreError) -> Page<WireExchange>
}

/// Everything about gateways.
public typealias GatewayRegistry = LinkRegistry & ObjectRegistry & WireLog

/// Which exchanges are asked for.
public enum WireScope: Hashable, Sendable {
    /// All of the business.
    case everything
    /// Those of a conversation.
    case conversation(ConversationID)
    /// Those about one message of a conversation.
    case message(MessageID, in: ConversationID)

    /// Whether an exchange is asked for.
    package func includes(_ exchange: WireExchange) -> Bool {
        switch self {
        case .everything: true
        case .conversation(let id): exchange.conversation == id
        case .message(let message, let id):
            exchange.conversation == id && exchange.message == message
        }
    }
}
