public import DeskModel
import DeskSQL
public import DeskStore

extension SQLiteStore {
    /// Hands over everything that one moment of the store holds, beside the writing.
    ///
    /// `begin` receives the head, then `take` each item, both on a thread of this call's own; an
    /// error that either throws ends it. Memory does not grow with the store. While it runs the
    /// write-ahead log is not shortened.
    /// - Throws: `damaged` with the first item that is not what was written, `failed`.
    public func archive(
        with blobs: any BlobStore, at time: Timestamp,
        begin: @escaping @Sendable (ArchiveHead) throws(StoreError) -> Void,
        take: @escaping @Sendable (ArchiveItem) throws(StoreError) -> Void
    ) async throws(StoreError) {
        let place = try requireDirectory()
        let hold = logHold
        let epoch = epoch
        try await flushRows()
        try await LentBlobs.run(of: blobs) { lent throws(StoreError) in
            try hold.during { () throws(StoreError) in
                let connection = try Connection(path: SQLiteStore.file(in: place), for: .reading)
                // The moment is held on to until the connection ends.
                try connection.execute("BEGIN")
                let bounds = try LogBounds(of: .sqlite, on: connection.sql)
                let reader = ArchiveReader(
                    of: bounds, in: epoch, at: time,
                    ahead: try Self.unflushed(bounds, on: connection), with: lent,
                    on: connection.sql)
                try begin(reader.head)
                try reader.read(to: take)
            }
        }
    }

    /// Conversations whose rows lack their newest messages.
    ///
    /// - Throws: `damaged` when a conversation's newest messages cannot be read.
    private static func unflushed(
        _ bounds: LogBounds, on connection: Connection
    ) throws(StoreError) -> [Int64: ConversationRow] {
        let recovery = try RowRecovery(
            after: bounds.settled, through: bounds.newest, on: connection)
        if let first = recovery.damage.first { throw StoreError(.damaged, first.description) }
        guard recovery.quarantined.isEmpty else {
            throw StoreError(.damaged, "the newest messages of a conversation")
        }
        return recovery.unflushed
    }
}
