import DeskHTTP
import Synchronization

/// The stream that a connection has become; it runs in steps and is idle in between.
// Sendable: all state but `isWoken` is touched only on the loop's thread.
final class ConnectionSteps: StreamLine, @unchecked Sendable {
    /// How the output is framed.
    enum Framing {
        case chunks
        case plain
        case socket(ServerLimits)
    }

    /// Most frames handled in one run, so that other streams are not delayed.
    private static let framesAtOnce = 64

    // A reference cycle until `finish`: a late wake-up must find the stream.
    private let connection: HTTPConnection
    private let stream: any SteppedStream
    private let isChunked: Bool
    private var decoder: WebSocketDecoder?
    private let isWoken = Atomic(false)
    private var due = MonotonicTime.never
    private var nextPing = MonotonicTime.never
    private var pongDue = MonotonicTime.never
    private var isOver = false
    private var hasSentClose = false
    private var frames = 0

    init(_ connection: HTTPConnection, _ stream: any SteppedStream, _ framing: Framing) {
        self.connection = connection
        self.stream = stream
        switch framing {
        case .chunks: isChunked = true
        case .plain: isChunked = false
        case .socket(let limits):
            isChunked = false
            decoder = WebSocketDecoder(limits: limits)
            nextPing = connection.loop.now + connection.service.times.heartbeat
        }
    }

    /// Whether the peer speaks WebSocket.
    var isSocket: Bool { decoder != nil }

    var isDraining: Bool { connection.service.isDraining.load(ordering: .relaxed) }

    /// Runs steps until there is nothing to do; false when the stream has ended.
    func run(_ first: StreamCause?) async -> Bool {
        var cause = first
        frames = 0
        while !isOver {
            if mustEnd {
                await end()
            } else if let next = cause {
                cause = nil
                await perform(next)
            } else if isWoken.exchange(false, ordering: .acquiring) || connection.loop.now >= due {
                cause = .due
            } else if isSocket, frames < Self.framesAtOnce, let event = await nextEvent() {
                cause = await answer(event)
            } else if !isOver, await heartIsFine() {
                return true
            }
        }
        return false
    }

    /// Ends the task and waits, without one, for the next event.
    func waitIdle() {
        connection.channel.waitIdle(until: min(due, nextPing, pongDue))
        let channel = connection.channel
        let hasInput =
            isSocket && (channel.isReadable || connection.inputStart < connection.input.count)
        if isWoken.load(ordering: .acquiring) || hasInput || mustEnd { channel.endIdle() }
    }

    /// Sends the closing bytes of the stream's framing.
    func finish() async {
        guard !connection.isBroken, !connection.channel.isHungUp else { return }
        if isChunked { _ = await connection.send(ResponseHeadWriter.lastChunk) }
    }

    func send(_ bytes: [UInt8]) async throws(StreamError) {
        guard connection.loop.isCurrent else {
            return try await withTaskExecutorPreference(connection.loop) {
                () async throws(StreamError) in try await self.send(bytes)
            }
        }
        guard !bytes.isEmpty || isSocket else { return }
        let framed =
            isSocket
            ? WebSocketFrame.text(bytes) : isChunked ? ConnectionStream.chunk(bytes) : bytes
        guard await sendFramed(framed) else {
            throw connection.hasStalled ? .stalled : .disconnected
        }
    }

    func wake() {
        // The first caller that set it has scheduled the step already.
        guard !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        connection.loop.perform { self.connection.channel.endIdle() }
    }

    private var mustEnd: Bool {
        let channel = connection.channel
        return connection.isBroken || connection.isStreamOver || channel.isHungUp || channel.isEnded
            || (!isSocket && channel.isHalfClosed)
    }

    private func perform(_ cause: StreamCause) async {
        switch await stream.step(cause, on: self) {
        case .upTo(let time): due = connection.loop.now + Nanoseconds(time)
        case .over(let code):
            isOver = true
            await close(code)
        }
    }

    private func end() async {
        isOver = true
        _ = await stream.step(.ending, on: self)
        await close(isDraining ? 1001 : 1000)
    }

    /// The peer's next event; nil when none has arrived.
    private func nextEvent() async -> WebSocketDecoder.Event? {
        while !isOver {
            let available = connection.inputStart..<connection.input.count
            guard available.isEmpty else {
                let input = connection.input
                let problem: WebSocketProblem
                do throws(WebSocketProblem) {
                    guard let result = try decoder?.decode(input.span.extracting(available)) else {
                        return nil
                    }
                    connection.consumeInput(result.taken)
                    if let event = result.event { return event }
                    continue
                } catch { problem = error }
                await fail(problem.closeCode)
                return nil
            }
            switch connection.fillAtHand() {
            case .filled: continue
            case .nothing: return nil
            case .ended:
                // The peer closed without a close frame; none is sent back.
                connection.isBroken = true
                await end()
            }
        }
        return nil
    }

    private func answer(_ event: WebSocketDecoder.Event) async -> StreamCause? {
        frames += 1
        switch event {
        case .message(let message): return .message(message)
        case .ping(let payload): _ = await sendFramed(WebSocketFrame.pong(payload))
        case .pong:
            pongDue = .never
            nextPing = connection.loop.now + connection.service.times.heartbeat
        case .close(let code): await fail(code ?? 1000)
        }
        return nil
    }

    /// Ends the session with the code that the peer's mistake calls for.
    private func fail(_ code: UInt16) async {
        isOver = true
        _ = await stream.step(.ending, on: self)
        await close(code)
    }

    /// Sends a ping when it is time; false when the last one was not answered in time.
    private func heartIsFine() async -> Bool {
        guard isSocket else { return true }
        let now = connection.loop.now
        if now >= pongDue {
            connection.isBroken = true
            return false
        }
        if now >= nextPing {
            nextPing = now + connection.service.times.heartbeat
            pongDue = min(pongDue, now + connection.service.times.pong)
            return await sendFramed(WebSocketFrame.ping())
        }
        return true
    }

    private func close(_ code: UInt16) async {
        guard isSocket, !hasSentClose else { return }
        hasSentClose = true
        _ = await sendFramed(WebSocketFrame.close(code: code))
    }

    private func sendFramed(_ bytes: [UInt8]) async -> Bool {
        guard !connection.isBroken, !connection.channel.isHungUp else { return false }
        return await connection.send(bytes)
    }
}
