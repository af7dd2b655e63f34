package import DeskModel
package import DeskStore
import Synchronization

/// The views of a store, which count how often a conversation is looked up by its id.
package final class CountedConversations: ConversationViews {
    private let store = Mutex<(any ConversationViews)?>(nil)
    private let lookups = Mutex(0)
    private let afterLookup = Mutex<(@Sendable () async -> Void)?>(nil)

    /// Counts nothing yet; a server gives it its store.
    package init() {}

    func begin(_ views: any ConversationViews) { store.withLock { $0 = views } }

    private var views: any ConversationViews {
        guard let views = store.withLock({ $0 }) else { preconditionFailure("no server has begun") }
        return views
    }

    /// Lookups since the last call.
    package func take() -> Int {
        lookups.withLock { count in
            defer { count = 0 }
            return count
        }
    }

    /// Runs once, between the next lookup and its answer.
    package func afterNext(_ work: @escaping @Sendable () async -> Void) {
        afterLookup.withLock { $0 = work }
    }

    package func findConversation(_ id: ConversationID) async throws(StoreError) -> Conversation? {
        lookups.withLock { $0 += 1 }
        let found = try await views.findConversation(id)
        let work = afterLookup.withLock { work in
            defer { work = nil }
            return work
        }
        await work?()
        return found
    }

    package func findConversation(
        of customer: CustomerID, with business: BusinessID
    ) async throws(StoreError) -> Conversation? {
        try await views.findConversation(of: customer, with: business)
    }

    package func conversations(
        _ filter: ConversationFilter, at edge: PageEdge<Position>, limit: Int
    ) async throws(StoreError) -> Page<Conversation> {
        try await views.conversations(filter, at: edge, limit: limit)
    }

    package func countConversations(
        _ filter: ConversationFilter, mineOf agent: AgentID?
    ) async throws(StoreError) -> ConversationCounts {
        try await views.countConversations(filter, mineOf: agent)
    }

    package func waitingConversations(
        _ filter: ConversationFilter, at edge: PageEdge<WaitingPlace>, limit: Int
    ) async throws(StoreError) -> Page<Conversation> {
        try await views.waitingConversations(filter, at: edge, limit: limit)
    }

    package func countListed(
        _ filter: ConversationFilter, isWaiting: Bool
    ) async throws(StoreError) -> BoundedCount {
        try await views.countListed(filter, isWaiting: isWaiting)
    }

    package func dueConversations(
        _ filter: ConversationFilter, until ends: [BusinessID: Timestamp],
        at edge: PageEdge<WaitingPlace>, limit: Int
    ) async throws(StoreError) -> Page<Conversation> {
        try await views.dueConversations(filter, until: ends, at: edge, limit: limit)
    }

    package func countDue(
        _ filter: ConversationFilter, until ends: [BusinessID: Timestamp]
    ) async throws(StoreError) -> BoundedCount { try await views.countDue(filter, until: ends) }

    package func countViews(
        of businesses: Set<BusinessID>
    ) async throws(StoreError) -> ViewCounts { try await views.countViews(of: businesses) }

    package func waitingConversations(
        _ filter: ConversationFilter
    ) async throws(StoreError) -> WaitingConversations {
        try await views.waitingConversations(filter)
    }

    package func findConversations(
        named query: SearchQuery, in businesses: Set<BusinessID>, limit: Int
    ) async throws(StoreError) -> [Conversation] {
        try await views.findConversations(named: query, in: businesses, limit: limit)
    }

    package func lastNonAutomatic(
        of conversations: [Conversation]
    ) async throws(StoreError) -> [ConversationID: LastMessage] {
        try await views.lastNonAutomatic(of: conversations)
    }

    package func messages(
        in conversation: ConversationID, _ range: ThreadRange, limit: Int
    ) async throws(StoreError) -> Page<StoredMessage> {
        try await views.messages(in: conversation, range, limit: limit)
    }

    package func findMessage(
        _ id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> StoredMessage? {
        try await views.findMessage(id, in: conversation)
    }

    package func findSettlement(
        of request: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> MessageID? {
        try await views.findSettlement(of: request, in: conversation)
    }

    package func notes(
        in conversation: ConversationID, from first: SequenceNumber, to last: SequenceNumber
    ) async throws(StoreError) -> [Note] {
        try await views.notes(in: conversation, from: first, to: last)
    }

    package func notes(
        in conversation: ConversationID, behind place: NotePlace, limit: Int
    ) async throws(StoreError) -> ConversationNotes {
        try await views.notes(in: conversation, behind: place, limit: limit)
    }

    package func hasNote(
        _ id: NoteID, in conversation: ConversationID
    ) async throws(StoreError) -> Bool {
        try await views.hasNote(id, in: conversation)
    }

    package func threadEvents(
        in conversation: ConversationID, from first: SequenceNumber, to last: SequenceNumber
    ) async throws(StoreError) -> [ThreadEvent] {
        try await views.threadEvents(in: conversation, from: first, to: last)
    }
}
