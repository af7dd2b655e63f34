import DeskModel
import DeskStore
import Synchronization

/// What lookups found lately, so that a request's conversation costs no thread hop.
///
/// Never behind a commit: the writer replaces or forgets before it answers what the commit changed,
/// and a lookup that ran beside such a commit is not remembered.
final class StoreMemory: Sendable {
    struct Tables: Sendable {
        var conversations: [ConversationID: Conversation] = [:]
        /// Those whose rows lack their newest messages; never forgotten, and ahead of the others.
        fileprivate(set) var unflushed: [ConversationID: ConversationRow] = [:]
        /// How many commits there were: each may change conversations.
        fileprivate(set) var commits: UInt64 = 0
    }

    /// Conversations kept; beyond this all but those in `unflushed` are forgotten.
    static let maximumRows = 8_192

    private let tables = Mutex(Tables())

    /// Finds a conversation, and says how many commits there were then.
    func find(_ id: ConversationID) -> (conversation: Conversation?, commits: UInt64) {
        tables.withLock {
            ($0.unflushed[id]?.conversation ?? $0.conversations[id], $0.commits)
        }
    }

    /// Remembers what a reader found, unless a commit came between.
    func keep(_ conversation: Conversation, asOf commits: UInt64) {
        tables.withLock { tables in
            guard tables.commits == commits else { return }
            if tables.conversations.count >= Self.maximumRows { tables.conversations.removeAll() }
            tables.conversations[conversation.id] = conversation
        }
    }

    /// A conversation whose row lacks its newest messages; nil when there is no such row.
    func findUnflushed(_ id: ConversationID) -> ConversationRow? {
        tables.withLock { $0.unflushed[id] }
    }

    /// The conversations whose rows lack their newest messages.
    ///
    /// A caller that asks before reading rows, and uses these instead of the rows of the same name,
    /// misses nothing that was acknowledged before.
    var unflushed: [ConversationID: ConversationRow] { tables.withLock { $0.unflushed } }

    /// Applies a commit's conversations.
    func commit(_ changes: CommittedConversations) {
        tables.withLock { tables in
            tables.commits += 1
            let written = changes.written.count + (changes.areFlushed ? tables.unflushed.count : 0)
            if tables.conversations.count + written > Self.maximumRows {
                tables.conversations.removeAll()
            }
            if changes.areFlushed {
                for (id, one) in tables.unflushed { tables.conversations[id] = one.conversation }
                tables.unflushed.removeAll()
            }
            for conversation in changes.written {
                tables.unflushed[conversation.id] = nil
                tables.conversations[conversation.id] = conversation
            }
            for one in changes.unflushed { tables.unflushed[one.conversation.id] = one }
        }
    }
}

/// How far the log is durable, and the listener of new events.
final class CommitFeed: Sendable {
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

    /// Publishes the events of a commit.
    ///
    /// Thread: the writer's.
    func publish(_ events: [Event]) {
        guard let last = events.last else { return }
        let listener = state.withLock { state in
            state.newest = last.id.position.value
            return state.listener
        }
        listener?(events)
    }
}
