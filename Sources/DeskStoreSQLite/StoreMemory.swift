import DeskModel
import DeskStore
import Synchronization

/// What lookups found lately, so that a request's credentials and conversation cost no thread hop.
///
/// Never behind a commit: the writer replaces or forgets before it answers, and a lookup that ran
/// beside a commit is not remembered.
final class StoreMemory: Sendable {
    struct Tables: Sendable {
        var conversations: [ConversationID: Conversation] = [:]
        /// Those whose rows lack their newest messages; never forgotten, and ahead of the others.
        fileprivate(set) var lagging: [ConversationID: HotConversation] = [:]
        var businesses: [BusinessID: Business] = [:]
        var agents: [AgentID: Agent] = [:]
        var memberships: [AgentID: [Membership]] = [:]
        var keys: [KeyID: APIKey] = [:]
        var sessions: [Digest: Session] = [:]
        fileprivate(set) var commits: UInt64 = 0
    }

    /// Rows kept of each kind; beyond this all of the kind are forgotten.
    static let maximumRows = 8_192

    private let tables = Mutex(Tables())

    /// Looks up, and says which commit the answer belongs to.
    ///
    /// By a closure, not a key path: each request looks up three things, and a path is followed slowly.
    func find<Value: Sendable>(
        _ look: (borrowing Tables) -> Value?
    ) -> (value: Value?, commits: UInt64) {
        tables.withLock { (look($0), $0.commits) }
    }

    /// Remembers what a reader found, unless a commit came between.
    func keep(as of: UInt64, _ keep: (inout Tables) -> Void) {
        tables.withLock { tables in
            if tables.commits == of { keep(&tables) }
        }
    }

    /// A conversation whose row lacks its newest messages; nil when there is no such row.
    func findLagging(_ id: ConversationID) -> HotConversation? {
        tables.withLock { $0.lagging[id] }
    }

    /// The conversations whose rows lack their newest messages.
    ///
    /// Who asks before reading rows, and takes these for the rows of the same name, misses nothing
    /// that was acknowledged before.
    var lagging: [ConversationID: HotConversation] { tables.withLock { $0.lagging } }

    /// Takes a commit's conversations in; `isRegistry` forgets everything else.
    func commit(_ changes: CommittedConversations, isRegistry: Bool) {
        tables.withLock { tables in
            tables.commits += 1
            let written = changes.written.count + (changes.areSettled ? tables.lagging.count : 0)
            if tables.conversations.count + written > Self.maximumRows {
                tables.conversations.removeAll()
            }
            if changes.areSettled {
                for (id, one) in tables.lagging { tables.conversations[id] = one.conversation }
                tables.lagging.removeAll()
            }
            for conversation in changes.written {
                tables.lagging[conversation.id] = nil
                tables.conversations[conversation.id] = conversation
            }
            for one in changes.lagging { tables.lagging[one.conversation.id] = one }
            guard isRegistry else { return }
            tables.businesses.removeAll()
            tables.agents.removeAll()
            tables.memberships.removeAll()
            tables.keys.removeAll()
            tables.sessions.removeAll()
        }
    }
}

extension SQLiteStore {
    /// Looks in memory first, then reads.
    func remembered<Value: Sendable>(
        _ look: (borrowing StoreMemory.Tables) -> Value?,
        keep: (inout StoreMemory.Tables, Value) -> Void,
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Value?
    ) async throws(StoreError) -> Value? {
        let known = memory.find(look)
        if let value = known.value { return value }
        let found = try await read(body)
        if let found { memory.keep(as: known.commits) { keep(&$0, found) } }
        return found
    }
}

extension Dictionary {
    /// Remembers a row; where there are too many, all others are forgotten.
    mutating func keep(_ value: Value, for key: Key) {
        if count >= StoreMemory.maximumRows { removeAll() }
        self[key] = value
    }
}

/// How far the log is durable, and who is told.
final class Told: Sendable {
    private struct State {
        var newest: Int64
        var oldest: Int64
        var listener: (@Sendable ([Event]) -> Void)?
    }

    private let state: Mutex<State>

    init(newest: Int64, oldest: Int64) {
        state = Mutex(State(newest: newest, oldest: oldest))
    }

    var newest: Position { Position(state.withLock { $0.newest }) }
    var oldest: Position { Position(state.withLock { $0.oldest }) }

    func follow(_ listener: @escaping @Sendable ([Event]) -> Void) {
        state.withLock { state in
            precondition(state.listener == nil, "the log is followed already")
            state.listener = listener
        }
    }

    func forget(upTo position: Position) { state.withLock { $0.oldest = position.value } }

    /// Tells of a commit.
    ///
    /// Thread: the writer's.
    func tell(_ events: [Event]) {
        guard let last = events.last else { return }
        let listener = state.withLock { state in
            state.newest = last.id.position.value
            return state.listener
        }
        listener?(events)
    }
}
