import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import DeskStoreSQLite
import DeskWeb
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskAPI

/// What is erased for its age and when, and what owners see of it before.
struct RetentionTests {
    private static let day = Duration.seconds(86_400)

    /// A server with its owner, and what erases.
    private struct Setting {
        let server: TestServer
        let owner: TestServer.Caller
        let worker: RetentionWorker
        let lease: Lease

        init(rest: Duration = .zero) async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            worker = try await RetentionWorker(services: server.services, rest: rest)
            lease = try await server.store.leaseOfTest()
        }

        var path: String { "/api/businesses/\(server.business.id)/retention" }

        func round() async throws { try await worker.doRound(under: lease) }

        func choose(_ days: Int, of business: Business? = nil) async throws {
            _ = try await server.store.setRetention(
                ofDays: days, of: (business ?? server.business).id, at: server.time.now,
                author: .command)
        }

        /// Says something in a conversation, as if it were some days ago, and returns its id.
        @discardableResult
        func say(
            _ id: String, in conversation: Conversation, daysAgo: Int = 0
        ) async throws -> MessageID {
            let message = try #require(MessageID(id))
            let submission = Submission(
                conversation: conversation.id, id: message, payload: Array("{}".utf8),
                facts: MessageFacts(
                    direction: .inbound, kind: .text, author: .customer(device: ""), origin: .api))
            let time = server.time.now.advanced(by: .seconds(-daysAgo * 86_400))
            _ = try await server.store.append(NewMessage(submission, at: time)).get()
            return message
        }

        func note(
            _ text: String, in conversation: Conversation, daysAgo: Int = 0
        ) async throws -> NoteID {
            let id = NoteID(server.services.broker.makeID())
            let note = AddNote(
                id, to: conversation.id, text: text, by: .command,
                at: server.time.now.advanced(by: .seconds(-daysAgo * 86_400)))
            return try await server.store.append(note).get().id
        }

        /// The numbers of the messages whose content is gone.
        func erased(in conversation: Conversation) async throws -> [Int64] {
            try await server.store.messages(in: conversation.id, .newest, limit: 300).elements
                .filter { $0.erasedAt != nil }.map(\.sequence.value)
        }

        func erasures() async throws -> Int {
            var position = Position.start
            var count = 0
            while position < server.store.newest {
                let page = try await server.store.events(
                    after: position, in: .everything, limit: 300)
                count += page.events.count { $0.type == .messageErased }
                position = page.end
            }
            return count
        }
    }

    @Test
    func `what is older than chosen is erased a day after it was chosen, and nothing younger`()
        async throws
    {
        let setting = try await Setting()
        let server = setting.server
        let conversation = try await server.makeConversation()
        let elsewhere = try await server.makeConversation(server.other)
        let note = try await setting.note("old", in: conversation)
        server.time.advance(by: Self.day * 29)
        try await setting.choose(30)
        try await setting.say("young", in: conversation)
        let young = try await setting.note("young", in: conversation)
        server.time.advance(by: Self.day - .milliseconds(1))
        try await setting.round()
        #expect(try await setting.erased(in: conversation) == [])
        server.time.advance(by: .milliseconds(2))
        try await setting.round()
        #expect(try await setting.erased(in: conversation) == [1])
        #expect(try await setting.erased(in: elsewhere) == [])
        let notes = try await server.store.notes(
            in: conversation.id, behind: .beginning, limit: 9
        ).notes
        #expect(notes.map(\.id) == [note, young] && notes.map(\.text) == ["", "young"])
        let stored = try #require(try await server.store.retention(of: server.business.id))
        #expect(stored.progress.through == server.time.now.advanced(by: Self.day * -30))
        let line = try #require(server.log.lines.last { $0.contains("event=retention_erased") })
        #expect(line.contains("messages=1 notes=1 conversations=1 skipped=0"), "\(line)")
        server.time.advance(by: Self.day * 29 - .seconds(8_640))
        try await setting.round()
        #expect(try await setting.erased(in: conversation) == [1])
        // In the hours after a sweep nothing is looked at; then what came of age meanwhile is erased.
        server.time.advance(by: .seconds(17_280))
        try await setting.round()
        #expect(try await setting.erased(in: conversation) == [1])
        server.time.advance(by: .seconds(8_640))
        try await setting.round()
        #expect(try await setting.erased(in: conversation) == [1, 2])
    }

    @Test func `what was imported is erased by the age it has, though it lies behind what is new`()
        async throws
    {
        let setting = try await Setting()
        let one = try await setting.server.makeConversation()
        let other = try await setting.server.makeConversation()
        try await setting.choose(90)
        setting.server.time.advance(by: Self.day * 2)
        try await setting.round()
        for number in 1...250 {
            try await setting.say("old-\(number)", in: other, daysAgo: 91)
        }
        setting.server.time.advance(by: RetentionWorker.interval)
        try await setting.round()
        #expect(try await setting.erased(in: one) == [])
        #expect(try await setting.erased(in: other).count == 250)
        #expect(try await setting.erasures() == 250)
        let position = try await setting.server.store.retention(of: setting.server.business.id)?
            .progress.position
        // The first message stays, and so all behind it is looked at again.
        #expect(try #require(position).value < 3)
    }

    @Test func `a sweep that ended before its place was stored erases nothing twice`() async throws
    {
        let setting = try await Setting()
        let server = setting.server
        let conversation = try await server.makeConversation()
        try await setting.choose(30)
        server.time.advance(by: Self.day * 40)
        let lost = try await server.store.leaseOfTest()
        try await server.store.releaseLease(lost)
        await #expect(throws: StoreError.self) { try await setting.worker.doRound(under: lost) }
        #expect(try await setting.erased(in: conversation) == [1])
        #expect(
            try await server.store.retention(of: server.business.id)?.progress == .start)
        try await setting.round()
        #expect(try await setting.erasures() == 1)
        let progress = try await server.store.retention(of: server.business.id)?.progress
        #expect(progress?.through != nil)
        #expect(try #require(progress).position == server.store.newest)
    }

    @Test func `a conversation that cannot be read keeps no other from being erased in`()
        async throws
    {
        let setting = try await Setting()
        let server = setting.server
        let broken = try await server.makeConversation()
        try await setting.say("second", in: broken)
        let whole = try await server.makeConversation()
        try await setting.choose(30)
        let store = try #require(server.store as? SQLiteStore)
        let now = server.time.now
        try await store.writeRegistry { sql, entries throws(StoreError) in
            let harm = try sql.statement(
                "UPDATE messages SET previous = 0 WHERE id = 'second'")
            _ = try harm.runCounting()
            entries.append(RegistryEntry(.contents(.useCode), by: .server, at: now))
        }
        server.time.advance(by: Self.day * 40)
        try await setting.round()
        #expect(try await setting.erased(in: whole) == [1])
        let line = try #require(server.log.lines.last { $0.contains("event=retention_damaged") })
        #expect(line.contains(broken.id.text))
        let stored = try #require(try await server.store.retention(of: server.business.id))
        // It is tried again by the next sweep.
        #expect(stored.progress.position < server.store.newest)
    }

    @Test func `a choice that is removed or raised erases nothing more`() async throws {
        let setting = try await Setting()
        let server = setting.server
        let conversation = try await server.makeConversation()
        try await setting.choose(30)
        server.time.advance(by: Self.day * 2)
        try await setting.round()
        try await setting.choose(400)
        server.time.advance(by: Self.day * 100)
        try await setting.round()
        #expect(try await setting.erased(in: conversation) == [])
        #expect(
            try await server.store.removeRetention(of: server.business.id, author: .command))
        server.time.advance(by: Self.day * 4_000)
        try await setting.round()
        #expect(try await setting.erased(in: conversation) == [])
    }

    @Test func `a choice that is removed while a sweep runs erases no further piece`() async throws
    {
        let setting = try await Setting(rest: .milliseconds(1))
        let server = setting.server
        let conversation = try await server.makeConversation()
        for number in 2...250 { try await setting.say("m\(number)", in: conversation) }
        try await setting.choose(30)
        server.time.advance(by: Self.day * 40)
        async let round: Void = setting.round()
        // It pauses before each piece.
        var pauses = 0
        while pauses < 2 {
            try await Wait.until("it pauses") { server.time.sleeperCount == 1 }
            if pauses == 1 {
                #expect(
                    try await server.store.removeRetention(
                        of: server.business.id, author: .command))
            }
            pauses += 1
            server.time.advance(by: .milliseconds(1))
        }
        try await Wait.until("it ends with its page") { server.time.sleeperCount == 1 }
        server.time.advance(by: .milliseconds(1))
        _ = try await round
        #expect(try await setting.erased(in: conversation).count == 100)
    }

    // MARK: Clocks

    @Test func `a clock that jumps years ahead erases nothing for a day, and set right nothing`()
        async throws
    {
        let moved = Mutex((wall: Duration.zero, passed: Duration.zero))
        let origin = ContinuousClock.now
        let now: @Sendable () -> Timestamp = {
            let (wall, passed) = moved.withLock { $0 }
            return Timestamp(seconds: 1_900_000_000).advanced(by: wall + passed)
        }
        let time = TimeSource(
            now: now, instant: { origin + moved.withLock { $0.passed } }, sleep: { _ in })
        let store = try SQLiteStore(inMemory: Epoch(7))
        let shop = BusinessID(UniqueID(high: 0x4000, low: 1))
        let conversation = ConversationID(UniqueID(high: 0x4000, low: 2))
        let customer = Customer(
            id: try #require(CustomerID("urn:mbid:AAA1=")), locale: "en")
        let services = Services(
            broker: Broker(store: store, now: now), rulebook: TestFiles.rulebook,
            publicURL: try #require(PublicURL(TestServer.origin)),
            secrets: try await SharedSecrets(of: store), time: time)
        try await store.save(
            Business(id: shop, name: "Shop", colour: "#112233", mode: .live, createdAt: now()),
            author: .server)
        _ = try await store.append(
            OpenConversation(conversation, business: shop, customer: customer, at: now())
        ).get()
        let submission = Submission(
            conversation: conversation, id: try #require(MessageID("m1")),
            payload: Array("{}".utf8),
            facts: MessageFacts(
                direction: .inbound, kind: .text, author: .customer(device: ""), origin: .api))
        _ = try await store.append(NewMessage(submission, at: now())).get()
        let worker = try await RetentionWorker(services: services, rest: .zero)
        let lease = try await store.leaseOfTest()
        func erased() async throws -> Bool {
            try await worker.doRound(under: lease)
            return try await store.messages(in: conversation, .newest, limit: 9).elements
                .contains { $0.erasedAt != nil }
        }
        _ = try await store.setRetention(ofDays: 365, of: shop, at: now(), author: .command)
        moved.withLock { $0.passed += Self.day * 2 }
        #expect(try await !erased())
        moved.withLock { $0.wall += Self.day * 4_000 }
        #expect(try await !erased())
        moved.withLock { $0.passed += Self.day - .milliseconds(1) }
        #expect(try await !erased())
        moved.withLock { $0.wall -= Self.day * 4_000 }
        #expect(try await !erased())
        moved.withLock { $0.passed += Self.day }
        #expect(try await !erased())
        // What truly passed is believed.
        moved.withLock { $0.passed += Self.day * 365 }
        #expect(try await erased())
    }

    // MARK: The API

    @Test func `an owner counts first, chooses, and withdraws it before it begins`() async throws {
        let setting = try await Setting()
        let server = setting.server
        let conversation = try await server.makeConversation()
        try await setting.say("old", in: conversation, daysAgo: 29)
        _ = try await setting.note("old", in: conversation, daysAgo: 29)
        let written = server.time.now.advanced(by: Self.day * -29)
        let owner = setting.owner
        let nothing = try await server.get(setting.path, by: owner)
        #expect(nothing["days"]?.isNull == true && nothing["beginsAt"]?.isNull == true)
        let preview = try await server.get(setting.path + "/preview?days=30", by: owner)
        #expect(preview.status == 200, "\(preview.text)")
        #expect(preview["messages"]?.int == 0)
        // What comes of age until it begins is counted.
        server.time.advance(by: .seconds(1))
        let counted = try await server.get(setting.path + "/preview?days=30", by: owner)
        #expect(counted["messages"]?.int == 1 && counted["notes"]?.int == 1)
        #expect(counted["conversations"]?.int == 1 && counted["isComplete"]?.bool == true)
        #expect(counted["oldest"]?.string == written.text)
        let chosen = try await server.send(.put, setting.path, #"{"days":30}"#, by: owner)
        #expect(chosen.status == 200 && chosen["days"]?.int == 30)
        #expect(chosen["beginsAt"]?.string == server.time.now.advanced(by: Self.day).text)
        #expect(chosen["erasedThrough"]?.isNull == true)
        let records = try await server.store.auditRecords(AuditFilter(), at: .start, limit: 300)
        #expect(records.elements.contains { $0.kind == "retention_set" })
        #expect(try await server.send(.delete, setting.path, by: owner).status == 204)
        #expect(try await server.send(.delete, setting.path, by: owner).status == 204)
        server.time.advance(by: Self.day * 9)
        try await setting.round()
        #expect(try await setting.erased(in: conversation) == [])
    }

    @Test(arguments: [
        "{}", #"{"days":29}"#, #"{"days":3651}"#, #"{"days":null}"#, #"{"days":"90"}"#,
        #"{"days":90,"more":1}"#, #"{"days":90.5}"#,
    ])
    func `other numbers than those that can be chosen are refused with what is allowed`(
        body: String
    ) async throws {
        let setting = try await Setting()
        let answer = try await setting.server.send(.put, setting.path, body, by: setting.owner)
        #expect(answer.status == 422, "\(answer.text)")
        for query in ["", "?days=29", "?days=x", "?days=3651"] {
            let preview = try await setting.server.get(
                setting.path + "/preview" + query, by: setting.owner)
            #expect(preview.status == 422 || preview.status == 400, "\(preview.text)")
        }
        #expect(try await setting.server.store.retentions() == [])
    }

    @Test func `how far erasing is behind counts from what is looked at, or from the beginning`() {
        let now = Timestamp(seconds: 1_900_000_000)
        func behind(
            _ begun: Duration, through: Duration?
        ) -> Double {
            Retention(
                of: BusinessID(UniqueID(high: 0, low: 1)), days: 30, changedAt: now,
                beginsAt: now.advanced(by: .zero - begun),
                progress: Retention.Progress(
                    position: .start, note: 0,
                    through: through.map {
                        now.advanced(by: Self.day * -30).advanced(by: .zero - $0)
                    })
            ).secondsBehind(at: now)
        }
        #expect(behind(.seconds(-5), through: nil) == 0)
        #expect(behind(.seconds(7), through: nil) == 7)
        #expect(behind(Self.day * 9, through: .seconds(60)) == 60)
        #expect(behind(Self.day * 9, through: .zero) == 0)
    }

    @Test(arguments: [(0, false), (5, false), (6, true), (-5, false), (-6, true), (-80_000, true)])
    func `a sweep is due six hours after the last, or where that one's clock was ahead`(
        hours: Int, isDue: Bool
    ) {
        let now = Timestamp(seconds: 1_900_000_000)
        let through = now.advanced(by: Self.day * -30 - .seconds(hours * 3_600))
        let one = Retention(
            of: BusinessID(UniqueID(high: 0, low: 1)), days: 30, changedAt: now, beginsAt: now,
            progress: Retention.Progress(position: .start, note: 0, through: through))
        #expect(one.isDue(at: now) == isDue)
    }
}
