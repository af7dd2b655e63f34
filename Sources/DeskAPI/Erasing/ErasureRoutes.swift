import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the erasure of whole conversations and persons.
    public mutating func addErasures() {
        let conversation = "/api/conversations/{conversation}/erasure"
        add(
            .get, conversation, operation: "countErasureOfConversation",
            permission: .eraseMessages, business: .conversation
        ) { context async throws(Problem) in
            try await ErasureRoutes(context).countOfConversation()
        }
        add(
            .post, conversation, operation: "eraseConversation", permission: .eraseMessages,
            business: .conversation, query: .known(["from"]), rate: .write
        ) { context async throws(Problem) in
            try await ErasureRoutes(context).eraseConversation()
        }
        let contact = "/api/businesses/{business}/contacts/{contact}/erasure"
        add(
            .get, contact, operation: "countErasureOfContact", permission: .eraseMessages,
            business: .path
        ) { context async throws(Problem) in try await ErasureRoutes(context).countOfContact() }
        add(
            .post, contact, operation: "eraseContact", permission: .eraseMessages,
            business: .path, query: .known(["from"]), rate: .write
        ) { context async throws(Problem) in try await ErasureRoutes(context).eraseContact() }
    }
}

/// Answers the routes of `addErasures`.
struct ErasureRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func countOfConversation() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        return try await answer(countsOf: [conversation.id], of: conversation.business)
    }

    func eraseConversation() async throws(Problem) -> Response {
        let id = try context.requireConversation().id
        let place = try place { part in
            if case .conversation(id, _, _) = part { true } else { false }
        }
        let business = try context.requireConversation().business
        try await context.requireNoHold(on: [id], of: business)
        try await context.requireApproval(of: .eraseConversation, in: [business])
        var run = ErasureRun(services, by: try context.requirePrincipal().author)
        let next = try await run.erase(id, from: place)
        if place == nil {
            context.log.info("conversation_erased", ["conversation": .text(id.text)])
        }
        return Self.answer(run.counts, next: next)
    }

    func countOfContact() async throws(Problem) -> Response {
        let contact = try await context.requireRootContact()
        let tree = try await services.asking { store throws(StoreError) in
            try await store.contactTree(of: contact.id)
        }
        return try await answer(
            countsOf: tree.prefix(Contact.mostMerged).map { ConversationID($0.value) },
            of: contact.business)
    }

    func eraseContact() async throws(Problem) -> Response {
        let contact = try await context.requireRootContact()
        let place = try place { _ in true }
        let tree = try await services.asking { store throws(StoreError) in
            try await store.contactTree(of: contact.id)
        }
        try await context.requireNoHold(
            on: tree.map { ConversationID($0.value) }, of: contact.business)
        try await context.requireApproval(
            of: .eraseContact, in: [contact.business], about: tree.map(\.text))
        var run = ErasureRun(services, by: try context.requirePrincipal().author)
        let next = try await run.erase(contact.id, of: contact.business, from: place)
        if next == nil {
            context.log.info("contact_erased", ["contact": .text(contact.id.text)])
        }
        return Self.answer(run.counts, next: next)
    }

    /// Where the request goes on; nil for one that begins.
    private func place(
        where isOfPath: (ErasurePlace.Part) -> Bool
    ) throws(Problem) -> ErasurePlace.Part? {
        let query = context.request.query
        guard let text = query["from"] else { return nil }
        guard let place = ErasurePlace(text)?.part, isOfPath(place) else {
            throw Problem(
                parameter: "from", in: query,
                allowed: "what \"next\" of the answer before it was",
                fix: "Send \"next\" as it was answered, or leave the parameter out to begin anew.")
        }
        return place
    }

    private func answer(
        countsOf conversations: [ConversationID], of business: BusinessID
    ) async throws(Problem) -> Response {
        let (counts, isOnHold) = try await services.asking { store throws(StoreError) in
            let held = try await store.legalHolds(on: conversations, of: business)
            var sum = ErasureCounts()
            for id in conversations {
                if let counts = try await store.erasureCounts(of: id) { sum += counts }
            }
            return (sum, !held.isEmpty)
        }
        return .json(
            JSONWriter.object { text in
                text.member("conversations", conversations.count)
                text.member("messages", counts.messages)
                text.member("notes", counts.notes)
                text.member("files", counts.files)
                text.member("scheduled", counts.scheduled)
                text.member("drafts", counts.drafts)
                text.member("suggestions", counts.suggestions)
                text.member("isOnHold", isOnHold)
            })
    }

    private static func answer(_ counts: ErasureRun.Counts, next: ErasurePlace?) -> Response {
        .json(
            JSONWriter.object { text in
                text.member("complete", next == nil)
                text.member("messages", counts.messages)
                text.member("notes", counts.notes)
                text.member("scheduled", counts.scheduled)
                text.member("next", next?.text)
            })
    }
}
