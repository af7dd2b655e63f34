public import DeskModel
import DeskSQL
public import DeskStore

extension SQLiteStore: EventLog {
    /// The newest position that is durable.
    public var newest: Position { feed.newest }

    /// The oldest position that a cursor may have.
    public var oldest: Position { feed.oldest }

    /// Stores groups, each whole or not at all; durable on return.
    @_specialize(where Last == NewMessage)
    public func append<Last: WriteStep>(
        _ groups: [WriteGroup<Last>]
    ) async throws(StoreError) -> [Result<Last.Answer, Refusal>] {
        let (answers, entries) = try await writer.jobs.append(groups)
        // Messages change no registry.
        if !entries.isEmpty { await registryRecorder.publish(entries) }
        return try answers.get()
    }

    /// Hands each commit's events to a listener, set once before the first append.
    public func follow(_ listener: @escaping @Sendable ([Event]) -> Void) {
        feed.follow(listener)
    }

    /// Forgets events up to a position for replay; messages stay.
    public func prune(upTo position: Position) async throws(StoreError) {
        // The newest event stays: the next start reads from it where the log ends.
        let needed = try await firstNeeded().map { max(0, $0.value - 1) } ?? .max
        let last = Position(min(position.value, max(0, newest.value - 1), needed))
        guard last > oldest else { return }
        feed.forget(upTo: last)
        try await write { connection throws(StoreError) in
            try EventPruning.prune(upTo: last.value, on: connection.sql)
        }
    }
}
