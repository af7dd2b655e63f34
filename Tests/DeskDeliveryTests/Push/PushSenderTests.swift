import DeskCrypto
import DeskHTTP
import DeskModel
import DeskStore
import DeskStoreSQLite
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskDelivery

/// What is sent to customers' browsers, and how often.
struct PushSenderTests {
    /// A clock that each wait moves on.
    private final class Clock: Sendable {
        private let passed = Mutex(Duration.zero)
        private let start = ContinuousClock.now

        var waited: Duration { passed.withLock { $0 } }

        var source: TimeSource {
            TimeSource(
                now: { dawn.advanced(by: self.waited) },
                instant: { self.start.advanced(by: self.waited) },
                sleep: { wait in
                    // The first attempts come before what waits for them gives up.
                    for _ in 0..<50 { await Task.yield() }  // Bounded: by the count.
                    try Task.checkCancellation()
                    self.passed.withLock { $0 += wait }
                })
        }
    }

    private static let conversation = ConversationID(UniqueID(high: 2, low: 1))

    private static func subscription(_ name: String) -> PushSubscription {
        let endpoint = "https://fcm.googleapis.com/\(name)"
        return PushSubscription(
            id: PushSubscription.id(of: endpoint, in: conversation),
            owner: .customer(conversation, of: shop), endpoint: endpoint, point: P256.make().point,
            secret: RandomBytes.make(16), createdAt: dawn)
    }

    /// Sends one message to a browser whose push service answers as the script says; the posts.
    private func send(
        until count: Int, _ clock: Clock = Clock(),
        _ script: @escaping ScriptedReceiver.Script
    ) async throws -> [ScriptedReceiver.Post] {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        let receiver = ScriptedReceiver(script)
        let sender = PushSender(
            key: PushKey(secret: [1]), services: PushServices(), store: store, client: receiver,
            contact: "https://chat.example", version: "1", time: clock.source)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await sender.run() }
            await sender.send([
                PushMessage(
                    subscription: Self.subscription("a"), subject: "c1", payload: Array("{}".utf8))
            ])
            try await Wait.until("\(count) posts came") { receiver.posts.count >= count }
            group.cancelAll()
        }
        await store.close()
        return receiver.posts
    }

    @Test func `what is refused for good is posted once`() async throws {
        let posts = try await send(until: 1) { _, _ in
            .success(OutgoingAnswer(status: .badRequest))
        }
        #expect(posts.map(\.url) == ["https://fcm.googleapis.com/a"])
        #expect(posts[0].fields["urgency"] == "high" && posts[0].fields["ttl"] == "86400")
    }

    @Test func `what failed is posted again twice, later each time`() async throws {
        let clock = Clock()
        let posts = try await send(until: 3, clock) { _, _ in
            .failure(OutgoingError(.timeout, ""))
        }
        #expect(posts.count == 3)
        #expect(clock.waited >= .seconds(70))
        // Encrypted anew: no two have the same key.
        #expect(Set(posts.map(\.body)).count == 3)
    }

    @Test func `a push service that says when is not asked before`() async throws {
        let clock = Clock()
        let posts = try await send(until: 2, clock) { _, attempt in
            attempt == 1
                ? .success(
                    OutgoingAnswer(status: .tooManyRequests, headers: ["retry-after": "200"]))
                : .success(OutgoingAnswer(status: .created))
        }
        #expect(posts.count == 2)
        #expect(clock.waited >= .seconds(200))
    }
}
