import DeskModel
public import DeskStore
import Synchronization

/// What lookups of credentials found lately, so that a request's credentials cost no thread hop.
///
/// Never behind a commit: the recorder has the memory forget before the engine answers what the
/// commit changed, and a lookup that ran beside such a commit is not remembered. Beside other nodes
/// it answers only while the node's lease holds.
public final class RegistryMemory: Sendable {
    struct Rows: Sendable {
        var businesses: [BusinessID: Business] = [:]
        var agents: [AgentID: Agent] = [:]
        var memberships: [AgentID: [Membership]] = [:]
        var keys: [KeyID: APIKey] = [:]
        var sessions: [Digest: Session] = [:]
        fileprivate(set) var age = Age()
    }

    /// How many commits that changed something remembered there were when a lookup began.
    struct Age: Equatable, Sendable {
        fileprivate var changes: UInt64 = 0
    }

    /// Rows kept of each kind; beyond this all of the kind are forgotten.
    static let maximumRows = 8_192

    private let rows = Mutex(Rows())
    private let lease: (@Sendable () -> CredentialLease?)?

    /// Remembers nothing yet, where no other node changes the store.
    public init() { lease = nil }

    /// Remembers nothing yet.
    ///
    /// - Parameter lease: the lease that the node has at the moment, without which it answers nothing
    ///   from memory; nil when it has none.
    public init(lease: @escaping @Sendable () -> CredentialLease?) { self.lease = lease }

    /// Looks up, and says which commits the answer belongs to.
    ///
    /// By a closure, not a key path: each request looks up three things, and a path is followed slowly.
    func find<Value: Sendable>(
        _ look: (borrowing Rows) -> Value?
    ) -> (value: Value?, age: Age) {
        // One that ended never holds again, so that the same lease is asked before and after.
        let held = lease?()
        let (value, age) = rows.withLock { (look($0), $0.age) }
        guard lease != nil else { return (value, age) }
        // After the look: what was found while the lease held was accepted before it ended.
        return (held?.holds == true ? value : nil, age)
    }

    /// Remembers what a reader found, unless a commit that may have changed it came between.
    func keep(as of: Age, _ keep: (inout Rows) -> Void) {
        rows.withLock { rows in
            if rows.age == of { keep(&rows) }
        }
    }

    /// Forgets what changes of this or another node changed.
    public func apply(_ notice: CredentialNotice) {
        switch notice {
        case .changes(let changes): forget(changes.flatMap(\.forgotten))
        case .everything: forget([.everything])
        }
    }

    /// Forgets what a commit changed.
    func forget(_ changed: [Remembered]) {
        guard !changed.isEmpty else { return }
        rows.withLock { rows in
            rows.age.changes += 1
            for one in changed { rows.forget(one) }
        }
    }
}

/// What a change changes of that which lookups remember.
enum Remembered: Hashable, Sendable {
    case business(BusinessID)
    case agent(AgentID)
    /// What an agent may do where.
    case memberships(of: AgentID)
    /// What the members of a business may do there.
    case members(of: BusinessID)
    case key(KeyID)
    case session(Digest)
    /// Every session of a subject.
    case sessions(of: SessionSubject)
    /// The sessions that expired before a moment.
    case expiredSessions(before: Timestamp)
    /// All of it.
    case everything
}

extension RegistryMemory.Rows {
    fileprivate mutating func forget(_ changed: Remembered) {
        switch changed {
        case .business(let id): businesses[id] = nil
        case .agent(let id): agents[id] = nil
        case .memberships(of: let agent): memberships[agent] = nil
        case .members(of: let business):
            memberships = memberships.filter { !$0.value.contains { $0.business == business } }
        case .key(let id): keys[id] = nil
        case .session(let token): sessions[token] = nil
        case .sessions(of: let subject): sessions = sessions.filter { $0.value.subject != subject }
        case .expiredSessions(before: let time):
            sessions = sessions.filter { $0.value.expiresAt >= time }
        case .everything:
            businesses.removeAll()
            agents.removeAll()
            memberships.removeAll()
            keys.removeAll()
            sessions.removeAll()
        }
    }
}

extension Dictionary {
    /// Remembers a row; where there are too many, all others are forgotten.
    mutating func keep(_ value: Value, for key: Key) {
        if count >= RegistryMemory.maximumRows { removeAll() }
        self[key] = value
    }
}
