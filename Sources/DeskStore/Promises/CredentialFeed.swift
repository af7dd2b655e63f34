/// What a part of a node is notified of: changes, or that it may have missed some.
public enum CredentialNotice: Hashable, Sendable {
    /// Durable changes, of whichever node.
    case changes([RegistryChange])
    /// Anything may have changed: the node joins anew, its lease has ended, or an outcome is unknown.
    case everything

    /// What of it another node has to apply before it is answered; nil where nothing is.
    public var revoking: CredentialNotice? {
        switch self {
        case .changes(let changes):
            changes.contains(where: \.mayRevoke) ? .changes(changes.filter(\.mayRevoke)) : nil
        case .everything: self
        }
    }
}

/// A part of a node that remembers credentials or what they opened: a cache, open streams, links.
///
/// It forgets and ends what a notice revokes; on return nothing older is accepted there. Where it
/// cannot read the new state, it accepts nothing. Limit: it returns soon, and does not wait for other
/// nodes. Cancel: ignored by parts of the publishing node.
public typealias CredentialFollower = @Sendable (CredentialNotice) async -> Void

/// Has every node apply a change of credentials before the change is answered.
///
/// From the return of `publish` on no node accepts what the changes ended: each node has applied them,
/// or its lease has ended, and without a lease a node answers from the store and from no memory. Open
/// streams are notified like memories, and look again at once whether their reader may read.
public protocol CredentialFeed: Sendable {
    /// Has a part of this node apply each change that may revoke, whichever node made it.
    ///
    /// Order: parts are notified in the order in which they came, so that a memory comes before what
    /// asks it. Of this node's own commits the listeners of `RegistryFeed` were notified before.
    func follow(_ apply: @escaping CredentialFollower)

    /// Applies what may revoke on this node and on every other that holds a lease; the engine calls it
    /// after the commit and before the answer.
    ///
    /// Limit: returns within `CredentialLease.life` and the time in which a task wakes up, also
    /// when a node cannot be reached; at once when all can. Order: notices of one caller come in the
    /// order of its calls. Cancel: waits for no other node any more; that node's lease is not renewed.
    func publish(_ notice: CredentialNotice) async
}
