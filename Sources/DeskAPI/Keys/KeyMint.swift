import DeskLog
public import DeskModel
import DeskStore
public import DeskWeb

/// Makes API keys; the route and the command line both come here.
public struct KeyMint: Sendable {
    /// The refusal of one more key than a business may have.
    private static let tooMany = Problem(
        .invalid,
        """
        A business of this key has \(APIKey.most) keys in force already: revoke one that is not used.
        """)
    /// The refusal of a successor that would be one more than a business may have.
    private static let tooManySuccessors = Problem(
        .invalid,
        """
        A business of this key has \(APIKey.most) keys in force already, or more, and the key has a \
        successor already or comes after \(APIKey.mostPredecessors) keys that are in force. Replace the \
        successor instead, or revoke keys that are not used.
        """)

    private let services: Services
    private let log: Log

    /// Makes keys of a server.
    public init(services: Services) {
        self.services = services
        log = services.log
    }

    /// Makes keys in a request, whose log lines name it.
    init(_ context: RequestContext) {
        services = context.services
        log = context.log
    }

    /// Makes a key for businesses of one mode; the text is shown once and kept nowhere.
    ///
    /// Without scopes the key gets the usual ones. `maker` answers for its grants, in one of the permitted roles; nil is
    /// the operator. `mayBeMade` is asked when nothing else is against it.
    /// - Throws: `invalid` when there is no business, the modes differ or a business has as many keys
    ///   as it may, `forbidden` when the maker
    ///   has no permitted role in one of them.
    public func make(
        name: String, businesses: [Business], limits: KeyLimits = KeyLimits(),
        maker: AgentID? = nil, permitted: Set<Role> = [],
        once mayBeMade: () async throws(Problem) -> Void = {}
    ) async throws(Problem) -> (key: APIKey, text: String) {
        guard let mode = businesses.first?.mode else {
            throw Problem(.invalid, "A key is for at least one business.")
        }
        guard businesses.allSatisfy({ $0.mode == mode }) else {
            throw Problem(.invalid, "A key is for live businesses or for test businesses.")
        }
        var limits = limits
        if limits.scopes.isEmpty { limits.scopes = KeyScopes.usual.names }
        let (secret, text) = KeySecret.make(mode: mode)
        let key = APIKey(
            id: secret.id, name: name, secret: secret.digest(within: limits), mode: mode,
            businesses: businesses.map(\.id), maker: maker, limits: limits,
            createdAt: services.time.now())
        let hasRoom = try await services.asking { store throws(StoreError) in
            try await store.hasRoom(for: key)
        }
        guard hasRoom else { throw Self.tooMany }
        try await mayBeMade()
        let author: Author = maker.map { .agent($0) } ?? .server
        let isAdded = try await services.asPermitted { store throws(StoreError) in
            try await store.add(key, author: author, permitted: permitted)
        }
        guard isAdded else { throw Self.tooMany }
        log.info("key_created", ["key": .text(key.id.text)])
        return (key, text)
    }

    /// Makes a key in the place of another one, with its name, businesses and limits, which
    /// goes on for a while; nil when that one is no longer in force.
    ///
    /// The other one counts among a business's keys until it ends. Its first successor is made however
    /// many there are.
    /// - Throws: `forbidden` when the maker has no permitted role in one of the businesses, `invalid`
    ///   for a further successor when one of them has as many keys as it may.
    func replace(
        _ key: APIKey, overlap: Duration, expiresAt: Timestamp?, maker: AgentID,
        permitted: Set<Role>, once mayBeMade: () async throws(Problem) -> Void
    ) async throws(Problem) -> (key: APIKey, text: String)? {
        guard key.revokedAt == nil else { return nil }
        let now = services.time.now()
        var limits = key.limits
        limits.expiresAt = expiresAt
        let (secret, text) = KeySecret.make(mode: key.mode)
        let next = APIKey(
            id: secret.id, name: key.name, secret: secret.digest(within: limits), mode: key.mode,
            businesses: key.businesses, maker: maker, limits: limits, predecessor: key.id,
            createdAt: now)
        let hasRoom = try await services.asking { store throws(StoreError) in
            try await store.hasRoom(for: next)
        }
        guard hasRoom else { throw Self.tooManySuccessors }
        try await mayBeMade()
        let isMade = try await services.asPermitted { store throws(StoreError) in
            try await store.replace(
                key.id, by: next, end: now.advanced(by: overlap), author: .agent(maker),
                permitted: permitted)
        }
        guard isMade else { return nil }
        log.info("key_replaced", ["key": .text(key.id.text), "successor": .text(next.id.text)])
        return (next, text)
    }
}
