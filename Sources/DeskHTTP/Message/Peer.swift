/// The peer of a connection.
public struct Peer: Sendable {
    /// The address in text, without a port: `203.0.113.7` or `2001:db8::1`.
    public let address: String
    /// Whether the address is of this machine's loopback range.
    public let isLoopback: Bool

    /// Whether a trusted proxy named the address.
    public private(set) var isNamedByProxy = false

    /// What budgets that count by address count.
    public let network: ClientNetwork

    private let mark: (any PeerMark)?

    /// Names a peer; `mark` is called when a request authenticates it.
    ///
    /// `network` is the address's own. A connection reads it once for all of its requests.
    public init(
        address: String, network: ClientNetwork? = nil, isLoopback: Bool,
        mark: (any PeerMark)? = nil
    ) {
        self.address = address
        self.network = network ?? ClientNetwork(address)
        self.isLoopback = isLoopback
        self.mark = mark
    }

    /// The client that this peer, a proxy, forwards for; never an address of this machine.
    public func speaking(for address: String) -> Peer {
        var peer = Peer(address: address, isLoopback: false, mark: mark)
        peer.isNamedByProxy = true
        return peer
    }

    /// A peer on this machine, for handler tests.
    public static let loopback = Peer(address: "127.0.0.1", isLoopback: true)

    /// Marks the connection: one of its requests carried a valid credential.
    ///
    /// The connection no longer counts towards the limit of unknown connections an address may have.
    public func markAuthenticated() { mark?.markAuthenticated() }

    /// Extends the deadline of the running handler by this much beyond `handler-time`.
    ///
    /// For work that waits in a queue which bounds the wait itself. A drain ends it as usual.
    public func allowHandlerTime(_ more: Duration) { mark?.allowHandlerTime(more) }

    /// Cancels the running handler's task when the peer closes the connection, or its direction of it.
    ///
    /// For work that is worth nothing without the one that asked for it; other handlers finish what they began.
    /// Cancel: at once where the peer has closed already. The connection ends with this request then.
    public func cancelHandlerWhenClosed() { mark?.cancelHandlerWhenClosed() }
}

/// What a handler may change about its request's connection; the connection implements it.
public protocol PeerMark: Sendable {
    /// Notes that the peer has shown a credential; more than once is no harm.
    func markAuthenticated()
    /// Restarts the deadline of the running handler, extended by this much.
    func allowHandlerTime(_ more: Duration)
    /// Cancels the running handler's task when the peer closes; more than once is no harm.
    func cancelHandlerWhenClosed()
}
