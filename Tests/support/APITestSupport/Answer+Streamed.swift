import DeskHTTP
import Synchronization
import Testing

extension Answer {
    /// The answer with a body that was streamed read to its end; a body that is cut off is an issue.
    package func whole() async -> Answer {
        guard case .stream(let write) = response.body else { return self }
        let sink = GatheringSink()
        await write(ResponseStream(sink))
        var response = response
        response.body = .bytes(sink.bytes)
        return Answer(response: response)
    }
}

/// Keeps what a body writes.
private final class GatheringSink: ResponseSink {
    private let state = Mutex<[UInt8]>([])

    var bytes: [UInt8] { state.withLock { $0 } }
    var isDraining: Bool { false }

    func write(_ bytes: [UInt8]) async throws(StreamError) { state.withLock { $0 += bytes } }

    func cut() async { Issue.record("the body was cut") }
}
