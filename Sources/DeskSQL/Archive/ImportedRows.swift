import DeskCrypto
package import DeskModel
package import DeskStore

/// Writes what an archive has as the rows of a store that has none; the attachments are the engine's.
///
/// Things come in the order of `ArchiveItem`, in the engine's transactions.
package final class ImportedRows {
    /// What messages and events need to know of a conversation.
    private struct Thread {
        let number: Int64
        let business: Int64
        let owner: BusinessID
        var newest: Int64 = 0
        var end: Int64 = 0
        var revision = Revision.start
        /// The last message's number and author, as the conversation's line has them.
        var last: (sequence: SequenceNumber, author: Author)?

        /// Goes on to the revision of an event that was counted.
        mutating func take(_ next: Revision?) throws(StoreError) {
            guard let next else { return }
            guard next > revision else {
                throw StoreError(
                    .refused, "revision \(next) of its conversation follows \(revision)")
            }
            revision = next
        }
    }

    private let session: LogSession
    let sql: any SQLSession
    let head: ArchiveHead
    let stored: (_ secret: [UInt8], SecretLabel) -> [UInt8]
    private var threads: [UniqueID: Thread] = [:]
    private var businesses: [UniqueID: Int64] = [:]
    private var bots: Set<UniqueID> = []
    private var position: Int64 = 0

    /// Begins the log's life; `stored` makes what is stored of a secret: links and endpoints are given random
    /// ones, since theirs are in no archive.
    package init(
        _ head: ArchiveHead, newEpoch: Epoch, by session: LogSession,
        stored: @escaping (_ secret: [UInt8], SecretLabel) -> [UInt8]
    ) throws(StoreError) {
        self.head = head
        self.session = session
        self.stored = stored
        sql = session.sql
        let epoch = try sql.statement(
            literal: "INSERT INTO epochs (epoch, first_position) VALUES (?, ?)")
        try epoch.bind(Int64(bitPattern: newEpoch.value))
        try epoch.bind(head.position.value + 1)
        try epoch.run()
        let pruned = try sql.statement(literal: "UPDATE pruned SET position = ?")
        try pruned.bind(head.pruned.value)
        try pruned.run()
    }

    /// Adds the rows of the next item.
    ///
    /// - Throws: `refused` with a sentence when it cannot follow what came before.
    package func take(_ item: ArchiveItem) throws(StoreError) {
        switch item {
        case .business(let business):
            try Self.refuse(businesses[business.id.value] != nil, "the business is there twice")
            try Businesses.save(business, on: sql)
            businesses[business.id.value] = try findNumber(of: business.id)
        case .link(let link):
            _ = try number(of: link.business)
            try Businesses.save(link, on: sql)
        case .agent(let agent):
            try Agents.save(agent, on: sql)
        case .membership(let membership):
            _ = try number(of: membership.business)
            try Agents.setRole(
                membership.role, of: membership.agent, in: membership.business, on: sql)
        case .key(let key):
            for business in key.businesses { _ = try number(of: business) }
            // A secret that is not kept: only a new key authenticates a caller.
            guard let secret = Digest(bytes: RandomBytes.make(SHA256.byteCount)) else {
                preconditionFailure("a digest has another count of bytes")
            }
            try Keys.add(key.guarded(by: secret), on: sql)
        case .gateway(let link):
            _ = try number(of: link.business)
            // The secret is not kept: only a new one authenticates the other side.
            let secret = stored(
                RandomBytes.make(GatewayLink.secretBytes), Secrets.label(of: link))
            let isNew = try GatewayRows.save(link, storing: secret, on: sql)
            try Self.refuse(!isNew, "the business has another link of its side")
            // The events of the archive are not sent again.
            try Outboxes.open(link.outbox, after: head.position, on: sql)
        case .webhook(let webhook):
            _ = try number(of: webhook.business)
            try add(webhook)
        case .template(let template):
            _ = try number(of: template.business)
            let newest = try Templates.newest(
                template.name, of: template.business, on: sql)
            try Self.refuse(
                template.version != newest + 1,
                "version \(template.version) of the template follows \(newest)")
            try Templates.add(template, on: sql)
        case .draft(let draft):
            _ = try number(of: draft.business)
            try Drafts.put(draft, on: sql)
        case .bot(var bot):
            _ = try number(of: bot.business)
            try Self.refuse(!bots.insert(bot.id.value).inserted, "the bot is there twice")
            // Its key came without its secret: it is given conversations when its owner says so again.
            bot.isRetired = true
            try Bots.save(bot, on: sql)
        case .suggestion(let one):
            _ = try number(of: one.business)
            try Suggestions.add(one, on: sql)
        case .attribute(let one):
            _ = try number(of: one.business)
            try Attributes.save(one, on: sql)
        case .contact(let contact):
            _ = try number(of: contact.business)
            try Contacts.save(contact, on: sql)
        case .contactLink(let link):
            let isNew = try ContactLinks.add(link, on: sql)
            try Self.refuse(!isNew, "one of its contacts is not there, or it is there twice")
        case .macro(let macro):
            _ = try number(of: macro.business)
            try Macros.put(macro, on: sql)
        case .rule(let rule):
            _ = try number(of: rule.business)
            try Rules.save(rule, on: sql)
        case .serviceLevels(let data, let business):
            _ = try number(of: business)
            try ServiceLevelRows.put(data, of: business, on: sql)
        case .satisfaction(let chosen, let business):
            _ = try number(of: business)
            try SatisfactionRows.put(chosen, of: business, on: sql)
        case .widget(let settings, let business):
            _ = try number(of: business)
            try WidgetRows.put(settings: settings, of: business, on: sql)
        case .retention(let one):
            _ = try number(of: one.business)
            // What was erased there is looked at once more: its progress is of another log.
            try Retentions.put(
                Retention(
                    of: one.business, days: one.days, changedAt: one.changedAt,
                    beginsAt: one.beginsAt), on: sql)
        case .legalHold(let hold):
            _ = try number(of: hold.business)
            try LegalHolds.put(hold, on: sql)
        case .savedView(let view):
            if let business = view.business { _ = try number(of: business) }
            try SavedViews.put(view, on: sql)
        case .libraryFile(let file):
            _ = try number(of: file.business)
            try LibraryRows.add(file, on: sql)
        case .label(let label):
            _ = try number(of: label.business)
            try Labels.save(label, on: sql)
        case .team(let team):
            _ = try number(of: team.business)
            try Teams.save(team, on: sql)
        case .availability(let chosen): try Availabilities.save(chosen, on: sql)
        case .automaticAnswers(let answers, let business):
            _ = try number(of: business)
            try AutomaticAnswerRows.put(answers, of: business, on: sql)
        case .assignment(let one):
            _ = try number(of: one.business)
            try AssignmentRows.put(one, of: one.business, for: one.team, on: sql)
        case .hours(let one):
            _ = try number(of: one.business)
            try Hours.put(one.data, of: one.business, for: one.team, on: sql)
        case .delayed(let work):
            _ = try number(of: work.business)
            try DueWorks.putRefused(work, on: sql)
        case .preferences(let preferences, let agent):
            try Preferences.put(preferences, of: agent, on: sql)
        case .attachment, .piece: preconditionFailure("attachments are the engine's")
        case .hold(let hold):
            try Holds.add(hold.attachment, by: hold.holder, at: hold.time, on: sql)
        case .conversation(let one): try take(one)
        case .note(let note):
            let thread = try thread(note.conversation)
            try session.insert(note.note, ofConversation: thread.number, numbered: note.number)
            try Mentions.replace(
                of: note.note, in: note.conversation, of: thread.owner, on: sql)
        case .message(let message): try take(message)
        case .event(let event): try take(event)
        case .settlement(let settlement): try take(settlement)
        }
    }

    /// Ends the log.
    ///
    /// - Throws: `refused` when it does not end where the archive said.
    /// - Returns: where it ends.
    package func finish() throws(StoreError) -> Position {
        let end = max(position, head.pruned.value)
        guard end == head.position.value else {
            throw StoreError(.refused, "the log ends at \(end) instead of \(head.position)")
        }
        return Position(end)
    }

    // MARK: Threads

    private func take(_ one: ArchivedConversation) throws(StoreError) {
        let id = one.conversation.id.value
        try Self.refuse(threads[id] != nil, "the conversation is there twice")
        let owner = one.conversation.business
        let business = try number(of: owner)
        let row = try session.insert(
            ConversationRow(
                number: 0, business: business, conversation: one.conversation, head: one.head,
                end: one.end.value))
        try Self.plan(one, of: owner, on: sql)
        // Earlier archives have no contacts.
        try Contacts.addMissing(Contact(of: one.conversation), on: sql)
        threads[id] = Thread(
            number: row, business: business, owner: owner,
            last: one.conversation.last.map { ($0.sequence, $0.author) })
    }

    private func take(_ message: ArchivedMessage) throws(StoreError) {
        var one = try thread(message.conversation)
        try advance(to: message.position)
        try Self.refuse(
            message.sequence.value != one.newest + 1,
            "message \(message.sequence) of its conversation follows \(one.newest)")
        let new = message.new
        let checksum = MessageChecksum.checksum(
            of: message.payload, id: message.id, in: message.conversation,
            sequence: message.sequence)
        let stored = StoredMessage(
            id: message.id, conversation: message.conversation,
            business: one.owner, sequence: message.sequence, position: message.position,
            time: message.time, facts: message.facts, payload: .bytes(message.payload),
            digest: new.digest, checksum: checksum, erasedAt: message.erasure?.time)
        let isNew = try session.insert(
            stored, posted: new.posted == new.digest ? nil : new.posted,
            ofConversation: one.number, after: one.end)
        try Self.refuse(!isNew, "its conversation has a message of that id")
        if message.position > head.pruned {
            try session.insertEvent(
                .messageAccepted, at: message.position.value, time: message.time,
                business: one.business, conversation: one.number, subject: nil,
                revision: message.revision, body: .none)
            try one.take(message.revision)
        }
        if let last = one.last, last.sequence == message.sequence,
            last.author != message.facts.author
        {
            try name(message.facts.author, in: one.number)
        }
        one.newest = message.sequence.value
        one.end = message.position.value
        threads[message.conversation.value] = one
    }

    /// Says in a conversation's row who wrote its last message: lines of the first version do not.
    private func name(_ author: Author, in number: Int64) throws(StoreError) {
        let statement = try sql.statement(ConversationColumns.byNumber)
        try statement.bind(number)
        let found = try statement.first { row throws(StoreError) in
            try ConversationColumns.read(row)
        }
        guard var one = found else { return }
        one.conversation.last?.author = author
        try session.updateWhole(one)
    }

    private func take(_ event: ArchivedEvent) throws(StoreError) {
        try Self.refuse(event.position <= head.pruned, "the event was forgotten")
        try Self.refuse(event.type == .messageAccepted, "the event belongs to a message")
        var conversation: Int64?
        if let id = event.conversation {
            var one = try thread(id)
            try one.take(event.revision)
            threads[id.value] = one
            conversation = one.number
        }
        try Self.refuse(
            conversation == nil && event.revision != nil,
            "a revision is of a conversation's event")
        let business = try number(of: event.business)
        try advance(to: event.position)
        if event.type == .conversationAnswerOverdue, let id = event.conversation {
            try Self.forgetBreach(of: id, saidAt: event.time, on: sql)
        }
        let (subject, body): (Int64?, EventRowBody) =
            switch event.body {
            case .note(let number): (number, .none)
            case .step(let step): (nil, .step(step))
            case .json(let bytes): (nil, .json(bytes))
            case .other(let subject, let data): (subject, data.map { .json($0) } ?? .none)
            }
        try session.insertEvent(
            event.type, at: event.position.value, time: event.time, business: business,
            conversation: conversation, subject: subject, revision: event.revision, body: body)
    }

    private func take(_ settlement: ArchivedSettlement) throws(StoreError) {
        let one = try thread(settlement.conversation)
        let statement = try sql.statement(
            literal: "SELECT 1 FROM messages WHERE id = ? AND conversation = ?")
        try statement.bind(settlement.answer.text)
        try statement.bind(one.number)
        let isThere = try statement.first { $0.integer() == 1 } == true
        try Self.refuse(!isThere, "no earlier line has the answer \(settlement.answer)")
        try Settlements.add(
            settlement.request, in: one.number, by: settlement.answer, on: sql)
    }

    /// Moves on in the log: without a gap where events are kept, and never back.
    private func advance(to next: Position) throws(StoreError) {
        let isNext =
            next <= head.pruned
            ? next.value > position : next.value == max(position, head.pruned.value) + 1
        try Self.refuse(!isNext, "position \(next) follows \(position)")
        position = next.value
    }

    private func thread(_ id: ConversationID) throws(StoreError) -> Thread {
        guard let known = threads[id.value] else {
            throw StoreError(.refused, "no earlier line has the conversation \(id)")
        }
        return known
    }

    private func number(of id: BusinessID) throws(StoreError) -> Int64 {
        guard let known = businesses[id.value] else {
            throw StoreError(.refused, "no earlier line has the business \(id)")
        }
        return known
    }

    private func findNumber(of id: BusinessID) throws(StoreError) -> Int64 {
        let statement = try sql.statement(literal: "SELECT number FROM businesses WHERE id = ?")
        try statement.bind(id.value)
        return try statement.first { $0.integer() } ?? 0
    }

    private static func refuse(_ condition: Bool, _ reason: String) throws(StoreError) {
        guard condition else { return }
        throw StoreError(.refused, reason)
    }
}
