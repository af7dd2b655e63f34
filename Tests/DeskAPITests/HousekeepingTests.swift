import APITestSupport
import DeskBroker
import DeskHTTP
import DeskModel
import DeskStore
import DeskStoreSQLite
import DeskWeb
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskAPI

/// What is forgotten and when, by clocks that may be wrong (P15).
struct HousekeepingTests {
    private static let day = Duration.seconds(86_400)
    private static let year = Duration.seconds(400 * 86_400)

    /// A wall clock that can be set, over a monotonic one that only goes on.
    private final class Clocks: Sendable {
        private let state = Mutex((ahead: Duration.zero, passed: Duration.zero))
        private let origin = ContinuousClock.now

        var source: TimeSource {
            TimeSource(
                now: { self.now },
                instant: { self.origin + self.state.withLock { $0.passed } },
                sleep: { _ in })
        }

        var now: Timestamp {
            let (ahead, passed) = state.withLock { $0 }
            return Timestamp(seconds: 1_900_000_000).advanced(by: ahead + passed)
        }

        func set(by time: Duration) { state.withLock { $0.ahead += time } }

        func pass(_ time: Duration) { state.withLock { $0.passed += time } }
    }

    /// A server that starts now, and its store.
    private struct Setting {
        let clocks: Clocks
        let store: any Store
        let services: Services

        init(_ clocks: Clocks = Clocks()) async throws {
            self.clocks = clocks
            var options = SQLiteStore.Options()
            options.time = clocks.source
            store = try SQLiteStore(inMemory: Epoch(7), options: options)
            services = Services(
                broker: Broker(store: store, now: { clocks.now }), rulebook: TestFiles.rulebook,
                publicURL: try #require(PublicURL(TestServer.origin)),
                secrets: try await SharedSecrets(of: store), time: clocks.source)
        }

        /// The next server; it reads from the store what is kept of the time.
        func restart() async throws -> Setting {
            let next = try await Setting(clocks)
            let kept = try await store.findSetting(Housekeeping.setting)
            try await next.store.setSetting(Housekeeping.setting, to: kept, author: .server)
            return next
        }

        /// A customer's session that ends in this time.
        func addSession(_ byte: UInt8, endsIn life: Duration) async throws -> Digest {
            let token = try #require(Digest(bytes: [UInt8](repeating: byte, count: 32)))
            var random = SystemRandomNumberGenerator()
            try await store.add(
                Session(
                    token: token, subject: .customer(ConversationID(using: &random)),
                    createdAt: clocks.now, expiresAt: clocks.now.advanced(by: life)),
                author: .server)
            return token
        }

        func has(_ token: Digest) async throws -> Bool {
            try await store.findSession(token) != nil
        }
    }

    @Test func `a key is remembered for a day and no longer`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let housekeeping = try await Housekeeping(services: server.services)
        func send() async throws -> Int {
            let answer = try await server.post(
                "/api/conversations/\(conversation.id)/messages", #"{"type":"text","body":"x"}"#,
                by: key, headers: ["Idempotency-Key": "one"])
            #expect(answer.status == 201 || answer.status == 200)
            return try await server.messageCount(conversation)
        }
        #expect(try await send() == 2)
        server.time.advance(by: Self.day)
        try await housekeeping.forget()
        #expect(try await send() == 2)
        server.time.advance(by: .milliseconds(1))
        try await housekeeping.forget()
        #expect(try await send() == 3)
    }

    @Test func `the audit keeps a record for 400 days and no longer`() async throws {
        let setting = try await Setting()
        let housekeeping = try await Housekeeping(services: setting.services)
        try await setting.store.setSetting("a", to: [1], author: .command)
        func kept() async throws -> [String] {
            try await setting.store.auditRecords(AuditFilter(), at: .start, limit: 9).elements.map(
                \.kind)
        }
        setting.clocks.pass(Self.year)
        try await housekeeping.forget()
        #expect(try await kept() == ["setting_set"])
        setting.clocks.pass(.milliseconds(1))
        try await housekeeping.forget()
        #expect(try await kept() == [])
    }

    @Test func `a clock that jumps ahead deletes no session, and set right no session was lost`()
        async throws
    {
        let setting = try await Setting()
        let housekeeping = try await Housekeeping(services: setting.services)
        let session = try await setting.addSession(1, endsIn: Self.day * 30)
        let short = try await setting.addSession(2, endsIn: .seconds(60))
        setting.clocks.set(by: Self.year)
        for _ in 0..<143 {
            try await housekeeping.forget()
            setting.clocks.pass(.seconds(600))
        }
        #expect(try await setting.has(session))
        setting.clocks.set(by: .zero - Self.year)
        try await housekeeping.forget()
        setting.clocks.pass(Self.day)
        try await housekeeping.forget()
        #expect(try await setting.has(session))
        #expect(try await setting.has(short) == false)
    }

    @Test func `a clock that runs evenly for a day after a jump is believed`() async throws {
        let setting = try await Setting()
        let housekeeping = try await Housekeeping(services: setting.services)
        let session = try await setting.addSession(1, endsIn: Self.day * 30)
        setting.clocks.set(by: Self.year)
        try await housekeeping.forget()
        setting.clocks.pass(Self.day - .milliseconds(1))
        try await housekeeping.forget()
        #expect(try await setting.has(session))
        setting.clocks.pass(.milliseconds(1))
        try await housekeeping.forget()
        #expect(try await setting.has(session) == false)
    }

    @Test func `finished deliveries are forgotten at their time, by a clock that is believed`()
        async throws
    {
        let setting = try await Setting()
        let housekeeping = try await Housekeeping(
            services: setting.services,
            outboxes: OutboxSettings(keepsDelivered: Self.day, keepsDead: Self.day * 3))
        let outbox = OutboxID(UniqueID(high: 1, low: 1))
        let store = setting.store
        try await store.openOutbox(outbox, after: .start, author: .server)
        let noted = (0..<3).map { place in
            Delivery(
                outbox: outbox, position: Position(Int64(place + 1)),
                conversation: ConversationID(UniqueID(high: 1, low: UInt64(place))),
                due: setting.clocks.now)
        }
        try await store.enqueue(
            noted, of: outbox, upTo: Position(3),
            under: try await store.leaseOfTest())
        for (var delivery, state) in zip(noted, [.delivered, .dead, .pending] as [Delivery.State]) {
            delivery.state = state
            delivery.last = DeliveryAttempt(time: setting.clocks.now, status: 200, detail: "ok")
            try await store.attempt(delivery)
        }
        func left() async throws -> [Delivery.State: Int] {
            try await housekeeping.forget()
            return try await store.countDeliveries(of: outbox)
        }
        setting.clocks.set(by: Self.year)
        #expect(try await left() == [.delivered: 1, .dead: 1, .pending: 1])
        setting.clocks.set(by: .zero - Self.year)
        _ = try await left()
        setting.clocks.pass(Self.day)
        #expect(try await left() == [.delivered: 1, .dead: 1, .pending: 1])
        setting.clocks.pass(.milliseconds(1))
        #expect(try await left() == [.dead: 1, .pending: 1])
        setting.clocks.pass(Self.day * 2)
        #expect(try await left() == [.pending: 1])
    }

    /// How far the clock is moved while no server runs, and whether what ended then is deleted at once.
    private static let restarts: [(moved: Duration, isBelieved: Bool)] = [
        (day * 7, true), (day * 7 + .milliseconds(1), false), (year, false),
    ]

    @Test(arguments: restarts.indices)
    func `a start believes a clock that is a week ahead of the last run, not more`(
        row: Int
    ) async throws {
        let (moved, isBelieved) = Self.restarts[row]
        let first = try await Setting()
        try await Housekeeping(services: first.services).forget()
        let second = try await first.restart()
        let session = try await second.addSession(1, endsIn: .seconds(60))
        first.clocks.set(by: moved)
        try await Housekeeping(services: second.services).forget()
        #expect(try await second.has(session) == !isBelieved)
    }

    @Test(arguments: [Duration.seconds(3_600), year])
    func `what had ended stays so over a restart with the clock set back`(
        back: Duration
    ) async throws {
        let first = try await Setting()
        let housekeeping = try await Housekeeping(services: first.services)
        first.clocks.pass(Self.day)
        try await housekeeping.forget()
        let latest = first.services.time.latest()
        first.clocks.set(by: .zero - back)
        let second = try await first.restart()
        #expect(second.services.time.latest() == latest.advanced(by: .zero - back))
        _ = try await Housekeeping(services: second.services)
        #expect(second.services.time.latest() == latest)
        #expect(second.services.time.now() < latest)
    }

    @Test func `starts with the clock set back again and again give out no id twice`() async throws
    {
        let clocks = Clocks()
        var ids: Set<UniqueID> = []
        for _ in 0..<50 {
            let broker = try await Setting(clocks).services.broker
            for _ in 0..<20 { ids.insert(broker.makeID()) }
            clocks.set(by: .seconds(-3_600))
        }
        #expect(ids.count == 1_000)
    }
}
