import DeskBroker
public import DeskHTTP
import DeskLog
import DeskModel
import DeskStore

/// Serves one page's WebSocket: events from a cursor on, signals both ways.
public struct LiveSocket: Sendable {
    /// Passes a signal of the reader's on; false when it speaks of what the reader may not see.
    public typealias Hear = @Sendable (ClientFrame) async -> Bool

    /// Where the reader goes on; nil for from now on.
    private struct Hello {
        let after: EventID?
    }

    private let services: Services
    private let feed: Feed
    private let watch: PrincipalWatch
    private let seat: StreamSeat
    private let hear: Hear

    /// Seconds in which the first frame has to come.
    private static let helloSeconds = 10
    /// Frames that a page may send a second, and at once; more are dropped.
    private static let frames = Rate(perSecond: 10, burst: 40)

    /// Puts a socket together; `call` must have a principal.
    ///
    /// - Throws: `rate_limited` when the reader has too many streams.
    public init(
        call: Call, feed: Feed, hear: @escaping Hear
    ) throws(Problem) {
        services = call.services
        self.feed = feed
        watch = call.watch
        seat = try call.services.streams.takeSeat(try call.requirePrincipal(), call.request.peer)
        self.hear = hear
    }

    /// The answer that turns the connection into this socket.
    public func response() -> Response {
        Response(status: .switchingProtocols, body: .webSocket { await serve($0) })
    }

    /// Converses until the page goes, falls behind, or the stream's life is over.
    func serve(_ session: WebSocketSession) async {
        defer { seat.leave() }
        guard let hello = await hello(session) else {
            await session.close(code: 1008)
            return
        }
        let reader = services.broker.events(after: hello.after, in: feed.scope)
        let code = await withTaskGroup(of: UInt16.self) { group in
            group.addTask { await tell(reader, session) }
            group.addTask { await listen(session) }
            group.addTask {
                switch await StreamClock(services: services, watch: watch).run() {
                case .life, .cancelled: 1000
                case .notAllowed: 1008
                }
            }
            let code = await group.next() ?? 1000
            // Ends the other two: a reader that left has no next item, a closed session no message.
            reader.leave()
            await session.close(code: session.isDraining ? 1001 : code)
            group.cancelAll()
            return code
        }
        services.log.debug("socket_closed", ["code": .number(Int(code))])
    }

    /// Waits for the first frame; nil when it is none or too late.
    private func hello(_ session: WebSocketSession) async -> Hello? {
        await withTaskGroup(of: ClientFrame?.self) { group in
            group.addTask {
                // Safe: a session that ended has no first frame.
                guard case .text(let text) = try? await session.receive() else { return nil }
                return ClientFrame(text)
            }
            group.addTask {
                // Safe: cancelled when the frame came first.
                try? await services.time.sleep(.seconds(Self.helloSeconds))
                if !Task.isCancelled { await session.close(code: 1008) }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            guard case .hello(let after) = first else { return nil }
            return Hello(after: Feed.cursor(after))
        }
    }

    private func listen(_ session: WebSocketSession) async -> UInt16 {
        var frames = RateLimiter<Int>(Self.frames)
        do {
            while let message = try await session.receive() {
                guard case .text(let text) = message else { return 1003 }
                guard frames.take(by: 0, at: services.time.instant()).isAllowed else { continue }
                guard let frame = ClientFrame(text) else { return 1008 }
                if case .hello = frame { return 1008 }
                guard await hear(frame) else { return 1008 }
            }
        } catch {
            return 1000
        }
        return 1000
    }

    private func tell(_ reader: EventReader, _ session: WebSocketSession) async -> UInt16 {
        do {
            while let item = try await reader.next() {
                let text: [UInt8]
                switch item {
                case .event(let shared):
                    guard feed.tells(shared.event) else { continue }
                    try await services.directory.learn(shared.event)
                    text = shared.text(for: feed.audience, made: feed.text)
                case .signal(let signal):
                    guard signal.who != feed.reader else { continue }
                    try await services.directory.learn([signal.who])
                    text = EventText.signal(signal, for: feed.audience, services.directory)
                case .live(let head): text = EventText.mark("live", head: head)
                case .reset(let head): text = EventText.mark("reset", head: head)
                // 1013: try again later, from the last id.
                case .cutOff: return 1013
                }
                try await session.send(text: String(decoding: text, as: UTF8.self))
            }
        } catch {
            return 1011
        }
        return 1000
    }
}
