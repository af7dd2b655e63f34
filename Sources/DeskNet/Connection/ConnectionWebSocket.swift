import DeskHTTP
import Synchronization

/// The WebSocket that a connection has become.
// Sendable: all state is touched only on the loop's thread.
final class ConnectionWebSocket: WebSocketTransport, @unchecked Sendable {
    private unowned let connection: Connection
    private var decoder: WebSocketDecoder
    private var nextPing: MonotonicTime
    private var pongDue = MonotonicTime.never
    private var hasSentClose = false
    private var hasReceivedClose = false
    private var failure: WebSocketError?

    init(_ connection: Connection) {
        self.connection = connection
        decoder = WebSocketDecoder(limits: connection.service.limits)
        nextPing = connection.loop.now + connection.service.times.heartbeat
    }

    var isDraining: Bool { connection.service.isDraining.load(ordering: .relaxed) }

    func receive() async throws(WebSocketError) -> WebSocketMessage? {
        guard connection.loop.isCurrent else {
            return try await withTaskExecutorPreference(connection.loop) {
                () async throws(WebSocketError) in try await self.receive()
            }
        }
        while true {
            if let failure { throw failure }
            if hasReceivedClose || hasSentClose || connection.isStreamOver { return nil }
            if let event = try await nextEvent() {
                if let message = try await take(event) { return message }
                continue
            }
            try await waitForInput()
        }
    }

    func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        try await write(WebSocketFrame.bytes(of: message))
    }

    func ping() async throws(WebSocketError) {
        try await write(WebSocketFrame.ping())
        pongDue = min(pongDue, connection.loop.now + connection.service.times.pong)
    }

    func close(code: UInt16) async {
        guard connection.loop.isCurrent else {
            return await withTaskExecutorPreference(connection.loop) {
                await self.close(code: code)
            }
        }
        guard !hasSentClose, failure == nil, !connection.isBroken else { return }
        hasSentClose = true
        let frame = WebSocketFrame.close(code: code)
        _ = await connection.whileWriting { await connection.send(frame) }
        // A pending receive will get no more messages.
        connection.channel.expireRead()
    }

    /// Sends the close frame when the handler's closure has returned.
    func finish(isDraining: Bool) async { await close(code: isDraining ? 1001 : 1000) }

    private func write(_ frame: [UInt8]) async throws(WebSocketError) {
        guard connection.loop.isCurrent else {
            return try await withTaskExecutorPreference(connection.loop) {
                () async throws(WebSocketError) in try await self.write(frame)
            }
        }
        if let failure { throw failure }
        guard !hasSentClose else { throw .closed }
        guard !connection.isBroken, !connection.channel.isHungUp else { throw .disconnected }
        guard await connection.whileWriting({ await connection.send(frame) }) else {
            throw connection.hasStalled ? .stalled : .disconnected
        }
    }

    private func nextEvent() async throws(WebSocketError) -> WebSocketDecoder.Event? {
        let available = connection.inputStart..<connection.input.count
        guard !available.isEmpty else { return nil }
        let input = connection.input
        let problem: WebSocketProblem
        do throws(WebSocketProblem) {
            let (event, taken) = try decoder.decode(input.span.extracting(available))
            connection.consumeInput(taken)
            return event
        } catch { problem = error }
        await close(code: problem.closeCode)
        failure = .refused(code: problem.closeCode)
        throw .refused(code: problem.closeCode)
    }

    private func take(
        _ event: WebSocketDecoder.Event
    ) async throws(WebSocketError) -> WebSocketMessage? {
        switch event {
        case .message(let message):
            return message
        case .ping(let payload):
            try await write(WebSocketFrame.pong(payload))
        case .pong:
            pongDue = .never
            nextPing = connection.loop.now + connection.service.times.heartbeat
        case .close(let code):
            hasReceivedClose = true
            await close(code: code ?? 1000)
        }
        return nil
    }

    private func waitForInput() async throws(WebSocketError) {
        switch await connection.fill(until: min(nextPing, pongDue)) {
        case .filled: break
        case .ended:
            connection.isBroken = connection.isBroken || connection.channel.isHungUp
            failure = .disconnected
            throw .disconnected
        case .expired:
            let now = connection.loop.now
            if now >= pongDue {
                connection.isBroken = true
                failure = .stalled
                throw .stalled
            }
            if now >= nextPing {
                nextPing = now + connection.service.times.heartbeat
                try await ping()
            }
        }
    }
}
