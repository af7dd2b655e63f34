package import DeskGateway
package import DeskHTTP
package import DeskModel
import Synchronization

/// Numbers requests from 1 and remembers what it receives; its disk is as full as a test says.
package final class TestWatch: GatewayWatch {
    private struct State {
        var isFull = false
        var begun: UInt64 = 0
        var ended: [String] = []
        var refused = 0
    }

    private let state = Mutex(State())

    package var isFull: Bool { state.withLock(\.isFull) }

    /// What ended: operation and status.
    package var ended: [String] { state.withLock(\.ended) }

    /// Writes refused because the disk is full.
    package var refused: Int { state.withLock(\.refused) }

    package func set(full isFull: Bool) { state.withLock { $0.isFull = isFull } }

    package func begin(_ request: Request) -> RequestTrace {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        return RequestTrace(number: number, parent: TraceParent(request.headers))
    }

    package func end(
        _ trace: RequestTrace, operation: String, _ status: Status, refusal: GatewayRefusal?,
        by link: GatewayLinkID?, lasting span: Duration
    ) {
        state.withLock { $0.ended.append("\(operation) \(status.code)") }
    }

    package func noteRefused() { state.withLock { $0.refused += 1 } }

    package func noteFull() { set(full: true) }
}

/// Clocks that move only when they are moved.
package final class TestHands: Sendable {
    private let time = Mutex(Duration.zero)

    package var passed: Duration { time.withLock { $0 } }

    package func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
