import DeskModel
package import DeskStore

/// Adds an archive's messages to a store that has others, each as if it were sent just now.
///
/// Businesses and conversations that are unknown are added for them. What is known already stays as
/// it is, so taking an archive twice adds nothing.
package struct ArchiveMerge {
    /// Most refusals that are named; all are counted.
    package static let maximumConflicts = 100
    /// Messages of one commit.
    private static let stride = 500

    private let store: any Store
    private let blobs: any BlobStore
    /// Where the messages of a conversation go that has another name here.
    private var others: [ConversationID: ConversationID] = [:]
    /// Businesses that came with the archive; their links come along.
    private var newBusinesses: Set<BusinessID> = []
    private var upload: BlobUpload?
    private var uploading: AttachmentID?
    private var waiting: [(line: Int, write: Write)] = []
    private var opens = false
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
        let rest = ArchiveLine.types.compactMap { type in
            leftOut[type].map { "\($0) of type \(type)" }
        }
        if !rest.isEmpty {
            lines.append("a merge takes messages; left out: \(rest.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n")
    }

    /// Takes a proven archive.
    ///
    /// - Throws: what the store or the file met; what was added before stays.
    package mutating func run(_ source: ArchiveSource) async throws {
        _ = try source.readHead()
        while let item = try source.next() { try await take(item, at: source.line) }
        try await endFile()
        try await flush()
    }

    private mutating func take(_ item: ArchiveItem, at line: Int) async throws {
        if case .piece = item {} else { try await endFile() }
        switch item {
        case .business(let business):
            guard try await store.findBusiness(business.id) == nil else { return }
            try await store.save(business)
            newBusinesses.insert(business.id)
        case .link(let link):
            if newBusinesses.contains(link.business) { try await store.save(link) }
        case .attachment(let blob):
            guard try await blobs.openBlob(blob.id) == nil else { return }
            upload = try await blobs.makeUpload(limit: blob.byteCount)
            uploading = blob.id
        case .piece(let bytes): try await upload?.write(bytes)
        case .conversation(let one):
            opens = true
            try await add(
                .open(
                    one.conversation.id, business: one.conversation.business,
                    customer: one.conversation.customer, at: one.conversation.openedAt), at: line)
        case .message(let message):
            if opens { try await flush() }
            var new = message.new
            if let other = others[message.conversation] { new = new.moved(to: other) }
            try await add(.message(new), at: line)
        case .agent, .membership, .key, .gateway, .template, .hold, .note, .event:
            leftOut[ArchiveLine.type(of: item), default: 0] += 1
        }
    }

    private mutating func add(_ write: Write, at line: Int) async throws {
        waiting.append((line, write))
        if waiting.count >= Self.stride { try await flush() }
    }

    private mutating func flush() async throws {
        guard !waiting.isEmpty else { return }
        let outcomes = try await store.append(waiting.map { [$0.write] })
        for (one, outcome) in zip(waiting, outcomes) {
            switch outcome.first {
            case .conversation(let conversation, let isNew):
                if isNew { opened += 1 }
                guard case .open(let asked, _, _, _) = one.write else { continue }
                if asked != conversation.id { others[asked] = conversation.id }
            case .message(let acceptance):
                if acceptance.isRepeat { known += 1 } else { added += 1 }
            case .refused(let refusal): refuse(one.write, refusal, at: one.line)
            case .note, .event, .template, .member, .done, nil:
                preconditionFailure("a merge appends conversations and messages only")
            }
        }
        waiting.removeAll(keepingCapacity: true)
        opens = false
    }

    private mutating func refuse(_ write: Write, _ refusal: Refusal, at line: Int) {
        refused += 1
        guard conflicts.count < Self.maximumConflicts else { return }
        let name: String =
            if case .message(let new) = write { "message \(new.submission.id)" } else { "it" }
        let reason =
            switch refusal {
            case .idempotencyConflict: "\(name) is there already with other content"
            case .nameTaken: "a conversation of that id belongs to another customer"
            case .notFound: "the conversation of \(name) could not be added"
            case .customerLeft: "\(name) goes to a customer who left"
            case .idempotencyMismatch, .idempotencyInProgress, .lastOwner, .preconditionFailed,
                .rateLimited:
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

extension NewMessage {
    /// The same message for another conversation.
    fileprivate func moved(to conversation: ConversationID) -> NewMessage {
        var moved = submission
        moved.conversation = conversation
        return NewMessage(moved, posted: posted == digest ? nil : posted, at: time)
    }
}
