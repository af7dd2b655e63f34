import DeskModel
import DeskStore

extension Inspection {
    private static let named = """
        SELECT attachment, byte_count FROM (SELECT attachment, byte_count FROM attachment_holds \
        WHERE kept_until IS NULL UNION SELECT picture, NULL FROM businesses WHERE picture IS NOT NULL) \
        WHERE attachment > ? GROUP BY attachment ORDER BY attachment LIMIT ?
        """

    /// Files of libraries whose bytes are not held, and what libraries hold without a row.
    private static let unlike = """
        SELECT hex(l.id) FROM library_files l WHERE NOT EXISTS (SELECT 1 FROM attachment_holds h \
        WHERE h.holder_kind = 'library' AND h.holder = l.business \
        AND h.attachment = l.attachment AND h.kept_until IS NULL) \
        UNION ALL SELECT hex(h.attachment) FROM attachment_holds h \
        WHERE h.holder_kind = 'library' AND h.kept_until IS NULL \
        AND NOT EXISTS (SELECT 1 FROM library_files l WHERE l.business = h.holder \
        AND l.attachment = h.attachment) LIMIT 100
        """

    /// Compares libraries with what they hold.
    private mutating func readLibraries(on connection: Connection) throws(StoreError) {
        let names = try Self.unlessDamaged { () throws(StoreError) in
            try connection.statement(Self.unlike).all { $0.text() }
        }
        for name in names ?? ["unreadable"] {
            note(Damage("library", name: name, reason: "the file and its hold are not the same"))
        }
    }

    /// Reads some attachments: that each is there and is what its name says.
    mutating func readAttachments(on connection: Connection) throws(StoreError) {
        let statement = try connection.statement(Self.named)
        let start = lastAttachment
        if start.isEmpty { try readLibraries(on: connection) }
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
