import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds what an agent has begun to write.
    public mutating func addDrafts(limits: APILimits) {
        let path = "/api/conversations/{conversation}/draft"
        add(
            .get, "/api/drafts", operation: "listDrafts", permission: .writeDrafts,
            business: .query, query: .known(["business"] + PageParameters.names)
        ) { context async throws(Problem) in try await DraftRoutes(context).list() }
        add(
            .get, path, operation: "getDraft", permission: .writeDrafts, business: .conversation
        ) { context async throws(Problem) in try await DraftRoutes(context).get() }
        add(
            .put, path, operation: "saveDraft", permission: .writeDrafts, business: .conversation,
            bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await DraftRoutes(context).save() }
        add(
            .delete, path, operation: "removeDraft", permission: .writeDrafts,
            business: .conversation, query: .known(["version"]), rate: .write, goesOnWhenFull: true
        ) { context async throws(Problem) in try await DraftRoutes(context).remove() }
    }
}

/// Answers the routes of `addDrafts`: each agent reads and writes the own drafts alone.
struct DraftRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let businesses = context.businesses
        let drafts = try await services.drafts(of: try context.requireAgent().agent.id)
            .filter { businesses.contains($0.business) }
        let page = try context.page(of: drafts) { $0.conversation.text }
        return .json(JSONWriter.object { $0.list(page) { $0.draftMark($1) } })
    }

    func get() async throws(Problem) -> Response {
        let agent = try context.requireAgent().agent.id
        let conversation = try context.requireConversation()
        let found = try await services.asking { store throws(StoreError) in
            try await store.findDraft(of: agent, in: conversation.id)
        }
        guard let found else { throw .notFound }
        return answer(found)
    }

    func save() async throws(Problem) -> Response {
        let agent = try context.requireAgent().agent.id
        let conversation = try context.requireConversation()
        var fields = try Fields(try await context.jsonBytes())
        _ = fields.requireValue("version")
        let known = fields.number("version", 0...Self.highestVersion)
        let kind = fields.requireText("kind", bytes: 1...Draft.maximumKindBytes)
        if let kind, !kind.utf8.allSatisfy(Self.isOfKind) {
            fields.note("kind", "letters, digits and '-'", "Send a word such as text.")
        }
        _ = fields.requireValue("text")
        let written = fields.text("text", bytes: 0...services.limits.recordBytes)
        let content = fields.object("content")
        try fields.finish()
        guard let known, let kind, let written else { throw .notFound }
        let draft = Draft(
            agent: agent, business: conversation.business, conversation: conversation.id,
            version: 0, savedAt: services.time.now(), kind: kind, text: written, content: content)
        let most = services.limits.draftsPerAgent
        let outcome = try await services.asking { store throws(StoreError) in
            try await store.save(draft, over: Int64(known), atMost: most)
        }
        switch outcome {
        case .saved(let saved):
            services.signalDraft(
                .saved, saved.version, of: agent, in: conversation)
            return answer(saved)
        case .conflict(let stored): throw .draftConflict(stored)
        case .tooMany:
            throw Problem(
                .invalid,
                "You have \(most) drafts, which is all an agent may have: send or delete some.")
        case .removed, .missing: preconditionFailure("a draft is saved, and not removed")
        }
    }

    func remove() async throws(Problem) -> Response {
        let agent = try context.requireAgent().agent.id
        let conversation = try context.requireConversation()
        let version = try context.request.query.number(
            "version", allowed: "the version that a draft's answer had")
        let outcome = try await services.asking { store throws(StoreError) in
            try await store.removeDraft(of: agent, in: conversation.id, version: version)
        }
        switch outcome {
        case .removed: services.signalDraft(.removed, version, of: agent, in: conversation)
        case .missing: break
        case .conflict(let stored): throw .draftConflict(stored)
        case .saved, .tooMany: preconditionFailure("a draft is removed, and not saved")
        }
        return Response(status: .noContent)
    }

    /// Every number up to here is exact in JSON.
    private static let highestVersion = 1 << 53

    private static func isOfKind(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
            || byte == UInt8(ascii: "-")
    }

    private func answer(_ draft: Draft) -> Response {
        var text = JSONWriter()
        text.draft(draft)
        return .json(text.bytes)
    }
}

extension Services {
    /// All drafts of an agent, those saved last first, as lists show them.
    func drafts(of agent: AgentID) async throws(Problem) -> [Draft] {
        let most = limits.draftsPerAgent
        return try await asking { store throws(StoreError) in
            try await store.drafts(of: agent, limit: most)
        }
    }

    /// Notifies an agent's other pages that a draft was saved or removed.
    func signalDraft(
        _ state: Signal.State, _ version: Int64?, of agent: AgentID, in conversation: Conversation
    ) {
        broker.signal(
            Signal(
                kind: .draft, business: conversation.business, conversation: conversation.id,
                who: .agent(agent), state: state, version: version))
    }
}

extension Fields {
    /// An object's text; nil when it is absent, null or no object, which is a finding.
    fileprivate mutating func object(_ name: String) -> [UInt8]? {
        guard let value = value(name), !value.isNull else { return nil }
        guard value.kind == .object else {
            note(.type, value, "an object or null", "Send \(name) as a JSON object.")
            return nil
        }
        return Array(value.rawBytes)
    }
}

extension Problem {
    /// Another device of the agent has changed the draft; with nil it has removed or sent it.
    fileprivate static func draftConflict(_ stored: Draft?) -> Problem {
        var problem = Problem(
            .draftConflict,
            stored == nil
                ? "The draft was sent or deleted on another device; save it as a new one, version 0."
                : "The draft was changed on another device; current is what is stored now.")
        var text = JSONWriter()
        if let stored { text.draft(stored) } else { text.null() }
        problem.current = text.bytes
        return problem
    }
}
