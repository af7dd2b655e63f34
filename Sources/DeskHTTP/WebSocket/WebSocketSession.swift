/// A whole message from or to a WebSocket peer.
public enum WebSocketMessage: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
}

/// Why a WebSocket session ended before the handler ended it.
public enum WebSocketError: Error, Sendable, Equatable {
    /// The peer went away without a close frame.
    case disconnected
    /// The peer read no byte for the write-stall deadline, or left a ping unanswered.
    case stalled
    /// The peer broke the protocol; it was sent this close code.
    case refused(code: UInt16)
    /// The session is closed already.
    case closed
}

/// Moves a session's messages; the connection is one, tests bring their own.
public protocol WebSocketTransport: Sendable {
    /// Whether the server is ending.
    var isDraining: Bool { get }
    /// Waits for the next message; nil after a clean close.
    func receive() async throws(WebSocketError) -> WebSocketMessage?
    /// Sends one message; returns when the kernel has accepted it.
    func send(_ message: WebSocketMessage) async throws(WebSocketError)
    /// Sends a ping at once; the pong is awaited for the deadline of the limits.
    func ping() async throws(WebSocketError)
    /// Sends a close frame once; later sends fail.
    func close(code: UInt16) async
}

/// One open WebSocket (RFC 6455), lent to the handler's closure.
public struct WebSocketSession: Sendable {
    private let transport: any WebSocketTransport

    /// Wraps whatever moves the messages.
    public init(_ transport: any WebSocketTransport) { self.transport = transport }

    /// Whether the server is ending; the session is then closed with 1001 when the closure returns.
    public var isDraining: Bool { transport.isDraining }

    /// Waits for the next message; nil when the peer closed, or the server ends.
    ///
    /// Keep one call waiting at all times: pings (every 25 s) and pongs are handled inside it. One
    /// caller at a time. Limit: 64 KiB a message, 64 fragments; beyond it the peer is sent close
    /// code 1009.
    public func receive() async throws(WebSocketError) -> WebSocketMessage? {
        try await transport.receive()
    }

    /// Sends a text message and waits until the kernel has accepted it.
    ///
    /// Order: sends from one task arrive in order; frames of several tasks are never mixed. Limit:
    /// a peer that reads no byte for 10 s is cut off.
    public func send(text: String) async throws(WebSocketError) {
        try await transport.send(.text(text))
    }

    /// Sends a binary message, as `send(text:)`.
    public func send(binary: [UInt8]) async throws(WebSocketError) {
        try await transport.send(.binary(binary))
    }

    /// Sends a ping beside the regular ones.
    public func ping() async throws(WebSocketError) { try await transport.ping() }

    /// Says goodbye with a code of RFC 6455 7.4.1; 1000 is a normal end.
    public func close(code: UInt16 = 1000) async { await transport.close(code: code) }
}
