/// Every limit and deadline of the HTTP server, under one name each.
///
/// The defaults are the server's; `set(_:to:)` changes one by its name, as a command line does.
public struct ServerLimits: Sendable {
    /// Largest request line in bytes, its line end included; beyond it 414.
    public var requestLineBytes = 8 * 1024
    /// Largest header field line in bytes, its line end included; beyond it 431.
    public var headerFieldBytes = 8 * 1024
    /// Largest head in bytes, request line and all fields together; beyond it 431.
    public var headerBytes = 16 * 1024
    /// Largest number of header fields; beyond it 431.
    public var headerCount = 100
    /// Largest cookie in bytes, name and value together; beyond it 431.
    public var cookieBytes = 4096
    /// Longest chunk extension in bytes; beyond it 400.
    public var chunkExtensionBytes = 256
    /// Largest unread body that is skipped to keep the connection; beyond it the connection ends.
    public var skippedBodyBytes = 64 * 1024

    /// Time for a TLS handshake; then the connection is closed.
    public var tlsHandshake = Duration.seconds(10)
    /// Time for the first byte on a new connection; then it is closed.
    public var firstByte = Duration.seconds(10)
    /// Time from the first byte of a head to its last; then 408.
    public var headComplete = Duration.seconds(10)
    /// Time for a body of at most `smallBodyBytes`; then 408.
    public var bodyComplete = Duration.seconds(30)
    /// Largest body in bytes that has to arrive within `bodyComplete`; larger ones have a minimum rate.
    public var smallBodyBytes = 1024 * 1024
    /// Lowest rate of a large body in bytes a second, averaged over `uploadWindow`; below it 408.
    public var uploadBytesPerSecond = 1024
    /// Time over which the rate of a large body is averaged.
    public var uploadWindow = Duration.seconds(10)
    /// Time for a large body in all; then 408.
    public var uploadComplete = Duration.seconds(15 * 60)
    /// Time between requests on a kept connection; then it is closed.
    public var keepAliveIdle = Duration.seconds(60)
    /// Requests on one connection; the last one's response closes it.
    public var keepAliveRequests = 1000
    /// Time for a handler to give its response; then 503.
    public var handlerTime = Duration.seconds(15)
    /// Time in which a peer reads no byte of what is sent; then the connection is closed.
    public var writeStall = Duration.seconds(10)
    /// Time in which the rest of what a peer sends is dropped, so that it sees the last answer.
    public var linger = Duration.seconds(1)
    /// Most bytes that are dropped this way; then the connection is closed.
    ///
    /// More than any body but an upload has: a balancer whose peer is reset may have no answer for its client.
    public var lingerBytes = 16 * 1024 * 1024

    /// Time between pings to a WebSocket peer.
    public var heartbeat = Duration.seconds(25)
    /// Time for the pong to a ping; then the connection is closed.
    public var pong = Duration.seconds(10)
    /// Largest WebSocket message received, in bytes; beyond it close code 1009.
    public var webSocketMessageBytes = 64 * 1024
    /// Largest WebSocket frame received, in bytes; beyond it close code 1009.
    public var webSocketFrameBytes = 64 * 1024
    /// Fragments of one WebSocket message received; beyond it close code 1009.
    public var webSocketFragments = 64

    /// Connections in all; beyond it new ones wait in the kernel's backlog.
    public var connections = 16_000
    /// Connections from one address, loopback aside; beyond it a new one is closed at once.
    public var connectionsPerAddress = 1_024
    /// Connections waiting to be accepted.
    public var acceptBacklog = 1024

    /// Time that running requests get after a drain starts; then their connections are closed.
    public var drainRequests = Duration.seconds(10)
    /// Time over which open streams are ended after a drain starts.
    public var drainStreams = Duration.seconds(20)
    /// Time in which a stream that a drain ends may send its last bytes; then it is closed.
    public var lastWord = Duration.seconds(5)
    /// Time that requests get which came during a drain, once the listener is closed; then they are cut.
    public var drainLast = Duration.seconds(1)
    /// Time for a drain in all; then everything is closed.
    public var drainAll = Duration.seconds(30)

    /// Makes the server's limits.
    public init() {}
}
