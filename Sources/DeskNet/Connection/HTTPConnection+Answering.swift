import DeskBytes
import DeskHTTP
import DeskLog
import Glibc
import Synchronization

extension HTTPConnection {
    /// Refuses a request that no handler sees; the connection ends afterwards.
    func refuse(_ problem: RequestProblem) async {
        service.counts.countRefusal(problem.code)
        service.log.debug(
            "request_refused",
            ["status": .number(problem.status.code), "code": .text(problem.code)])
        let response = Response.problem(problem.status, code: problem.code)
        guard case .bytes(let content) = response.body else { return }
        writeHead(response, .length(content.count), .closes)
        loop.output.append(contentsOf: content)
        phase = .responding
        _ = await sendOutput()
    }

    /// Writes a handler's response; false when the connection is to end.
    func answer(_ response: Response, to request: Request, head: RequestHead) async -> Bool {
        let bodyCanBeSkipped = body?.canBeSkipped ?? true
        let goesOn =
            head.keepsAlive && !response.closesConnection && !isClosing && bodyCanBeSkipped
            && requestCount < service.limits.keepAliveRequests
        let isSent: Bool
        switch response.body {
        case .empty:
            isSent = await answer(response, [], goesOn: goesOn, head: head)
        case .cut: return false
        case .bytes(let content):
            isSent = await answer(response, content, goesOn: goesOn, head: head)
        case .file(let path, let range):
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            let file = descriptor < 0 ? nil : OpenFile(descriptor)
            isSent = await answer(response, file, range, goesOn: goesOn, head: head)
        case .openFile(let file, let range):
            isSent = await answer(response, file, range, goesOn: goesOn, head: head)
        case .stream(let write):
            return await answer(response, write, count: nil, goesOn: goesOn, head: head)
        case .counted(let count, let write):
            return await answer(response, write, count: count, goesOn: goesOn, head: head)
        case .steps(let stream):
            await begin(stream, response, head: head)
            return false
        case .socketSteps(let stream):
            if await upgrade(response, request: request) {
                beginSteps(ConnectionSteps(self, stream, .socket(service.limits)))
            }
            return false
        }
        guard isSent, goesOn else { return false }
        return await skipBody()
    }

    private func answer(
        _ response: Response, _ content: [UInt8], goesOn: Bool, head: RequestHead
    ) async -> Bool {
        let isBodiless = response.status.forbidsBody
        writeHead(
            response, isBodiless ? .none : .length(content.count),
            connection(goesOn, head: head))
        guard !isBodiless, head.method != .head else { return await sendOutput() }
        if content.count <= 64 * 1024 {
            loop.output.append(contentsOf: content)
            return await sendOutput()
        }
        guard await sendOutput() else { return false }
        return await send(content)
    }

    private func answer(
        _ response: Response, _ file: OpenFile?, _ range: Range<Int>, goesOn: Bool,
        head: RequestHead
    ) async -> Bool {
        var facts = stat()
        guard let file, unsafe fstat(file.descriptor, &facts) == 0,
            facts.st_size >= range.upperBound
        else {
            service.log.error("file_missing", ["errno": .number(Int(errno))])
            let refusal = Response.problem(.internalServerError, code: "file_missing")
            guard case .bytes(let content) = refusal.body else { return false }
            return await answer(refusal, content, goesOn: goesOn, head: head)
        }
        writeHead(response, .length(range.count), connection(goesOn, head: head))
        guard await sendOutput() else { return false }
        return head.method == .head ? true : await sendFile(file.descriptor, range)
    }

    private func answer(
        _ response: Response, _ write: @escaping @Sendable (ResponseStream) async -> Void,
        count: Int?, goesOn: Bool, head: RequestHead
    ) async -> Bool {
        let goesOn = goesOn && !head.isHTTP10
        let framing: ResponseHeadWriter.Framing =
            if let count { .length(count) } else if head.isHTTP10 { .untilClose } else { .chunked }
        writeHead(response, framing, goesOn ? .goesOn : .closes)
        guard await sendOutput() else { return false }
        if head.method == .head { return goesOn }
        let stream = ConnectionStream(self, isChunked: framing == .chunked, count: count)
        await runStream { await write(ResponseStream(stream)) }
        guard !isBroken, stream.isComplete else { return false }
        if framing == .chunked {
            guard await send(ResponseHeadWriter.lastChunk) else { return false }
        }
        guard goesOn, !isStreamOver, !Task.isCancelled else { return false }
        return await skipBody()
    }

    /// Sends the head that upgrades the connection to a WebSocket; false when it does not become one.
    private func upgrade(_ response: Response, request: Request) async -> Bool {
        var accepted = Response(status: .switchingProtocols, headers: response.headers)
        do throws(RequestProblem) {
            for field in try WebSocketHandshake.fields(for: request).all {
                accepted.headers.set(field.name, field.value)
            }
        } catch {
            var problem = Response.problem(error.status, code: error.code)
            problem.headers.set("Sec-WebSocket-Version", "13")
            sendAtOnce(problem)
            return false
        }
        writeHead(accepted, .none, .upgrades)
        return await sendOutput()
    }

    /// Sends the head of a stream that runs in steps, and schedules its steps.
    private func begin(
        _ stream: any SteppedStream, _ response: Response, head: RequestHead
    ) async {
        writeHead(response, head.isHTTP10 ? .untilClose : .chunked, .closes)
        guard await sendOutput(), head.method != .head else { return }
        beginSteps(ConnectionSteps(self, stream, head.isHTTP10 ? .plain : .chunks))
    }

    private func beginSteps(_ steps: ConnectionSteps) {
        self.steps = steps
        // A stream's request body is not read; what arrived with the request is dropped.
        body?.close()
        body = nil
        phase = .streaming
        service.counts.streams.add(1)
        loop.streamRunner.enrol()
        beginStreamInDrain()
    }

    /// Ends a stream that a drain interrupts, or that begins while the server closes.
    private func beginStreamInDrain() {
        if isClosing { return close() }
        if holdsDrain { endStreamSoon() }
    }

    /// Sends the end of a stream and frees its slot.
    func endSteps() async {
        await steps?.finish()
        steps = nil
        service.counts.streams.add(-1)
        loop.streamRunner.dismiss()
        channel.setAlarm(drainEnd)
        phase = .responding
    }

    /// Runs a stream's closure in the connection's own task.
    ///
    /// The task is cancelled when the peer is gone and when the server drains; the connection ends then.
    private func runStream(_ run: @Sendable () async -> Void) async {
        phase = .streaming
        service.counts.streams.add(1)
        beginStreamInDrain()
        if channel.isHalfClosed || channel.isHungUp { peerLeft() }
        await run()
        service.counts.streams.add(-1)
        channel.setAlarm(drainEnd)
        phase = .responding
    }

    private func connection(
        _ goesOn: Bool, head: RequestHead
    ) -> ResponseHeadWriter.Connection {
        if !goesOn { return .closes }
        return head.isHTTP10 ? .keepsAlive : .goesOn
    }

    private func writeHead(
        _ response: Response, _ framing: ResponseHeadWriter.Framing,
        _ connection: ResponseHeadWriter.Connection
    ) {
        service.counts.countResponse(response.status)
        loop.output.removeAll(keepingCapacity: true)
        loop.headWriter.write(
            response.status, response.headers, framing: framing, connection: connection,
            into: &loop.output)
    }

    /// Reads the unread rest of the body, so that the next request can be found.
    private func skipBody() async -> Bool {
        guard let body else { return true }
        defer {
            body.close()
            self.body = nil
        }
        return await body.skip()
    }
}

/// The sink of one streamed response.
///
/// Thread: any; it hops to the loop.
final class ConnectionStream: ResponseSink {
    private let connection: HTTPConnection
    private let isChunked: Bool
    /// How many announced bytes are not written yet; nil when none were announced.
    private let left: Mutex<Int?>

    init(_ connection: HTTPConnection, isChunked: Bool, count: Int?) {
        self.connection = connection
        self.isChunked = isChunked
        left = Mutex(count)
    }

    /// Whether every announced byte was written.
    var isComplete: Bool { left.withLock { $0 ?? 0 } == 0 }

    var isDraining: Bool { connection.service.isDraining.load(ordering: .relaxed) }

    func write(_ bytes: [UInt8]) async throws(StreamError) {
        // An empty chunk would end the body.
        guard !bytes.isEmpty else { return }
        guard connection.loop.isCurrent else {
            return try await withTaskExecutorPreference(connection.loop) {
                () async throws(StreamError) in try await self.write(bytes)
            }
        }
        guard !connection.isBroken, !connection.channel.isHungUp else { throw .disconnected }
        let isTooMuch = left.withLock { left in
            guard let count = left else { return false }
            guard bytes.count <= count else { return true }
            left = count - bytes.count
            return false
        }
        if isTooMuch {
            connection.isBroken = true
            throw .disconnected
        }
        let framed = isChunked ? ConnectionStream.chunk(bytes) : bytes

        let isSent = await connection.whileWriting { await connection.send(framed) }
        if !isSent { throw connection.hasStalled ? .stalled : .disconnected }
    }

    func cut() async {
        guard connection.loop.isCurrent else {
            return await withTaskExecutorPreference(connection.loop) { await self.cut() }
        }
        connection.isBroken = true
    }

    static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        var chunk: [UInt8] = []
        chunk.reserveCapacity(bytes.count + 12)
        ResponseHeadWriter.writeChunkSize(bytes.count, into: &chunk)
        chunk += bytes
        chunk.append(0x0D)
        chunk.append(0x0A)
        return chunk
    }
}
