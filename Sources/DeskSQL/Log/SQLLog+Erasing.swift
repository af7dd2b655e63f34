import DeskJSON
public import DeskModel
public import DeskStore

extension SQLLog {
    /// Counts what there is to erase of a conversation.
    public func erasureCounts(
        of conversation: ConversationID
    ) async throws(StoreError) -> ErasureCounts? {
        let unflushed = unflushedRow(of: conversation)
        return try await readRegistry { sql throws(StoreError) in
            let row = try ConversationRows.find(conversation, ahead: unflushed, on: sql)
            guard let one = row else { return nil }
            func count(_ text: String, _ bind: (any SQLStatement) throws(StoreError) -> Void)
                throws(StoreError) -> Int
            {
                let statement = try sql.statement("SELECT count(*) FROM \(text)")
                try bind(statement)
                return Int(try statement.first { $0.integer() } ?? 0)
            }
            var counts = ErasureCounts()
            // A type that the index of threads leaves out is named, so that it serves.
            let erased = try count(
                """
                events WHERE conversation = ? AND type != 'message.accepted' \
                AND type = 'message.erased'
                """
            ) { statement throws(StoreError) in try statement.bind(one.number) }
            counts.messages = max(0, Int(one.conversation.newest.value) - erased)
            counts.notes = try count(
                "notes WHERE conversation = ? AND deleted_at IS NULL"
            ) { statement throws(StoreError) in try statement.bind(one.number) }
            counts.files = try count(
                """
                attachment_holds WHERE holder_kind = 'conversation' AND holder = ? \
                AND kept_until IS NULL
                """
            ) { statement throws(StoreError) in try statement.bind(conversation.value) }
            counts.scheduled = try count(
                "due_work WHERE kind = 'send' AND conversation = ?"
            ) { statement throws(StoreError) in try statement.bind(conversation.value) }
            counts.drafts = try count(
                "drafts WHERE conversation = ?"
            ) { statement throws(StoreError) in try statement.bind(conversation.value) }
            counts.suggestions = try count(
                "suggestions WHERE conversation = ?"
            ) { statement throws(StoreError) in try statement.bind(conversation.value) }
            return counts
        }
    }

    /// Finds the events of contacts that name one of these, in the next 10,000 positions of the log.
    public func contactEvents(
        naming contacts: [ContactID], of business: BusinessID, after position: Position?
    ) async throws(StoreError) -> FoundContactEvents {
        try await readRegistry { sql throws(StoreError) in
            // Not the newest that this node has heard of: another one's may be what names the person.
            let newest = try ContactEvents.newest(on: sql)
            guard let number = try Businesses.number(of: business, on: sql) else {
                return FoundContactEvents(positions: [], next: nil)
            }
            let start =
                if let position { position.value } else {
                    try ContactEvents.start(of: contacts, on: sql)
                }
            guard start < newest else { return FoundContactEvents(positions: [], next: nil) }
            let end = min(newest, start + 10_000)
            let found = try ContactEvents.find(
                naming: contacts, of: number, after: start, upTo: end, on: sql)
            return FoundContactEvents(
                positions: found, next: end < newest ? Position(end) : nil)
        }
    }
}

/// The events that have what is known of persons: names, external ids and the values of attributes.
enum ContactEvents {
    /// Their types, quoted for SQL.
    static let types = [
        EventType.contactSaved, .contactMerged, .contactUnmerged, .contactLinksChanged,
    ].map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// The position before the first event of the conversations that contacts were made with; 0 where none is left.
    static func start(
        of contacts: [ContactID], on sql: any SQLSession
    ) throws(StoreError) -> Int64 {
        let statement = try sql.statement(
            literal: """
                SELECT e.position FROM conversations c JOIN events e ON e.conversation = c.number \
                WHERE c.id = ? AND e.type != 'message.accepted' ORDER BY e.position LIMIT 1
                """)
        var start = Int64.max
        for contact in contacts {
            try statement.bind(contact.value)
            // What was pruned may have been followed by an event that is left.
            start = min(start, try statement.first { $0.integer() } ?? 1)
        }
        return start == .max ? 0 : start - 1
    }

    /// The position of the newest event that is stored; 0 without any.
    static func newest(on sql: any SQLSession) throws(StoreError) -> Int64 {
        try sql.statement(literal: "SELECT position FROM events ORDER BY position DESC LIMIT 1")
            .first { $0.integer() } ?? 0
    }

    static func find(
        naming contacts: [ContactID], of business: Int64, after start: Int64, upTo end: Int64,
        on sql: any SQLSession
    ) throws(StoreError) -> [Position] {
        let names = Set(contacts.map(\.text))
        let statement = try sql.statement(
            """
            SELECT position, data FROM events WHERE position > ? AND position <= ? \
            AND business = ? AND type IN (\(types)) ORDER BY position
            """)
        for value in [start, end, business] { try statement.bind(value) }
        return try statement.all { row throws(StoreError) -> Position? in
            let position = Position(max(0, row.integer()))
            // Safe: what cannot be read names no contact, and replay says that it is damaged.
            guard let data = row.bytesIfAny(), let root = try? JSONDocument(parsing: data).root
            else { return nil }
            let isNamed = ["contact", "other"].contains { member in
                root[member]?["id"]?.string.map { names.contains($0) } ?? false
            }
            return isNamed ? position : nil
        }.compactMap { $0 }
    }
}
