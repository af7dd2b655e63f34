public import DeskModel
public import DeskStore

/// The rows of who holds which attachment.
enum Holds {
    static func key(of holder: AttachmentHolder) -> (String, UniqueID) {
        switch holder {
        case .conversation(let id): ("conversation", id.value)
        case .business(let id): ("business", id.value)
        }
    }

    /// What `key` wrote; nil for anything else.
    static func holder(_ kind: String, _ id: UniqueID) -> AttachmentHolder? {
        switch kind {
        case "conversation": .conversation(ConversationID(id))
        case "business": .business(BusinessID(id))
        default: nil
        }
    }

    static func add(
        _ attachment: AttachmentUse, by holder: AttachmentHolder, at time: Timestamp,
        on connection: Connection
    ) throws(StoreError) {
        let statement = try connection.statement(
            literal: "INSERT OR IGNORE INTO attachment_holds VALUES (?, ?, ?, ?, ?, ?, ?)")
        let (kind, id) = key(of: holder)
        try statement.bind(kind)
        try statement.bind(id)
        try statement.bind(attachment.id.digest)
        try statement.bind(attachment.name)
        try statement.bind(attachment.mediaType)
        try statement.bind(attachment.byteCount)
        try statement.bind(time)
        try statement.run()
    }
}

extension SQLiteStore: AttachmentRegistry {
    /// Notes that a holder has an attachment; the first name given to it there stays.
    public func hold(
        _ attachment: AttachmentUse, by holder: AttachmentHolder, at time: Timestamp
    ) async throws(StoreError) {
        try await write(changing: []) { connection throws(StoreError) in
            try Holds.add(attachment, by: holder, at: time, on: connection)
        }
    }

    /// Finds an attachment as its holder knows it; nil when that one does not hold it.
    public func findAttachment(
        _ id: AttachmentID, heldBy holder: AttachmentHolder
    ) async throws(StoreError) -> AttachmentUse? {
        try await read { connection throws(StoreError) in
            let statement = try connection.statement(
                literal: """
                    SELECT name, media_type, byte_count FROM attachment_holds \
                    WHERE holder_kind = ? AND holder = ? AND attachment = ?
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
        try await read { connection throws(StoreError) in
            let statement = try connection.statement(
                literal: """
                    SELECT coalesce(sum(byte_count), 0) FROM attachment_holds \
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
