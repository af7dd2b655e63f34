import DeskModel
import DeskSQL
import DeskStore

/// The rows of blobs: their bytes lie in pieces under the number of the upload that brought them.
///
/// An upload under way has a row in `blob_uploads`. Its end moves the pieces to the blob's row, or removes
/// them where the blob is there already. Every transaction that adds or removes pieces locks the row that they
/// belong to: so pieces never outlive their row, and a blob never loses them.
///
/// The bytes of an upload with a negative number are an object of an object store; see `BlobRows+Objects`.
enum BlobRows {
    /// Bytes of every piece but the last.
    static let pieceBytes = 256 * 1_024

    /// The tables; pieces are not compressed, so that they are stored and read as they are.
    static let tables = """
        CREATE SEQUENCE blob_numbers;
        CREATE TABLE blob_uploads (
            upload bigint PRIMARY KEY DEFAULT nextval('blob_numbers'),
            begun_at timestamptz NOT NULL DEFAULT clock_timestamp());
        CREATE TABLE blobs (
            digest bytea PRIMARY KEY, byte_count bigint NOT NULL, upload bigint NOT NULL UNIQUE,
            stored_at timestamptz NOT NULL);
        CREATE TABLE blob_pieces (
            upload bigint NOT NULL, piece bigint NOT NULL, bytes bytea NOT NULL,
            PRIMARY KEY (upload, piece));
        ALTER TABLE blob_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;

        """

    /// Has a commit not wait until it is durable: the end of an upload waits for all before it, and looks
    /// whether they are there.
    static let commitsLater = "SET LOCAL synchronous_commit = off;"

    // MARK: Uploads

    /// Begins an upload.
    static func begin(on sql: any SQLSession) throws(StoreError) -> Int64 {
        let statement = try sql.statement(
            literal: "INSERT INTO blob_uploads DEFAULT VALUES RETURNING upload")
        guard let upload = try statement.first({ $0.integer() }) else {
            throw StoreError(.failed, "an upload got no number")
        }
        return upload
    }

    /// Adds a piece to an upload under way.
    ///
    /// - Throws: `closed` when the upload was removed as a leftover.
    static func add(
        _ bytes: [UInt8], at place: Int64, to upload: Int64, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO blob_pieces (upload, piece, bytes) SELECT upload, ?2::bigint, ?3::bytea \
                FROM blob_uploads WHERE upload = ?1 FOR KEY SHARE
                """)
        try statement.bind(upload)
        try statement.bind(place)
        try statement.bind(bytes)
        guard try statement.runCounting() == 1 else { throw removed }
    }

    static let removed = StoreError(.closed, "the upload was removed as a leftover")

    /// What an upload ends with.
    struct End: Sendable {
        /// Its number; nil when none of its bytes is stored yet.
        let upload: Int64?
        /// How many pieces are stored.
        let pieces: Int64
        /// The bytes behind them.
        let rest: [UInt8]
        /// What all of its bytes are.
        let blob: Blob
    }

    /// Makes an upload a blob, or notes that the bytes of the one that is there came in once more.
    ///
    /// - Throws: `unavailable` when the server lost pieces that it had not made durable yet.
    static func finish(_ end: End, on sql: any SQLSession) throws(StoreError) {
        let upload: Int64
        if let begun = end.upload {
            try requireWhole(end, begun, on: sql)
            upload = begun
        } else {
            let next = try sql.statement(literal: "SELECT nextval('blob_numbers')")
            upload = try next.first { $0.integer() } ?? 0
        }
        guard try keep(end.blob, under: upload, on: sql) == upload else {
            if end.upload != nil { try removePieces(of: upload, on: sql) }
            return
        }
        guard !end.rest.isEmpty else { return }
        let last = try sql.statement(
            literal: "INSERT INTO blob_pieces (upload, piece, bytes) VALUES (?, ?, ?)")
        try last.bind(upload)
        try last.bind(end.pieces)
        try last.bind(end.rest)
        _ = try last.runCounting()
    }

    /// Makes an upload a blob unless there is one of its bytes; whose bytes the blob has.
    static func keep(
        _ blob: Blob, under upload: Int64, on sql: any SQLSession
    ) throws(StoreError) -> Int64? {
        // A removal of the blob that runs beside this ends before, or sees the new time.
        let statement = try sql.statement(
            literal: """
                INSERT INTO blobs (digest, byte_count, upload, stored_at) \
                VALUES (?, ?, ?, clock_timestamp()) \
                ON CONFLICT (digest) DO UPDATE SET stored_at = clock_timestamp() RETURNING upload
                """)
        try statement.bind(blob.id.digest)
        try statement.bind(blob.byteCount)
        try statement.bind(upload)
        return try statement.first { $0.integer() }
    }

    private static func requireWhole(
        _ end: End, _ upload: Int64, on sql: any SQLSession
    ) throws(StoreError) {
        guard try removeUpload(upload, on: sql) else { throw removed }
        let statement = try sql.statement(
            literal: """
                SELECT coalesce(sum(length(bytes)), 0)::bigint FROM blob_pieces WHERE upload = ?
                """)
        try statement.bind(upload)
        let stored = try statement.first { $0.integer() } ?? 0
        guard stored + Int64(end.rest.count) == end.blob.byteCount else {
            throw StoreError(.unavailable, "the server lost pieces of an upload")
        }
    }

    /// Drops an upload that is still under way.
    static func drop(_ upload: Int64, on sql: any SQLSession) throws(StoreError) {
        // The pieces of one that has ended are a blob's.
        guard try removeUpload(upload, on: sql) else { return }
        try removePieces(of: upload, on: sql)
    }

    /// Drops one upload of pieces that began so long ago that it is not under way any more; false when there
    /// is none.
    static func dropLeftover(on sql: any SQLSession) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: """
                DELETE FROM blob_uploads WHERE upload = (SELECT upload FROM blob_uploads \
                WHERE upload > 0 \
                AND begun_at <= clock_timestamp() - ?::bigint * interval '1 second' \
                LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING upload
                """)
        try statement.bind(DirectoryBlobStore.leftoverAge.components.seconds)
        guard let upload = try statement.first({ $0.integer() }) else { return false }
        try removePieces(of: upload, on: sql)
        return true
    }

    static func removeUpload(
        _ upload: Int64, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(literal: "DELETE FROM blob_uploads WHERE upload = ?")
        try statement.bind(upload)
        return try statement.runCounting() == 1
    }

    private static func removePieces(
        of upload: Int64, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(literal: "DELETE FROM blob_pieces WHERE upload = ?")
        try statement.bind(upload)
        _ = try statement.runCounting()
    }
}

// MARK: Blobs

extension BlobRows {
    /// Where a blob's bytes lie, and how many they are; nil when there is none of that name.
    static func find(
        _ id: AttachmentID, on sql: any SQLSession
    ) throws(StoreError) -> (upload: Int64, byteCount: Int64)? {
        let statement = try sql.statement(
            literal: "SELECT upload, byte_count FROM blobs WHERE digest = ?")
        try statement.bind(id.digest)
        return try statement.first { ($0.integer(), $0.integer()) }
    }

    /// Reads a piece of a blob's.
    ///
    /// - Throws: `refused` when the blob was removed since it was found, `damaged` when a piece is missing.
    static func piece(
        _ place: Int64, of upload: Int64, on sql: any SQLSession
    ) throws(StoreError) -> [UInt8] {
        let statement = try sql.statement(
            literal: "SELECT bytes FROM blob_pieces WHERE upload = ? AND piece = ?")
        try statement.bind(upload)
        try statement.bind(place)
        if let bytes = try statement.first({ $0.bytes() }) { return bytes }
        throw try missing("piece \(place)", of: upload, on: sql)
    }

    /// Why bytes of a blob are not there: it was removed since it was found.
    ///
    /// - Throws: `damaged` when it was not.
    static func missing(
        _ what: String, of upload: Int64, on sql: any SQLSession
    ) throws(StoreError) -> StoreError {
        let blob = try sql.statement(literal: "SELECT 1 FROM blobs WHERE upload = ?")
        try blob.bind(upload)
        guard try blob.first({ _ in true }) == nil else {
            throw StoreError(.damaged, "\(what) of blob \(upload) is missing")
        }
        return StoreError(.refused, "the blob was removed")
    }

    /// Reads a blob through in the caller's transaction.
    static func check(_ id: AttachmentID, on sql: any SQLSession) throws(StoreError) -> BlobCheck {
        let found = try find(id, on: sql)
        return try BlobCheck(id, byteCount: found?.byteCount) { place throws(StoreError) in
            guard let found else { return [] }
            return try piece(place, of: found.upload, on: sql)
        }
    }

    /// Removes a blob, or one whose bytes last came in this long ago, and returns its upload; nil when there
    /// was none.
    ///
    /// An object is noted as one that nothing needs any more, and removed afterwards.
    static func remove(
        _ id: AttachmentID, olderThan age: Duration?, on sql: any SQLSession
    ) throws(StoreError) -> Int64? {
        let statement = try sql.statement(
            literal: """
                DELETE FROM blobs WHERE digest = ?1 AND (?2::bigint IS NULL OR \
                stored_at <= clock_timestamp() - ?2::bigint * interval '1 second') RETURNING upload
                """)
        try statement.bind(id.digest)
        try statement.bind(age?.components.seconds)
        guard let upload = try statement.first({ $0.integer() }) else { return nil }
        if isObject(upload) {
            try noteUnneeded(upload, on: sql)
        } else {
            try removePieces(of: upload, on: sql)
        }
        return upload
    }
}
