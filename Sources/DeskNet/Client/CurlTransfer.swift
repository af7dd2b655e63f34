import DeskHTTP
import Synchronization

/// The state of one exchange that the caller's task and the loop's thread share.
///
/// Thread: any. The caller waits for one thing at a time, so that there is one waiter at most.
final class CurlTransfer: Sendable {
    /// Most bytes of an answer that are buffered here; more stay in the socket.
    static let mostUnread = 65_536

    /// What the loop does with received bytes, or with a request for bytes to send.
    enum Answer: Equatable {
        case bytes(Int)
        case pause
        case stop
    }

    struct State {
        /// The piece that is being sent, and how much of it has been sent.
        var piece: [UInt8] = []
        var pieceSent = 0
        /// Bytes of the body that were handed to libcurl.
        var sent: Int64 = 0
        /// Whether no piece follows.
        var isBodyGiven = false
        var isSendPaused = false

        var head: AnswerHead?
        var unread: [UInt8] = []
        var isReceivePaused = false

        /// How the exchange ended; it does not change afterwards.
        var end: Result<Void, OutgoingError>?

        /// Whether the caller or the client has cancelled it.
        var isCancelled: Bool {
            if case .failure(let error) = end { error.code == .cancelled } else { false }
        }

        fileprivate var changes = 0
        fileprivate var waiter: CheckedContinuation<Void, Never>?
        /// Whether the waiter waits for the end, and for no change before.
        fileprivate var isEndAwaited = false

        fileprivate mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            guard end != nil || !isEndAwaited else { return nil }
            defer { waiter = nil }
            return waiter
        }
    }

    /// An answer that was collected.
    struct Whole: Sendable {
        let head: AnswerHead
        let body: [UInt8]
    }

    let request: OutgoingRequest
    /// Whether the answer is collected here, up to the request's limit, or read piece by piece.
    let collects: Bool
    private let state: Mutex<State>

    init(_ request: OutgoingRequest, collects: Bool) {
        self.request = request
        self.collects = collects
        var first = State()
        switch request.body {
        case .empty: first.isBodyGiven = true
        case .bytes(let bytes):
            first.piece = bytes
            first.isBodyGiven = true
        case .pieces: break
        }
        state = Mutex(first)
    }

    /// How many bytes are sent; nil for no body at all.
    var bodyLength: Int64? {
        switch request.body {
        case .empty: nil
        case .bytes(let bytes): Int64(bytes.count)
        case .pieces(_, let count): max(0, count)
        }
    }

    var isOver: Bool { state.withLock { $0.end != nil } }

    /// What is paused on our side: sending, receiving.
    var pauses: (send: Bool, receive: Bool) {
        state.withLock { ($0.isSendPaused, $0.isReceivePaused) }
    }

    /// Changes the state and wakes the waiting task, unless that waits for the end alone.
    func change<Outcome: Sendable>(_ body: (inout State) -> Outcome) -> Outcome {
        let (outcome, waiter) = state.withLock { state in
            let outcome = body(&state)
            state.changes += 1
            return (outcome, state.takeWaiter())
        }
        waiter?.resume()
        return outcome
    }

    /// Ends the exchange once; a later call changes nothing.
    func end(_ result: Result<Void, OutgoingError>) {
        change { state in
            guard state.end == nil else { return }
            state.end = result
            if state.isCancelled { state.unread = [] }
            state.piece = []
        }
    }

    /// Waits until the closure returns a value for the state.
    func wait<Outcome: Sendable>(_ ready: (inout State) -> Outcome?) async -> Outcome {
        while true {
            let (outcome, seen) = state.withLock { (ready(&$0), $0.changes) }
            if let outcome { return outcome }
            await withCheckedContinuation { continuation in
                let late = state.withLock { state -> CheckedContinuation<Void, Never>? in
                    guard state.changes == seen else { return continuation }
                    state.waiter = continuation
                    return nil
                }
                late?.resume()
            }
        }
    }

    /// Waits until the exchange has ended, and is woken once: the answer, or why there is none.
    func whole() async -> Result<Whole, OutgoingError> {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.end == nil else { return true }
                state.isEndAwaited = true
                state.waiter = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
        return state.withLock { state -> Result<Whole, OutgoingError> in
            if case .failure(let error) = state.end { return .failure(error) }
            guard let head = state.head else {
                return .failure(OutgoingError(.cutOff, "the exchange ended without a head"))
            }
            return .success(Whole(head: head, body: state.unread))
        }
    }
}

/// The side of the loop's thread.
extension CurlTransfer {
    /// Copies what is to be sent next; 0 bytes at the end.
    func give(_ room: UnsafeMutableRawBufferPointer) -> Answer {
        change { state in
            guard state.end == nil else { return .stop }
            let left = state.piece.count - state.pieceSent
            guard left > 0 else {
                guard !state.isBodyGiven else { return .bytes(0) }
                state.isSendPaused = true
                return .pause
            }
            let count = min(left, room.count)
            unsafe room.copyBytes(from: state.piece[state.pieceSent..<state.pieceSent + count])
            state.pieceSent += count
            state.sent += Int64(count)
            return .bytes(count)
        }
    }

    /// Rewinds to the body's first byte, where that is possible.
    func rewind() -> Bool {
        change { state in
            guard state.end == nil, state.sent == Int64(state.pieceSent) else { return false }
            state.pieceSent = 0
            state.sent = 0
            return true
        }
    }

    /// Buffers a piece of the answer.
    func take(_ piece: UnsafeRawBufferPointer) -> Answer {
        change { state in
            guard state.end == nil else { return .stop }
            let most = collects ? request.answerLimit : CurlTransfer.mostUnread
            guard state.unread.count + piece.count <= most else {
                guard collects else {
                    state.isReceivePaused = true
                    return .pause
                }
                let detail = "the answer has more than \(request.answerLimit) bytes"
                state.end = .failure(OutgoingError(.tooLarge, detail))
                return .stop
            }
            unsafe state.unread.append(contentsOf: piece)
            return .bytes(piece.count)
        }
    }
}
