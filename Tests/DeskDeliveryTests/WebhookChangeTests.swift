import DeskBroker
import DeskHTTP
import DeskModel
import DeskStore
import Synchronization
import TestSupport
import Testing

@testable import DeskDelivery

/// What attempts come to whose endpoints change while they run.
@Suite struct WebhookChangeTests {
    @Test(arguments: [false, true])
    func `410 from before an endpoint was changed disables nothing and ends nothing`(
        isEnabledAgain: Bool
    ) async throws {
        let former = "https://1.example/"
        let held = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let receiver = ScriptedReceiver { post, attempt in
            guard post.url == former, attempt == 1 else {
                return .success(OutgoingAnswer(status: .noContent))
            }
            await withCheckedContinuation { one in held.withLock { $0 = one } }
            return .success(OutgoingAnswer(status: Status(410)))
        }
        func answer() {
            let waiting = held.withLock { one in
                defer { one = nil }
                return one
            }
            waiting?.resume()
        }
        let posting = try await Posting(receiver)
        let webhook = try await posting.add(1)
        try await posting.run {
            // In any case: what hangs would keep a test that failed from ending.
            defer { answer() }
            let id = try await posting.write("a")
            try await Wait.until("the attempt runs") { held.withLock { $0 != nil } }
            let known = try #require(try await posting.store.findWebhook(webhook.id))
            var changed = known
            if isEnabledAgain {
                #expect(try await posting.broker.disable(known, by: .server))
                #expect(
                    try await posting.store.enable(
                        webhook.id, at: posting.time.now, author: .server))
            } else {
                changed.url = "https://2.example/"
                #expect(try await posting.store.save(changed, over: known, author: .server))
            }
            answer()
            try await Wait.until("the attempt is stored") {
                try await posting.store.nextDeliveries(of: webhook.outbox, limit: 9).first?.attempts
                    != 0
            }
            try await Wait.until("it is posted again") {
                posting.time.advance(by: .seconds(1))
                return try await posting.store.countDeliveries(of: webhook.outbox) == [
                    .delivered: 1
                ]
            }
            #expect(receiver.posts.first?.url == former)
            #expect(receiver.posts.last?.url == changed.url)
            #expect(receiver.posts.allSatisfy { $0.id == id })
            #expect(try await posting.store.findWebhook(webhook.id)?.disabled == nil)
        }
    }

    @Test func `an endpoint that is changed is posted nothing that it did not want before`()
        async throws
    {
        let posting = try await Posting()
        let webhook = try await posting.add(1) { $0.types = [.noteAdded] }
        let lease = try #require(
            try await posting.store.acquireLease("reader webhooks", life: .seconds(60)))
        let noted = Mutex<[Position]>([])
        let reader = WebhookReader(
            broker: posting.broker, webhooks: posting.runner.webhooks,
            texts: posting.runner.texts, now: { dawn },
            added: { deliveries in noted.withLock { $0 += deliveries.map(\.position) } },
            well: { _ in [] })
        func follow(until what: String, _ holds: () -> Bool) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await reader.follow(under: lease) }
                try await Wait.until(what) { holds() }
                group.cancelAll()
            }
        }
        try await posting.write("a")
        let newest = posting.store.newest
        try await follow(until: "it was looked at") { reader.looked.position == newest }
        let known = try #require(try await posting.store.findWebhook(webhook.id))
        var changed = known
        changed.types = [.messageAccepted]
        #expect(try await posting.store.save(changed, over: known, author: .server))
        try await posting.write("b")
        try await follow(until: "it is noted") { !noted.withLock { $0.isEmpty } }
        #expect(noted.withLock { $0 } == [posting.store.newest])
    }
}
