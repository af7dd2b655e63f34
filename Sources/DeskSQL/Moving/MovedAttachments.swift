package import DeskModel
package import DeskStore

/// The attachments that the rows of a store name.
package enum MovedAttachments {
    private static let named = """
        SELECT attachment, max(is_kept) FROM (\
        SELECT attachment, CASE WHEN kept_until IS NULL THEN 1 ELSE 0 END AS is_kept \
        FROM attachment_holds UNION ALL \
        SELECT picture, 1 FROM businesses WHERE picture IS NOT NULL UNION ALL \
        SELECT content, 0 FROM mmcs_objects) AS named \
        WHERE attachment > ? GROUP BY attachment ORDER BY attachment LIMIT 500
        """

    /// One that is named.
    package struct Named: Sendable {
        package let id: AttachmentID
        /// Whether it is kept until it is removed; others may be gone already.
        package let isKept: Bool
    }

    /// The next of them behind one, in the order of their digests.
    package static func next(
        after last: AttachmentID?, on sql: any SQLSession
    ) throws(StoreError) -> [Named] {
        let statement = try sql.statement(named)
        try statement.bind(last?.digest.bytes ?? [])
        return try statement.all { row throws(StoreError) in
            Named(id: AttachmentID(try row.digest()), isKept: row.bool())
        }
    }
}
