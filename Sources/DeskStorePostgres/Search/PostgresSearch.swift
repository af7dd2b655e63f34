public import DeskLog
public import DeskModel
import DeskSQL
public import DeskStore
import Synchronization

/// A full-text index in a PostgreSQL database, beside the store's tables.
///
/// Whichever process holds the lease of the index writes it, and all search it. The others see how far it
/// has come with each search, and once a second.
public final class PostgresSearch: SearchIndex {
    /// Searches that may wait; one more is refused as `overloaded`.
    private static let waitingSearches = 32
    /// How often it is looked how far another process has come.
    private static let interval: Duration = .seconds(1)

    /// The cursor as it was last seen.
    private final class Seen: Sendable {
        private struct State {
            var cursor: SearchCursor?
            var look = 0
            var looks = 0
        }

        private let state = Mutex(State())

        var position: Position { state.withLock { $0.cursor?.position ?? .start } }

        /// Numbers a look that begins; it sees no less than all before it on the same thread.
        func begin() -> Int {
            state.withLock { state in
                state.looks += 1
                return state.looks
            }
        }

        /// Notes what a look saw, unless a later one has seen more.
        func note(_ cursor: SearchCursor?, of look: Int) {
            state.withLock { state in
                guard look > state.look else { return }
                state.cursor = cursor
                state.look = look
            }
        }

        func note(_ cursor: SearchCursor) { note(cursor, of: begin()) }
    }

    let source: SearchSource
    private let patient: SearchQueue<PostgresThread>
    private let urgent: SearchQueue<PostgresThread>
    private let reader: SearchQueue<PostgresThread>
    private let seen: Seen
    /// Where this process goes on; nil when it has to look.
    private let held = Mutex<SearchCursor?>(nil)
    /// Where this process goes on with notes; nil when it has to look.
    let notes = Mutex<NoteCursor?>(nil)
    private let following: Task<Void, Never>

    /// Starts the threads; libpq is loaded and connections are made by the first call.
    ///
    /// The tables are those that `PostgresStore` makes. `readable` gives what people see of a message. A
    /// patient one leaves the processor to all other work.
    public init(
        of store: any MessageSource, _ options: PostgresRegistries.Options,
        metrics: Metrics = Metrics(), isPatient: Bool = true,
        readable: @escaping @Sendable (StoredMessage) -> String
    ) {
        source = SearchSource(store, readable: readable)
        patient = SearchQueue(
            limit: 1, isPatient: isPatient, with: PostgresThread(options, for: .beside))
        urgent = SearchQueue(
            limit: 1, isPatient: false, with: PostgresThread(options, for: .beside))
        let reader = SearchQueue(
            limit: Self.waitingSearches, isPatient: false,
            with: PostgresThread(options, for: .searching))
        self.reader = reader
        let seen = Seen()
        self.seen = seen
        metrics.showSearch(newest: { store.newest }, indexed: { seen.position })
        metrics.show(.search) { reader.waiting }
        following = Task {
            while !Task.isCancelled {
                do { try await Task.sleep(for: Self.interval) } catch { return }
                // Safe: the next look tries again.
                _ = try? await reader.run { thread throws(StoreError) in
                    let look = seen.begin()
                    let cursor = try thread.transaction { connection throws(StoreError) in
                        try SearchRows.cursor(on: connection)
                    }
                    seen.note(cursor, of: look)
                }
            }
        }
    }

    /// Messages up to here can be found; of what another process indexes, as of a second ago.
    public var indexed: Position { seen.position }

    /// Ends the threads; the index stays.
    public func close() async {
        following.cancel()
        await following.value
        await reader.close()
        await patient.close()
        await urgent.close()
    }
}

// MARK: Indexing

extension PostgresSearch {
    /// Indexes the next batch of messages; nothing when another process has done so meanwhile.
    public func advance(isUrgent: Bool) async throws(StoreError) -> SearchAdvance {
        do throws(StoreError) {
            return try await advance(on: isUrgent ? urgent : patient)
        } catch {
            // The next call looks where the other is.
            guard error.code == .superseded else { throw error }
            return SearchAdvance()
        }
    }

    private func advance(
        on thread: SearchQueue<PostgresThread>
    ) async throws(StoreError) -> SearchAdvance {
        var advance = SearchAdvance()
        var cursor: SearchCursor
        if let known = held.withLock({ $0.take() }) {
            cursor = known
        } else {
            let opened = try await thread.run { thread throws(StoreError) in
                try thread.transaction { connection throws(StoreError) in
                    try SearchRows.open(on: connection)
                }
            }
            (cursor, advance.isAnew) = opened
            seen.note(cursor)
        }
        // A newer program's is left to it.
        guard cursor.version == SearchRows.version else { return advance }
        while let next = try await forgetErased(after: cursor, on: thread) { cursor = next }
        let hasNotes = try await readNotes(on: thread)
        if cursor.position < source.store.newest {
            let source = source
            let batch = try await source.batch(after: cursor.position) {
                messages throws(StoreError) in
                try await thread.run { _ in source.rows(of: messages) }
            }
            var next = cursor
            next.position = batch.end
            try await write(batch.rows, from: cursor, to: next, on: thread)
            cursor = next
            advance.damaged = batch.damaged
            advance.messages = batch.rows.count
            // What came while this was written is for the next look.
            advance.mayGoOn = batch.isFull && batch.end < source.store.newest
        }
        if hasNotes { advance.mayGoOn = true }
        held.withLock { $0 = cursor }
        return advance
    }

    /// Replaces the terms of erased messages by those of what the log has now.
    ///
    /// Returns the cursor behind them; nil when there were none.
    private func forgetErased(
        after cursor: SearchCursor, on thread: SearchQueue<PostgresThread>
    ) async throws(StoreError) -> SearchCursor? {
        let erased = try await source.store.erasures(after: cursor.erasure)
        guard let last = erased.last else { return nil }
        var next = cursor
        next.erasure = last.number
        // What is not indexed yet will be read as a tombstone.
        let positions = erased.map(\.position).filter { $0 <= cursor.position }
        let messages = try await source.store.messages(at: positions)
        let source = source
        let rows = try await thread.run { _ in source.rows(of: messages) }
        try await write(rows, insteadOf: positions, from: cursor, to: next, on: thread)
        return next
    }

    /// Writes rows and the cursor, both or neither.
    ///
    /// - Throws: `superseded` when another process has moved the cursor.
    private func write(
        _ rows: [SearchRow], insteadOf positions: [Position] = [], from cursor: SearchCursor,
        to next: SearchCursor, on thread: SearchQueue<PostgresThread>
    ) async throws(StoreError) {
        try await thread.run { thread throws(StoreError) in
            try thread.transaction { connection throws(StoreError) in
                connection.sendsAhead = true
                try SearchRows.move(cursor, to: next, on: connection)
                try SearchRows.remove(positions, on: connection)
                try SearchRows.add(rows, on: connection)
            }
        }
        seen.note(next)
    }
}

// MARK: Searching

extension PostgresSearch {
    /// Finds messages of some businesses, newest first.
    public func search(
        _ query: SearchQuery, in businesses: Set<BusinessID>, at edge: PageEdge<Position>,
        limit: Int
    ) async throws(StoreError) -> SearchPage {
        try await search(
            query, in: businesses, at: edge, limit: limit,
            until: .now + .milliseconds(SearchPage.lookMilliseconds))
    }

    /// Reads in a transaction, on the thread of searches.
    func reading<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await reader.run { thread throws(StoreError) in try thread.transaction(body) }
    }

    /// Looks until a moment, and through one part of the log at least.
    func search(
        _ query: SearchQuery, in businesses: Set<BusinessID>, at edge: PageEdge<Position>,
        limit: Int,
        until: ContinuousClock.Instant
    ) async throws(StoreError) -> SearchPage {
        let limit = min(max(limit, 1), 300)
        let seen = seen
        let (indexed, numbers, begun) = try await reader.run { thread throws(StoreError) in
            let look = seen.begin()
            let (cursor, numbers, walk) = try thread.transaction { connection throws(StoreError) in
                let cursor = try SearchRows.cursor(on: connection)
                let positions = edge.positions(upTo: cursor?.position ?? .start)
                let border = try SearchRows.border(
                    before: Position(positions.upperBound), on: connection)
                return (
                    cursor, try SearchRows.numbers(of: businesses, on: connection),
                    SearchWalk(positions, border: border, isBackward: edge.isBackward)
                )
            }
            seen.note(cursor, of: look)
            return (cursor?.position ?? .start, numbers, walk)
        }
        var walk = begun
        var hits: [SearchHit] = []
        guard !numbers.isEmpty else {
            return SearchPage([], at: edge, rest: nil, indexed: indexed)
        }
        repeat {
            guard let part = walk.part else { break }
            let room = limit - hits.count
            let found = try await reader.run { thread throws(StoreError) in
                try thread.transaction { connection throws(StoreError) in
                    try SearchRows.positions(
                        of: query, in: numbers, within: part, limit: room + 1, on: connection)
                }
            }
            walk.advance(behind: found.count > room ? found[room - 1] : nil)
            hits += try await source.hits(
                at: Array(found.prefix(room)), of: query, in: businesses)
        } while hits.count < limit && ContinuousClock.now < until
        if edge.isBackward { hits.reverse() }
        return SearchPage(hits, at: edge, rest: walk.rest, indexed: indexed)
    }
}
