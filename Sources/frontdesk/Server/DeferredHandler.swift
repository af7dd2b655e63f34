import DeskHTTP
import Synchronization

/// Serves as the handler until the server is complete: its links need the port, and the port is
/// known only when the server is made.
final class DeferredHandler: Handler {
    private let handler = Mutex<(any Handler)?>(nil)

    /// Sets the handler, once and before the first request.
    func set(_ handler: any Handler) {
        self.handler.withLock { current in
            precondition(current == nil, "the handler is set twice")
            current = handler
        }
    }

    func respond(to request: Request) async -> Response {
        guard let handler = handler.withLock({ $0 }) else {
            return .problem(.serviceUnavailable, code: "unavailable")
        }
        return await handler.respond(to: request)
    }
}
