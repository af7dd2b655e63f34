public import DeskModel
import DeskSQL
public import DeskStore

/// Reads one moment of a database for an archive, on a connection of its own.
public enum PostgresArchive {
    /// Hands over everything that one moment of a database holds, beside the nodes that use it; a standby will do.
    ///
    /// `begin` receives the head, then `take` each item, both on a thread of this call's own; an error that
    /// either throws ends it. Memory does not grow with the store. `objects` has the attachments that are not in the
    /// database.
    /// - Throws: `damaged` with the first item that is not what was written, `refused` when the database has
    ///   none of our tables, `tooNew`, `unavailable`, `failed`.
    public static func read(
        database address: String, objects: PostgresBlobs.Objects? = nil, at time: Timestamp,
        begin: @escaping @Sendable (ArchiveHead) throws(StoreError) -> Void,
        take: @escaping @Sendable (ArchiveItem) throws(StoreError) -> Void
    ) async throws(StoreError) {
        // Nothing is encrypted or decrypted on the way.
        let options = PostgresRegistries.Options(address: address, keys: .random())
        let blobs = PostgresBlobs(options, objects: objects, threads: 1)
        let answer: Result<Void, StoreError>
        do throws(StoreError) {
            try await read(
                options, with: blobs, at: time,
                begin: begin, take: take)
            answer = .success(())
        } catch {
            answer = .failure(error)
        }
        await blobs.close()
        try answer.get()
    }

    static func read(
        _ options: PostgresRegistries.Options, with blobs: any BlobStore, at time: Timestamp,
        begin: @escaping @Sendable (ArchiveHead) throws(StoreError) -> Void,
        take: @escaping @Sendable (ArchiveItem) throws(StoreError) -> Void
    ) async throws(StoreError) {
        try await LentBlobs.run(of: blobs) { lent throws(StoreError) in
            let connection = try PostgresConnection(
                address: options.address, library: options.library)
            try connection.execute(PostgresSettings.ofArchive)
            // One snapshot: the archive is one moment, of rows that change as well as of the log.
            try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            do throws(StoreError) {
                let reader = try makeReader(at: time, with: lent, on: connection)
                try begin(reader.head)
                try reader.read(to: take)
            } catch {
                guard connection.hasConflict else { throw error }
                throw StoreError(
                    .busy,
                    "the standby ended the reading, which kept it from applying what the primary removed: "
                        + "raise its max_standby_streaming_delay, or read the primary")
            }
        }
    }

    private static func makeReader(
        at time: Timestamp, with blobs: LentBlobs, on sql: any SQLSession
    ) throws(StoreError) -> ArchiveReader {
        try PostgresTables.requireReadable(on: sql)
        let statement = try sql.statement(
            literal: "SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1")
        guard let epoch = try statement.first({ $0.integer() }) else {
            throw StoreError(.refused, "the database has no log yet: start a server once")
        }
        return ArchiveReader(
            of: try LogBounds(of: .postgreSQL, on: sql), in: Epoch(UInt64(bitPattern: epoch)),
            at: time, with: blobs, on: sql)
    }
}
