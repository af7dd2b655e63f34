import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// What only the asking agent sees of a conversation; nothing for other callers.
///
/// Events do not carry it: they are the same for every reader. Who may read only has no drafts and is not
/// mentioned, whatever is left of a time with another role.
struct OwnMarks {
    private let drafts: [ConversationID: Draft]
    private let unseen: Set<ConversationID>
    private let isOfAgent: Bool

    /// Conversations with mentions that the agent has not seen; nil for other callers.
    var mentions: Int? { isOfAgent ? unseen.count : nil }

    /// Loads the marks of all conversations of some businesses, for a list.
    init(
        of principal: Principal, in businesses: Set<BusinessID>, _ services: Services
    ) async throws(Problem) {
        guard case .agent(let agent) = principal else {
            self.init(drafts: [:], unseen: [], isOfAgent: false)
            return
        }
        let found = try await services.drafts(of: agent.agent.id).filter {
            services.permits(.writeDrafts, principal, in: $0.business)
        }
        let handled = businesses.filter { services.handles(principal, in: $0) }
        let unseen = try await services.asking { store throws(StoreError) in
            try await store.unseenMentions(of: agent.agent.id, in: handled)
        }
        self.init(
            drafts: Dictionary(found.map { ($0.conversation, $0) }) { first, _ in first },
            unseen: Set(unseen), isOfAgent: true)
    }

    /// Loads the marks of one conversation.
    init(
        of principal: Principal, in conversation: Conversation, _ services: Services
    ) async throws(Problem) {
        guard case .agent(let agent) = principal else {
            self.init(drafts: [:], unseen: [], isOfAgent: false)
            return
        }
        let mayDraft = services.permits(.writeDrafts, principal, in: conversation.business)
        let handles = services.handles(principal, in: conversation.business)
        let (found, unseen) = try await services.asking { store throws(StoreError) in
            (
                mayDraft
                    ? try await store.findDraft(of: agent.agent.id, in: conversation.id) : nil,
                handles
                    ? try await store.unseenMentions(
                        of: agent.agent.id, in: [conversation.business]) : []
            )
        }
        self.init(
            drafts: found.map { [conversation.id: $0.shown] } ?? [:], unseen: Set(unseen),
            isOfAgent: true)
    }

    private init(
        drafts: [ConversationID: Draft], unseen: Set<ConversationID>, isOfAgent: Bool
    ) {
        self.drafts = drafts
        self.unseen = unseen
        self.isOfAgent = isOfAgent
    }

    /// Writes the members of a conversation's object.
    func write(_ conversation: ConversationID, to text: inout JSONWriter) {
        guard isOfAgent else { return }
        text.member("draft") { text in
            if let draft = drafts[conversation] { text.draftMark(draft) } else { text.null() }
        }
        text.member("mentioned", unseen.contains(conversation))
    }
}

extension Draft {
    /// The draft as lists show it.
    fileprivate var shown: Draft {
        Draft(
            agent: agent, business: business, conversation: conversation, version: version,
            savedAt: savedAt, kind: kind,
            text: String(
                String.UnicodeScalarView(text.unicodeScalars.prefix(Self.shownCharacters))),
            content: nil)
    }
}
