import DeskModel
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of the copies that an erasure has to look for elsewhere, and of those that come behind it.
@Suite struct LateErasureContract {
    private static let secret = ErasureContract.secret
    private static let owner = Author.agent(agent(1))
    private static let later = ErasureContract.later

    private static func part() -> WireExchange.Part {
        WireExchange.Part(
            headers: [HeaderField(name: "x", value: secret)], body: Array(secret.utf8),
            byteCount: 7)
    }

    private static func exchange(about message: String?) throws -> WireExchange {
        WireExchange(
            link: SchemaFixture.link, business: business(1), conversation: conversation(1),
            message: try message.map { try messageID($0) }, course: .sent, time: dawn,
            milliseconds: 1, method: "POST", target: "/", request: part(), status: 400,
            answer: part(), findings: Array("[\"\(secret)\"]".utf8))
    }

    private static func position(of id: String, in store: any Store) async throws -> Position {
        try #require(try await store.findMessage(messageID(id), in: conversation(1))).position
    }

    @Test(arguments: Kept.allCases)
    func `an exchange that ends behind the erasure of its message is noted without its content`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await ErasureContract.fill(store)
            _ = try await store.one(ErasureContract.order(["m3"]))
            for message in ["m3", "m4"] {
                _ = try await store.note(Self.exchange(about: message))
            }
            let log = try await store.exchanges(
                of: business(1), in: .everything, at: .start, limit: 9
            ).elements
            // Newest first.
            #expect(log.map(\.request.body.isEmpty) == [false, true])
            #expect(log.map(\.answer.body.isEmpty) == [false, true])
            #expect(log.map(\.request.headers.isEmpty) == [false, true])
            #expect(log.map(\.answer.headers.isEmpty) == [false, true])
            #expect(log.map(\.findings.isEmpty) == [false, true])
            #expect(log.map(\.request.byteCount) == [7, 7] && log.map(\.status) == [400, 400])
        }
    }

    @Test(arguments: Kept.allCases, [Delivery.State.pending, .dead])
    func `what a receiver answers to an erased message is not kept, and what the server says is`(
        _ kept: Kept, _ state: Delivery.State
    ) async throws {
        try await kept.with { store in
            try await ErasureContract.fill(store)
            let outbox = SchemaFixture.outbox
            try await store.openOutbox(outbox, after: .start, author: .server)
            var deliveries: [Delivery] = []
            for (number, id) in ["m3", "m4", "m5"].enumerated() {
                deliveries.append(
                    Delivery(
                        outbox: outbox, position: try await Self.position(of: id, in: store),
                        conversation: conversation(UInt64(number + 1)), due: dawn))
            }
            let lease = try await store.leaseOfTest()
            try await store.enqueue(deliveries, of: outbox, upTo: store.newest, under: lease)
            _ = try await store.one(ErasureContract.order(["m3", "m5"]))
            for (delivery, status) in zip(deliveries, [400, 400, nil] as [Int?]) {
                var tried = delivery
                tried.attempts = 1
                tried.state = state
                tried.last = DeliveryAttempt(time: dawn, status: status, detail: Self.secret)
                try await store.attempt(tried, under: lease)
            }
            let known = try await store.deliveries(of: outbox, in: state, at: .start, limit: 9)
            let details = Dictionary(
                uniqueKeysWithValues: known.map { ($0.position, $0.last?.detail) })
            #expect(deliveries.map { details[$0.position] } == ["", Self.secret, Self.secret])
        }
    }

    // Their deliveries have no conversation, and those of contacts have none in any order.
    @Test(arguments: Kept.allCases)
    func `what endpoints without an order answered goes with the conversation and the person`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let webhook = WebhookContract.webhook(1)
            #expect(try await store.add(webhook, author: .server))
            let notes = [NoteID(uniqueID(1)), NoteID(uniqueID(2))]
            for note in notes {
                _ = try await store.one(
                    AddNote(
                        note, to: conversation(1), text: Self.secret, by: Self.owner, at: dawn))
            }
            var values = SaveContact.Values()
            values.name = .some(Self.secret)
            let saved = values
            _ = try await store.one(
                SaveContact(contact(1), of: business(1), saved, by: Self.owner, at: dawn))
            let types: [EventType] = [.noteAdded, .contactSaved]
            let positions = try await store.events(after: .start, in: .everything, limit: 300)
                .events.filter { types.contains($0.type) }.map(\.id.position)
            #expect(positions.count == 3)
            let lease = try await store.leaseOfTest()
            try await store.advance(
                ReaderName("webhooks"), from: nil,
                to: EventID(epoch: store.epoch, position: store.newest),
                storing: .webhooks(
                    positions.map {
                        Delivery(
                            outbox: webhook.outbox, position: $0, conversation: nil, due: dawn)
                    }), under: lease)
            let answered = positions.map { position in
                var delivery = Delivery(
                    outbox: webhook.outbox, position: position, conversation: nil,
                    state: .delivered, attempts: 1, due: dawn)
                delivery.last = DeliveryAttempt(
                    time: dawn, status: 200, detail: "accepted", milliseconds: 1,
                    answer: Array(Self.secret.utf8))
                return delivery
            }
            // The second note is on its way.
            try await store.settle([answered[0], answered[2]], [:], under: lease)
            _ = try await store.one(NoteErasing(notes, in: conversation(1), at: Self.later))
            _ = try await store.one(
                ConversationErasing(
                    conversation(1), by: Self.owner, at: Self.later, isBeginning: false))
            try await store.settle([answered[1]], [:], under: lease)
            let found = try await store.contactEvents(
                naming: [contact(1)], of: business(1), after: nil)
            try await store.one(
                ContactEventErasing(
                    found.positions, about: [contact(1)], of: business(1)))
            let shown = try await store.deliveries(
                of: webhook.outbox, in: .delivered, at: .start, limit: 9)
            #expect(shown.count == 3 && shown.allSatisfy { $0.last?.answer == nil })
            #expect(shown.allSatisfy { $0.last?.detail == "accepted" })
        }
    }

    // MARK: The gateway's files

    private static func object(_ id: String, of number: UInt64 = 1) -> MMCSObject {
        MMCSObject(
            id: id, business: business(number),
            content: AttachmentID(.sha256(Array(id.utf8))), key: nil, byteCount: 1,
            signature: [1], createdAt: dawn)
    }

    private static func ended(
        _ ids: [String], in store: any Store
    ) async throws -> [Bool] {
        var ended: [Bool] = []
        for id in ids { ended.append(try await store.findMMCSObject(id)?.keptUntil == later) }
        return ended
    }

    @Test(arguments: Kept.allCases)
    func
        `what the gateway keeps of a message ends with it, an upload with the last that has its file`(
            _ kept: Kept
        ) async throws
    {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for id in ["reply", "upload", "unnamed"] {
                try await store.save(Self.object(id), author: .server)
            }
            try await store.save(Self.object("foreign", of: 2), author: .server)
            // Null is as good as absent beside the older name.
            for (id, name) in [("a1", "url"), ("a2", #"url":null,"mmcs-url"#)] {
                var one = try submission(
                    id, to: conversation(1),
                    #"{"attachments":[{"\#(name)":"https://desk.example/mmcs/upload"}]}"#)
                one.facts.attachments = [
                    ErasureContract.use(ErasureContract.file(7), named: "plan")
                ]
                _ = try await store.accept(one)
            }
            func erase(_ id: String) async throws {
                _ = try await store.one(
                    Erasing(
                        [try messageID(id)], in: conversation(1), by: Self.owner,
                        at: Self.later, objects: ["reply", "foreign"]))
            }
            let all = ["reply", "upload", "unnamed", "foreign"]
            try await erase("a1")
            #expect(try await Self.ended(all, in: store) == [true, false, false, false])
            try await erase("a2")
            #expect(try await Self.ended(all, in: store) == [true, true, false, false])
            // One that was kept behind the erasure ends by the same order.
            let end = Self.later.advanced(by: .seconds(1))
            let freed = try await store.pruneMMCSObjects(before: end)
            #expect(Set(freed) == Set(["reply", "upload"].map { Self.object($0).content }))
            try await store.save(Self.object("reply"), author: .server)
            try await erase("a2")
            #expect(try await Self.ended(all, in: store) == [true, false, false, false])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a file of the gateway's that could not be removed is tried again`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            var object = Self.object("alone")
            object = MMCSObject(
                id: object.id, business: object.business, content: object.content, key: nil,
                byteCount: 1, signature: [1], createdAt: dawn, keptUntil: dawn)
            try await store.save(object, author: .server)
            #expect(try await store.pruneMMCSObjects(before: Self.later) == [object.content])
            for _ in 1...2 {
                #expect(try await store.expireUploads(before: Self.later) == [object.content])
            }
            try await store.forgetUploads(of: [object.content])
            #expect(try await store.expireUploads(before: Self.later) == [])
        }
    }
}
