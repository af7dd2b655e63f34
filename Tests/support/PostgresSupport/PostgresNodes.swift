package import DeskStorePostgres
import Synchronization
import TestSupport

/// Several nodes of one installation, in one process, each with a connection of its own for notices.
package final class PostgresNodes: Sendable {
    /// What each node has heard of the others' rounds.
    private final class Rounds: Sendable {
        let sent = Mutex(0)
        let heard = Mutex<[Substring: Int]>([:])
    }

    private static let channel = NoticeChannel(topic: "rounds")

    /// Where the database is.
    package let address: String
    /// The nodes' connections.
    package let notices: [PostgresNotices]
    private let rounds: [Rounds]
    private let gatherers = Mutex<[NoticeGatherer]>([])

    private init(_ count: Int, at address: String) {
        self.address = address
        notices = (0..<count).map { _ in PostgresNotices(.init(address: address)) }
        rounds = notices.map { _ in Rounds() }
    }

    /// Lends nodes with a new schema without tables.
    package static func with(
        _ count: Int, _ body: (PostgresNodes) async throws -> Void
    ) async throws {
        try await PostgresSchema.with { address in
            let nodes = PostgresNodes(count, at: address)
            let result: Result<Void, any Error>
            do { result = .success(try await body(nodes)) } catch { result = .failure(error) }
            for notices in nodes.notices { await notices.close() }
            try result.get()
        }
    }

    /// Returns when each node has heard what every other has said by now.
    ///
    /// The parts under test are attached before its first call, so that what they gathered goes first.
    package func deliver() async throws {
        let gatherers = makeGatherers()
        for (place, gatherer) in gatherers.enumerated() {
            rounds[place].sent.withLock { $0 += 1 }
            gatherer.gather(atOnce: true)
        }
        for (place, round) in rounds.enumerated() {
            for other in notices.indices where other != place {
                let number = rounds[other].sent.withLock(\.self)
                let name = Substring("\(notices[other].node)")
                try await Wait.until("node \(place) has heard round \(number) of \(other)") {
                    // A node that did not listen yet hears it again.
                    let isHeard = round.heard.withLock { $0[name] ?? 0 } >= number
                    if !isHeard { gatherers[other].gather() }
                    return isHeard
                }
            }
        }
    }

    private func makeGatherers() -> [NoticeGatherer] {
        gatherers.withLock { gatherers in
            if gatherers.isEmpty {
                gatherers = zip(notices, rounds).map { notices, round in
                    NoticeGatherer(
                        notices, on: Self.channel, every: .milliseconds(20),
                        drain: { _ in ["\(round.sent.withLock(\.self))"] },
                        receive: { item, node in
                            round.heard.withLock { $0[node] = max($0[node] ?? 0, Int(item) ?? 0) }
                        })
                }
            }
            return gatherers
        }
    }
}
