import DeskJSON
public import DeskModel

/// What a page says over its WebSocket.
public enum ClientFrame: Sendable, Equatable {
    /// The first frame: where to go on; nil for from now on.
    case hello(after: String?)
    /// The reader writes, or stopped.
    case typing(ConversationID?, Signal.State)
    /// The reader looks at a conversation, writes in it, is idle there, or turned away.
    case presence(ConversationID?, Signal.State)
    /// The page is in use, or idle.
    case availability(Signal.State)

    /// Reads a frame; nil for anything that is none.
    public init?(_ text: String) {
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: text, limits: JSONLimits(depth: 4, nodes: 32))
        } catch {
            return nil
        }
        let root = document.root
        let conversation = root["conversation"]?.string.flatMap { ConversationID($0) }
        let state = root["state"]?.string.flatMap { Signal.State(rawValue: $0) }
        switch root["type"]?.string {
        case "hello": self = .hello(after: root["after"]?.string)
        case "typing":
            guard let state, state == .start || state == .end else { return nil }
            self = .typing(conversation, state)
        case "presence":
            guard let state,
                state == .looking || state == .writing || state == .away || state == .idle
            else { return nil }
            self = .presence(conversation, state)
        case "availability":
            guard let state, state == .online || state == .away else { return nil }
            self = .availability(state)
        default: return nil
        }
    }
}
