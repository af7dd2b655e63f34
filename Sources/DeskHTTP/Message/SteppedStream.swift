/// A long response that runs in steps: between them it holds no task, so an idle one costs little.
///
/// Order: one step at a time. The stream ends with a step that returns `over`, or with `ending`.
public protocol SteppedStream: Sendable {
    /// Does the work at hand and returns how long the stream may be idle.
    ///
    /// Cancel: when the peer is gone or the server ends; a step `ending` follows.
    func step(_ cause: StreamCause, on line: any StreamLine) async -> StepResult
}

/// Why a stream's step runs.
public enum StreamCause: Sendable, Equatable {
    /// The head of the response was sent.
    case opened
    /// The peer of a WebSocket sent a message.
    case message(WebSocketMessage)
    /// `wake` was called, or the idle time has passed.
    case due
    /// The peer is gone or the server ends: the stream may send a last piece; its result is ignored.
    case ending
}

/// How a stream continues after a step.
public enum StepResult: Sendable, Equatable {
    /// The next step runs after this time at the latest.
    case upTo(Duration)
    /// The stream ends; a WebSocket sends the close code.
    case over(code: UInt16)
}

/// Sends to a stream's peer; a connection implements it, tests supply their own.
public protocol StreamLine: Sendable {
    /// Whether the server is ending.
    var isDraining: Bool { get }

    /// Sends a piece of an event stream, or to a WebSocket's peer one message of UTF-8 text.
    ///
    /// Returns when the kernel has accepted it. Limit: a peer that accepts no byte for 10 s is cut off.
    func send(_ bytes: [UInt8]) async throws(StreamError)

    /// Schedules a step `due` soon; several calls before it schedule one.
    ///
    /// Thread: any.
    func wake()
}
