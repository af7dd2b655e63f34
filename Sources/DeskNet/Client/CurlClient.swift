public import DeskHTTP

/// Asks others over HTTP/1.1 by libcurl, on a thread of its own; what `OutgoingClient` promises.
///
/// The first request starts the thread and loads the library. Where it cannot be loaded, every request
/// fails with `connection` and says what is missing, until it can.
///
/// Connections are kept for the next request. No redirect is followed, no proxy, cookie or password
/// of the environment is used, and only `http` and `https` are spoken; TLS is 1.2 or later, and a
/// certificate has to be trusted and name the host.
///
/// A request's time is for all of it. A body longer than 1 KiB for each second of that time may take
/// longer, as long as it moves so fast on average; time in which our side keeps it waiting does not
/// count. Limit: 512 requests at once.
/// Thread: any. The thread ends, and with it what is under way, when the client is let go.
public final class CurlClient: OutgoingClient {
    private let loop: CurlLoop

    /// Makes a client.
    ///
    /// `reach` says which addresses may be connected to. `authorityFile` is a PEM file of authorities
    /// that are trusted besides those in `/etc/ssl/certs`.
    public init(reach: OutgoingReach, authorityFile: String? = nil) {
        loop = CurlLoop(
            CurlThread.Settings(reach: reach, authorityFile: authorityFile) {
                MonotonicTime.now().nanoseconds
            })
    }

    /// Makes a client by whose clock, of nanoseconds that only rise, deadlines are counted.
    package init(reach: OutgoingReach, clock: @escaping @Sendable () -> UInt64) {
        loop = CurlLoop(CurlThread.Settings(reach: reach, clock: clock))
    }

    /// Makes a client that loads another library than the system's.
    package init(library: String) {
        loop = CurlLoop(
            CurlThread.Settings(reach: .anywhere, library: library) {
                MonotonicTime.now().nanoseconds
            })
    }

    /// Says that the clock was moved.
    package func lookAtClock() { loop.look() }

    deinit { loop.stop() }

    /// Asks and collects the whole answer.
    ///
    /// Limit: `answerLimit`; one byte more throws `tooLarge`. Cancel: honoured.
    public func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        let transfer = CurlTransfer(request, collects: true)
        let head = try await exchange(transfer).get()
        let body = try await whileCancellable(transfer) {
            await transfer.wait { state in state.end?.map { state.unread } }
        }.get()
        return OutgoingAnswer(
            status: head.status, headers: head.headers, body: RequestBody(body))
    }

    /// Asks and returns when the answer's head is here and the request's body is sent.
    ///
    /// The transfer ends when the body is read to its end or let go. Cancel: honoured until the head
    /// is here, and while a piece is waited for. Limit: 64 KiB of the body are read ahead.
    public func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        let transfer = CurlTransfer(request, collects: false)
        let head = try await exchange(transfer).get()
        let hasNoBody = request.method == .head || head.status.forbidsBody
        let source = CurlAnswerBody(transfer, client: self)
        return OutgoingAnswer(
            status: head.status, headers: head.headers,
            body: RequestBody(
                source: source, declaredLength: hasNoBody ? 0 : head.declaredLength))
    }

    /// Gives up a transfer whose caller does not want it any more; nothing when it is over.
    func letGo(_ transfer: CurlTransfer) {
        loop.cancel(transfer, because: OutgoingError(.cancelled, "the caller was cancelled"))
    }

    /// Says that the caller took what there was.
    func goOn(_ transfer: CurlTransfer) { loop.look(at: transfer) }

    /// Starts a transfer, sends its body and waits for the answer's head.
    private func exchange(_ transfer: CurlTransfer) async -> Result<AnswerHead, OutgoingError> {
        await whileCancellable(transfer) {
            loop.start(transfer)
            if case .pieces(let source, let count) = transfer.request.body {
                await send(source, of: count, over: transfer)
            }
            return await transfer.wait { state in
                // A failure after the head is told by the body.
                if let head = state.head, state.isBodyGiven || state.end != nil,
                    !state.isCancelled
                {
                    return .success(head)
                }
                if case .failure(let error) = state.end { return .failure(error) }
                return nil
            }
        }
    }

    /// Hands over the body piece by piece, the next when the last is gone.
    private func send(_ source: any BodySource, of count: Int64, over transfer: CurlTransfer) async
    {
        do throws(OutgoingError) {
            var left = count
            while left > 0 {
                guard let piece = try await next(of: source) else {
                    throw OutgoingError(
                        .cutOff, "the body to send ended after \(count - left) of \(count) bytes")
                }
                left -= Int64(piece.count)
                // Before its last byte is gone: the peer would take it for whole.
                if left <= 0 { try await requireEnd(of: source, left, count) }
                guard !piece.isEmpty else { continue }
                await hand(piece, isLast: false, to: transfer)
                guard !transfer.isOver else { return }
            }
            if count <= 0 { try await requireEnd(of: source, left, count) }
            await hand([], isLast: true, to: transfer)
        } catch {
            loop.cancel(transfer, because: error)
        }
    }

    /// Nothing may follow what was told.
    private func requireEnd(
        of source: any BodySource, _ left: Int64, _ count: Int64
    ) async throws(OutgoingError) {
        var isLonger = left < 0
        if !isLonger, let piece = try await next(of: source) { isLonger = !piece.isEmpty }
        guard !isLonger else {
            throw OutgoingError(.cutOff, "the body to send is longer than \(count) bytes")
        }
    }

    private func next(of source: any BodySource) async throws(OutgoingError) -> [UInt8]? {
        do throws(BodyError) { return try await source.next() } catch {
            throw OutgoingError(.cutOff, "the body to send ended: \(error.code)")
        }
    }

    private func hand(_ piece: [UInt8], isLast: Bool, to transfer: CurlTransfer) async {
        let isAwaited = transfer.change { state in
            guard state.end == nil else { return false }
            state.piece = piece
            state.pieceSent = 0
            state.isBodyGiven = isLast
            return state.isSendPaused
        }
        if isAwaited { loop.look(at: transfer) }
        await transfer.wait { state in
            state.end != nil || state.pieceSent == state.piece.count ? () : nil
        }
    }

    private func whileCancellable<Outcome: Sendable>(
        _ transfer: CurlTransfer, _ operation: () async -> Outcome
    ) async -> Outcome {
        await withTaskCancellationHandler {
            await operation()
        } onCancel: {
            letGo(transfer)
        }
    }
}
