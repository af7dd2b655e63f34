import DeskHTTP
import DeskJSON
import Synchronization

/// A page's end of a WebSocket, without sockets.
final class TestSocket: WebSocketTransport {
    private struct State {
        var incoming: [WebSocketMessage] = []
        var outgoing: [String] = []
        var closeCode: UInt16?
        var reader: CheckedContinuation<Void, Never>?
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var isDraining: Bool { false }

    /// The close code that the server sent; nil while it is open.
    var closeCode: UInt16? { state.withLock { $0.closeCode } }

    /// The page says something.
    func say(_ text: String) {
        let reader = state.withLock { state in
            state.incoming.append(.text(text))
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// Waits for the next frames that the server sent, this many in all.
    func heard(_ count: Int) async -> [JSONValue] {
        while true {
            let texts = state.withLock { $0.outgoing }
            if texts.count >= count || closeCode != nil {
                return texts.compactMap { try? JSONDocument(parsing: $0).root }
            }
            await change { $0.outgoing.count >= count || $0.closeCode != nil }
        }
    }

    /// Waits for the server's close.
    func closed() async -> UInt16 {
        while true {
            if let code = closeCode { return code }
            await change { $0.closeCode != nil }
        }
    }

    func receive() async throws(WebSocketError) -> WebSocketMessage? {
        while true {
            let (next, isOver) = state.withLock { state in
                (
                    state.incoming.isEmpty ? nil : state.incoming.removeFirst(),
                    state.closeCode != nil
                )
            }
            if let next { return next }
            if isOver { return nil }
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard state.incoming.isEmpty, state.closeCode == nil else { return true }
                    state.reader = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        }
    }

    func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        guard case .text(let text) = message else { return }
        let watchers = state.withLock { state in
            state.outgoing.append(text)
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.resume() }
    }

    func ping() async throws(WebSocketError) {}

    func close(code: UInt16) async {
        let (reader, watchers) = state.withLock { state in
            if state.closeCode == nil { state.closeCode = code }
            defer {
                state.reader = nil
                state.watchers = []
            }
            return (state.reader, state.watchers)
        }
        reader?.resume()
        for watcher in watchers { watcher.resume() }
    }

    private func change(until isDue: (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                if isDue(state) { return true }
                state.watchers.append(continuation)
                return false
            }
            if isDue { continuation.resume() }
        }
    }
}

/// The reading end of an event stream, without sockets.
final class TestStream: ResponseSink {
    private struct State {
        var text = ""
        var isGone = false
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var isDraining: Bool { false }

    /// Everything written so far.
    var text: String { state.withLock { $0.text } }

    /// The reader goes away: the next write fails.
    func leave() { state.withLock { $0.isGone = true } }

    /// Waits until some text was written.
    func wait(for part: String) async {
        while !text.contains(part) {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if state.text.contains(part) { return true }
                    state.watchers.append(continuation)
                    return false
                }
                if isDue { continuation.resume() }
            }
        }
    }

    func write(_ bytes: [UInt8]) async throws(StreamError) {
        let watchers: [CheckedContinuation<Void, Never>]? = state.withLock { state in
            guard !state.isGone else { return nil }
            state.text += String(decoding: bytes, as: UTF8.self)
            defer { state.watchers = [] }
            return state.watchers
        }
        guard let watchers else { throw .disconnected }
        for watcher in watchers { watcher.resume() }
    }
}
