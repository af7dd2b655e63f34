/// A long answer that works in turns: between them it holds no task, so an idle one costs little.
///
/// Order: one turn at a time. The stream ends with a turn that answers `over`, or with `ending`.
public protocol RestingStream: Sendable {
    /// Does what there is to do now and says how long it may rest.
    ///
    /// Cancel: when the peer is gone or the server ends; a turn `ending` follows.
    func turn(_ cause: StreamTurn, on line: any StreamLine) async -> StreamRest
}

/// Why a stream's turn has come.
public enum StreamTurn: Sendable, Equatable {
    /// The head of the response was sent.
    case opened
    /// The peer of a WebSocket said something.
    case message(WebSocketMessage)
    /// Somebody called `wake`, or the rest is over.
    case due
    /// The peer is gone or the server ends: a last word may be said, what is answered is not heard.
    case ending
}

/// How a stream goes on after a turn.
public enum StreamRest: Sendable, Equatable {
    /// The next turn comes after this time at the latest.
    case upTo(Duration)
    /// The stream is over; a WebSocket's peer is told the code.
    case over(code: UInt16)
}

/// The line to a stream's peer; the connection is one, tests bring their own.
public protocol StreamLine: Sendable {
    /// Whether the server is ending.
    var isDraining: Bool { get }

    /// Sends a piece of an event stream, or to a WebSocket's peer one message of UTF-8 text.
    ///
    /// Returns when the kernel has taken it. Limit: a peer that takes no byte for 10 s is cut off.
    func send(_ bytes: [UInt8]) async throws(StreamError)

    /// Asks for a turn `due` soon; more than once before it is no more than once.
    ///
    /// Thread: any.
    func wake()
}
