import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import Synchronization
import TestSupport
import Testing

/// What every store promises of webhook endpoints and their queue.
@Suite struct WebhookContract {
    private static let me = Author.agent(agent(1))
    private static let reader = ReaderName("webhooks")

    static func webhook(_ number: UInt64, of owner: UInt64 = 1) -> Webhook {
        var webhook = Webhook(
            id: WebhookID(uniqueID(0xE000 + number)), business: business(owner),
            url: "https://shop.example/\(number)", signing: .v1,
            secret: Array(repeating: 7, count: 32), createdAt: dawn)
        webhook.types = [.messageAccepted, .noteAdded]
        webhook.labels = [LabelID(uniqueID(5))]
        webhook.direction = .inbound
        webhook.headers = [WebhookHeader(name: "X-Shop", value: "tea, {x=1:a}")]
        webhook.description = "the shop's"
        webhook.payload = .thin
        webhook.order = .none
        webhook.concurrency = 2
        return webhook
    }

    private func delivery(_ position: Int64, in number: UInt64? = 1, to webhook: Webhook)
        -> Delivery
    {
        Delivery(
            outbox: webhook.outbox, position: Position(position),
            conversation: number.map { conversation($0) }, due: dawn)
    }

    /// Notes deliveries as the reader does, and returns the lease under which it did.
    @discardableResult
    private func note(_ deliveries: [Delivery], in store: any Registry) async throws -> Lease {
        let lease = try await store.leaseOfTest()
        let before = try await store.findCursor(of: Self.reader)
        let end = EventID(
            epoch: Epoch(1), position: Position((before?.position.value ?? 0) + 100))
        try await store.advance(
            Self.reader, from: before, to: end, storing: .webhooks(deliveries), under: lease)
        return lease
    }

    private func next(_ webhook: Webhook, in store: any Registry) async throws -> [Int64] {
        let found = try await store.nextDeliveries(of: [webhook.outbox: 300])
        return (found[webhook.outbox] ?? []).map(\.position.value)
    }

    private func tried(
        _ delivery: Delivery, _ state: Delivery.State, attempts: Int = 1
    ) -> Delivery {
        var tried = delivery
        tried.state = state
        tried.attempts = attempts
        tried.last = DeliveryAttempt(
            time: dawn, status: 500, detail: "busy", milliseconds: 12, answer: Array("no".utf8))
        return tried
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an endpoint whose secrets cannot be read keeps none of the others back`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let (spoiled, other) = (Self.webhook(1), Self.webhook(2, of: 2))
            for one in [spoiled, other] { #expect(try await store.add(one, author: Self.me)) }
            _ = try await store.write { sql throws(StoreError) in
                try sql.statement(
                    "UPDATE webhooks SET secrets = (SELECT secrets FROM webhooks "
                        + "WHERE url LIKE '%/2')"
                ).runCounting()
            }
            let found = try await store.webhooks(of: nil)
            #expect(found.map(\.id) == [spoiled.id, other.id])
            #expect(found.map(\.isSecretUnreadable) == [true, false] && found.last == other)
            let known = try #require(try await store.findWebhook(spoiled.id))
            #expect(known.secret.isEmpty && known.headers.isEmpty && known.url == spoiled.url)
            // What cannot be read is kept, in case its key comes back.
            var renamed = known
            renamed.description = "renamed"
            #expect(try await store.save(renamed, over: known, author: Self.me))
            #expect(try await store.findWebhook(spoiled.id) == renamed)
            var rotated = renamed
            rotated.secret = Array(repeating: 8, count: 32)
            #expect(!rotated.isSecretUnreadable)
            #expect(try await store.save(rotated, over: renamed, author: Self.me))
            #expect(try await store.findWebhook(spoiled.id) == rotated)
        }
    }

    @Test(arguments: KeptRegistries.allCases, ["settings = '{'", "signing = 'x'"])
    func `a damaged endpoint is left out of lists, and keeps none of the others back`(
        _ kept: KeptRegistries, _ harm: String
    ) async throws {
        try await kept.with { store in
            let (spoiled, other) = (Self.webhook(1), Self.webhook(2, of: 2))
            for one in [spoiled, other] { #expect(try await store.add(one, author: Self.me)) }
            _ = try await store.write { sql throws(StoreError) in
                try sql.statement("UPDATE webhooks SET \(harm) WHERE url LIKE '%/1'")
                    .runCounting()
            }
            #expect(try await store.webhooks(of: nil) == [other])
            #expect(try await store.webhooks(of: business(1)) == [])
            await #expect(throws: StoreError.self) { try await store.findWebhook(spoiled.id) }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an endpoint is read back as it was made, and its secrets are not in the table`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            var made = Self.webhook(1)
            made.formerSecret = Webhook.FormerSecret(bytes: [1, 2, 3], until: dawn)
            #expect(try await store.add(made, author: Self.me))
            #expect(try await store.add(Self.webhook(2, of: 2), author: Self.me))
            #expect(try await store.findWebhook(made.id) == made)
            #expect(try await store.webhooks(of: business(1)) == [made])
            #expect(try await store.webhooks(of: nil).count == 2)
            let known = made
            made.url = "https://other.example"
            made.secret = Array(repeating: 8, count: 32)
            made.formerSecret = nil
            made.types = []
            #expect(try await store.save(made, over: known, author: Self.me))
            #expect(try await store.findWebhook(made.id) == made)
            // What was read before that does not bring the former secret back.
            var late = known
            late.description = "late"
            #expect(try await !store.save(late, over: known, author: Self.me))
            #expect(try await store.findWebhook(made.id) == made)
            let raw = try await store.readRegistry { sql throws(StoreError) in
                try sql.statement(literal: "SELECT secrets FROM webhooks ORDER BY number")
                    .all { $0.bytes() }
            }
            #expect(raw.count == 2)
            for row in raw {
                #expect(!String(decoding: row, as: UTF8.self).contains("X-Shop"))
            }
            #expect(try await store.remove(made.id, author: Self.me))
            #expect(try await !store.remove(made.id, author: Self.me))
            #expect(try await !store.save(made, over: made, author: Self.me))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a business has a hundred endpoints and not one more`(_ kept: KeptRegistries) async throws
    {
        try await kept.with { store in
            var added: [Bool] = []
            for number in 0...UInt64(Webhook.most) {
                added.append(try await store.add(Self.webhook(number), author: Self.me))
            }
            #expect(added == Array(repeating: true, count: Webhook.most) + [false])
            let isAdded = try await store.add(Self.webhook(1_000, of: 2), author: Self.me)
            #expect(isAdded)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an endpoint that is disabled is noted nothing, and once enabled again it is`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let webhook = Self.webhook(1)
            _ = try await store.add(webhook, author: Self.me)
            let gone = Webhook.Disabled(.gone, at: dawn)
            #expect(try await store.disable(webhook.id, as: gone, author: .server))
            #expect(try await !store.disable(webhook.id, as: gone, author: .server))
            #expect(try await store.findWebhook(webhook.id)?.disabled == gone)
            try await note([delivery(1, to: webhook)], in: store)
            #expect(try await next(webhook, in: store) == [])
            #expect(try await store.enable(webhook.id, at: dawn, author: Self.me))
            #expect(try await !store.enable(webhook.id, at: dawn, author: Self.me))
            try await note([delivery(2, to: webhook)], in: store)
            #expect(try await next(webhook, in: store) == [2])
            #expect(try await store.findWebhook(webhook.id)?.disabled == nil)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `enabling an endpoint brings what is pending forward, and nothing of others`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let (webhook, other) = (Self.webhook(1), Self.webhook(2))
            for one in [webhook, other] { _ = try await store.add(one, author: Self.me) }
            let (soon, late) = (
                dawn.advanced(by: .seconds(60)), dawn.advanced(by: .seconds(7_200))
            )
            // More than one transaction brings forward; of one conversation some, of which one is attempted.
            let many = (10...3_010).map { delivery($0, in: nil, to: webhook) }
            let lease = try await note(
                [delivery(1, to: webhook), delivery(2, to: webhook), delivery(3, to: webhook)]
                    + many + [delivery(1, to: other)], in: store)
            var failed = tried(delivery(2, to: webhook), .pending)
            failed.due = late
            var dead = tried(delivery(3, to: webhook), .dead)
            dead.due = late
            var elsewhere = tried(delivery(1, to: other), .pending)
            elsewhere.due = late
            let failing = many.map { one in
                var failed = tried(one, .pending)
                failed.due = late
                return failed
            }
            try await store.settle([failed, dead, elsewhere] + failing, [:], under: lease)
            let followed = Mutex<[OutboxID]>([])
            store.followRetries { outbox, _ in followed.withLock { $0.append(outbox) } }
            _ = try await store.disable(
                webhook.id, as: Webhook.Disabled(.member, at: dawn), author: Self.me)
            #expect(try await store.enable(webhook.id, at: soon, author: Self.me))
            func due(_ webhook: Webhook, _ positions: [Int64]) async throws -> [Timestamp] {
                try await store.deliveries(of: webhook.outbox, at: positions.map { Position($0) })
                    .map(\.due)
            }
            #expect(try await due(webhook, [1, 2, 3]) == [dawn, soon, late])
            #expect(try await Set(due(webhook, many.map(\.position.value))) == [soon])
            #expect(try await due(other, [1]) == [late])
            #expect(followed.withLock { Set($0) } == [webhook.outbox])
            // So does doing it again, of one that is enabled: its receiver was repaired.
            #expect(try await !store.enable(webhook.id, at: dawn, author: Self.me))
            #expect(try await due(webhook, [2]) == [dawn])
        }
    }

    @Test(arguments: Kept.allCases)
    func `the server disables an endpoint and says so in one commit, once`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let webhook = Self.webhook(1)
            #expect(try await store.add(webhook, author: Self.me))
            let gone = Webhook.Disabled(.gone, at: dawn)
            func disable(_ webhook: Webhook) async throws -> Result<Bool, Refusal> {
                try await store.append(
                    DisableWebhook(webhook, as: gone, event: Array("{}".utf8)))
            }
            func alarms() async throws -> Int {
                try await store.events(after: .start, in: .everything, limit: 300).events
                    .count { $0.type == .webhookDisabled }
            }
            #expect(try await disable(webhook) == .success(true))
            #expect(try await store.findWebhook(webhook.id)?.disabled == gone)
            #expect(try await alarms() == 1)
            #expect(try await disable(webhook) == .success(false))
            #expect(try await alarms() == 1)
            // Refused, so that neither of the two is stored.
            #expect(try await disable(Self.webhook(2, of: 9)) == .failure(.notFound))
            #expect(try await store.enable(webhook.id, at: dawn, author: Self.me))
            #expect(try await disable(webhook) == .success(true))
            #expect(try await alarms() == 2)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `deliveries are noted with the reader's cursor or not at all`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let webhook = Self.webhook(1)
            _ = try await store.add(webhook, author: Self.me)
            let lease = try await note([delivery(1, to: webhook)], in: store)
            let elsewhere = EventID(epoch: Epoch(1), position: Position(3))
            await #expect(throws: StoreError.self) {
                try await store.advance(
                    Self.reader, from: elsewhere, to: elsewhere,
                    storing: .webhooks([delivery(2, to: webhook)]), under: lease)
            }
            #expect(try await next(webhook, in: store) == [1])
            // The log keeps what a delivery needs.
            #expect(try await store.firstNeeded() == Position(1))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func
        `an ordered endpoint's conversation waits for what failed, and an unordered one's for nothing`(
            _ kept: KeptRegistries
        ) async throws
    {
        try await kept.with { store in
            let (ordered, free) = (Self.webhook(1), Self.webhook(2))
            for webhook in [ordered, free] { _ = try await store.add(webhook, author: Self.me) }
            let lease = try await note(
                [
                    delivery(1, to: ordered), delivery(2, to: ordered),
                    delivery(3, in: 2, to: ordered), delivery(1, in: nil, to: free),
                    delivery(2, in: nil, to: free),
                ], in: store)
            #expect(try await next(ordered, in: store) == [1, 3])
            #expect(try await next(free, in: store) == [1, 2])
            let since = dawn.advanced(by: .seconds(-5))
            try await store.settle(
                [tried(delivery(1, to: ordered), .pending)],
                [ordered.id: .failing(since: since)], under: lease)
            #expect(try await next(ordered, in: store) == [1, 3])
            #expect(try await store.findWebhook(ordered.id)?.failingSince == since)
            try await store.settle(
                [
                    tried(delivery(1, to: ordered), .delivered, attempts: 2),
                    tried(delivery(1, in: nil, to: free), .dead),
                ], [ordered.id: .recovered], under: lease)
            #expect(try await next(ordered, in: store) == [2, 3])
            #expect(try await next(free, in: store) == [2])
            #expect(try await store.findWebhook(ordered.id)?.failingSince == nil)
            let shown = try await store.deliveries(
                of: ordered.outbox, in: .delivered, at: .start, limit: 9)
            #expect(shown == [tried(delivery(1, to: ordered), .delivered, attempts: 2)])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a result under an earlier lease is refused, and a second one of an attempt left out`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let webhook = Self.webhook(1)
            _ = try await store.add(webhook, author: Self.me)
            let lease = try await note([delivery(1, to: webhook)], in: store)
            try await store.settle([tried(delivery(1, to: webhook), .pending)], [:], under: lease)
            try await store.settle([tried(delivery(1, to: webhook), .dead)], [:], under: lease)
            #expect(try await next(webhook, in: store) == [1])
            try await store.releaseLease(lease)
            await #expect(throws: StoreError.self) {
                try await store.settle(
                    [tried(delivery(1, to: webhook), .delivered, attempts: 2)], [:], under: lease)
            }
            #expect(try await next(webhook, in: store) == [1])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a replay notes what was final or never noted, and leaves what is pending`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let webhook = Self.webhook(1)
            _ = try await store.add(webhook, author: Self.me)
            let lease = try await note(
                [delivery(1, to: webhook), delivery(2, to: webhook), delivery(3, to: webhook)],
                in: store)
            for position: Int64 in [1, 2] {
                try await store.settle(
                    [tried(delivery(position, to: webhook), position == 1 ? .delivered : .dead)],
                    [:], under: lease)
            }
            #expect(try await next(webhook, in: store) == [3])
            let all = (1...4).map { delivery($0, to: webhook) }
            #expect(
                try await store.replay(all, of: webhook.outbox, author: Self.me) == 3)
            #expect(try await next(webhook, in: store) == [1])
            #expect(
                try await store.countDeliveries(of: webhook.outbox) == [.pending: 4])
            #expect(try await store.replay(all, of: webhook.outbox, author: Self.me) == 0)
            #expect(try await store.removeDeliveries(of: webhook.outbox) == 4)
            #expect(try await store.removeDeliveries(of: webhook.outbox) == 0)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what waits for an endpoint that is disabled for long is forgotten with dead deliveries`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let (off, on) = (Self.webhook(1), Self.webhook(2))
            for webhook in [off, on] { _ = try await store.add(webhook, author: Self.me) }
            try await note([delivery(1, to: off), delivery(1, to: on)], in: store)
            let disabled = Webhook.Disabled(.member, at: dawn)
            _ = try await store.disable(off.id, as: disabled, author: Self.me)
            for (age, left) in [(0, 1), (1, 0)] {
                try await store.pruneDeliveries(
                    deliveredBefore: dawn, deadBefore: dawn.advanced(by: .seconds(age)))
                #expect(try await next(off, in: store).count == left)
            }
            #expect(try await next(on, in: store) == [1])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what a handshake found is read back`(_ kept: KeptRegistries) async throws {
        try await kept.with { store in
            let webhook = Self.webhook(1)
            _ = try await store.add(webhook, author: Self.me)
            let found = WebhookHandshake(
                time: dawn, signed: WebhookProbe(status: 204, detail: "accepted", milliseconds: 3),
                forged: WebhookProbe(status: nil, detail: "no answer", milliseconds: 5_000))
            #expect(try await store.note(found, of: webhook.id, author: Self.me))
            #expect(try await store.findWebhook(webhook.id)?.handshake == found)
        }
    }
}
