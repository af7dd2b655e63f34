import DeskBytes
import DeskCrypto
import DeskModel
import DeskSQL
import DeskStore

/// The rows of blobs whose bytes are objects of an object store.
///
/// An upload has a random negative number, which names its object. So no name is ever used again: neither a
/// removal nor a write that arrives late meets another upload's object. What is in `blob_uploads` is either on its
/// way or to be removed, so that every object has a row at every time, and no bucket is listed to find the others.
extension BlobRows {
    /// Most objects that are removed after one look for them.
    private static let mostUnneeded: Int64 = 100

    /// Whether the bytes of an upload are an object, and not pieces.
    static func isObject(_ upload: Int64) -> Bool { upload < 0 }

    /// The number of a new object.
    static func makeObject() -> Int64 {
        RandomBytes.make(8).reduce(0) { $0 << 8 | Int64($1) } | .min
    }

    /// The name of an object: 16 hexadecimal digits.
    static func objectName(_ upload: Int64) -> String {
        let bits = UInt64(bitPattern: upload)
        return Hex.encode((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
    }

    /// Notes that the bytes of a blob came in once more, or that they are on their way to an object; whose bytes
    /// the blob has if there is one.
    static func beginObject(
        _ upload: Int64, of id: AttachmentID, on sql: any SQLSession
    ) throws(StoreError) -> Int64? {
        let known = try sql.statement(
            literal:
                "UPDATE blobs SET stored_at = clock_timestamp() WHERE digest = ? RETURNING upload")
        try known.bind(id.digest)
        if let found = try known.first({ $0.integer() }) { return found }
        try noteObject(upload, on: sql)
        return nil
    }

    /// Notes that an object is on its way.
    static func noteObject(_ upload: Int64, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(literal: "INSERT INTO blob_uploads (upload) VALUES (?)")
        try statement.bind(upload)
        _ = try statement.runCounting()
    }

    /// Makes a stored object a blob; false when another upload of the same bytes was first, so that nothing
    /// needs this one.
    ///
    /// Where there is a blob whose object is `lost`, it has this one from then on.
    /// - Throws: `closed` when the upload was removed as a leftover.
    static func finishObject(
        _ upload: Int64, _ blob: Blob, insteadOf lost: Int64?, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let begun = try sql.statement(
            literal: "DELETE FROM blob_uploads WHERE upload = ? AND begun_at > '-infinity'")
        try begun.bind(upload)
        guard try begun.runCounting() == 1 else { throw removed }
        if let lost, try replace(lost, by: upload, of: blob, on: sql) { return true }
        guard try keep(blob, under: upload, on: sql) == upload else {
            try noteUnneeded(upload, on: sql)
            return false
        }
        return true
    }

    /// Gives a blob another object; false where it is gone, or has another already.
    private static func replace(
        _ lost: Int64, by upload: Int64, of blob: Blob, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: "UPDATE blobs SET upload = ? WHERE digest = ? AND upload = ?")
        try statement.bind(upload)
        try statement.bind(blob.id.digest)
        try statement.bind(lost)
        guard try statement.runCounting() == 1 else { return false }
        try noteUnneeded(lost, on: sql)
        return true
    }

    /// Notes that nothing needs an object any more.
    static func noteUnneeded(_ upload: Int64, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: "INSERT INTO blob_uploads (upload, begun_at) VALUES (?, '-infinity')")
        try statement.bind(upload)
        _ = try statement.runCounting()
    }

    /// Some of the objects that nothing needs; an upload that began so long ago that it is not under way any
    /// more is one of them from now on.
    static func unneededObjects(on sql: any SQLSession) throws(StoreError) -> [Int64] {
        let statement = try sql.statement(
            literal: """
                UPDATE blob_uploads SET begun_at = '-infinity' WHERE upload IN \
                (SELECT upload FROM blob_uploads WHERE upload < 0 \
                AND begun_at <= clock_timestamp() - ?::bigint * interval '1 second' \
                LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING upload
                """)
        try statement.bind(DirectoryBlobStore.leftoverAge.components.seconds)
        try statement.bind(mostUnneeded)
        return try statement.all { $0.integer() }
    }

    /// Forgets an object that was removed.
    static func forgetObject(_ upload: Int64, on sql: any SQLSession) throws(StoreError) {
        _ = try removeUpload(upload, on: sql)
    }

    /// A few objects that have bytes, and belong to blobs.
    static func someObjects(on sql: any SQLSession) throws(StoreError) -> [Int64] {
        let statement = try sql.statement(
            literal: """
                SELECT upload FROM blobs WHERE upload < 0 AND byte_count > 0 ORDER BY upload LIMIT 3
                """)
        return try statement.all { $0.integer() }
    }
}
