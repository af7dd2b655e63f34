import DeskEventJSON
import DeskHTTP
import DeskModel
import DeskStore
import Synchronization
import TestSupport
import Testing

@testable import DeskDelivery

/// What endpoints are posted, and what follows from their answers.
@Suite struct WebhookRunnerTests {
    private func answer(
        _ code: Int, _ headers: HeaderFields = [:], _ body: String = ""
    ) -> Result<OutgoingAnswer, OutgoingError> {
        .success(
            OutgoingAnswer(
                status: Status(code), headers: headers, body: RequestBody(Array(body.utf8))))
    }

    @Test func `each endpoint is posted what it wants of its business, from when it was made on`()
        async throws
    {
        let posting = try await Posting()
        try await posting.write("before")
        let all = try await posting.add(1)
        let notes = try await posting.add(2) { $0.types = [.noteAdded] }
        let outbound = try await posting.add(3) { $0.direction = .outbound }
        let elsewhere = try await posting.add(4, of: otherShop)
        try await posting.run {
            let id = try await posting.write("a")
            let other = try await posting.write("b", in: 2, of: otherShop)
            try await posting.receiver.wait(for: 2)
            #expect(posting.receiver.ids(at: all.url) == [id])
            #expect(posting.receiver.ids(at: elsewhere.url) == [other])
            try await posting.wait(for: 1, .delivered, of: all)
        }
        #expect(posting.receiver.ids(at: notes.url) + posting.receiver.ids(at: outbound.url) == [])
    }

    @Test(arguments: [(15, 1), (16, 2)])
    func `deliveries to well endpoints are noted before those to many others, once`(
        others: Int, commits: Int
    ) async throws {
        let posting = try await Posting()
        let well = try await posting.add(0)
        for number in 1...others { _ = try await posting.add(number) }
        try await posting.write("a")
        let lease = try #require(
            try await posting.store.acquireLease("reader webhooks", life: .seconds(60)))
        let noted = Mutex<[Set<WebhookID>]>([])
        let reader = WebhookReader(
            broker: posting.broker, webhooks: posting.runner.webhooks,
            texts: posting.runner.texts, now: { dawn },
            added: { deliveries in
                let ids = Set(deliveries.map { WebhookID($0.outbox.value) })
                noted.withLock { $0.append(ids) }
            },
            well: { $0.intersection([well.id]) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await reader.follow(under: lease) }
            try await Wait.until("all are noted") {
                noted.withLock { $0.reduce(0) { $0 + $1.count } } == others + 1
            }
            group.cancelAll()
        }
        #expect(noted.withLock { $0.count } == commits)
        if commits == 2 { #expect(noted.withLock { $0.first } == [well.id]) }
        for webhook in try await posting.store.webhooks(of: nil) {
            #expect(try await posting.store.countDeliveries(of: webhook.outbox) == [.pending: 1])
        }
    }

    @Test func `an endpoint that is made while it runs is posted what comes`() async throws {
        let posting = try await Posting()
        try await posting.run {
            try await posting.write("a")
            let late = try await posting.add(1)
            let id = try await posting.write("b")
            try await posting.receiver.wait(for: 1)
            #expect(posting.receiver.ids(at: late.url) == [id])
        }
    }

    @Test(arguments: [
        Result<Int, OutgoingError>.success(500), .success(302), .success(401), .success(429),
        .failure(OutgoingError(.timeout, "15 s")), .failure(OutgoingError(.forbidden, "10.0.0.1")),
        .failure(OutgoingError(.tooLarge, "an answer")),
    ])
    func `an attempt that failed is made again under the same id, and holds its conversation`(
        _ first: Result<Int, OutgoingError>
    ) async throws {
        let receiver = ScriptedReceiver { _, attempt in
            guard attempt == 1 else { return answer(200) }
            return first.flatMap { code in answer(code, ["location": "/x"], "no") }
        }
        let posting = try await Posting(receiver)
        let webhook = try await posting.add(1)
        try await posting.run {
            let id = try await posting.write("a")
            try await receiver.wait(for: 1)
            try await Wait.until("the attempt is stored") {
                try await posting.store.findWebhook(webhook.id)?.failingSince != nil
            }
            receiver.script.withLock { $0 = { _, _ in answer(200) } }
            let later = try await posting.write("b")
            let other = try await posting.write("c", in: 2)
            try await receiver.wait(for: 2)
            #expect(receiver.ids(at: webhook.url) == [id, other])
            try await posting.pass(.seconds(5), until: "4 posts were made") {
                receiver.posts.count >= 4
            }
            #expect(receiver.ids(at: webhook.url) == [id, other, id, later])
            try await posting.wait(for: 3, .delivered, of: webhook)
            #expect(try await posting.store.findWebhook(webhook.id)?.failingSince == nil)
        }
    }

    @Test func `an unordered endpoint's conversation is not held`() async throws {
        let receiver = ScriptedReceiver { post, attempt in
            post.id.hasSuffix("-2") && attempt == 1 ? answer(500) : answer(200)
        }
        let posting = try await Posting(receiver)
        let webhook = try await posting.add(1) { $0.order = .none }
        try await posting.run {
            for number in 0..<4 { try await posting.write("m\(number)") }
            try await posting.wait(for: 3, .delivered, of: webhook)
            #expect(receiver.ids(at: webhook.url).count == 4)
        }
    }

    @Test(arguments: [false, true])
    func `an answer's Retry-After is waited for, in seconds or as a date`(
        isDate: Bool
    ) async throws {
        let receiver = ScriptedReceiver { _, _ in answer(200) }
        let posting = try await Posting(receiver)
        let date = HTTPDate.text(
            secondsSince1970: Int(posting.time.now.milliseconds / 1_000) + 60)
        receiver.script.withLock { script in
            script = { _, attempt in
                attempt == 1
                    ? answer(503, ["retry-after": isDate ? date : "60"]) : answer(200)
            }
        }
        let webhook = try await posting.add(1)
        try await posting.run {
            try await posting.write("a")
            try await Wait.until("the attempt is stored") {
                try await posting.store.findWebhook(webhook.id)?.failingSince != nil
            }
            let next = try await posting.store.nextDeliveries(of: webhook.outbox, limit: 1).first
            #expect(next?.due == posting.time.now.advanced(by: .seconds(60)))
            #expect(next?.last?.status == 503)
            try await posting.pass(.seconds(60), until: "it is delivered") {
                try await posting.store.countDeliveries(of: webhook.outbox)[.delivered] == 1
            }
        }
    }

    @Test func `after its last attempt a delivery is dead, and its conversation goes on`()
        async throws
    {
        let receiver = ScriptedReceiver { post, _ in
            post.body.count > 0 && post.id.hasSuffix("-2") ? answer(500, [:], "why") : answer(200)
        }
        let posting = try await Posting(receiver)
        let webhook = try await posting.add(1)
        try await posting.run {
            try await posting.write("a")
            try await posting.write("b")
            try await Wait.until("the attempt is stored") {
                try await posting.store.findWebhook(webhook.id)?.failingSince != nil
            }
            try await posting.pass(.seconds(5), until: "the second is delivered") {
                try await posting.store.countDeliveries(of: webhook.outbox)[.delivered] == 1
            }
            let dead = try await posting.store.deliveries(
                of: webhook.outbox, in: .dead, at: .start, limit: 9)
            #expect(dead.map(\.attempts) == [2])
            #expect(dead.first?.last?.answer == Array("why".utf8))
        }
    }

    @Test func `410 disables an endpoint with an alarm`() async throws {
        let posting = try await Posting(ScriptedReceiver { _, _ in answer(410) })
        let webhook = try await posting.add(1)
        try await posting.run {
            try await posting.write("a")
            try await disabled(webhook, as: .gone, posting)
            try await posting.write("b")
        }
        #expect(posting.receiver.posts.count == 1)
        #expect(try await posting.store.countDeliveries(of: webhook.outbox) == [.dead: 1])
    }

    @Test
    func `an endpoint that failed for five days is disabled, and not one that failed for less`()
        async throws
    {
        let waits = Array(repeating: Duration.seconds(86_400), count: 9)
        let posting = try await Posting(ScriptedReceiver { _, _ in answer(500) }, waits: waits)
        let webhook = try await posting.add(1)
        try await posting.run {
            try await posting.write("a")
            for day in 1...5 {
                try await posting.pass(
                    day == 1 ? .zero : .seconds(86_400), until: "\(day) attempts are stored"
                ) {
                    try await posting.store.nextDeliveries(of: webhook.outbox, limit: 1)
                        .first?.attempts == day
                }
                #expect(try await posting.store.findWebhook(webhook.id)?.disabled == nil)
            }
            try await posting.pass(.seconds(86_400), until: "it is disabled") {
                try await posting.store.findWebhook(webhook.id)?.disabled != nil
            }
            try await disabled(webhook, as: .failing, posting)
        }
    }

    @Test func `an endpoint that is enabled again is posted at once what is due in hours`()
        async throws
    {
        let receiver = ScriptedReceiver { _, attempt in answer(attempt == 1 ? 500 : 200) }
        let posting = try await Posting(receiver, waits: [.seconds(18_000)])
        let webhook = try await posting.add(1)
        try await posting.run {
            try await posting.write("a")
            try await Wait.until("the attempt is stored") {
                try await posting.store.findWebhook(webhook.id)?.failingSince != nil
            }
            // The sender may see that it was disabled, or not before it is enabled again.
            _ = try await posting.store.disable(
                webhook.id, as: Webhook.Disabled(.member, at: posting.time.now), author: .server)
            #expect(
                try await posting.store.enable(webhook.id, at: posting.time.now, author: .server))
            try await posting.wait(for: 1, .delivered, of: webhook)
        }
        #expect(receiver.posts.count == 2)
    }

    private func disabled(
        _ webhook: Webhook, as reason: Webhook.DisabledReason, _ posting: Posting
    ) async throws {
        try await Wait.until("the alarm is in the log") {
            let page = try await posting.store.events(after: .start, in: .everything, limit: 300)
            return page.events.contains { $0.type == .webhookDisabled && $0.business == shop }
        }
        #expect(
            try await posting.store.findWebhook(webhook.id)?.disabled?.reason == reason)
    }

    @Test func `fifty endpoints are posted every event in order, each conversation's alone`()
        async throws
    {
        let posting = try await Posting()
        var endpoints: [Webhook] = []
        for number in 0..<50 { endpoints.append(try await posting.add(number)) }
        try await posting.run {
            var ids: [Int: [String]] = [:]
            for number in 0..<20 {
                ids[number % 2, default: []].append(
                    try await posting.write("m\(number)", in: number % 2))
            }
            for endpoint in endpoints { try await posting.wait(for: 20, .delivered, of: endpoint) }
            for endpoint in endpoints {
                // At least once: on a machine that stood still for longer than a lease lives, the
                // next holder of the lease posts again what was not noted as delivered.
                var posted: [String] = []
                for id in posting.receiver.ids(at: endpoint.url) where !posted.contains(id) {
                    posted.append(id)
                }
                for conversation in [0, 1] {
                    let wanted = ids[conversation] ?? []
                    #expect(posted.filter { wanted.contains($0) } == wanted)
                }
            }
        }
    }

    @Test func `a runner that ends goes on in another one where it was`() async throws {
        let posting = try await Posting()
        let webhook = try await posting.add(1)
        try await posting.run {
            try await posting.write("a")
            try await posting.wait(for: 1, .delivered, of: webhook)
        }
        let missed = try await posting.write("b")
        try await posting.run { try await posting.wait(for: 2, .delivered, of: webhook) }
        #expect(posting.receiver.ids(at: webhook.url).last == missed)
        #expect(posting.receiver.posts.count == 2)
    }

    @Test(arguments: [true, false])
    func `what was erased is not posted from memory, and an event beside it is posted`(
        wantsErasures: Bool
    ) async throws {
        let receiver = ScriptedReceiver { _, _ in answer(500) }
        let posting = try await Posting(receiver, waits: [.seconds(5), .seconds(5)])
        let webhook = try await posting.add(1) {
            $0.types = wantsErasures ? [.messageAccepted, .messageErased] : [.messageAccepted]
            $0.order = .none
        }
        try await posting.run {
            let erased = try await posting.write("gone")
            let kept = try await posting.write("kept", in: 2)
            try await receiver.wait(for: 2)
            try await posting.erase("gone")
            let position = try Self.position(of: erased)
            try await Wait.until("the reader has come to the erasure") {
                !posting.runner.texts.remembers(position)
            }
            receiver.script.withLock { $0 = { _, _ in answer(200) } }
            try await posting.pass(.seconds(5), until: "both are delivered") {
                try await posting.store.countDeliveries(of: webhook.outbox)[.delivered] ?? 0 >= 2
            }
            let last = { (id: String) in receiver.posts.last { $0.id == id }?.body ?? [] }
            #expect(!String(decoding: last(erased), as: UTF8.self).contains("hello"))
            #expect(String(decoding: last(kept), as: UTF8.self).contains("hello"))
            #expect(try await posting.store.countDeliveries(of: webhook.outbox)[.dead] == nil)
        }
    }

    @Test func `an event is posted whose text was forgotten, and behind which something is erased`()
        async throws
    {
        let posting = try await Posting()
        let webhook = try await posting.add(1)
        try await posting.run {
            try await posting.write("a")
            try await posting.wait(for: 1, .delivered, of: webhook)
        }
        // Written while no runner posts: the next one reads all of it from the log.
        let missed = try await posting.write("b", in: 2)
        try await posting.write("c", in: 3)
        try await posting.erase("c", in: 3)
        let texts = EventTexts(store: posting.store, authorNames: AuthorNames(store: posting.store))
        #expect(try await texts.find(Self.position(of: missed), of: shop)?.id == missed)
        try await posting.run { try await posting.wait(for: 3, .delivered, of: webhook) }
    }

    private static func position(of event: String) throws -> Position {
        guard let number = event.split(separator: "-").last.flatMap({ Int64($0) }) else {
            throw Unexpected("an event's id: \(event)")
        }
        return Position(number)
    }

    @Test func `sick endpoints do not keep a healthy one waiting`() async throws {
        let held = Mutex<[CheckedContinuation<Void, Never>]>([])
        let receiver = ScriptedReceiver { post, attempt in
            guard !post.url.contains("//0.") else { return answer(200) }
            // The first attempt fails, further ones hang.
            if attempt == 1 { return answer(500) }
            await withCheckedContinuation { one in held.withLock { $0.append(one) } }
            return answer(500)
        }
        let posting = try await Posting(receiver)
        let healthy = try await posting.add(0)
        for number in 1...40 { _ = try await posting.add(number) }
        // In any case: what hangs would keep a test that failed from ending.
        func release() {
            receiver.script.withLock { $0 = { _, _ in answer(200) } }
            held.withLock { held in
                for one in held { one.resume() }
                held = []
            }
        }
        try await posting.run {
            defer { release() }
            try await posting.write("a")
            try await posting.wait(for: 1, .delivered, of: healthy)
            try await receiver.wait(for: 41)
            try await Wait.until("all failures are stored") {
                try await posting.store.webhooks(of: nil).count { $0.failingSince != nil } == 40
            }
            try await posting.pass(.seconds(5), until: "sick ones have their share") {
                held.withLock { $0.count } == 16
            }
            for number in 0..<30 { try await posting.write("b\(number)", in: number) }
            try await posting.wait(for: 31, .delivered, of: healthy)
            #expect(held.withLock { $0.count } == 16)
        }
    }
}
