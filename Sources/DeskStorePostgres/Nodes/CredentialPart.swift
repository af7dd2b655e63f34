import DeskStore
import Synchronization

/// The connection's side of the feed of credentials: it reads and writes the rows.
final class CredentialPart: NoticePart {
    /// Time between two looks at whether others have confirmed, should their notices be lost.
    private static let lookInterval = Duration.milliseconds(100)
    private static let pruneInterval = Duration.seconds(600)

    private struct Due {
        var beat = ContinuousClock.now
        var look: ContinuousClock.Instant?
        var prune = ContinuousClock.now + CredentialPart.pruneInterval
    }

    private let membership: NodeMembership
    private let notices: PostgresNotices
    private let due = Mutex(Due())

    init(_ membership: NodeMembership, of notices: PostgresNotices) {
        self.membership = membership
        self.notices = notices
    }

    var channels: [NoticeChannel] { [.credentials, .confirmations] }

    func begin(on connection: ListeningConnection) { lookAtOnce(beats: true) }

    func receive(_ payload: String, on channel: NoticeChannel) {
        lookAtOnce(beats: channel == .credentials)
    }

    private func lookAtOnce(beats: Bool) {
        due.withLock { due in
            if beats { due.beat = .now } else { due.look = .now }
        }
    }

    func nextStep() -> ContinuousClock.Instant? {
        if membership.hasNews || membership.hasNewWaiters { return .now }
        let hasWaiters = membership.hasWaiters
        return due.withLock { due in
            let next = min(due.beat, due.prune)
            return hasWaiters ? min(next, due.look ?? .now) : next
        }
    }

    func step(on connection: ListeningConnection) throws(StoreError) {
        let now = ContinuousClock.now
        let (beats, looks, prunes) = due.withLock { due in
            (due.beat <= now, due.look.map { $0 <= now } ?? true, due.prune <= now)
        }
        if beats || membership.hasNews { try followMembership(on: connection) }
        if looks || membership.hasNewWaiters { try lookAfterWaiters(on: connection) }
        if prunes {
            try CredentialRows.prune(on: connection)
            due.withLock { $0.prune = .now + Self.pruneInterval }
        }
    }

    func end(on connection: ListeningConnection) throws(StoreError) {
        membership.leave()
        try CredentialRows.leave(notices.node, on: connection)
    }

    /// Joins, confirms what was applied, and reads what is new.
    private func followMembership(on connection: ListeningConnection) throws(StoreError) {
        due.withLock { $0.beat = .now + CredentialLease.renewal }
        let node = notices.node
        let asked = membership.now
        switch membership.next() {
        case .nothing: return
        case .leave: try CredentialRows.leave(node, on: connection)
        case .join: membership.joined(as: try CredentialRows.join(node, on: connection))
        case .confirm(let applied, let isNew):
            let newest = try CredentialRows.beat(node, applied: applied, on: connection)
            guard let newest else { return membership.lose() }
            if isNew { try connection.notify("", on: .confirmations) }
            if let after = membership.beat(newest: newest, applied: applied, asked: asked) {
                let changes = try CredentialRows.changes(after: after, on: connection)
                membership.read(changes, of: node)
            }
        }
    }

    /// Lets those return whose changes every node has confirmed.
    private func lookAfterWaiters(on connection: ListeningConnection) throws(StoreError) {
        if let version = membership.takeOverdue() {
            try CredentialRows.expel(below: version, besides: notices.node, on: connection)
        }
        let waiters = membership.takeWaiters()
        if !waiters.isEmpty {
            let (newest, confirmed) = try CredentialRows.confirmed(
                besides: notices.node, on: connection)
            membership.confirm(waiters, newest: newest, upTo: confirmed)
        }
        let hasWaiters = membership.hasWaiters
        due.withLock { $0.look = hasWaiters ? .now + Self.lookInterval : nil }
    }
}
