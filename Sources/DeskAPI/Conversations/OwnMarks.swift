import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// What only the asking agent sees of a conversation; nothing for other callers.
///
/// Events do not carry it: they are the same for every reader.
struct OwnMarks {
    private let drafts: [ConversationID: Draft]?

    /// Loads the marks of all conversations, for a list.
    init(of principal: Principal, _ services: Services) async throws(Problem) {
        guard case .agent(let agent) = principal else {
            drafts = nil
            return
        }
        let found = try await services.drafts(of: agent.agent.id)
        drafts = Dictionary(found.map { ($0.conversation, $0) }) { first, _ in first }
    }

    /// Loads the marks of one conversation.
    init(
        of principal: Principal, in conversation: ConversationID, _ services: Services
    ) async throws(Problem) {
        guard case .agent(let agent) = principal else {
            drafts = nil
            return
        }
        let found = try await services.asking { store throws(StoreError) in
            try await store.findDraft(of: agent.agent.id, in: conversation)
        }
        drafts = found.map { [conversation: $0.shown] } ?? [:]
    }

    /// Writes the members of a conversation's object.
    func write(_ conversation: ConversationID, to text: inout JSONWriter) {
        guard let drafts else { return }
        text.member("draft") { text in
            if let draft = drafts[conversation] { text.draftMark(draft) } else { text.null() }
        }
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
