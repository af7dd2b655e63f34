import DeskModel
import DeskStore

extension Inspection {
    /// Conversations of one step.
    private static let conversationsPerStep = 50
    /// Messages of chains after which a step ends, so that a transaction stays short.
    private static let messagesPerStep: Int64 = 5_000

    private static let conversations = """
        SELECT \(ConversationColumns.list) FROM \(ConversationColumns.source) \
        WHERE c.number > ? ORDER BY c.number LIMIT \(conversationsPerStep)
        """

    /// Reads some conversations: checksums, and the chain of messages that leads to each head.
    mutating func readConversations(
        _ bounds: LogBounds, on sql: any SQLSession
    ) throws(StoreError) {
        let start = cursor
        let rows = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
            let statement = try sql.statement(Self.conversations)
            try statement.bind(start)
            return try statement.all { row throws(StoreError) in try Self.read(row) }
        }
        guard let rows else { return try skipConversations(on: sql) }
        guard !rows.isEmpty else { return try endConversations(bounds, on: sql) }
        let copy = self
        let whole = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
            var part = copy
            try part.judge(rows, on: sql)
            return part
        }
        if let whole { self = whole } else { try judgeEach(rows, on: sql) }
    }

    /// Compares the sums over all rows, where nothing was written meanwhile.
    private mutating func endConversations(
        _ bounds: LogBounds, on sql: any SQLSession
    ) throws(StoreError) {
        if engine.writesRowsAtOnce {
            isStill = try LogBounds.newest(on: sql) == bounds.newest
        }
        if isStill, expected != belonging {
            note(
                Damage(
                    "conversation",
                    reason: "all together count \(expected) messages, \(belonging) were read"))
        }
        go(on: .notes)
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

        /// How many messages it says that it has.
        var messages: Int64 {
            switch self {
            case .whole(let one): one.conversation.newest.value
            case .damaged: 0
            }
        }
    }

    private static func read(_ row: any SQLStatement) throws(StoreError) -> Reading {
        // The owner's id lies before the number, which is read again with the rest.
        row.skip(1)
        let number = row.integer()
        row.move(to: 0)
        do throws(StoreError) {
            return .whole(try ConversationColumns.read(row))
        } catch {
            guard error.code == .damaged else { throw error }
            return .damaged(number)
        }
    }

    /// Judges conversations up to as many as one step may read the messages of.
    private mutating func judge(_ rows: [Reading], on sql: any SQLSession) throws(StoreError) {
        var left = Self.messagesPerStep
        for row in rows where left > 0 {
            left -= row.messages
            cursor = row.number
            add(row, reason: try Self.fault(of: row, on: sql))
        }
    }

    /// Judges conversations one by one, since the rows of one of them cannot be read.
    private mutating func judgeEach(_ rows: [Reading], on sql: any SQLSession) throws(StoreError) {
        for row in rows {
            cursor = row.number
            let reason = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
                try Self.fault(of: row, on: sql)
            }
            add(row, reason: reason ?? "its messages or its contact cannot be read")
        }
    }

    private mutating func add(_ row: Reading, reason: String?) {
        counts.conversations += 1
        switch row {
        case .damaged(let number):
            note(Damage("conversation", name: "row=\(number)", reason: "check sum"))
        case .whole(let one):
            expected += one.conversation.newest.value
            guard let reason else { return }
            note(
                Damage(
                    "conversation", conversation: one.conversation.id,
                    sequence: one.conversation.newest, reason: reason))
        }
    }

    /// What is wrong with what belongs to a conversation; nil when nothing is.
    private static func fault(
        of row: Reading, on sql: any SQLSession
    ) throws(StoreError) -> String? {
        guard case .whole(let one) = row else { return nil }
        if let reason = try chain(of: one, on: sql) { return reason }
        if let reason = try waking(of: one, on: sql) { return reason }
        if let reason = try breach(of: one, on: sql) { return reason }
        return try contact(of: one, on: sql)
    }

    /// What is wrong with the waking of a conversation that sleeps until a moment; nil when nothing is.
    private static func waking(
        of one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> String? {
        let due = try DueWorks.find(DueWork.Name(.wake, in: one.conversation.id), on: sql)
        guard due?.dueAt != one.conversation.snoozedUntil else { return nil }
        return due == nil ? "it sleeps, and nothing wakes it" : "it is woken at another moment"
    }

    /// What is wrong with the work that says that a conversation's answer is overdue; nil when nothing is.
    ///
    /// Once it was said there is none.
    private static func breach(
        of one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> String? {
        let due = try DueWorks.find(DueWork.Name(.breach, in: one.conversation.id), on: sql)
        let at = one.conversation.answerDue?.at
        if let due { return due.dueAt == at ? nil : "its answer is overdue at another moment" }
        guard let at, at > TimeSource.system.now() else { return nil }
        return "its answer is due, and nothing says when it is overdue"
    }

    /// What is wrong with a conversation's contact; nil when nothing is.
    private static func contact(
        of one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> String? {
        let own = ContactID(one.conversation.id.value)
        guard try Contacts.find(own, on: sql) != nil,
            let contact = try Contacts.find(one.conversation.contact, on: sql)
        else { return "its contact is missing" }
        return contact.name == one.conversation.contactName ? nil : "its contact has another name"
    }

    /// Some rows of the table cannot be read together: row by row.
    private mutating func skipConversations(on sql: any SQLSession) throws(StoreError) {
        guard let next = try findNumbers(on: sql) else {
            note(Damage("conversation", reason: "rows after row=\(cursor) cannot be read"))
            return go(on: .notes)
        }
        for number in next.numbers {
            cursor = number
            let row = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
                let statement = try sql.statement(ConversationColumns.byNumber)
                try statement.bind(number)
                return try statement.first { row throws(StoreError) in try Self.read(row) }
            }
            // What is only a number may never have been a row's.
            if case .some(nil) = row, !next.areRows { continue }
            try judgeEach([(row ?? nil) ?? .damaged(number)], on: sql)
        }
    }

    /// The numbers of some rows after the cursor, by another index, or else all that rows may have; nil when not
    /// even the last of them can be read, or there are no more.
    private func findNumbers(
        on sql: any SQLSession
    ) throws(StoreError) -> (numbers: [Int64], areRows: Bool)? {
        let start = cursor
        let known = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
            let index = sql.dialect.indexed(by: "sqlite_autoindex_conversations_1")
            let statement = try sql.statement(
                """
                SELECT c.number FROM conversations c\(index) WHERE c.number > ? ORDER BY c.number \
                LIMIT \(Self.conversationsPerStep)
                """)
            try statement.bind(start)
            return try statement.all { $0.integer() }
        }
        if let known { return known.isEmpty ? nil : (known, true) }
        let last = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
            try sql.statement(literal: "SELECT max(number) FROM conversations").first {
                $0.integer()
            }
        }
        guard let last = last ?? nil, last > start else { return nil }
        let end = min(last, start + Int64(Self.conversationsPerStep))
        return (Array(start + 1...end), false)
    }

    private static let notes = """
        SELECT \(NoteRows.covered), n.seal, n.number, c.id FROM notes n \
        LEFT JOIN conversations c ON c.number = n.conversation \
        WHERE n.number > ? ORDER BY n.number LIMIT 200
        """

    /// Reads some notes: checksums, and that their conversations are there.
    mutating func readNotes(on sql: any SQLSession) throws(StoreError) {
        let start = cursor
        let rows = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
            let statement = try sql.statement(Self.notes)
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
