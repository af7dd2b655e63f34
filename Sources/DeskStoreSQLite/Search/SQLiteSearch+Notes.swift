public import DeskModel
public import DeskStore
import Synchronization

extension SQLiteSearch {
    /// Indexes the next notes; whether there may be more to read at once.
    func readNotes(on queue: SearchQueue<LentFile>) async throws(StoreError) -> Bool {
        let (known, life) = state.withLock { ($0.notes, $0.life) }
        let newest = source.store.newest
        let cursor: NoteCursor
        if let known {
            cursor = known
        } else {
            cursor = try await queue.run { lent throws(StoreError) in
                try lent.use { file throws(StoreError) in
                    try file.noteCursor(beginningAt: newest)
                }
            }
        }
        let batch = try await source.notes(after: cursor)
        if let batch {
            let hasRemoved = try await noting { () async throws(StoreError) in
                try await queue.run { lent throws(StoreError) in
                    try lent.use { file throws(StoreError) in try file.replace(batch) }
                }
            }
            if hasRemoved { state.withLock { if $0.life == life { $0.hasRemovedNotes = true } } }
        }
        let next = batch?.next ?? cursor
        state.withLock { if $0.life == life { $0.notes = next } }
        return next.filled != nil || (batch != nil && next.position < source.store.newest)
    }

    /// Removes the words of edited and deleted notes from the file, no more often than so.
    func mergeNotes(
        every rest: Duration, on queue: SearchQueue<LentFile>
    ) async throws(StoreError) {
        let (known, life, merged) = state.withLock { ($0.hasRemovedNotes, $0.life, $0.notesMerged) }
        guard known != false, merged.map({ .now - $0 >= rest }) ?? true else { return }
        // Nil where there is nothing to merge.
        let isMerged: Bool? = try await noting { () async throws(StoreError) in
            try await queue.run { lent throws(StoreError) in
                try lent.use { file throws(StoreError) in
                    try file.hasRemovedNotes() ? try file.mergeNotes() : nil
                }
            }
        }
        state.withLock { state in
            guard state.life == life else { return }
            state.hasRemovedNotes = isMerged == false
            if isMerged != nil { state.notesMerged = .now }
        }
    }

    /// Finds notes of some businesses, the newest first.
    public func searchNotes(
        _ query: SearchQuery, in businesses: Set<BusinessID>, at edge: PageEdge<Position>,
        limit: Int
    ) async throws(StoreError) -> NotePage {
        let limit = min(max(limit, 1), 300)
        let life = state.withLock { $0.life }
        let look = NoteLook(
            expression: query.expression, businesses: businesses,
            numbers: edge.positions(upTo: Position(Int64.max - 1)), isBackward: edge.isBackward,
            limit: limit)
        let found = try await noting { () async throws(StoreError) in
            try await reader.run { reader throws(StoreError) in
                try reader.findNotes(look, life: life)
            }
        }
        return try await source.page(
            of: found, limit: limit, for: query, in: businesses, at: edge)
    }
}
