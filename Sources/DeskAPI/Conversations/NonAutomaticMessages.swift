import DeskEventJSON
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// The newest messages that neither the server nor a rule sent, of conversations whose newest message one of
/// these sent.
///
/// Only lists and single readings have them: an event says what was written, and an answer that is remembered
/// names no message that an erasure would not look for in it.
struct NonAutomaticMessages {
    private let asked: Set<ConversationID>
    private let found: [ConversationID: LastMessage]

    /// Loads those of a page, with the names of their authors; the store is not asked where none is missing.
    init(of conversations: [Conversation], _ services: Services) async throws(Problem) {
        let hidden = conversations.filter { $0.last?.author.isByItself == true }
        guard !hidden.isEmpty else {
            asked = []
            found = [:]
            return
        }
        let authorNames = services.authorNames
        let found = try await services.asking { store throws(StoreError) in
            let found = try await store.lastNonAutomatic(of: hidden)
            try await authorNames.load(Set(found.values.map(\.author)))
            return found
        }
        asked = Set(hidden.map(\.id))
        self.found = found
    }

    /// Writes the member of a conversation; nothing where its newest message is not automatic.
    func write(_ id: ConversationID, to text: inout JSONWriter, _ authorNames: AuthorNames) {
        guard asked.contains(id) else { return }
        text.member("lastNonAutomatic") { $0.lastMessage(found[id], authorNames) }
    }
}
