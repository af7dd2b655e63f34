import DeskSQL
import DeskStore
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskStorePostgres

/// What a node's connection for notices does with the database.
@Suite(.timeLimit(.minutes(10))) struct PostgresNoticesTests {
    /// What a listener was called with; nil says that it may have missed some.
    private final class Heard: Sendable {
        private let calls = Mutex<[String?]>([])

        init(_ notices: PostgresNotices) {
            notices.listen(to: .log) { call in self.calls.withLock { $0.append(call) } }
        }

        var payloads: [String] { calls.withLock { $0.compactMap(\.self) } }
        var beginnings: Int { calls.withLock { $0.count { $0 == nil } } }
    }

    private static func run(_ sql: String, at address: String) async throws {
        let store = PostgresRegistries(.init(address: address, keys: .random()))
        try await store.execute(sql)
        await store.close()
    }

    private static func notify(_ payload: String, at address: String) async throws {
        try await run(
            "SELECT pg_notify(\(NoticeChannel.log.expression), '\(payload)')::text", at: address)
    }

    @Test func `every node of a schema hears a notice, and none of another schema`() async throws {
        try await PostgresNodes.with(2) { nodes in
            try await PostgresNodes.with(1) { others in
                let heard = (nodes.notices + others.notices).map { Heard($0) }
                try await Wait.until("all listen") { heard.allSatisfy { $0.beginnings == 1 } }
                try await Self.notify("first", at: nodes.address)
                try await Self.notify("second", at: others.address)
                try await Wait.until("all heard") { heard.allSatisfy { !$0.payloads.isEmpty } }
                #expect(heard.map(\.payloads) == [["first"], ["first"], ["second"]])
            }
        }
    }

    @Test func `a connection that was ended is made anew, and its listeners are notified of that`()
        async throws
    {
        try await PostgresNodes.with(1) { nodes in
            let heard = Heard(nodes.notices[0])
            try await Wait.until("it listens") { heard.beginnings == 1 }
            try await Self.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' \
                AND application_name = current_setting('application_name')
                """, at: nodes.address)
            try await Wait.until("it listens again") { heard.beginnings == 2 }
            try await Self.notify("after", at: nodes.address)
            try await Wait.until("it heard") { heard.payloads == ["after"] }
        }
    }

    @Test
    func
        `what is longer than a notice goes in several, in order; what no notice holds is left out`()
        async throws
    {
        try await PostgresNodes.with(2) { nodes in
            let items = (0..<500).map { "\($0)-" + String(repeating: "x", count: 100) }
            let received = Mutex<[String]>([])
            let gatherers = nodes.notices.enumerated().map { place, notices in
                NoticeGatherer(
                    notices, on: NoticeChannel(topic: "items"), every: .zero,
                    drain: { _ in
                        [String(repeating: "y", count: NoticeGatherer.maximumBytes)] + items
                    },
                    receive: { item, _ in
                        if place == 1 { received.withLock { $0.append(String(item)) } }
                    })
            }
            try await nodes.deliver()
            gatherers[0].gather(atOnce: true)
            try await nodes.deliver()
            #expect(received.withLock { $0 } == items)
        }
    }
}
