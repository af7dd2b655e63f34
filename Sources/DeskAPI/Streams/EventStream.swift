import DeskBroker
import DeskHTTP
import DeskModel
import DeskStore

/// Serves one event stream (`text/event-stream`).
struct EventStream: Sendable {
    /// Milliseconds after which a reader comes back, drawn at random so that not all come at once.
    static let retry = 2_000...5_000

    let services: Services
    let feed: Feed
    let watch: PrincipalWatch
    let cursor: EventID?
    let seat: StreamSeat

    /// Writes until the reader goes, falls behind, or the stream's life is over.
    func serve(_ stream: ResponseStream) async {
        defer { seat.leave() }
        let reader = services.broker.events(after: cursor, in: feed.scope)
        let retry = Int.random(in: Self.retry)
        do {
            try await stream.write("retry: \(retry)\n\n")
        } catch {
            reader.leave()
            return
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await tell(reader, stream) }
            group.addTask {
                _ = await StreamClock(services: services, watch: watch).run {
                    // Safe: a reader that is gone ends the other task.
                    (try? await stream.write(": \n\n")) != nil
                }
            }
            await group.next()
            reader.leave()
            group.cancelAll()
        }
        // Safe: the reader may be gone already; the hint is for one that is not.
        try? await stream.write("retry: \(retry)\n\n")
    }

    private func tell(_ reader: EventReader, _ stream: ResponseStream) async {
        do {
            while let item = try await reader.next() {
                switch item {
                case .event(let shared):
                    try await services.directory.learn(shared.event)
                    let text = shared.text(for: feed.audience, made: feed.text)
                    try await stream.write(
                        Self.block(shared.event.type.rawValue, id: shared.event.id, text))
                case .signal(let signal):
                    guard signal.who != feed.reader else { continue }
                    try await services.directory.learn([signal.who])
                    let text = EventText.signal(signal, for: feed.audience, services.directory)
                    try await stream.write(Self.block("ephemeral", id: nil, text))
                case .live(let head):
                    try await stream.write(
                        Self.block("live", id: head, EventText.mark("live", head: head)))
                case .reset(let head):
                    try await stream.write(
                        Self.block("reset", id: head, EventText.mark("reset", head: head)))
                case .cutOff: return
                }
            }
        } catch {
            // The reader is gone or the log cannot be read: it comes back with its last id.
            return
        }
    }

    /// One event's lines.
    ///
    /// A payload may hold line ends between its values, which an event stream's line cannot. They
    /// become spaces here; strings have none, and `sha256` names the exact bytes, which the message's
    /// own route gives.
    static func block(_ type: String, id: EventID?, _ data: [UInt8]) -> [UInt8] {
        var block: [UInt8] = []
        block.reserveCapacity(data.count + 96)
        if let id { block.append(contentsOf: "id: \(id.text)\n".utf8) }
        block.append(contentsOf: "event: \(type)\ndata: ".utf8)
        block.append(contentsOf: data.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
        block.append(0x0A)
        block.append(0x0A)
        return block
    }
}
