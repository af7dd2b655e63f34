/// Accepts a streamed body's bytes; a connection implements it, tests supply their own.
public protocol ResponseSink: Sendable {
    /// Whether the server is ending; the stream's task is cancelled then.
    var isDraining: Bool { get }

    /// Sends bytes; returns when the kernel has accepted them.
    func write(_ bytes: [UInt8]) async throws(StreamError)

    /// Ends the connection where it is, so that the peer sees that the body is not whole.
    func cut() async
}

/// Why a stream accepts no more bytes; the closure can only return.
public enum StreamError: Error, Sendable, Equatable {
    /// The peer went away.
    case disconnected
    /// The peer accepted no byte within the write-stall deadline.
    case stalled
}

/// The writing end of a streamed response.
public struct ResponseStream: Sendable {
    private let sink: any ResponseSink

    /// Wraps the sink of the bytes.
    public init(_ sink: any ResponseSink) { self.sink = sink }

    /// Whether the server is ending: send the last piece (an event stream its `retry`) and return.
    public var isDraining: Bool { sink.isDraining }

    /// Sends bytes and waits until the kernel has accepted them.
    ///
    /// Limit: a peer that accepts no byte for 10 s is cut off. Cancel: ignored, so that the closure can
    /// send a last piece after cancellation.
    public func write(_ bytes: [UInt8]) async throws(StreamError) { try await sink.write(bytes) }

    /// Sends text, as `write` of its UTF-8.
    public func write(_ text: String) async throws(StreamError) {
        try await sink.write(Array(text.utf8))
    }

    /// Ends the connection in the middle of the body: what was to follow cannot be had.
    public func cut() async { await sink.cut() }
}
