import APITestSupport
import DeskBroker
import DeskModel
import DeskStore
import DeskStoreSQLite
import DeskWeb
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskAPI

/// What becomes of an erasure when its business chooses otherwise right before its commit.
struct RetentionChoiceTests {
    private static let day = Duration.seconds(86_400)
    private static let shop = BusinessID(UniqueID(high: 0x4000, low: 1))
    private static let other = BusinessID(UniqueID(high: 0x4000, low: 2))

    /// What the business does while the erasure is frozen.
    enum Change: CaseIterable, Sendable {
        case withdrawn, raised, held
    }

    private static func talk(of business: BusinessID) -> ConversationID {
        ConversationID(UniqueID(high: 0x5000, low: business.value.low))
    }

    /// Two businesses, each with a conversation of 150 messages and a note from long ago.
    private static func fill(_ store: DoubtfulStore, at time: Timestamp) async throws {
        for business in [shop, other] {
            try await store.save(
                Business(
                    id: business, name: "Shop", colour: "#112233", mode: .live, createdAt: time),
                author: .server)
            let customer = Customer(id: try #require(CustomerID("urn:mbid:AAA1=")), locale: "en")
            _ = try await store.append(
                OpenConversation(
                    talk(of: business), business: business, customer: customer, at: time)
            ).get()
            for number in 1...150 {
                let submission = Submission(
                    conversation: talk(of: business), id: try #require(MessageID("m\(number)")),
                    payload: Array("{}".utf8),
                    facts: MessageFacts(
                        direction: .inbound, kind: .text, author: .customer(device: ""),
                        origin: .api))
                _ = try await store.append(NewMessage(submission, at: time)).get()
            }
            let note = NoteID(UniqueID(high: 0x6000, low: business.value.low))
            _ = try await store.append(
                AddNote(note, to: talk(of: business), text: "old", by: .command, at: time)
            ).get()
            _ = try await store.setRetention(ofDays: 30, of: business, at: time, author: .command)
        }
    }

    private static func hold(at time: Timestamp) -> PlaceLegalHolds {
        PlaceLegalHolds(
            on: [.conversation(talk(of: shop))], of: shop, reason: "Case 7", by: .command, at: time)
    }

    private static func left(of business: BusinessID, in store: DoubtfulStore) async throws -> Int {
        let messages = try await store.agedMessages(after: .start)
        let notes = try await store.agedNotes(after: 0)
        return messages.count { $0.business == business } + notes.count { $0.business == business }
    }

    @Test(arguments: Change.allCases)
    func `a choice that is another by the commit erases nothing, and other businesses' go on`(
        _ change: Change
    ) async throws {
        let begin = Timestamp(seconds: 1_900_000_000)
        let passed = Mutex(Duration.zero)
        let origin = ContinuousClock.now
        let now: @Sendable () -> Timestamp = { begin.advanced(by: passed.withLock { $0 }) }
        let time = TimeSource(
            now: now, instant: { origin + passed.withLock { $0 } }, sleep: { _ in })
        let store = DoubtfulStore(over: try SQLiteStore(inMemory: Epoch(7)))
        let services = Services(
            broker: Broker(store: store, now: now), rulebook: TestFiles.rulebook,
            publicURL: try #require(PublicURL(TestServer.origin)),
            secrets: try await SharedSecrets(of: store), time: time)
        try await Self.fill(store, at: begin)
        let worker = try await RetentionWorker(services: services, rest: .zero)
        let lease = try await store.leaseOfTest()
        passed.withLock { $0 += Self.day * 40 }
        store.beforeErasing { () async throws(StoreError) in
            switch change {
            case .withdrawn: _ = try await store.removeRetention(of: Self.shop, author: .command)
            case .raised:
                _ = try await store.setRetention(
                    ofDays: 400, of: Self.shop, at: now(), author: .command)
            case .held: _ = try await store.append(Self.hold(at: now()))
            }
        }
        try await worker.doRound(under: lease)
        #expect(try await Self.left(of: Self.shop, in: store) == 151)
        #expect(try await Self.left(of: Self.other, in: store) == 0)
        let progress = try await store.retention(of: Self.shop)?.progress
        #expect(progress?.through == nil)
        // The next round judges by what was chosen then.
        try await worker.doRound(under: lease)
        #expect(try await Self.left(of: Self.shop, in: store) == 151)
        passed.withLock { $0 += Self.day * 400 }
        try await worker.doRound(under: lease)
        #expect(
            try await Self.left(of: Self.shop, in: store) == (change == .raised ? 0 : 151))
        guard change == .held else { return }
        store.beforeErasing {}
        let release = ReleaseLegalHolds(
            on: [.conversation(Self.talk(of: Self.shop))], of: Self.shop, by: .command)
        #expect(try await store.append(release).get() == 1)
        passed.withLock { $0 += Self.day }
        try await worker.doRound(under: lease)
        #expect(try await Self.left(of: Self.shop, in: store) == 0)
    }
}
