import DeskCrypto
import DeskHTTP
import DeskLog
import Glibc
import Synchronization

/// One connection: a child task that reads requests, asks the handler and writes responses.
///
/// Thread: touched only on its loop's thread, where its task and the tasks of its streams run.
// Sendable: all state is touched only on the loop's thread.
@safe final class HTTPConnection: @unchecked Sendable {
    /// What the connection is doing when a drain or an alarm interrupts it.
    enum Phase {
        case waiting
        case handling
        case responding
        case streaming
        case finished
    }

    let loop: EventLoop
    let channel: Channel
    let service: Service
    let tls: TLSSession?
    let address: String
    let network: ClientNetwork
    let isLoopback: Bool

    var parser: RequestParser
    /// Plain bytes that were read and not used yet, from `inputStart` on.
    var input: [UInt8] = []
    var inputStart = 0
    /// The total time spent waiting for input; the server's own work does not count.
    var waitedForPeer = Nanoseconds(count: 0)
    var body: ConnectionBody?
    var steps: ConnectionSteps?
    var phase = Phase.waiting
    /// All work that ran when a drain began has ended: finish, start nothing.
    private(set) var isClosing = false
    /// Whether a drain waits for this connection's current work.
    private(set) var holdsDrain = false
    /// When a drain closes the connection unconditionally.
    private(set) var drainEnd = MonotonicTime.never
    /// The alarm has answered for the handler; the handler's response is dropped.
    var isAbandoned = false
    /// The running handler's work ends when the peer closes.
    private var endsHandlerWithPeer = false
    /// The stream is to end: the server drains.
    var isStreamOver = false
    /// The socket accepts no more bytes.
    var isBroken = false
    /// The peer accepted no byte for too long.
    var hasStalled = false
    var requestCount = 0
    var isWriting = false
    var writersWaiting: [UnsafeContinuation<Void, Never>] = unsafe []
    private var isUnauthenticated: Bool
    // Safe: used only to cancel, and only while `serve` runs in that task.
    private var task: UnsafeCurrentTask?

    init(
        adopting descriptor: Int32, address: String, isLoopback: Bool, service: Service,
        loop: EventLoop
    ) throws(CryptoError) {
        self.loop = loop
        channel = Channel(adopting: descriptor, on: loop)
        self.service = service
        self.address = address
        network = ClientNetwork(address)
        self.isLoopback = isLoopback
        isUnauthenticated = !isLoopback
        parser = RequestParser(limits: service.limits)
        if let context = service.tls {
            tls = try TLSSession(context)
        } else {
            tls = nil
        }
    }

    /// Serves requests until the connection ends.
    ///
    /// Run in a task whose preferred executor is the loop.
    func serve() async {
        unsafe withUnsafeCurrentTask { current in unsafe task = current }
        channel.owner = self
        isClosing = service.isClosing.load(ordering: .relaxed)
        service.counts.open.add(1)
        if loop.watch(channel) == 0, !service.isAborting.load(ordering: .relaxed),
            await shakeHands()
        {
            while await serveRequest() {}
            if steps != nil { return await runSteps(.opened) }
            await linger()
        }
        finish()
    }

    /// Runs a stream's steps until there is nothing to do.
    ///
    /// Run in a new task each time, whose preferred executor is the loop: the task's end frees the
    /// memory that the steps needed.
    func runSteps(_ cause: StreamCause? = nil) async {
        guard let steps else { return }
        unsafe withUnsafeCurrentTask { current in unsafe task = current }
        let isIdle = await steps.run(cause)
        unsafe task = nil
        if isIdle { return steps.waitIdle() }
        await endSteps()
        await linger()
        finish()
    }

    private func finish() {
        phase = .finished
        unsafe task = nil
        channel.release()
        letDrainGoOn()
        markAuthenticated()
        service.counts.open.add(-1)
    }

    /// Reads one request and answers it; false when the connection is to end.
    private func serveRequest() async -> Bool {
        phase = .waiting
        letDrainGoOn()
        let head: RequestHead
        switch await nextHead() {
        case .head(let next): head = next
        case .refused(let problem):
            await refuse(problem)
            return false
        case .gone: return false
        }
        requestCount += 1
        service.counts.requests.add()
        let request = head.request(
            body: makeBody(for: head),
            peer: Peer(address: address, network: network, isLoopback: isLoopback, mark: self),
            isSecure: tls != nil)
        phase = .handling
        startHandlerTime()
        // What other connections had to be waited for in this turn of the loop counts too.
        let begin = loop.now
        let response = await service.handler.respond(to: request)
        endsHandlerWithPeer = false
        channel.setAlarm(drainEnd)
        recordTime(of: response, since: begin)
        if isAbandoned || isBroken { return false }
        phase = .responding
        let goesOn = await answer(response, to: request, head: head)
        // No request behind this one may run in a task that was cancelled for its peer.
        return goesOn && !Task.isCancelled
    }

    /// Records how long the handler worked for an answer; the length of a stream would say nothing of that.
    private func recordTime(of response: Response, since begin: MonotonicTime) {
        switch response.body {
        case .stream, .steps, .socketSteps: return
        case .empty, .cut, .bytes, .file, .openFile, .counted: break
        }
        let span = MonotonicTime(nanoseconds: loop.clock()).since(begin)
        service.counts.requestTime.record(Int(span.count / 1_000))
    }

    /// Starts the handler's deadline.
    func startHandlerTime() {
        let times = service.times
        let isEnding = holdsDrain || isClosing
        let time = isEnding ? min(times.handler, times.drainRequests) : times.handler
        channel.setAlarm(min(loop.now + time, drainEnd))
    }

    /// Suspends the handler's deadline while the connection waits for the peer, which has its own.
    func pauseHandlerTime() { channel.setAlarm(drainEnd) }

    func cancelTask() { unsafe task?.cancel() }

    private func shakeHands() async -> Bool {
        guard let tls else { return true }
        let deadline = loop.now + service.times.tlsHandshake
        while true {
            let step: TLSSession.Step
            do throws(CryptoError) { step = try tls.handshake() } catch {
                service.log.debug("tls_handshake_failed", ["reason": .text(error.reason)])
                _ = await sendCipher(tls.takeOutput())
                return false
            }
            guard await sendCipher(tls.takeOutput()) else { return false }
            switch step {
            // The first request may have arrived with the last message of the handshake.
            case .done: return decryptPending()
            case .ended: return false
            case .needsInput:
                guard await fillCipher(until: deadline) == .filled else { return false }
            }
        }
    }

    /// Shuts down our direction, then briefly discards what the peer still sends.
    ///
    /// Closing with unread bytes would make the kernel reset the connection, and the peer could lose the
    /// answer it has not read yet.
    private func linger() async {
        // A drain waits for this connection's last answer, not for the peer to read it.
        letDrainGoOn()
        guard !isBroken, !channel.isHungUp, !channel.isEnded else { return }
        if let tls {
            tls.close()
            _ = await sendCipher(tls.takeOutput())
        }
        shutdown(channel.descriptor, Int32(SHUT_WR))
        let deadline = loop.now + service.times.linger
        var dropped = 0
        while dropped <= service.limits.lingerBytes {
            switch receive() {
            case .bytes(let count): dropped += count
            case .nothing:
                guard await channel.waitReadable(until: deadline) == .ready else { return }
            case .end: return
            }
        }
    }
}

extension HTTPConnection: PeerMark {
    func markAuthenticated() {
        guard loop.isCurrent else {
            loop.perform { self.markAuthenticated() }
            return
        }
        guard isUnauthenticated else { return }
        isUnauthenticated = false
        service.dismissUnauthenticated(address)
    }

    func allowHandlerTime(_ more: Duration) {
        guard loop.isCurrent else {
            loop.perform { self.allowHandlerTime(more) }
            return
        }
        guard phase == .handling, !isAbandoned, !holdsDrain, !isClosing else { return }
        channel.setAlarm(min(loop.now + service.times.handler + Nanoseconds(more), drainEnd))
    }

    func cancelHandlerWhenClosed() {
        guard loop.isCurrent else {
            loop.perform { self.cancelHandlerWhenClosed() }
            return
        }
        guard phase == .handling else { return }
        endsHandlerWithPeer = true
        if channel.isHalfClosed || channel.isHungUp { peerLeft() }
    }
}

extension HTTPConnection: ChannelOwner {
    func alarmRang() {
        switch phase {
        case .handling where !isAbandoned && loop.now < drainEnd: abandonHandler()
        case .streaming where !isStreamOver && loop.now < drainEnd: endStream()
        case .waiting, .handling, .streaming, .responding: abort()
        case .finished: break
        }
    }

    /// Ends a stream whose reader is gone, and a handler that asked for it; a WebSocket keeps reading until the peer
    /// has closed both directions.
    func peerLeft() {
        if phase == .handling, endsHandlerWithPeer { return cancelTask() }
        let isSocket = steps?.isSocket ?? false
        guard phase == .streaming, !isSocket || channel.isHungUp else { return }
        cancelTask()
    }

    func idleEnded() { loop.streamRunner.schedule(self) }

    func drain() {
        switch phase {
        case .waiting, .finished: return
        case .handling, .responding, .streaming: break
        }
        holdsDrain = true
        service.hold()
        drainEnd = loop.now + service.times.drainAll
        if phase == .streaming { return endStreamSoon() }
        channel.setAlarm(min(loop.now + service.times.drainRequests, drainEnd))
    }

    func close() {
        isClosing = true
        drainEnd = min(drainEnd, loop.now + service.times.drainLast)
        switch phase {
        case .waiting where !parser.isInsideHead && input.isEmpty && !channel.isReadable:
            channel.end()
        case .waiting, .handling, .responding: channel.setAlarm(drainEnd)
        case .streaming: endStream()
        case .finished: break
        }
    }

    /// Ends a stream that ran when the drain began, at a random moment.
    func endStreamSoon() {
        // Spread, so that the clients do not all reconnect at once.
        let spread = UInt64.random(in: 0...service.times.drainStreams.count)
        channel.setAlarm(min(loop.now + Nanoseconds(count: spread), drainEnd))
    }

    /// The work that the drain waited for has ended.
    private func letDrainGoOn() {
        guard holdsDrain else { return }
        holdsDrain = false
        service.letGo()
    }

    func abort() {
        isBroken = true
        channel.end()
        cancelTask()
    }

    /// Answers 503 for a handler that exceeds its deadline; its response will be dropped.
    private func abandonHandler() {
        service.counts.handlerTimeouts.add()
        service.log.warning("handler_timeout")
        isAbandoned = true
        var response = Response.problem(.serviceUnavailable, code: "unavailable")
        response.headers.set("Retry-After", "1")
        if !isWriting { sendAtOnce(response) }
        shutdown(channel.descriptor, Int32(SHUT_WR))
        body?.close()
        channel.expireRead()
        cancelTask()
        channel.setAlarm(drainEnd)
    }

    /// Lets the stream's closure finish: its task is cancelled, its writes still succeed.
    private func endStream() {
        isStreamOver = true
        channel.setAlarm(min(loop.now + service.times.lastWord, drainEnd))
        channel.expireRead()
        cancelTask()
    }
}
