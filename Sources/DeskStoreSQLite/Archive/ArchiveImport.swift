import DeskCrypto
public import DeskModel
import DeskSQL
public import DeskStore

/// Makes a store of what an archive has, aside, in a data directory that is empty or missing.
///
/// Things come in the order of `ArchiveItem`. Nothing is in place before `finish`, and after
/// `abandon` nothing is left. Thread: blocks the caller's, one at a time.
public final class ArchiveImport: ArchiveTarget {
    /// Things of one transaction.
    private static let stride = 50_000

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

    private let fresh: FreshStore
    private let head: ArchiveHead
    private var connection: Connection?
    private var session: WriteSession?
    private var threads: [UniqueID: Thread] = [:]
    private var businesses: [UniqueID: Int64] = [:]
    private var file: IncomingFile?
    private var position: Int64 = 0
    private var pending = 0

    /// Begins a store with a life of its own.
    ///
    /// - Throws: `refused` when the directory is not empty, `full`, `failed`.
    public init(_ head: ArchiveHead, into directory: String, newEpoch: Epoch) throws(StoreError) {
        self.head = head
        fresh = try FreshStore(in: directory)
        do throws(StoreError) {
            let connection = try Connection(
                path: SQLiteStore.file(in: fresh.partial), for: .writing)
            // No reader opens it before it is whole and flushed, so there is nothing to undo.
            try connection.execute(
                """
                PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;
                PRAGMA locking_mode = EXCLUSIVE;
                """)
            try Migrations.run(on: connection)
            let statement = try connection.prepare(
                "INSERT INTO epochs (epoch, first_position) VALUES (?, ?)")
            try statement.bind(Int64(bitPattern: newEpoch.value))
            try statement.bind(head.position.value + 1)
            try statement.run()
            try connection.execute("UPDATE pruned SET position = \(head.pruned.value)")
            try FileCalls.makeDirectory(fresh.partial + "/blobs")
            let session = try WriteSession(
                connection: connection, epoch: newEpoch, newest: 0,
                recorder: RegistryRecorder(memory: nil, time: .system))
            try session.begin()
            self.connection = connection
            self.session = session
        } catch {
            fresh.discard()
            throw error
        }
    }

    /// Imports the next item.
    ///
    /// - Throws: `refused` with a sentence when it cannot follow what came before.
    public func take(_ item: ArchiveItem) throws(StoreError) {
        guard let session, let connection else { preconditionFailure("the import has ended") }
        if case .piece = item {} else { try endFile() }
        do throws(StoreError) {
            try take(item, session, connection)
        } catch {
            // A key that is there already is the archive's fault, and not the disk's.
            guard error.code == .refused, error.detail.hasPrefix("sqlite") else { throw error }
            throw StoreError(.refused, "it contradicts an earlier line, or is there twice")
        }
        pending += 1
        guard pending >= Self.stride else { return }
        pending = 0
        try session.commit()
        try session.begin()
    }

    private func take(
        _ item: ArchiveItem, _ session: WriteSession, _ connection: Connection
    ) throws(StoreError) {
        switch item {
        case .business(let business):
            try Self.refuse(businesses[business.id.value] != nil, "the business is there twice")
            try Businesses.save(business, on: connection.sql)
            businesses[business.id.value] = connection.lastRow
        case .link(let link):
            _ = try number(of: link.business)
            try Businesses.save(link, on: connection.sql)
        case .agent(let agent):
            try Agents.save(agent, on: connection.sql)
        case .membership(let membership):
            _ = try number(of: membership.business)
            try Agents.setRole(
                membership.role, of: membership.agent, in: membership.business, on: connection.sql)
        case .key(let key):
            for business in key.businesses { _ = try number(of: business) }
            // A secret that is not kept: only a new key authenticates a caller.
            guard let secret = Digest(bytes: RandomBytes.make(SHA256.byteCount)) else {
                preconditionFailure("a digest has another count of bytes")
            }
            try Keys.add(key.guarded(by: secret), on: connection.sql)
        case .gateway(let link):
            _ = try number(of: link.business)
            // The secret is not kept: only a new one authenticates the other side. The first start that
            // has a key encrypts it, as it does whatever the migrations left plain.
            let isNew = try GatewayRows.save(
                link, storing: RandomBytes.make(GatewayLink.secretBytes), on: connection.sql)
            try Self.refuse(!isNew, "the business has another link of its side")
            // The events of the archive are not sent again.
            try Outboxes.open(link.outbox, after: head.position, on: connection.sql)
        case .template(let template):
            _ = try number(of: template.business)
            let newest = try Templates.newest(
                template.name, of: template.business, on: connection.sql)
            try Self.refuse(
                template.version != newest + 1,
                "version \(template.version) of the template follows \(newest)")
            try Templates.add(template, on: connection.sql)
        case .draft(let draft):
            _ = try number(of: draft.business)
            try Drafts.put(draft, on: connection.sql)
        case .attribute(let one):
            _ = try number(of: one.business)
            try Attributes.save(one, on: connection.sql)
        case .contact(let contact):
            _ = try number(of: contact.business)
            try Contacts.save(contact, on: connection.sql)
        case .contactLink(let link):
            let isNew = try ContactLinks.add(link, on: connection.sql)
            try Self.refuse(!isNew, "one of its contacts is not there, or it is there twice")
        case .macro(let macro):
            _ = try number(of: macro.business)
            try Macros.put(macro, on: connection.sql)
        case .rule(let rule):
            _ = try number(of: rule.business)
            try Rules.save(rule, on: connection.sql)
        case .serviceLevels(let data, let business):
            _ = try number(of: business)
            try ServiceLevelRows.put(data, of: business, on: connection.sql)
        case .satisfaction(let chosen, let business):
            _ = try number(of: business)
            try SatisfactionRows.put(chosen, of: business, on: connection.sql)
        case .savedView(let view):
            if let business = view.business { _ = try number(of: business) }
            try SavedViews.put(view, on: connection.sql)
        case .libraryFile(let file):
            _ = try number(of: file.business)
            try LibraryRows.add(file, on: connection.sql)
        case .label(let label):
            _ = try number(of: label.business)
            try Labels.save(label, on: connection.sql)
        case .team(let team):
            _ = try number(of: team.business)
            try Teams.save(team, on: connection.sql)
        case .availability(let chosen): try Availabilities.save(chosen, on: connection.sql)
        case .automaticAnswers(let answers, let business):
            _ = try number(of: business)
            try AutomaticAnswerRows.put(answers, of: business, on: connection.sql)
        case .assignment(let one):
            _ = try number(of: one.business)
            try AssignmentRows.put(one, of: one.business, for: one.team, on: connection.sql)
        case .hours(let one):
            _ = try number(of: one.business)
            try Hours.put(one.data, of: one.business, for: one.team, on: connection.sql)
        case .delayed(let work):
            _ = try number(of: work.business)
            try DueWorks.putRefused(work, on: connection.sql)
        case .preferences(let preferences, let agent):
            try Preferences.put(preferences, of: agent, on: connection.sql)
        case .attachment(let blob):
            file = try IncomingFile(blob, in: fresh.partial + "/blobs")
        case .piece(let bytes):
            guard let file else {
                throw StoreError(.refused, "bytes come without their attachment")
            }
            try file.take(bytes)
        case .hold(let hold):
            try Holds.add(hold.attachment, by: hold.holder, at: hold.time, on: connection.sql)
        case .conversation(let one): try take(one, session)
        case .note(let note):
            let thread = try thread(note.conversation)
            try session.insert(note.note, ofConversation: thread.number, numbered: note.number)
            try Mentions.replace(
                of: note.note, in: note.conversation, of: thread.owner, on: connection.sql)
        case .message(let message): try take(message, session)
        case .event(let event): try take(event, session)
        case .settlement(let settlement): try take(settlement, connection)
        }
    }

    /// Reads the store through and puts it into its place.
    ///
    /// Durable: on return.
    /// - Throws: `damaged` when what came does not belong together; nothing is in place then.
    public func finish() throws(StoreError) -> StoreVerification {
        try endFile()
        try closeLog()
        session = nil
        connection = nil
        for name in try FileCalls.names(in: fresh.partial + "/blobs") {
            try FileCopy.flushDirectory(fresh.partial + "/blobs/" + name)
        }
        try FileCopy.flushDirectory(fresh.partial + "/blobs")
        return try fresh.place()
    }

    private func closeLog() throws(StoreError) {
        guard let session, let connection else { preconditionFailure("the import has ended") }
        let end = max(position, head.pruned.value)
        guard end == head.position.value else {
            throw StoreError(.refused, "the log ends at \(end) instead of \(head.position)")
        }
        try connection.execute("UPDATE settled SET position = \(end)")
        if !head.namesSettlements { try connection.execute(Migrations.settlementsOfAnswers) }
        try session.commit()
    }

    /// Removes everything again.
    public func abandon() {
        session = nil
        connection = nil
        fresh.discard()
    }

    // MARK: Threads

    private func take(_ one: ArchivedConversation, _ session: WriteSession) throws(StoreError) {
        let id = one.conversation.id.value
        try Self.refuse(threads[id] != nil, "the conversation is there twice")
        let owner = one.conversation.business
        let business = try number(of: owner)
        let row = try session.insert(
            ConversationRow(
                number: 0, business: business, conversation: one.conversation, head: one.head,
                end: one.end.value))
        try Self.plan(one, of: owner, on: session.connection)
        // Earlier archives have no contacts.
        try Contacts.addMissing(Contact(of: one.conversation), on: session.connection.sql)
        threads[id] = Thread(
            number: row, business: business, owner: owner,
            last: one.conversation.last.map { ($0.sequence, $0.author) })
    }

    private func take(_ message: ArchivedMessage, _ session: WriteSession) throws(StoreError) {
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
            try name(message.facts.author, in: one.number, session)
        }
        one.newest = message.sequence.value
        one.end = message.position.value
        threads[message.conversation.value] = one
    }

    /// Says in a conversation's row who wrote its last message: lines of the first version do not.
    private func name(
        _ author: Author, in number: Int64, _ session: WriteSession
    ) throws(StoreError) {
        let statement = try session.connection.statement(ConversationColumns.byNumber)
        try statement.bind(number)
        let found = try statement.first { row throws(StoreError) in
            try ConversationColumns.read(row.sql)
        }
        guard var one = found else { return }
        one.conversation.last?.author = author
        try session.updateWhole(one)
    }

    private func take(_ event: ArchivedEvent, _ session: WriteSession) throws(StoreError) {
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
            try Self.forgetBreach(of: id, saidAt: event.time, on: session.connection)
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

    private func take(
        _ settlement: ArchivedSettlement, _ connection: Connection
    ) throws(StoreError) {
        let one = try thread(settlement.conversation)
        let statement = try connection.statement(
            literal: "SELECT 1 FROM messages WHERE id = ? AND conversation = ?")
        try statement.bind(settlement.answer.text)
        try statement.bind(one.number)
        let isThere = try statement.first { $0.integer() == 1 } == true
        try Self.refuse(!isThere, "no earlier line has the answer \(settlement.answer)")
        try Settlements.add(
            settlement.request, in: one.number, by: settlement.answer, on: connection.sql)
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

    // MARK: Attachments

    private func endFile() throws(StoreError) {
        guard let ended = file else { return }
        file = nil
        try ended.finish()
    }

    private static func refuse(_ condition: Bool, _ reason: String) throws(StoreError) {
        guard condition else { return }
        throw StoreError(.refused, reason)
    }
}
