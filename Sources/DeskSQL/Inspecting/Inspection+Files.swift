package import DeskModel
package import DeskStore

/// An attachment that rows name.
package struct NamedFile: Hashable, Sendable {
    /// Its name.
    package let id: AttachmentID
    /// The smallest and the largest size that a holder has noted; nil where none has.
    let byteCounts: ClosedRange<Int64>?
}

extension Inspection {
    private static let named = """
        SELECT attachment, min(byte_count), max(byte_count) FROM (\
        SELECT attachment, byte_count FROM attachment_holds WHERE kept_until IS NULL \
        UNION ALL SELECT picture, NULL FROM businesses WHERE picture IS NOT NULL) AS named
        """

    private static let next =
        "\(named) WHERE attachment > ? GROUP BY attachment ORDER BY attachment LIMIT ?"

    private static let one = "\(named) WHERE attachment = ? GROUP BY attachment"

    /// Files of libraries whose bytes are not held, and what libraries hold without a row.
    private static let unlike = """
        SELECT l.id FROM library_files l WHERE NOT EXISTS (SELECT 1 FROM attachment_holds h \
        WHERE h.holder_kind = 'library' AND h.holder = l.business \
        AND h.attachment = l.attachment AND h.kept_until IS NULL) \
        UNION ALL SELECT h.attachment FROM attachment_holds h \
        WHERE h.holder_kind = 'library' AND h.kept_until IS NULL \
        AND NOT EXISTS (SELECT 1 FROM library_files l WHERE l.business = h.holder \
        AND l.attachment = h.attachment) LIMIT 100
        """

    /// Compares libraries with what they hold.
    private mutating func readLibraries(on sql: any SQLSession) throws(StoreError) {
        let names = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
            try sql.statement(Self.unlike).all { row in
                let bytes = row.bytes()
                return UniqueID(bytes: bytes)?.text ?? Digest(bytes: bytes)?.text ?? "unreadable"
            }
        }
        for name in names ?? ["unreadable"] {
            note(Damage("library", name: name, reason: "the file and its hold are not the same"))
        }
    }

    /// Names some attachments, whose bytes are read next.
    mutating func nameAttachments(on sql: any SQLSession) throws(StoreError) {
        try judgeDoubtful(on: sql)
        let start = lastAttachment
        if start.isEmpty { try readLibraries(on: sql) }
        let rows = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
            let statement = try sql.statement(Self.next)
            try statement.bind(start)
            try statement.bind(Int64(Self.filesPerStep))
            return try statement.all { ($0.bytes(), $0.integerIfAny(), $0.integerIfAny()) }
        }
        guard let rows else {
            note(Damage("attachment", reason: "the rows of holders cannot be read"))
            return go(on: .engine)
        }
        guard !rows.isEmpty else { return go(on: .engine) }
        for (name, least, most) in rows {
            lastAttachment = name
            guard let digest = Digest(bytes: name) else {
                note(Damage("attachment", reason: "a row of a holder has no name"))
                continue
            }
            let byteCounts: ClosedRange<Int64>? =
                if let least, let most { least...most } else { nil }
            files.append(NamedFile(id: AttachmentID(digest), byteCounts: byteCounts))
        }
    }

    /// The next attachment whose bytes are to be read; nil when the next step may be made.
    package mutating func nextFile() -> NamedFile? {
        files.isEmpty ? nil : files.removeFirst()
    }

    /// Reads the attachments that the last step has named.
    package mutating func readFiles(of blobs: any BlobStore) async throws(StoreError) {
        while let file = nextFile() { add(try await BlobCheck(file.id, of: blobs), of: file) }
    }

    /// Judges an attachment by what its bytes are.
    package mutating func add(_ check: BlobCheck, of file: NamedFile) {
        counts.attachments += 1
        counts.bytes += check.byteCount
        let isLong = file.byteCounts.map { $0 == check.byteCount...check.byteCount } ?? true
        let reason = check.reason ?? (isLong ? nil : "has another size than was held")
        if let reason { doubtful.append((file, reason)) }
    }

    /// Notes attachments that are not what was held and are still named: another process may have released one
    /// while it was read.
    private mutating func judgeDoubtful(on sql: any SQLSession) throws(StoreError) {
        for (file, reason) in doubtful {
            let isNamed = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
                let statement = try sql.statement(Self.one)
                try statement.bind(file.id.digest)
                return try statement.first { _ in true } ?? false
            }
            guard isNamed != false else { continue }
            note(Damage("attachment", name: file.id.digest.text, reason: reason))
        }
        doubtful.removeAll()
    }
}
