import DeskHTTP

/// The body of the request a connection is serving, read as the handler asks for it.
///
/// Only time spent waiting for the peer counts: a slow handler does not use up the peer's deadline.
// Sendable: all state is touched only on the loop's thread.
final class ConnectionBody: BodySource, @unchecked Sendable {
    /// Largest piece in bytes.
    static let pieceBytes = 64 * 1024

    private unowned let connection: HTTPConnection
    private var decoder: BodyDecoder
    private let declared: Int?
    private var mustContinue: Bool
    private var received = 0
    private var waited = Nanoseconds(count: 0)
    private var windowWaited = Nanoseconds(count: 0)
    private var windowStart = 0
    private var isClosed = false
    private var failure: BodyError?

    init(_ connection: HTTPConnection, _ head: RequestHead) {
        self.connection = connection
        decoder = BodyDecoder(head.framing, limits: connection.service.limits)
        mustContinue = head.expectsContinue
        if case .length(let length) = head.framing { declared = length } else { declared = nil }
    }

    /// Whether the connection can serve another request when the handler reads no further.
    var canBeSkipped: Bool {
        if failure != nil { return false }
        if decoder.isComplete { return true }
        // Without a 100 the peer may send the body or not: the next request could not be found.
        guard !mustContinue else { return false }
        return (declared ?? received) - received <= connection.service.limits.skippedBodyBytes
    }

    func next() async throws(BodyError) -> [UInt8]? {
        guard connection.loop.isCurrent else {
            return try await withTaskExecutorPreference(connection.loop) {
                () async throws(BodyError) in try await self.next()
            }
        }
        if let failure { throw failure }
        do throws(BodyError) {
            return try await readPiece()
        } catch {
            failure = error
            throw error
        }
    }

    /// Reads the rest and drops it; false when it is too long or malformed.
    func skip() async -> Bool {
        var left = connection.service.limits.skippedBodyBytes
        while left >= 0 {
            do throws(BodyError) {
                guard let piece = try await next() else { return true }
                left -= piece.count
            } catch { return false }
        }
        return false
    }

    /// Ends all reading: the response is being sent.
    func close() { isClosed = true }

    private func readPiece() async throws(BodyError) -> [UInt8]? {
        while true {
            guard !isClosed else { throw .disconnected }
            if decoder.isComplete { return nil }
            let piece = try decodeInput()
            if !piece.isEmpty {
                received += piece.count
                if connection.phase == .handling { connection.startHandlerTime() }
                return piece
            }
            if decoder.isComplete { return nil }
            if mustContinue {
                mustContinue = false
                guard await connection.send(ResponseHeadWriter.continueResponse) else {
                    throw .disconnected
                }
            }
            try await waitForInput()
        }
    }

    private func decodeInput() throws(BodyError) -> [UInt8] {
        let available = connection.inputStart..<connection.input.count
        guard !available.isEmpty else { return [] }
        let input = connection.input
        var piece: [UInt8] = []
        do throws(RequestProblem) {
            let taken = try decoder.decode(
                input.span.extracting(available), into: &piece,
                upTo: ConnectionBody.pieceBytes)
            connection.consumeInput(taken)
        } catch { throw .malformed }
        return piece
    }

    private func waitForInput() async throws(BodyError) {
        let times = connection.service.times
        let isSmall = max(declared ?? 0, received) <= connection.service.limits.smallBodyBytes
        let begin = connection.loop.now
        let waitedBefore = connection.waitedForPeer.count
        if connection.phase == .handling { connection.pauseHandlerTime() }
        let deadline: MonotonicTime
        if isSmall {
            deadline = begin + left(of: times.bodyComplete, waited)
        } else {
            deadline = min(
                begin + left(of: times.uploadComplete, waited),
                begin + left(of: times.uploadWindow, windowWaited))
        }
        let fill = await connection.fill(until: deadline)
        let spent = connection.waitedForPeer.count - waitedBefore
        waited.count += spent
        windowWaited.count += spent
        if connection.phase == .handling, !connection.isAbandoned { connection.startHandlerTime() }
        switch fill {
        case .filled: try judgeRate(isSmall: isSmall)
        case .ended: throw .disconnected
        case .expired:
            guard !isSmall else { throw .tooSlow }
            try judgeRate(isSmall: false)
        }
    }

    private func judgeRate(isSmall: Bool) throws(BodyError) {
        guard !isSmall else { return }
        let times = connection.service.times
        guard waited < times.uploadComplete else { throw .tooSlow }
        guard !(windowWaited < times.uploadWindow) else { return }
        let pending = connection.input.count - connection.inputStart
        let arrived = received + pending - windowStart
        let seconds = Int(times.uploadWindow.count / 1_000_000_000)
        guard arrived >= connection.service.limits.uploadBytesPerSecond * max(seconds, 1) else {
            throw .tooSlow
        }
        windowWaited = Nanoseconds(count: 0)
        windowStart = received + pending
    }

    private func left(of whole: Nanoseconds, _ spent: Nanoseconds) -> Nanoseconds {
        Nanoseconds(count: whole.count > spent.count ? whole.count - spent.count : 0)
    }
}

extension HTTPConnection {
    /// The body as the handler sees it: an array when all bytes have arrived, else a source.
    func makeBody(for head: RequestHead) -> RequestBody {
        body = nil
        switch head.framing {
        case .none:
            return RequestBody()
        case .length(let length) where length <= input.count - inputStart:
            if inputStart == 0, input.count == length {
                let bytes = input
                consumeInput(length)
                return RequestBody(bytes)
            }
            let bytes = Array(input[inputStart..<(inputStart + length)])
            consumeInput(length)
            return RequestBody(bytes)
        case .length(let length):
            let source = ConnectionBody(self, head)
            body = source
            return RequestBody(source: source, declaredLength: length)
        case .chunked:
            let source = ConnectionBody(self, head)
            body = source
            return RequestBody(source: source, declaredLength: nil)
        }
    }
}
