import DeskModel
import DeskStore
import Synchronization

/// What lookups found lately, so that a request's credentials and conversation cost no thread hop.
///
/// Never behind a commit: the writer replaces or forgets before it answers what the commit changed,
/// and a lookup that ran beside such a commit is not remembered.
final class StoreMemory: Sendable {
    struct Tables: Sendable {
        var conversations: [ConversationID: Conversation] = [:]
        /// Those whose rows lack their newest messages; never forgotten, and ahead of the others.
        fileprivate(set) var lagging: [ConversationID: ConversationRow] = [:]
        var businesses: [BusinessID: Business] = [:]
        var agents: [AgentID: Agent] = [:]
        var memberships: [AgentID: [Membership]] = [:]
        var keys: [KeyID: APIKey] = [:]
        var sessions: [Digest: Session] = [:]
        fileprivate(set) var age = Age()
    }

    /// How many commits there were when a lookup began.
    struct Age: Equatable, Sendable {
        /// All of them: each may change conversations.
        fileprivate var commits: UInt64 = 0
        /// Those that changed something else that is remembered.
        fileprivate var changes: UInt64 = 0
    }

    /// What a lookup was about.
    enum Subject: Sendable {
        case conversation
        /// A business, an agent, memberships, a key or a session.
        case credential
    }

    /// Rows kept of each kind; beyond this all of the kind are forgotten.
    static let maximumRows = 8_192

    private let tables = Mutex(Tables())

    /// Looks up, and says which commits the answer belongs to.
    ///
    /// By a closure, not a key path: each request looks up three things, and a path is followed slowly.
    func find<Value: Sendable>(
        _ look: (borrowing Tables) -> Value?
    ) -> (value: Value?, age: Age) {
        tables.withLock { (look($0), $0.age) }
    }

    /// Remembers what a reader found, unless a commit that may have changed it came between.
    func keep(_ subject: Subject, as of: Age, _ keep: (inout Tables) -> Void) {
        tables.withLock { tables in
            let isCurrent =
                switch subject {
                case .conversation: tables.age.commits == of.commits
                case .credential: tables.age.changes == of.changes
                }
            if isCurrent { keep(&tables) }
        }
    }

    /// A conversation whose row lacks its newest messages; nil when there is no such row.
    func findLagging(_ id: ConversationID) -> ConversationRow? {
        tables.withLock { $0.lagging[id] }
    }

    /// The conversations whose rows lack their newest messages.
    ///
    /// Who asks before reading rows, and takes these for the rows of the same name, misses nothing
    /// that was acknowledged before.
    var lagging: [ConversationID: ConversationRow] { tables.withLock { $0.lagging } }

    /// Takes a commit's conversations in, and forgets what else it changed.
    func commit(_ changes: CommittedConversations, changing others: [Remembered]) {
        tables.withLock { tables in
            tables.age.commits += 1
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
            guard !others.isEmpty else { return }
            tables.age.changes += 1
            for one in others { tables.forget(one) }
        }
    }
}

/// What a write changes of that which lookups remember; every write states it.
///
/// What is added needs no mention: that something is not there is never remembered.
enum Remembered: Sendable {
    case business(BusinessID)
    case agent(AgentID)
    /// What an agent may do where.
    case memberships(of: AgentID)
    /// All agents and memberships: what joins a business may be any of an address's.
    case people
    case key(KeyID)
    /// The keys that may act for a business.
    case keys(of: BusinessID)
    case session(Digest)
    /// Every session of a subject.
    case sessions(of: SessionSubject)
    /// The sessions that expired before a moment.
    case expiredSessions(before: Timestamp)
}

extension StoreMemory.Tables {
    fileprivate mutating func forget(_ changed: Remembered) {
        switch changed {
        case .business(let id): businesses[id] = nil
        case .agent(let id): agents[id] = nil
        case .memberships(of: let agent): memberships[agent] = nil
        case .people:
            agents.removeAll()
            memberships.removeAll()
        case .key(let id): keys[id] = nil
        case .keys(of: let business):
            keys = keys.filter { !$0.value.businesses.contains(business) }
        case .session(let token): sessions[token] = nil
        case .sessions(of: let subject): sessions = sessions.filter { $0.value.subject != subject }
        case .expiredSessions(before: let time):
            sessions = sessions.filter { $0.value.expiresAt >= time }
        }
    }
}

extension SQLiteStore {
    /// Looks in memory first, then reads.
    func remembered<Value: Sendable>(
        _ subject: StoreMemory.Subject,
        _ look: (borrowing StoreMemory.Tables) -> Value?,
        keep: (inout StoreMemory.Tables, Value) -> Void,
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Value?
    ) async throws(StoreError) -> Value? {
        let known = memory.find(look)
        if let value = known.value { return value }
        let found = try await read(body)
        if let found { memory.keep(subject, as: known.age) { keep(&$0, found) } }
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
