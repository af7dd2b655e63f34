public import DeskModel

extension MemoryStore: GatewayRegistry {
    /// Adds a link or replaces what may change of it; false when the business has another of its side.
    public func save(_ link: GatewayLink) async throws(StoreError) -> Bool {
        try edit { state in
            if let place = state.gatewayLinks.firstIndex(where: { $0.id == link.id }) {
                let known = state.gatewayLinks[place]
                state.gatewayLinks[place] = GatewayLink(
                    id: known.id, business: known.business, side: known.side, mspID: link.mspID,
                    secret: link.secret, url: link.url, settings: link.settings,
                    createdAt: known.createdAt)
                return true
            }
            let isTaken = state.gatewayLinks.contains {
                $0.business == link.business && $0.side == link.side
            }
            if !isTaken { state.gatewayLinks.append(link) }
            return !isTaken
        }
    }

    /// Lists all links, oldest first.
    public func gatewayLinks() async throws(StoreError) -> [GatewayLink] {
        try look(\.gatewayLinks)
    }

    /// Removes a link and its exchanges; returns whether there was one.
    public func removeGatewayLink(_ id: GatewayLinkID) async throws(StoreError) -> Bool {
        try edit { state in
            let before = state.gatewayLinks.count
            state.gatewayLinks.removeAll { $0.id == id }
            state.exchanges.removeAll { $0.link == id }
            return state.gatewayLinks.count < before
        }
    }

    /// Keeps an object; one of the same id stays as it is, and the answer is false.
    @discardableResult
    public func save(_ object: MMCSObject) async throws(StoreError) -> Bool {
        try edit { state in
            guard state.mmcsObjects[object.id] == nil else { return false }
            state.mmcsObjects[object.id] = object
            return true
        }
    }

    /// Forgets the objects whose time was over then; returns the files that nothing names any more.
    public func pruneMMCSObjects(
        before time: Timestamp
    ) async throws(StoreError) -> [AttachmentID] {
        try edit { state in
            let over = state.mmcsObjects.values.filter { $0.keptUntil.map { $0 < time } ?? false }
            for object in over { state.mmcsObjects[object.id] = nil }
            var named = Set(state.mmcsObjects.values.map(\.content))
            named.formUnion(state.holds.values.map(\.use.id))
            named.formUnion(state.businesses.compactMap(\.picture))
            return Array(Set(over.map(\.content)).subtracting(named))
        }
    }

    /// Finds an object by the last part of its address.
    public func findMMCSObject(_ id: String) async throws(StoreError) -> MMCSObject? {
        try look { $0.mmcsObjects[id] }
    }

    /// The upstream link over which a conversation's customer is reached; nil for one of ours.
    public func findUpstream(
        of conversation: ConversationID
    ) async throws(StoreError) -> GatewayLinkID? {
        try look { $0.upstreams[conversation] }
    }

    /// Notes an exchange and returns its number; of each link the newest 10,000 are kept.
    public func note(_ exchange: WireExchange) async throws(StoreError) -> Int64 {
        try edit { state in
            state.exchangeCount += 1
            var numbered = exchange
            numbered.number = state.exchangeCount
            state.exchanges.append(numbered)
            let kept = state.exchanges.lazy.filter { $0.link == exchange.link }
            if kept.count > WireExchange.maximumKept,
                let oldest = state.exchanges.firstIndex(where: { $0.link == exchange.link })
            {
                state.exchanges.remove(at: oldest)
            }
            return state.exchangeCount
        }
    }

    /// Lists a business's exchanges, newest first, before a number when one is given.
    public func exchanges(
        of business: BusinessID, in scope: WireScope, before: Int64?, limit: Int
    ) async throws(StoreError) -> [WireExchange] {
        try look { state in
            let found = state.exchanges.reversed().lazy.filter {
                $0.business == business && $0.number < before ?? .max && scope.includes($0)
            }
            return Array(found.prefix(min(limit, 300)))
        }
    }
}
