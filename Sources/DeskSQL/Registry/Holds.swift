public import DeskModel
public import DeskStore

/// The rows of who holds which attachment.
///
/// `kept_until` is NULL for what a message or a template names, the end of an upload that nothing
/// names yet, and 0 for an upload that was given up and whose file is being removed.
package enum Holds {
    /// Uploads that one call of `expireUploads` looks at.
    static let expiredAtOnce: Int64 = 300

    static func key(of holder: AttachmentHolder) -> (String, UniqueID) {
        switch holder {
        case .conversation(let id): ("conversation", id.value)
        case .business(let id): ("business", id.value)
        case .library(let id): ("library", id.value)
        }
    }

    /// What `key` wrote; nil for anything else.
    package static func holder(_ kind: String, _ id: UniqueID) -> AttachmentHolder? {
        switch kind {
        case "conversation": .conversation(ConversationID(id))
        case "business": .business(BusinessID(id))
        case "library": .library(BusinessID(id))
        default: nil
        }
    }

    package static func add(
        _ attachment: AttachmentUse, by holder: AttachmentHolder, at time: Timestamp,
        until end: Timestamp? = nil, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO attachment_holds (holder_kind, holder, attachment, name, media_type, \
                byte_count, held_at, kept_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?) \
                ON CONFLICT (holder_kind, holder, attachment) DO UPDATE SET \
                name = excluded.name, media_type = excluded.media_type, \
                kept_until = CASE WHEN attachment_holds.kept_until < excluded.kept_until \
                OR excluded.kept_until IS NULL THEN excluded.kept_until \
                ELSE attachment_holds.kept_until END
                """)
        let (kind, id) = key(of: holder)
        try statement.bind(kind)
        try statement.bind(id)
        try statement.bind(attachment.id.digest)
        try statement.bind(attachment.name)
        try statement.bind(attachment.mediaType)
        try statement.bind(attachment.byteCount)
        try statement.bind(time)
        try statement.bind(end)
        try statement.run()
    }

    /// Ends a conversation's hold on a file, with its name; housekeeping removes a file without
    /// holds.
    ///
    /// What was exchanged over a gateway goes with the file's last holder.
    package static func release(
        _ file: AttachmentID, and uploads: [String], of conversation: ConversationID,
        business: BusinessID, at time: Timestamp, on sql: any SQLSession
    ) throws(StoreError) {
        let hold = try sql.statement(
            literal: """
                UPDATE attachment_holds SET name = '', media_type = '', kept_until = 0 \
                WHERE holder_kind = 'conversation' AND holder = ? AND attachment = ?
                """)
        try hold.bind(conversation.value)
        try hold.bind(file.digest)
        try hold.run()
        let objects = try sql.statement(
            literal: """
                UPDATE mmcs_objects SET kept_until = ?1 WHERE content = ?2 AND business = ?3 \
                AND NOT EXISTS (SELECT 1 FROM attachment_holds WHERE attachment = ?2 \
                AND kept_until IS DISTINCT FROM 0)
                """)
        try objects.bind(time)
        try objects.bind(file.digest)
        try objects.bind(business.value)
        try objects.run()
        let isHeld = try has(file, on: sql)
        for upload in isHeld ? [] : uploads {
            try GatewayRows.endObject(upload, of: business, at: time, on: sql)
        }
    }

    /// Lets a holder keep a file only until a moment.
    static func end(
        _ file: AttachmentID, heldBy holder: AttachmentHolder, at end: Timestamp,
        on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                UPDATE attachment_holds SET kept_until = ? \
                WHERE holder_kind = ? AND holder = ? AND attachment = ?
                """)
        let (kind, id) = key(of: holder)
        try statement.bind(end)
        try statement.bind(kind)
        try statement.bind(id)
        try statement.bind(file.digest)
        try statement.run()
    }

    /// Ends a business's hold on a file at once, unless a template names it; housekeeping removes a file
    /// without holds.
    static func giveUp(
        _ file: AttachmentID, of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                UPDATE attachment_holds SET name = '', media_type = '', kept_until = 0 \
                WHERE holder_kind = 'business' AND holder = ?1 AND attachment = ?2 \
                AND NOT EXISTS (SELECT 1 FROM templates WHERE business = ?1 AND attachments LIKE ?3)
                """)
        try statement.bind(business.value)
        try statement.bind(file.digest)
        try statement.bind("%\(file.text)%")
        try statement.run()
    }

    /// Whether a conversation holds a file: a file without holds may be gone.
    package static func has(_ file: AttachmentID, on sql: any SQLSession) throws(StoreError) -> Bool
    {
        let statement = try sql.statement(
            literal: """
                SELECT EXISTS (SELECT 1 FROM attachment_holds \
                WHERE attachment = ? AND kept_until IS DISTINCT FROM 0)
                """)
        try statement.bind(file.digest)
        return try statement.first { $0.integer() } == 1
    }
}

extension SQLRegistries {
    /// Notes that a holder has an attachment; the last name given to it there counts.
    public func hold(
        _ attachment: AttachmentUse, by holder: AttachmentHolder, at time: Timestamp,
        until end: Timestamp?, author: Author
    ) async throws(StoreError) {
        try await change(.contents(.holdAttachment(attachment.id, by: holder)), author: author) {
            sql throws(StoreError) in
            try Holds.add(attachment, by: holder, at: time, until: end, on: sql)
        }
    }

    /// Gives up uploads whose end was before a moment; returns files that nothing else names.
    public func expireUploads(
        before time: Timestamp
    ) async throws(StoreError) -> [AttachmentID] {
        try await change(.contents(.expireUploads(before: time)), author: .server) {
            sql throws(StoreError) in
            let expired = try sql.statement(
                literal: """
                    UPDATE attachment_holds SET kept_until = 0 \
                    WHERE (holder_kind, holder, attachment) IN (\
                    SELECT holder_kind, holder, attachment FROM attachment_holds \
                    WHERE kept_until < ? ORDER BY kept_until LIMIT ?)
                    """)
            try expired.bind(time)
            try expired.bind(Holds.expiredAtOnce)
            try expired.run()
            // What others name stays, and only its row goes.
            let shared = try sql.statement(
                literal: """
                    DELETE FROM attachment_holds AS one WHERE kept_until = 0 AND (\
                    EXISTS (SELECT 1 FROM attachment_holds AS other \
                    WHERE other.attachment = one.attachment \
                    AND other.kept_until IS DISTINCT FROM 0) \
                    OR EXISTS (SELECT 1 FROM mmcs_objects WHERE content = one.attachment) \
                    OR EXISTS (SELECT 1 FROM businesses WHERE picture = one.attachment))
                    """)
            try shared.run()
            let files = try sql.statement(
                literal: """
                    SELECT DISTINCT attachment FROM attachment_holds WHERE kept_until = 0 LIMIT ?
                    """)
            try files.bind(Holds.expiredAtOnce)
            return try files.all { row throws(StoreError) in AttachmentID(try row.digest()) }
        }
    }

    /// Forgets uploads that were given up and whose files are gone, unless they came again.
    public func forgetUploads(of files: [AttachmentID]) async throws(StoreError) {
        try await change(.contents(.forgetUploads), author: .server) { sql throws(StoreError) in
            for file in files {
                let statement = try sql.statement(
                    literal: "DELETE FROM attachment_holds WHERE attachment = ? AND kept_until = 0")
                try statement.bind(file.digest)
                try statement.run()
            }
        }
    }

    /// Finds an attachment as its holder knows it; nil when that one does not hold it.
    public func findAttachment(
        _ id: AttachmentID, heldBy holder: AttachmentHolder
    ) async throws(StoreError) -> AttachmentUse? {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT name, media_type, byte_count FROM attachment_holds \
                    WHERE holder_kind = ? AND holder = ? AND attachment = ? \
                    AND kept_until IS DISTINCT FROM 0
                    """)
            let (kind, holder) = Holds.key(of: holder)
            try statement.bind(kind)
            try statement.bind(holder)
            try statement.bind(id.digest)
            return try statement.first { row in
                AttachmentUse(
                    id: id, name: row.text(), mediaType: row.text(), byteCount: row.integer())
            }
        }
    }

    /// How many bytes a holder was given since a moment.
    public func heldBytes(
        by holder: AttachmentHolder, since time: Timestamp
    ) async throws(StoreError) -> Int64 {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT CAST(coalesce(sum(byte_count), 0) AS BIGINT) FROM attachment_holds \
                    WHERE holder_kind = ? AND holder = ? AND held_at >= ?
                    """)
            let (kind, holder) = Holds.key(of: holder)
            try statement.bind(kind)
            try statement.bind(holder)
            try statement.bind(time)
            return try statement.first { $0.integer() } ?? 0
        }
    }
}
