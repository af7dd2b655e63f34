import DeskHTTP
package import DeskJSON
import Synchronization
import TestSupport
import Testing

/// The reading end of a stream of either sort, without sockets.
package final class TestReader: Sendable {
    private struct State {
        var pieces: [[UInt8]] = []
        var closeCode: UInt16?
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// The close code that the server sent; nil while it is open.
    package var closeCode: UInt16? { state.withLock { $0.closeCode } }

    /// Everything written so far, put together.
    package var text: String {
        String(decoding: state.withLock { $0.pieces.joined() }.map { $0 }, as: UTF8.self)
    }

    /// Receives what the server sends.
    package func take(_ bytes: [UInt8]) {
        notify { $0.pieces.append(bytes) }
    }

    /// The server has ended the stream.
    package func close(_ code: UInt16) {
        notify { state in if state.closeCode == nil { state.closeCode = code } }
    }

    /// Waits for this many frames in all, or the end; gives them as JSON.
    ///
    /// Where they do not come in time the test fails, and nulls stand for what is missing.
    package func heard(_ count: Int) async -> [JSONValue] {
        let isThere = await wait("\(count) frames") {
            $0.pieces.count >= count || $0.closeCode != nil
        }
        let frames = state.withLock { $0.pieces }.compactMap { piece in
            let frame = try? JSONDocument(parsing: String(decoding: piece, as: UTF8.self)).root
            // The server's events are checked where they are stored; signals are seen only here.
            if let type = frame?["type"]?.string, !type.contains(".") {
                for fault in EventCatalogue.shared.faults(piece) { Issue.record("\(fault)") }
            }
            return frame
        }
        guard !isThere, let null = try? JSONDocument(parsing: "null").root else { return frames }
        return frames + Array(repeating: null, count: max(0, count - frames.count))
    }

    /// Waits for the server's close.
    package func closed() async -> UInt16 {
        _ = await wait("the close") { $0.closeCode != nil }
        return closeCode ?? 0
    }

    /// Waits until some text was written.
    package func wait(for part: String) async {
        _ = await wait("\(part)") {
            String(decoding: $0.pieces.joined().map { $0 }, as: UTF8.self).contains(part)
        }
    }

    private func notify(_ change: (inout State) -> Void) {
        let watchers = state.withLock { state in
            change(&state)
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.resume() }
    }

    /// Waits until something is due; fails the test and gives false where it is not in time.
    private func wait(_ what: String, until isDue: (State) -> Bool) async -> Bool {
        let end = ContinuousClock.now + Wait.longest
        let alarm = Task {
            try await Task.sleep(until: end)
            notify { _ in }
        }
        defer { alarm.cancel() }
        while !state.withLock({ isDue($0) }) {
            guard ContinuousClock.now < end else {
                Issue.record(
                    "waited \(Wait.longest) in vain for \(what) of a stream; it wrote \(text), code \(closeCode ?? 0)"
                )
                return false
            }
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if isDue(state) || ContinuousClock.now >= end { return true }
                    state.watchers.append(continuation)
                    return false
                }
                if isDue { continuation.resume() }
            }
        }
        return true
    }
}

/// A page's end of a WebSocket, without sockets.
package struct TestSocket: Sendable {
    package let reader: TestReader
    package let turns: StepDriver

    package init(reader: TestReader, turns: StepDriver) {
        self.reader = reader
        self.turns = turns
    }

    /// The close code that the server sent; nil while it is open.
    package var closeCode: UInt16? { reader.closeCode }

    /// The page says something.
    package func say(_ text: String) { turns.say(text) }

    /// Waits for the next frames that the server sent, this many in all.
    package func heard(_ count: Int) async -> [JSONValue] { await reader.heard(count) }

    /// Waits for the server's close.
    package func closed() async -> UInt16 { await reader.closed() }
}
