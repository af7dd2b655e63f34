package import DeskHTTP
package import DeskModel

/// Runs a stream's steps, as a connection would.
package final class StepDriver: StreamLine {
    private let causes: AsyncStream<StreamCause>
    private let continuation: AsyncStream<StreamCause>.Continuation
    private let write: @Sendable ([UInt8]) throws(StreamError) -> Void
    private let time: TimeSource

    package init(time: TimeSource, write: @escaping @Sendable ([UInt8]) throws(StreamError) -> Void)
    {
        (causes, continuation) = AsyncStream.makeStream()
        self.time = time
        self.write = write
    }

    package var isDraining: Bool { false }

    package func send(_ bytes: [UInt8]) async throws(StreamError) { try write(bytes) }

    package func wake() { continuation.yield(.due) }

    /// The peer says something.
    package func say(_ text: String) { continuation.yield(.message(.text(text))) }

    /// The peer is gone.
    package func end() { continuation.yield(.ending) }

    /// Runs the stream to its end; returns the close code.
    package func run(_ stream: any SteppedStream) async -> UInt16 {
        var iterator = causes.makeAsyncIterator()
        var cause: StreamCause? = .opened
        while let turn = cause {
            switch await stream.step(turn, on: self) {
            case .over(let code): return code
            case .upTo(let rest):
                // The rest is cancelled where its turn comes before it has ended.
                async let _ = wakeAfter(rest)
                cause = await iterator.next()
            }
        }
        return 1000
    }

    private func wakeAfter(_ rest: Duration) async {
        // Safe: a rest that is cut short belongs to a turn that is past.
        guard (try? await time.sleep(rest)) != nil else { return }
        wake()
    }
}
