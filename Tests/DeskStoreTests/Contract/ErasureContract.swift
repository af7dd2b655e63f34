import DeskCrypto
import DeskModel
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of a message whose content was erased.
@Suite struct ErasureContract {
    static let secret = "a secret that must go"
    static let later = Timestamp(seconds: 1_800_000_100)

    static func order(_ ids: [String], of number: UInt64 = 1) throws -> Erasing {
        Erasing(
            try ids.map { try messageID($0) }, in: conversation(number), by: .agent(agent(1)),
            at: later)
    }

    @discardableResult
    private static func erase(
        _ ids: String..., of number: UInt64 = 1, in store: any Store
    ) async throws -> [Int64] {
        try await store.one(order(ids, of: number)).map(\.value)
    }

    static func use(_ file: AttachmentID, named name: String) -> AttachmentUse {
        AttachmentUse(id: file, name: name, mediaType: "image/png", byteCount: 9)
    }

    /// The id of a file that was never stored.
    static func file(_ number: UInt8) -> AttachmentID { AttachmentID(.sha256([number])) }

    /// A message with everything that is to be erased.
    static func full(_ id: String, to conversation: ConversationID) throws -> Submission {
        var one = try submission(id, to: conversation, "{\"body\":\"\(secret)\"}")
        one.facts.summary = secret
        one.facts.headers = [HeaderField(name: "x-note", value: secret)]
        one.facts.warnings = Array("[\"\(secret)\"]".utf8)
        one.facts.template = TemplateUse(
            name: try SchemaFixture.name("welcome"), version: 1,
            values: Array("{\"name\":\"\(secret)\"}".utf8))
        one.facts.attachments = [use(file(1), named: secret), use(file(2), named: secret)]
        one.facts.entryCode = secret
        one.facts.inReplyTo = try messageID("m1")
        one.posted = Array(secret.utf8)
        return one
    }

    /// Fills a conversation: the third of five messages is full, the fourth names a file of it.
    static func fill(_ store: any Store) async throws {
        try await store.begin(conversation(1))
        for number in 1...5 {
            var one = try submission(
                "m\(number)", to: conversation(1), "{\"body\":\"line \(number)\"}")
            if number == 3 { one = try full("m3", to: conversation(1)) }
            if number == 4 { one.facts.attachments = [use(file(2), named: "shared.png")] }
            _ = try await store.accept(one)
        }
    }

    private static func require(
        _ id: String, of number: UInt64 = 1, in store: any Store
    ) async throws -> StoredMessage {
        try #require(try await store.findMessage(messageID(id), in: conversation(number)))
    }

    // MARK: What is left of it

    @Test(arguments: Kept.allCases)
    func `an erased message keeps number, time, direction and kind, and nothing it said`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.fill(store)
            let before = try await Self.require("m3", in: store)
            let row = try await store.require(conversation(1))
            #expect(try await Self.erase("m3", in: store) == [3])
            let after = try await Self.require("m3", in: store)
            #expect(after.erasedAt == Self.later)
            #expect(after.sequence == before.sequence && after.position == before.position)
            #expect(after.time == before.time)
            #expect(
                after.facts
                    == MessageFacts(
                        direction: .inbound, kind: .text, author: before.facts.author,
                        origin: before.facts.origin))
            #expect(after.payload == .bytes(Array("{}".utf8)))
            #expect(after.digest != before.digest && after.checksum != before.checksum)
            let thread = try await store.messages(in: conversation(1), .newest, limit: 300)
            #expect(thread.elements.count == 5 && thread.damaged == [])
            let now = try await store.require(conversation(1))
            #expect(now.revision == row.revision.next)
            #expect(now.activity == row.activity && now.unread == row.unread)
        }
    }

    @Test(arguments: Kept.allCases)
    func `the log says who erased what, and replay has the tombstone in the message's place`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.fill(store)
            let newest = store.newest
            try await Self.erase("m3", in: store)
            let events = try await store.events(after: newest, in: .everything, limit: 9).events
            #expect(events.map(\.type) == [.messageErased])
            let by = #"{"type":"agent","id":"\#(agent(1).text)"}"#
            #expect(
                events.first?.body
                    == .json(Array(#"{"message":"m3","sequence":3,"by":\#(by)}"#.utf8)))
            for scope in [EventScope.everything, .customer(conversation(1))] {
                let page = try await store.events(after: .start, in: scope, limit: 300)
                let bodies = page.events.compactMap { event -> StoredMessage? in
                    if case .message(let message) = event.body { message } else { nil }
                }
                #expect(bodies.count == 5)
                #expect(bodies[2].erasedAt == Self.later)
                #expect(bodies[2].payload == .bytes(Array("{}".utf8)))
            }
        }
    }

    // The key is made for one order and kept nowhere: the same content has another digest each time.
    @Test(arguments: Kept.allCases)
    func `the digest of an erased message says nothing of its content`(_ kept: Kept) async throws {
        try await kept.with { store in
            let text = "{\"body\":\"\(Self.secret)\"}"
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
                _ = try await store.accept(submission("m", to: conversation(number), text))
            }
            let content = Digest.sha256(Array(text.utf8))
            #expect(try await Self.require("m", of: 1, in: store).digest == content)
            try await Self.erase("m", of: 1, in: store)
            try await Self.erase("m", of: 2, in: store)
            let first = try await Self.require("m", of: 1, in: store).digest
            let second = try await Self.require("m", of: 2, in: store).digest
            #expect(Set([first, second, content]).count == 3)
            for key in [[], [UInt8](repeating: 0, count: 32)] as [[UInt8]] {
                #expect(
                    Digest(bytes: HMACSHA256.code(for: Array(content.text.utf8), key: key))
                        != first)
            }
        }
    }

    // MARK: Repeats

    @Test(arguments: Kept.allCases)
    func `a repeat of an erased id is refused whatever its bytes and stores nothing`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.fill(store)
            try await Self.erase("m3", in: store)
            let newest = store.newest
            for text in ["{\"body\":\"\(Self.secret)\"}", "{}", "anything else"] {
                let again = try submission("m3", to: conversation(1), text)
                await #expect(throws: Refusal.messageErased) { try await store.accept(again) }
            }
            // Beside it in a group nothing is stored either.
            let group = WriteGroup(
                NewMessage(try submission("m3", to: conversation(1)), at: dawn),
                after: [.message(NewMessage(try submission("m6", to: conversation(1)), at: dawn))])
            let results = try await store.append([group])
            #expect(results.map { $0.map(\.isRepeat) } == [.failure(.messageErased)])
            #expect(store.newest == newest)
            // Also after the customer left, when outbound messages are refused.
            _ = try await store.change(conversation(1), .leave)
            let late = try submission("m3", to: conversation(1), "x", direction: .outbound)
            await #expect(throws: Refusal.messageErased) { try await store.accept(late) }
            #expect(store.newest.value == newest.value + 1)
        }
    }

    @Test(arguments: Kept.allCases)
    func `what a key led to forgets the request and still knows the message`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            func sent(_ id: String, _ body: UInt8) throws -> NewMessage {
                var sent = try submission(id, to: conversation(1), Self.secret)
                sent.idempotency = IdempotencyClaim(
                    credential: "key:1", route: "POST /x", key: "k", body: .sha256([body]))
                return NewMessage(sent, at: dawn)
            }
            let first = try sent("m1", 1)
            _ = try await store.one(first)
            let scope = try #require(first.submission.idempotency).scope
            try await Self.erase("m1", in: store)
            let known = try #require(try await store.findAnswer(scope))
            #expect(known.content == .message(conversation(1), try messageID("m1")))
            #expect(known.body != .sha256([1]))
            let newest = store.newest
            for again in [first, try sent("m1", 2), try sent("m2", 1)] {
                await #expect(throws: Refusal.messageErased) { try await store.one(again) }
            }
            #expect(store.newest == newest)
        }
    }

    @Test(arguments: Kept.allCases)
    func `an answer that was remembered as given goes when it names the message`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.fill(store)
            func remember(_ scope: String, naming id: String) async throws {
                let body = #"{"lastMessage":{"id":"\#(id)","summary":"\#(Self.secret)"}}"#
                try await store.remember(
                    RememberedAnswer(
                        scope: scope, body: .sha256([1]),
                        content: .answer(status: 200, body: Array(body.utf8)), time: dawn))
            }
            try await remember("a change", naming: "m3")
            try await remember("another", naming: "m4")
            try await Self.erase("m3", in: store)
            let change = try #require(try await store.findAnswer("a change"))
            #expect(change.content == .message(conversation(1), try messageID("m3")))
            #expect(change.body != .sha256([1]))
            let other = try #require(try await store.findAnswer("another"))
            guard case .answer(200, let bytes) = other.content else {
                Issue.record("\(other.content)")
                return
            }
            #expect(!bytes.isEmpty)
        }
    }

    @Test(arguments: Kept.allCases)
    func `erasing again changes nothing, and an unknown id erases none of a group`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.fill(store)
            try await Self.erase("m3", in: store)
            let newest = store.newest
            let first = try await Self.require("m3", in: store)
            #expect(try await Self.erase("m3", in: store) == [])
            #expect(store.newest == newest)
            #expect(try await Self.require("m3", in: store) == first)
            await #expect(throws: Refusal.notFound) {
                try await Self.erase("m4", "nobody", in: store)
            }
            #expect(try await Self.require("m4", in: store).erasedAt == nil)
            // The last message's line in lists goes with it, and the conversation goes on.
            #expect(try await Self.erase("m5", "m4", "m4", in: store) == [4, 5])
            #expect(try await store.require(conversation(1)).last?.summary == "")
            _ = try await store.accept(submission("m6", to: conversation(1)))
            #expect(try await store.require(conversation(1)).newest == SequenceNumber(6))
        }
    }

    @Test(arguments: Kept.allCases)
    func `what settled a request is known when the answer is erased`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.fill(store)
            let request = try messageID("m1")
            func settle(_ id: String) async throws -> Result<Acceptance, Refusal> {
                let answer = try submission(id, to: conversation(1))
                return try await store.append(
                    NewMessage(answer, at: dawn),
                    after: [.settle(request, in: conversation(1), by: answer.id)])
            }
            #expect(try await store.findSettlement(of: request, in: conversation(1)) == nil)
            #expect(try await settle("paid").map(\.isRepeat) == .success(false))
            try await Self.erase("paid", in: store)
            #expect(
                try await store.findSettlement(of: request, in: conversation(1))
                    == messageID("paid"))
            #expect(try await settle("again").map(\.isRepeat) == .failure(.settled))
        }
    }

    // MARK: Copies

    @Test(arguments: Kept.allCases)
    func `a file goes with the last message that names it`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.fill(store)
            let holder = AttachmentHolder.conversation(conversation(1))
            try await Self.erase("m3", in: store)
            #expect(try await store.findAttachment(Self.file(1), heldBy: holder) == nil)
            let shared = try await store.findAttachment(Self.file(2), heldBy: holder)
            #expect(shared?.name == "shared.png")
            #expect(try await store.expireUploads(before: dawn) == [Self.file(1)])
            try await Self.erase("m4", in: store)
            #expect(
                Set(try await store.expireUploads(before: dawn))
                    == [Self.file(1), Self.file(2)])
        }
    }

    @Test(arguments: Kept.allCases)
    func `the wire log and what a receiver answered keep nothing of it`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.fill(store)
            for message in ["m3", nil, "m4", "refused"] {
                _ = try await store.note(Self.exchange(about: message))
            }
            let outbox = SchemaFixture.outbox
            try await store.openOutbox(outbox, after: .start, author: .server)
            var delivery = Delivery(
                outbox: outbox, position: try await Self.require("m3", in: store).position,
                conversation: conversation(1), due: dawn)
            let lease = try await store.leaseOfTest()
            try await store.enqueue([delivery], of: outbox, upTo: store.newest, under: lease)
            delivery.last = DeliveryAttempt(time: dawn, status: 400, detail: Self.secret)
            delivery.state = .dead
            try await store.attempt(delivery, under: lease)

            try await Self.erase("m3", in: store)
            let log = try await store.exchanges(
                of: business(1), in: .everything, at: .start, limit: 9
            ).elements
            // Newest first; what names another message is as it was, and one that was not stored is none.
            #expect(log.map(\.request.body.isEmpty) == [true, false, true, true])
            #expect(log.map(\.answer.body.isEmpty) == [true, false, true, true])
            #expect(log.map(\.request.headers.isEmpty) == [true, false, true, true])
            #expect(log.map(\.findings.isEmpty) == [true, false, true, true])
            #expect(log.map(\.request.byteCount) == [7, 7, 7, 7])
            let dead = try await store.deliveries(of: outbox, in: .dead, at: .start, limit: 9)
            #expect(dead.map(\.last?.status) == [400] && dead.map(\.last?.detail) == [""])
        }
    }

    @Test(arguments: Kept.allCases)
    func `what endpoints of webhooks answered goes, and what they answer later is not kept`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.fill(store)
            let webhook = WebhookContract.webhook(1)
            #expect(try await store.add(webhook, author: .server))
            func delivery(_ id: String) async throws -> Delivery {
                var delivery = Delivery(
                    outbox: webhook.outbox,
                    position: try await Self.require(id, in: store).position,
                    conversation: nil, state: .delivered, attempts: 1, due: dawn)
                delivery.last = DeliveryAttempt(
                    time: dawn, status: 200, detail: "accepted", milliseconds: 1,
                    answer: Array(Self.secret.utf8))
                return delivery
            }
            let deliveries = [
                try await delivery("m3"), try await delivery("m4"), try await delivery("m5"),
            ]
            let lease = try await store.leaseOfTest()
            try await store.advance(
                ReaderName("webhooks"), from: nil,
                to: EventID(epoch: store.epoch, position: store.newest),
                storing: .webhooks(
                    deliveries.map {
                        Delivery(
                            outbox: $0.outbox, position: $0.position, conversation: nil, due: dawn)
                    }), under: lease)
            try await store.settle(Array(deliveries.prefix(2)), [:], under: lease)
            // The last one is on its way.
            try await Self.erase("m3", "m5", in: store)
            try await store.settle([deliveries[2]], [:], under: lease)
            let shown = try await store.deliveries(
                of: webhook.outbox, in: .delivered, at: .start, limit: 9)
            #expect(
                Dictionary(
                    uniqueKeysWithValues: shown.map { ($0.position, $0.last?.answer) })
                    == [
                        deliveries[0].position: nil, deliveries[2].position: nil,
                        deliveries[1].position: Array(Self.secret.utf8),
                    ])
            #expect(shown.allSatisfy { $0.last?.detail == "accepted" })
        }
    }

    private static func exchange(about message: String?) throws -> WireExchange {
        let part = WireExchange.Part(
            headers: [HeaderField(name: "x", value: secret)], body: Array(secret.utf8),
            byteCount: 7)
        return WireExchange(
            link: SchemaFixture.link, business: business(1), conversation: conversation(1),
            message: try message.map { try messageID($0) }, course: .received, time: dawn,
            milliseconds: 1, method: "POST", target: "/", request: part, status: 200,
            answer: part, findings: Array("[\"\(secret)\"]".utf8))
    }
}
