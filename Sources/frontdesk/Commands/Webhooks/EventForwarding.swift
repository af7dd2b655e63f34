import DeskCommandLine
import DeskHTTP
import DeskModel
import DeskWebhooks

/// Follows a server's event stream and posts each event to a local program, one after the other.
///
/// Order: the log's. The next event is posted when the one before was answered or given up. After a lost
/// connection the stream goes on behind the last of them.
struct EventForwarding: Sendable {
    /// How long one connection is used; then it is opened again, so that a dead one is noticed.
    static let connection: Duration = .seconds(120)
    /// Largest event that is read, in bytes.
    static let maximumEventBytes = 1_048_576
    /// The longest wait before a server that does not answer is asked again.
    private static let longestWait: Duration = .seconds(30)
    /// The wait before a stream is opened again whose server did not say how long, so that one that ends at once
    /// is not asked without end.
    private static let usualWait: Duration = .milliseconds(500)

    /// How it ended.
    struct End: Sendable {
        /// Why it could not go on; nil when it was ended.
        var failure: UsageError?
        /// The last event that was answered or given up.
        var last: String?
        /// How many events the receiver accepted, and how many it did not.
        var delivered = 0
        var refused = 0
    }

    let server: RemoteServer
    let receiver: LocalReceiver
    /// The types that are forwarded; empty for all.
    let types: Set<String>
    let time: TimeSource
    let print: @Sendable (String) -> Void
    let note: @Sendable (String) -> Void

    /// Runs until it is cancelled or the server refuses.
    func run(after first: String?) async -> End {
        var end = End(last: first)
        var failures = 0
        while !Task.isCancelled {
            var wait = min(Self.longestWait, Self.usualWait * (1 << min(failures, 6)))
            do throws(OutgoingError) {
                let answer = try await server.events(
                    after: end.last, types: types, lasting: Self.connection)
                guard answer.status == .ok else {
                    // Safe: a refusal without a body is shown without a reason.
                    let body = (try? await answer.body.collect(upTo: 65_536)) ?? []
                    let refusal = server.refusal(answer.status, body)
                    guard answer.status.code == 429 || answer.status.code >= 500 else {
                        end.failure = refusal
                        return end
                    }
                    if failures == 0 { note("\(refusal.message); trying again") }
                    failures += 1
                    try await pause(wait)
                    continue
                }
                guard Self.isStream(answer.headers) else {
                    end.failure = UsageError(
                        "\(server.url) answered 200 and no event stream",
                        hint: "is --server the address of a Frontdesk server?")
                    return end
                }
                if failures > 0 { note("connected again") }
                failures = 0
                let retry = try await follow(answer.body, &end)
                if end.failure != nil { return end }
                wait = min(Self.longestWait, retry.map { .milliseconds($0) } ?? Self.usualWait)
            } catch {
                // The connection's own time has ended: it is opened again at once.
                if error.code == .timeout, failures == 0 { continue }
                // A stream that a signal ends is cut off, too.
                if failures == 0, error.code != .cancelled, !Task.isCancelled {
                    note("\(server.url) does not answer: \(error); trying again")
                }
                failures += 1
            }
            // Safe: a wait that is cancelled ends the loop.
            try? await time.sleep(wait)
        }
        return end
    }

    private static func isStream(_ headers: HeaderFields) -> Bool {
        let type = headers.first("content-type")?.split(separator: ";").first
        return type.map { $0.filter { $0 != " " }.lowercased() } == "text/event-stream"
    }

    private func pause(_ wait: Duration) async throws(OutgoingError) {
        do { try await time.sleep(wait) } catch { throw OutgoingError(.cancelled, "ended") }
    }

    /// Reads a stream to its end; the answer is how long the server wants to be left alone, in milliseconds.
    private func follow(
        _ body: RequestBody, _ end: inout End
    ) async throws(OutgoingError) -> Int? {
        var parser = EventStreamParser(limit: Self.maximumEventBytes)
        while let piece = try await next(of: body) {
            let events: [EventStreamParser.Event]
            do throws(EventStreamParser.TooLong) { events = try parser.read(piece) } catch {
                end.failure = UsageError(
                    "\(server.url) sent an event of more than \(Self.maximumEventBytes) bytes",
                    hint: "is it a Frontdesk server? after \(end.last ?? "the first event")")
                return nil
            }
            for event in events {
                await handle(event, &end)
                // Not counted as handled: it was answered perhaps, and comes again next time.
                if Task.isCancelled { return nil }
            }
        }
        return parser.retryMilliseconds
    }

    private func next(of body: RequestBody) async throws(OutgoingError) -> [UInt8]? {
        do throws(BodyError) { return try await body.next() } catch {
            throw OutgoingError(error == .tooSlow ? .timeout : .cutOff, error.code)
        }
    }

    private func handle(_ event: EventStreamParser.Event, _ end: inout End) async {
        switch event.type {
        case "ephemeral": return
        case "live": break
        case "reset":
            note(
                "the server's log begins anew, or \(end.last ?? "the last event") is too old; "
                    + "events from now on follow")
        default:
            guard types.isEmpty || types.contains(event.type) else { break }
            guard let id = event.id.flatMap(WebhookMessageID.init) else { break }
            let outcome = await receiver.post(event.data, id: id) { reason in
                note("the receiver is away: \(reason); trying again for about a minute")
            }
            guard !Task.isCancelled else { return }
            if outcome.isDelivered { end.delivered += 1 } else { end.refused += 1 }
            print("\(clock())  \(event.type)  \(id)  \(outcome.text)")
        }
        if let id = event.id { end.last = id }
    }

    /// The time of day, in UTC.
    private func clock() -> String { String(time.now().text.dropFirst(11).prefix(8)) }
}
