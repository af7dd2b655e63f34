import DeskModel
import DeskSQL
import DeskStore

extension Inspection {
    private static let conversations = """
        SELECT \(ConversationColumns.list) FROM \(ConversationColumns.source) \
        WHERE c.number > ? ORDER BY c.number LIMIT 50
        """

    /// Reads some conversations: checksums, and the chain of messages that leads to each head.
    mutating func readConversations(on connection: Connection) throws(StoreError) {
        let statement = try connection.statement(Self.conversations)
        let start = cursor
        let rows = try Self.unlessDamaged { () throws(StoreError) in
            try statement.bind(start)
            return try statement.all { row throws(StoreError) in try Self.read(row) }
        }
        guard let rows else { return try skipConversations(on: connection) }
        guard !rows.isEmpty else {
            if isStill, expected != belonging {
                note(
                    Damage(
                        "conversation",
                        reason: "all together count \(expected) messages, \(belonging) were read"))
            }
            return go(on: .notes)
        }
        for row in rows {
            cursor = row.number
            try judge(row, on: connection)
        }
    }

    private enum Reading {
        case whole(ConversationRow)
        case damaged(Int64)

        var number: Int64 {
            switch self {
            case .whole(let one): one.number
            case .damaged(let number): number
            }
        }
    }

    private static func read(_ row: Statement) throws(StoreError) -> Reading {
        // The owner's id lies before the number, which is read again with the rest.
        let number = row.number(at: 1)
        do throws(StoreError) {
            return .whole(try ConversationColumns.read(row.sql))
        } catch {
            guard error.code == .damaged else { throw error }
            return .damaged(number)
        }
    }

    private mutating func judge(
        _ row: Reading, on connection: Connection
    ) throws(StoreError) {
        counts.conversations += 1
        switch row {
        case .damaged(let number):
            note(Damage("conversation", name: "row=\(number)", reason: "check sum"))
        case .whole(let one):
            expected += one.conversation.newest.value
            let chain = try Self.unlessDamaged { () throws(StoreError) in
                try Self.chain(of: one, on: connection)
            }
            var reason: String? = if let chain { chain } else { "its messages cannot be read" }
            if reason == nil { reason = try Self.waking(of: one, on: connection) }
            if reason == nil { reason = try Self.breach(of: one, on: connection) }
            if reason == nil {
                let contact = try Self.unlessDamaged { () throws(StoreError) in
                    try Self.contact(of: one, on: connection)
                }
                reason = if let contact { contact } else { "its contact cannot be read" }
            }
            if let reason {
                note(
                    Damage(
                        "conversation", conversation: one.conversation.id,
                        sequence: one.conversation.newest, reason: reason))
            }
        }
    }

    /// What is wrong with the waking of a conversation that sleeps until a moment; nil when nothing is.
    private static func waking(
        of one: ConversationRow, on connection: Connection
    ) throws(StoreError) -> String? {
        let due = try DueWorks.find(
            DueWork.Name(.wake, in: one.conversation.id), on: connection.sql)
        guard due?.dueAt != one.conversation.snoozedUntil else { return nil }
        return due == nil ? "it sleeps, and nothing wakes it" : "it is woken at another moment"
    }

    /// What is wrong with the work that says that a conversation's answer is overdue; nil when nothing is.
    ///
    /// Once it was said there is none.
    private static func breach(
        of one: ConversationRow, on connection: Connection
    ) throws(StoreError) -> String? {
        let due = try DueWorks.find(
            DueWork.Name(.breach, in: one.conversation.id), on: connection.sql)
        let at = one.conversation.answerDue?.at
        if let due { return due.dueAt == at ? nil : "its answer is overdue at another moment" }
        guard let at, at > TimeSource.system.now() else { return nil }
        return "its answer is due, and nothing says when it is overdue"
    }

    /// A leaf of the table cannot be read: row by row, by the index of ids.
    private mutating func skipConversations(on connection: Connection) throws(StoreError) {
        let next = try Self.unlessDamaged { () throws(StoreError) in
            let statement = try connection.statement(
                literal: """
                    SELECT c.number FROM conversations c INDEXED BY \
                    sqlite_autoindex_conversations_1 WHERE c.number > ? ORDER BY c.number LIMIT 50
                    """)
            try statement.bind(cursor)
            return try statement.all { $0.integer() }
        }
        guard let next, !next.isEmpty else {
            note(Damage("conversation", reason: "rows after row=\(cursor) cannot be read"))
            return go(on: .notes)
        }
        let statement = try connection.statement(ConversationColumns.byNumber)
        for number in next {
            cursor = number
            let row = try Self.unlessDamaged { () throws(StoreError) in
                try statement.bind(number)
                return try statement.first { row throws(StoreError) in try Self.read(row) }
            }
            try judge((row ?? nil) ?? .damaged(number), on: connection)
        }
    }

    /// What is wrong with a conversation's chain of messages; nil when nothing is.
    private static func chain(
        of one: ConversationRow, on connection: Connection
    ) throws(StoreError) -> String? {
        let statement = try connection.statement(
            literal: """
                SELECT conversation, sequence, previous, digest, checksum FROM messages \
                WHERE position = ?
                """)
        var links: [(digest: Digest, checksum: UInt32)] = []
        var place = one.end
        var expected = one.conversation.newest.value
        while expected > 0 {
            try statement.bind(place)
            let row = try statement.first { row in
                (
                    row.integer(), row.integer(), row.integer(), row.digestIfAny(),
                    UInt32(truncatingIfNeeded: row.integer())
                )
            }
            guard let (number, sequence, previous, digest, checksum) = row, let digest,
                number == one.number, sequence == expected, previous < place
            else { return "the chain of its messages breaks at \(expected)" }
            links.append((digest, checksum))
            place = previous
            expected -= 1
        }
        var head: Digest?
        for link in links.reversed() {
            head = MessageChecksum.head(after: head, digest: link.digest, checksum: link.checksum)
        }
        return place == 0 && head == one.head ? nil : "its messages do not give its head"
    }

    /// What is wrong with a conversation's contact; nil when nothing is.
    private static func contact(
        of one: ConversationRow, on connection: Connection
    ) throws(StoreError) -> String? {
        let own = ContactID(one.conversation.id.value)
        guard try Contacts.find(own, on: connection.sql) != nil,
            let contact = try Contacts.find(one.conversation.contact, on: connection.sql)
        else { return "its contact is missing" }
        return contact.name == one.conversation.contactName ? nil : "its contact has another name"
    }

    private static let notes = """
        SELECT \(NoteRows.covered), n.seal, n.number, c.id FROM notes n \
        LEFT JOIN conversations c ON c.number = n.conversation \
        WHERE n.number > ? ORDER BY n.number LIMIT 200
        """

    /// Reads some notes: checksums, and that their conversations are there.
    mutating func readNotes(on connection: Connection) throws(StoreError) {
        let statement = try connection.statement(Self.notes)
        let start = cursor
        let rows = try Self.unlessDamaged { () throws(StoreError) in
            try statement.bind(start)
            return try statement.all { row in
                let isWhole = row.isVerified(.notes)
                row.skip(RowLayout.notes.count + 1)
                return (isWhole, row.integer(), row.idIfAny())
            }
        }
        guard let rows else {
            note(Damage("note", reason: "rows after row=\(cursor) cannot be read"))
            return go(on: .answers)
        }
        guard !rows.isEmpty else { return go(on: .answers) }
        for (isWhole, number, conversation) in rows {
            cursor = number
            counts.notes += 1
            guard !isWhole || conversation == nil else { continue }
            note(
                Damage(
                    "note", conversation: conversation.map { ConversationID($0) },
                    name: "row=\(number)",
                    reason: isWhole ? "its conversation is missing" : "check sum"))
        }
    }
}
