import DeskCrypto
package import DeskModel
package import DeskStore

/// Reads one moment of a store, item by item, verifying each; only the current item is held.
///
/// The session is in a transaction that sees that moment alone, and is used for nothing else.
package struct ArchiveReader {
    /// What the archive begins with.
    package let head: ArchiveHead
    private let sql: any SQLSession
    private let blobs: LentBlobs
    /// Conversations whose rows lack their newest messages at this moment.
    private let unflushed: [Int64: ConversationRow]

    /// Begins with what the log has at the moment.
    package init(
        of bounds: LogBounds, in epoch: Epoch, at time: Timestamp,
        ahead unflushed: [Int64: ConversationRow] = [:], with blobs: LentBlobs,
        on sql: any SQLSession
    ) {
        self.sql = sql
        self.blobs = blobs
        self.unflushed = unflushed
        head = ArchiveHead(
            epoch: epoch, time: time, position: Position(max(0, bounds.newest)),
            pruned: Position(max(0, bounds.pruned)))
    }

    /// Hands everything over, in the order of `ArchiveItem`.
    ///
    /// - Throws: `damaged` with the item that is not what was written, and what `take` throws.
    package func read(to take: (ArchiveItem) throws(StoreError) -> Void) throws(StoreError) {
        try readServer(to: take)
        try readFiles(to: take)
        try readHolds(to: take)
        try readConversations(to: take)
        try readNotes(to: take)
        try readLog(to: take)
        try readSettlements(to: take)
    }

    // MARK: The server

    private func readServer(
        to take: (ArchiveItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        try each("SELECT \(Businesses.columns) FROM businesses ORDER BY number") {
            row throws(StoreError) in try take(.business(Businesses.read(row)))
        }
        try each(
            """
            SELECT business, id, label, intent, group_name, body FROM entry_links ORDER BY number
            """
        ) { row throws(StoreError) in
            let business = BusinessID(try row.id())
            try take(
                .link(
                    EntryLink(
                        id: row.text(), business: business, label: row.text(),
                        intent: row.textIfAny(), group: row.textIfAny(), body: row.textIfAny())))
        }
        // The password is not even read.
        try each("SELECT id, name, email, NULL, created_at FROM agents ORDER BY number") {
            row throws(StoreError) in try take(.agent(Agents.read(row)))
        }
        try each("SELECT agent, business, role FROM memberships ORDER BY agent, business") {
            row throws(StoreError) in
            try take(
                .membership(
                    Membership(
                        agent: AgentID(try row.id()), business: BusinessID(try row.id()),
                        role: try row.value { Role($0) })))
        }
        // Nor is the secret.
        try each(
            """
            SELECT id, name, \(sql.dialect.noDigest), world, scopes, created_at, revoked_at, used_at, \
            addresses, expires_at, predecessor FROM keys ORDER BY number
            """
        ) { row throws(StoreError) in
            let key = try Keys.read(row) { id throws(StoreError) in
                try Keys.grants(of: id, on: sql)
            }
            try take(.key(key))
        }
        for link in try GatewayRows.list(secret: sql.dialect.noDigest, on: sql) {
            try take(.gateway(link))
        }
        try each(Webhooks.archived) { row throws(StoreError) in
            try take(.webhook(Webhooks.readArchived(row)))
        }
        try each("\(Templates.columns) ORDER BY number") { row throws(StoreError) in
            try take(.template(Templates.read(row)))
        }
        try each("\(Labels.columns) ORDER BY number") { row throws(StoreError) in
            try take(.label(Labels.read(row)))
        }
        try each("\(Teams.columns) ORDER BY number") { row throws(StoreError) in
            try take(.team(Teams.read(row)))
        }
        try each("\(Availabilities.columns) ORDER BY agent") { row throws(StoreError) in
            try take(.availability(Availabilities.read(row)))
        }
        try each("\(Hours.columns) ORDER BY business, team") { row throws(StoreError) in
            try take(.hours(Hours.read(row)))
        }
        try each("\(AutomaticAnswerRows.columns) ORDER BY business") { row throws(StoreError) in
            let (business, answers) = try AutomaticAnswerRows.read(row)
            try take(.automaticAnswers(answers, of: business))
        }
        try each("\(AssignmentRows.columns) ORDER BY business, team") { row throws(StoreError) in
            try take(.assignment(AssignmentRows.read(row)))
        }
        try each("\(Attributes.columns) ORDER BY number") { row throws(StoreError) in
            try take(.attribute(Attributes.read(row)))
        }
        try each("\(Contacts.columns) ORDER BY number") { row throws(StoreError) in
            try take(.contact(Contacts.read(row)))
        }
        try each("\(ContactLinks.columns) ORDER BY number") { row throws(StoreError) in
            try take(.contactLink(ContactLinks.read(row)))
        }
        try each("\(Macros.columns) ORDER BY number") { row throws(StoreError) in
            try take(.macro(Macros.read(row)))
        }
        try each("\(Rules.columns) ORDER BY number") { row throws(StoreError) in
            try take(.rule(Rules.read(row)))
        }
        try each("\(SavedViews.columns) ORDER BY number") { row throws(StoreError) in
            try take(.savedView(SavedViews.read(row)))
        }
        try each("\(ServiceLevelRows.columns) ORDER BY business") { row throws(StoreError) in
            let business = BusinessID(try row.id())
            try take(.serviceLevels(row.bytes(), of: business))
        }
        try each("\(SatisfactionRows.columns) ORDER BY business") { row throws(StoreError) in
            let (business, chosen) = try SatisfactionRows.read(row)
            try take(.satisfaction(chosen, of: business))
        }
        // The secrets are not looked at.
        try each("\(WidgetRows.columns) ORDER BY business") { row throws(StoreError) in
            let (business, settings) = try WidgetRows.readSettings(row)
            if let settings { try take(.widget(settings, of: business)) }
        }
        try each("\(LegalHolds.columns) ORDER BY number") { row throws(StoreError) in
            try take(.legalHold(LegalHolds.read(row)))
        }
        try each("\(Retentions.columns) ORDER BY business") { row throws(StoreError) in
            try take(.retention(Retentions.read(row)))
        }
        // Who controls what stays behind: the keys of bots authenticate no caller there.
        try each("\(Bots.columns) ORDER BY b.number") { row throws(StoreError) in
            try take(.bot(Bots.read(row)))
        }
        try each("\(LibraryRows.columns) ORDER BY number") { row throws(StoreError) in
            try take(.libraryFile(LibraryRows.read(row)))
        }
        try each("\(Drafts.columns) ORDER BY agent, conversation") { row throws(StoreError) in
            try take(.draft(Drafts.read(row)))
        }
        try each("\(Suggestions.columns) ORDER BY number") { row throws(StoreError) in
            try take(.suggestion(Suggestions.read(row)))
        }
        // The waking of a conversation follows from the conversation.
        try each("\(DueWorks.columns) WHERE kind = 'send' ORDER BY conversation, subject") {
            row throws(StoreError) in try take(.delayed(DueWorks.read(row)))
        }
        try each("\(Preferences.columns) ORDER BY agent") { row throws(StoreError) in
            let (agent, preferences) = try Preferences.read(row)
            try take(.preferences(preferences, of: agent))
        }
    }

    // MARK: Attachments

    /// Hands over every attachment that something names, a megabyte at a time.
    private func readFiles(
        to take: (ArchiveItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        try each("\(ArchivedRows.attachments) ORDER BY 1") { row throws(StoreError) in
            let id = AttachmentID(try row.digest())
            guard let byteCount = try blobs.open(id) else {
                throw StoreError(.damaged, "attachment \(id.text) is missing")
            }
            try take(.attachment(Blob(id: id, byteCount: byteCount)))
            var digest = SHA256()
            var done: Int64 = 0
            while done < byteCount {
                let piece = try blobs.read(at: done)
                guard !piece.isEmpty else { break }
                digest.update(piece)
                done += Int64(piece.count)
                try take(.piece(piece))
            }
            guard done == byteCount, Digest(bytes: digest.finish()) == id.digest else {
                throw StoreError(.damaged, "attachment \(id.text) is not what it was")
            }
        }
    }

    private func readHolds(
        to take: (ArchiveItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        try each(
            """
            SELECT holder_kind, holder, attachment, name, media_type, byte_count, held_at \
            FROM attachment_holds WHERE kept_until IS NULL \
            ORDER BY holder_kind, holder, attachment
            """
        ) { row throws(StoreError) in
            let kind = row.text()
            let holder = try row.id()
            let use = AttachmentUse(
                id: AttachmentID(try row.digest()), name: row.text(), mediaType: row.text(),
                byteCount: row.integer())
            try take(
                .hold(
                    ArchivedHold(
                        holder: try row.require(Holds.holder(kind, holder), "a holder"),
                        attachment: use, time: row.time())))
        }
    }

    // MARK: Conversations

    private func readConversations(
        to take: (ArchiveItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        try each(
            """
            SELECT \(ConversationColumns.list) FROM \(ConversationColumns.source) ORDER BY c.number
            """
        ) { row throws(StoreError) in
            let found = try ConversationColumns.read(row)
            let one = unflushed[found.number] ?? found
            try take(
                .conversation(
                    ArchivedConversation(
                        conversation: one.conversation, head: one.head, end: Position(one.end))))
        }
    }

    private func readNotes(
        to take: (ArchiveItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        try each(
            """
            SELECT n.number, c.id, \(NoteRows.covered), n.seal FROM notes n \
            LEFT JOIN conversations c ON c.number = n.conversation ORDER BY n.number
            """
        ) { row throws(StoreError) in
            let number = row.integer()
            let conversation = ConversationID(try row.id())
            try take(
                .note(
                    ArchivedNote(
                        number: number, conversation: conversation, note: NoteRows.read(row))))
        }
    }

    // MARK: The log

    /// Hands messages and events over as they lie in the log, without a gap.
    private func readLog(
        to take: (ArchiveItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        let messages = try sql.statement(streaming: ArchivedRows.messages)
        let events = try sql.statement(streaming: ArchivedRows.events)
        var next = try messages.step() ? try ArchivedRows.message(messages) : nil
        // Messages whose events were forgotten.
        while let message = next, message.value.position <= head.pruned {
            try take(.message(message.value))
            next = try messages.step() ? try ArchivedRows.message(messages) : nil
        }
        var end = head.pruned.value
        while try events.step() {
            let event = try ArchivedRows.event(events)
            end += 1
            guard event.position.value == end else {
                throw StoreError(.damaged, "event \(end) is missing")
            }
            switch event.content {
            case .message(let conversation, let time, let revision):
                guard let message = next, message.value.position == event.position,
                    message.row == conversation, message.value.time == time
                else { throw StoreError(.damaged, "message \(end) is not its event's") }
                try take(.message(message.value.making(revision)))
                next = try messages.step() ? try ArchivedRows.message(messages) : nil
            case .other(let other): try take(.event(other))
            }
        }
        guard end == head.position.value, next == nil else {
            throw StoreError(.damaged, "the log ends at \(end) instead of \(head.position)")
        }
    }

    private func readSettlements(
        to take: (ArchiveItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        try each(
            """
            SELECT c.id, s.request, s.answer FROM settlements s \
            LEFT JOIN conversations c ON c.number = s.conversation \
            ORDER BY s.conversation, s.request
            """
        ) { row throws(StoreError) in
            try take(
                .settlement(
                    ArchivedSettlement(
                        conversation: ConversationID(try row.id()),
                        request: try row.value { MessageID($0) },
                        answer: try row.value { MessageID($0) })))
        }
    }

    private func each(
        _ query: String, _ body: (any SQLStatement) throws(StoreError) -> Void
    ) throws(StoreError) {
        let statement = try sql.statement(streaming: query)
        while try statement.step() { try body(statement) }
    }
}
