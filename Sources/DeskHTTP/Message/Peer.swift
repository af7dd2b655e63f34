/// Who is at the other end of a connection.
public struct Peer: Sendable, Hashable {
    /// The address in text, without a port: `203.0.113.7` or `2001:db8::1`.
    public let address: String
    /// Whether the address is of this machine's loopback range.
    public let isLoopback: Bool

    /// Names a peer.
    public init(address: String, isLoopback: Bool) {
        self.address = address
        self.isLoopback = isLoopback
    }

    /// A peer on this machine, for handler tests.
    public static let loopback = Peer(address: "127.0.0.1", isLoopback: true)
}
