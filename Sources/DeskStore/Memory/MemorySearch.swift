public import DeskModel
import Synchronization

/// A search without an index: looks at every message that its cursor has passed.
public final class MemorySearch: SearchIndex {
    private let source: any MessageSource
    private let readable: @Sendable (StoredMessage) -> String
    private let state = Mutex<(indexed: Position, known: [StoredMessage])>((.start, []))

    /// Reads a store's messages; `readable` gives what people see of one.
    public init(
        of source: any MessageSource, readable: @escaping @Sendable (StoredMessage) -> String
    ) {
        self.source = source
        self.readable = readable
    }

    /// Messages up to here can be found.
    public var indexed: Position { state.withLock { $0.indexed } }

    /// Takes the next messages in.
    public func advance(isUrgent: Bool) async throws(StoreError) -> SearchAdvance {
        let stretch = try await source.messages(after: indexed, limit: 300)
        state.withLock { state in
            state.known += stretch.messages
            state.indexed = stretch.end
        }
        var advance = SearchAdvance()
        advance.messages = stretch.messages.count
        advance.damaged = stretch.damaged
        advance.mayGoOn = stretch.end < source.newest
        return advance
    }

    /// Finds messages of some businesses, newest first.
    public func search(
        _ query: SearchQuery, in businesses: Set<BusinessID>, before: Position?, limit: Int
    ) async throws(StoreError) -> SearchPage {
        let (indexed, known) = state.withLock { $0 }
        let limit = min(max(limit, 1), 300)
        let hits = known.reversed().lazy.filter { message in
            businesses.contains(message.business) && before.map { message.position < $0 } ?? true
        }.compactMap { message in
            SearchSnippet(of: query, in: self.readable(message)).map {
                SearchHit(message: message, snippet: $0)
            }
        }.prefix(limit + 1)
        let found = Array(hits)
        return SearchPage(
            hits: Array(found.prefix(limit)),
            next: found.count > limit ? found[limit - 1].message.position : nil, indexed: indexed)
    }

    /// There is nothing to end.
    public func close() async {}
}

extension MemoryStore: MessageSource {
    /// Reads the messages after a position.
    public func messages(
        after position: Position, limit: Int
    ) async throws(StoreError) -> MessageStretch {
        try look { state in
            let all = state.threads.values.flatMap { $0.messages }
                .filter { $0.position > position }.sorted { $0.position < $1.position }
            let found = Array(all.prefix(max(limit, 1)))
            return MessageStretch(
                messages: found, damaged: [],
                end: found.count < all.count ? found[found.count - 1].position : state.newest)
        }
    }

    /// Reads the messages at some positions.
    public func messages(
        at positions: [Position]
    ) async throws(StoreError) -> [StoredMessage] {
        let places = Set(positions)
        return try look { state in
            state.threads.values.flatMap { $0.messages }.filter { places.contains($0.position) }
        }
    }
}
