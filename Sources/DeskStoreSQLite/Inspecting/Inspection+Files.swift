import DeskModel
import DeskStore

extension Inspection {
    private static let named = """
        SELECT attachment, byte_count FROM (SELECT attachment, byte_count FROM attachment_holds \
        WHERE kept_until IS NULL UNION SELECT picture, NULL FROM businesses WHERE picture IS NOT NULL) \
        WHERE attachment > ? GROUP BY attachment ORDER BY attachment LIMIT ?
        """

    /// Reads some attachments: that each is there and is what its name says.
    mutating func readAttachments(on connection: Connection) throws(StoreError) {
        let statement = try connection.statement(Self.named)
        let start = lastAttachment
        let rows = try Self.unlessDamaged { () throws(StoreError) in
            try statement.bind(start)
            try statement.bind(Int64(Self.filesPerStep))
            return try statement.all { ($0.bytes(), $0.integerIfAny()) }
        }
        guard let rows else {
            note(Damage("attachment", reason: "the rows of holders cannot be read"))
            return go(on: .file)
        }
        guard !rows.isEmpty else { return go(on: .file) }
        for (name, byteCount) in rows {
            lastAttachment = name
            guard let digest = Digest(bytes: name) else {
                note(Damage("attachment", reason: "a row of a holder has no name"))
                continue
            }
            counts.attachments += 1
            let proof = try BlobCheck(AttachmentID(digest), in: blobs)
            counts.bytes += proof.byteCount
            let isLong = byteCount.map { $0 == proof.byteCount } ?? true
            let reason = proof.reason ?? (isLong ? nil : "has another size than was held")
            if let reason { note(Damage("attachment", name: digest.text, reason: reason)) }
        }
    }

    /// Has SQLite check the file's own order, while nothing is written; it needs one long
    /// transaction.
    mutating func readFile(on connection: Connection) throws(StoreError) {
        go(on: .done)
        guard isStill else { return }
        let lines = try Self.unlessDamaged { () throws(StoreError) in
            try connection.prepare("PRAGMA integrity_check(100)").all { $0.text() }
        }
        for line in lines ?? ["cannot be read"] where line != "ok" {
            note(Damage("file", name: SQLiteStore.fileName, reason: line))
        }
    }
}
