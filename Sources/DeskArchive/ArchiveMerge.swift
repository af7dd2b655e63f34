import DeskMessages
import DeskModel
package import DeskStore

/// Adds an archive's messages to a store that has others, each as if it were sent just now.
///
/// Unknown businesses and conversations are added for them. Known ones stay unchanged, so importing
/// an archive twice adds nothing.
package struct ArchiveMerge {
    /// Most refusals that are named; all are counted.
    package static let maximumConflicts = 100
    /// Messages of one commit.
    private static let stride = 500

    private let store: any Store
    private let blobs: any BlobStore
    /// Where the messages of a conversation go that has another name here.
    private var others: [ConversationID: ConversationID] = [:]
    /// Businesses that came with the archive, by name; their links come along, and the roles of people who are here.
    private var newBusinesses: [BusinessID: String] = [:]
    /// Those of them that someone here owns.
    private var owned: Set<BusinessID> = []
    /// The addresses of the archive's people.
    private var addresses: [AgentID: String] = [:]
    private var members = 0
    /// Businesses that came with the archive, and that no one here owns.
    private var unowned: [(id: BusinessID, name: String)] = []
    private var upload: BlobUpload?
    private var uploading: AttachmentID?
    private var openings: [(line: Int, one: ArchivedConversation)] = []
    private var messages: [(line: Int, one: NewMessage)] = []
    private var settlements: [ArchivedSettlement] = []
    private var added = 0
    private var known = 0
    private var opened = 0
    private var leftOut: [String: Int] = [:]
    /// How many messages and conversations were refused.
    package private(set) var refused = 0
    /// The first of them, each with its line.
    package private(set) var conflicts: [ArchiveFault] = []

    /// A merge into a store and the files beside it.
    package init(into store: any Store, _ blobs: any BlobStore) {
        self.store = store
        self.blobs = blobs
    }

    /// What was done, a line each.
    package var text: String {
        var lines = [
            "added \(added) messages in \(opened) new conversations; \(known) were there already"
        ]
        if refused > 0 { lines.append("refused \(refused)") }
        if members > 0 {
            lines.append("added \(members) memberships of people who are here, in new businesses")
        }
        for (id, name) in unowned {
            lines.append(
                "\(name) (\(id.text)) has no owner here, so no one can open it: an import into an empty "
                    + "directory brings its people")
        }
        let rest = (ArchiveLine.types + ["erased message"]).compactMap { type in
            leftOut[type].map { "\($0) of type \(type)" }
        }
        if !rest.isEmpty {
            lines.append("a merge adds messages; left out: \(rest.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n")
    }

    /// Merges a verified archive.
    ///
    /// - Throws: what the store or the file met; what was added before stays.
    package mutating func run(_ source: ArchiveSource) async throws {
        _ = try source.readHead()
        while let item = try source.next() { try await take(item, at: source.line) }
        try await endFile()
        try await flush()
        // The first owner of a store without people owns every business.
        guard try await !store.agents(of: nil).isEmpty else { return }
        unowned = newBusinesses.filter { !owned.contains($0.key) }
            .map { (id: $0.key, name: $0.value) }.sorted { $0.id.text < $1.id.text }
    }

    private mutating func take(_ item: ArchiveItem, at line: Int) async throws {
        if case .piece = item {} else { try await endFile() }
        switch item {
        case .business(let business):
            guard try await store.findBusiness(business.id) == nil else { return }
            try await store.save(business, author: .server)
            newBusinesses[business.id] = business.name
        case .link(let link):
            if newBusinesses[link.business] != nil { try await store.save(link, author: .server) }
        case .attachment(let blob):
            guard try await blobs.openBlob(blob.id) == nil else { return }
            upload = try await blobs.makeUpload(limit: blob.byteCount)
            uploading = blob.id
        case .piece(let bytes): try await upload?.write(bytes)
        case .conversation(let one):
            openings.append((line, one))
            if openings.count >= Self.stride { try await flush() }
        case .message(let message):
            // A tombstone is no message that could be sent.
            guard message.erasure == nil else {
                leftOut["erased message", default: 0] += 1
                return
            }
            if !openings.isEmpty { try await flush() }
            var new = message.new
            if let other = others[message.conversation] { new = new.moved(to: other) }
            messages.append((line, new))
            if messages.count >= Self.stride { try await flush() }
        case .settlement(let one):
            settlements.append(one)
            if settlements.count >= Self.stride { try await flush() }
        case .agent(let agent):
            addresses[agent.id] = agent.email
            leftOut[ArchiveLine.type(of: item), default: 0] += 1
        case .membership(let one):
            guard newBusinesses[one.business] != nil, let here = try await account(of: one.agent)
            else {
                leftOut[ArchiveLine.type(of: item), default: 0] += 1
                return
            }
            try await store.setRole(one.role, of: here, in: one.business, author: .server)
            members += 1
            if one.role == .owner { owned.insert(one.business) }
        case .key, .gateway, .webhook, .template, .label, .team,
            .availability, .hours, .automaticAnswers, .draft, .delayed, .preferences,
            .hold, .note, .event, .assignment, .attribute, .contact, .macro, .rule,
            .savedView, .serviceLevels, .satisfaction, .widget, .libraryFile, .contactLink,
            .suggestion, .bot, .retention, .legalHold:
            leftOut[ArchiveLine.type(of: item), default: 0] += 1
        }
    }

    /// The account here of a person of the archive: the only one with the person's address.
    private func account(of person: AgentID) async throws -> AgentID? {
        guard let address = addresses[person] else { return nil }
        let found = try await store.agents(email: address)
        return found.count == 1 ? found.first?.id : nil
    }

    private mutating func flush() async throws {
        let opened = try await store.append(
            openings.map { WriteGroup(OpenConversation($0.one.conversation)) })
        for ((line, one), result) in zip(openings, opened) {
            switch result {
            case .success(let opened):
                if opened.isNew { self.opened += 1 }
                let asked = one.conversation.id
                if asked != opened.conversation.id { others[asked] = opened.conversation.id }
            case .failure(let refusal): refuse("it", refusal, at: line)
            }
        }
        openings.removeAll(keepingCapacity: true)
        let accepted = try await store.append(
            messages.map { WriteGroup($0.one, after: $0.one.settling) })
        for ((line, new), result) in zip(messages, accepted) {
            switch result {
            case .success(let acceptance):
                if acceptance.isRepeat { known += 1 } else { added += 1 }
            case .failure(let refusal): refuse("message \(new.submission.id)", refusal, at: line)
            }
        }
        messages.removeAll(keepingCapacity: true)
        // The answers themselves settle what they answer; this adds what was settled by one that was
        // erased. A refusal says that another answer settled it here, or that its conversation was
        // refused: both are counted already.
        _ = try await store.append(
            settlements.map { one in
                let conversation = others[one.conversation] ?? one.conversation
                return WriteGroup(Write.settle(one.request, in: conversation, by: one.answer))
            })
        settlements.removeAll(keepingCapacity: true)
    }

    private mutating func refuse(_ name: String, _ refusal: Refusal, at line: Int) {
        refused += 1
        guard conflicts.count < Self.maximumConflicts else { return }
        let reason =
            switch refusal {
            case .idempotencyConflict: "\(name) is there already with other content"
            case .messageErased: "\(name) was erased here"
            case .nameTaken: "a conversation of that id belongs to another customer"
            case .notFound: "the conversation of \(name) could not be added"
            case .customerLeft: "\(name) goes to a customer who left"
            case .settled: "\(name) answers what another answer settled"
            case .alreadyAssigned, .alreadyMerged, .notMerged, .customerBlocked, .answeredMeanwhile,
                .idempotencyMismatch,
                .idempotencyInProgress, .lastOwner, .notAuthor, .noteDeleted, .notForBots,
                .notPermitted,
                .onlyOwners, .unusable, .preconditionFailed, .rateLimited, .suggestionSettled,
                .notInControl, .replyWindowOver, .onHold:
                "\(name) was refused: \(refusal.code)"
            }
        conflicts.append(ArchiveFault(line: line, reason))
    }

    private mutating func endFile() async throws {
        guard let ended = upload, let id = uploading else { return }
        upload = nil
        uploading = nil
        let blob = try await ended.finish()
        guard blob.id == id else { throw ArchiveFault("an attachment is not what its name says") }
    }
}

extension OpenConversation {
    /// Opens what another store had.
    fileprivate init(_ conversation: Conversation) {
        self.init(
            conversation.id, business: conversation.business, customer: conversation.customer,
            at: conversation.openedAt)
    }
}

extension NewMessage {
    /// What it settles: a request is settled once, also by a message that comes with an archive.
    ///
    /// What an upstream gateway passes on is kept as it came, as when it came.
    fileprivate var settling: [Write] {
        let facts = submission.facts
        guard facts.direction == .inbound, facts.origin != .upstream,
            facts.kind == .payment || facts.kind == .authentication,
            let request = facts.inReplyTo, SettlingAnswer.isSuccess(submission.payload)
        else { return [] }
        return [.settle(request, in: submission.conversation, by: submission.id)]
    }

    /// The same message for another conversation.
    fileprivate func moved(to conversation: ConversationID) -> NewMessage {
        var moved = submission
        moved.conversation = conversation
        return NewMessage(moved, posted: posted == digest ? nil : posted, at: time)
    }
}
