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

/// How much of the store's time erasing by age leaves to others.
struct RetentionPauseTests {
    @Test(arguments: [
        (Duration.milliseconds(300), Duration.milliseconds(300)), (.seconds(9), .seconds(9)),
        (.seconds(3_600), .seconds(10)),
    ])
    func `a sweep leaves the store to others for as long as its last piece lasted, up to 10 s`(
        piece: Duration, pause: Duration
    ) async throws {
        let state = Mutex((passed: Duration.zero, ofPiece: Duration.zero, pauses: [Duration]()))
        let origin = ContinuousClock.now
        let now: @Sendable () -> Timestamp = {
            Timestamp(seconds: 1_900_000_000).advanced(by: state.withLock { $0.passed })
        }
        let time = TimeSource(
            now: now, instant: { origin + state.withLock { $0.passed } },
            sleep: { pause in
                state.withLock {
                    $0.passed += pause
                    $0.pauses.append(pause)
                }
            })
        let store = try SQLiteStore(inMemory: Epoch(7))
        let shop = BusinessID(UniqueID(high: 0x4000, low: 1))
        let conversation = ConversationID(UniqueID(high: 0x4000, low: 2))
        // Each commit of the broker lasts as long.
        let broker = Broker(store: store) {
            state.withLock { $0.passed += $0.ofPiece }
            return now()
        }
        let services = Services(
            broker: broker, rulebook: TestFiles.rulebook,
            publicURL: try #require(PublicURL(TestServer.origin)),
            secrets: try await SharedSecrets(of: store), time: time)
        try await store.save(
            Business(id: shop, name: "Shop", colour: "#112233", mode: .live, createdAt: now()),
            author: .server)
        let customer = Customer(id: try #require(CustomerID("urn:mbid:AAA1=")), locale: "en")
        _ = try await store.append(
            OpenConversation(conversation, business: shop, customer: customer, at: now())
        ).get()
        for number in 1...250 {
            let submission = Submission(
                conversation: conversation, id: try #require(MessageID("m\(number)")),
                payload: Array("{}".utf8),
                facts: MessageFacts(
                    direction: .inbound, kind: .text, author: .customer(device: ""), origin: .api))
            _ = try await store.append(NewMessage(submission, at: now())).get()
        }
        let worker = try await RetentionWorker(services: services)
        _ = try await store.setRetention(ofDays: 30, of: shop, at: now(), author: .command)
        state.withLock {
            $0.passed += .seconds(40 * 86_400)
            $0.ofPiece = piece
        }
        try await worker.doRound(under: try await store.leaseOfTest())
        let pauses = state.withLock { $0.pauses }
        // Before three pieces, and behind the page.
        #expect(pauses.count == 4 && pauses.first == RetentionWorker.rest)
        #expect(pauses.dropFirst().prefix(2).allSatisfy { $0 >= pause })
        #expect(pauses.allSatisfy { $0 <= .seconds(10) })
        let left = try await store.messages(in: conversation, .newest, limit: 300).elements
        #expect(left.allSatisfy { $0.erasedAt != nil })
    }
}
