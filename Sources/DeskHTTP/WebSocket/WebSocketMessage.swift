/// A whole message from a WebSocket peer (RFC 6455).
public enum WebSocketMessage: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
}
