public import DeskHTTP

/// Sends HTTP/1.1 requests by libcurl on its own thread; implements `OutgoingClient`.
///
/// The first request starts the thread and loads the library. While the library cannot be loaded, every
/// request fails with `connection` and names what is missing.
///
/// Connections are kept for the next request. The client follows no redirect, uses no proxy, cookie or
/// password of the environment and speaks only `http` and `https`; TLS is 1.2 or later, and a
/// certificate has to be trusted and name the host.
///
/// A request's deadline covers the whole exchange. A body longer than 1 KiB for each second of it may
/// exceed the deadline as long as it moves that fast on average; time in which our side pauses the
/// transfer does not count. Limit: 512 requests at once.
/// Thread: any. Releasing the client ends the thread and all running transfers.
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

    /// Makes a client that measures deadlines by the given monotonic clock, in nanoseconds.
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

    /// Makes a client for which names have the addresses that the closure returns, asked anew for each request: lines
    /// such as `name:80:192.0.2.1,[2001:db8::1]`.
    package init(addresses: @escaping @Sendable () -> [String], reach: OutgoingReach) {
        loop = CurlLoop(
            CurlThread.Settings(
                reach: reach, clock: { MonotonicTime.now().nanoseconds }, addresses: addresses))
    }

    /// Notifies the client that a test moved the clock.
    package func lookAtClock() { loop.look() }

    deinit { loop.stop() }

    /// Sends the request and collects the whole answer.
    ///
    /// Limit: `answerLimit`; one byte more throws `tooLarge`. Cancel: honoured.
    public func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
        let transfer = CurlTransfer(request, collects: true)
        let whole = try await whileCancellable(transfer) {
            await begin(transfer)
            return await transfer.whole()
        }.get()
        return OutgoingAnswer(
            status: whole.head.status, headers: whole.head.headers, body: RequestBody(whole.body))
    }

    /// Sends the request and returns when its body is sent and the answer's head has arrived.
    ///
    /// The transfer ends when the body is read to its end or released. Cancel: honoured until the head
    /// has arrived, and while a read waits. Limit: 64 KiB of the body are read ahead.
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

    /// Cancels a transfer for its caller; does nothing when it has ended.
    func letGo(_ transfer: CurlTransfer) {
        loop.cancel(transfer, because: OutgoingError(.cancelled, "the caller was cancelled"))
    }

    /// Notifies the loop that the caller has read the buffered bytes.
    func goOn(_ transfer: CurlTransfer) { loop.look(at: transfer) }

    /// Starts a transfer and sends its body.
    private func begin(_ transfer: CurlTransfer) async {
        loop.start(transfer)
        if case .pieces(let source, let count) = transfer.request.body {
            await send(source, of: count, over: transfer)
        }
    }

    /// Starts a transfer, sends its body and waits for the answer's head.
    private func exchange(_ transfer: CurlTransfer) async -> Result<AnswerHead, OutgoingError> {
        await whileCancellable(transfer) {
            await begin(transfer)
            return await transfer.wait { state in
                // A failure after the head is thrown by the body.
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

    /// Sends the body piece by piece, each when the one before was sent.
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
                // Before the last byte is sent: the peer would accept the body as complete.
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

    /// Checks that the source has no byte beyond the announced length.
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
