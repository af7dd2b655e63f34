import DeskCrypto
import DeskHTTP
import DeskLog
import DeskNet
import Foundation
import Synchronization

/// Handles requests by a closure.
struct ClosureHandler: Handler {
    let answer: @Sendable (Request) async -> Response

    func respond(to request: Request) async -> Response { await answer(request) }
}

/// Runs a server on a free port of the loopback address while the closure uses it.
func withServer<Answer: Sendable>(
    limits: ServerLimits = ServerLimits(), loops: Int = 2, tls: TLSContext? = nil,
    clock: (@Sendable () -> UInt64)? = nil, metrics: Metrics = Metrics(),
    handler: @escaping @Sendable (Request) async -> Response,
    _ use: @Sendable (Server) async throws -> Answer
) async throws -> Answer {
    var configuration = Server.Configuration(
        listen: [ListenAddress(host: "127.0.0.1", port: 0)], tls: tls)
    configuration.limits = limits
    configuration.loops = loops
    configuration.clock = clock
    let server = Server(configuration, handler: ClosureHandler(answer: handler), metrics: metrics)
    try server.start()
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await server.run() }
        let answer = try await use(server)
        group.cancelAll()
        return answer
    }
}

/// Runs blocking work on a thread of its own, since tasks have only one thread a core.
func blocking<Answer: Sendable>(
    _ work: @escaping @Sendable () throws -> Answer
) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
    }
}

/// A clock that moves only when a test moves it.
final class StillClock: Sendable {
    private let nanoseconds = Mutex<UInt64>(1_000_000_000_000)

    var now: UInt64 { nanoseconds.withLock { $0 } }

    func advance(by time: Duration) {
        let (seconds, attoseconds) = time.components
        let count = UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
        nanoseconds.withLock { $0 += count }
    }
}

/// Something a test waits for from another task; set once.
final class Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func set() { continuation.finish() }

    func wait() async { for await _ in stream {} }
}
