/// Who is at the other end of a connection.
public struct Peer: Sendable {
    /// The address in text, without a port: `203.0.113.7` or `2001:db8::1`.
    public let address: String
    /// Whether the address is of this machine's loopback range.
    public let isLoopback: Bool

    private let mark: (any PeerMark)?

    /// What budgets that count by address count.
    public var network: ClientNetwork { ClientNetwork(address) }

    /// Names a peer; `mark` is told when somebody vouches for it.
    public init(address: String, isLoopback: Bool, mark: (any PeerMark)? = nil) {
        self.address = address
        self.isLoopback = isLoopback
        self.mark = mark
    }

    /// Whom this peer speaks for, over the same connection; never somebody on this machine.
    public func speaking(for address: String) -> Peer {
        Peer(address: address, isLoopback: false, mark: mark)
    }

    /// A peer on this machine, for handler tests.
    public static let loopback = Peer(address: "127.0.0.1", isLoopback: true)

    /// Says that a request of this connection carried a valid credential.
    ///
    /// The connection no longer counts towards the limit of unknown connections an address may have.
    public func markAuthenticated() { mark?.markAuthenticated() }

    /// Lets the handler of the connection's request take this much longer than `handler-time`.
    ///
    /// For work that waits its turn in a queue which bounds the wait itself. A drain ends it as ever.
    public func allowHandlerTime(_ more: Duration) { mark?.allowHandlerTime(more) }
}

/// What a handler may say about the connection that its request came over; the connection is one.
public protocol PeerMark: Sendable {
    /// Notes that the peer has shown a credential; more than once is no harm.
    func markAuthenticated()
    /// Gives the handler that runs its time anew, and this much more.
    func allowHandlerTime(_ more: Duration)
}
