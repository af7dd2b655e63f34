import DeskModel
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of what endpoints of webhooks answered to other events of a conversation in which something
/// is erased: each event has the conversation's last message and its person.
@Suite struct EndpointAnswerContract {
    private static let secret = ErasureContract.secret
    private static let owner = Author.agent(agent(1))
    private static let later = ErasureContract.later
    private static let note = NoteID(uniqueID(1))

    /// A conversation with a note and an endpoint without order, which has the events of both.
    private struct Answered {
        let webhook = WebhookContract.webhook(1)
        let store: any Store
        let lease: Lease
        private(set) var positions: [Position] = []

        init(_ store: any Store) async throws {
            self.store = store
            try await store.begin(conversation(1))
            #expect(try await store.add(webhook, author: .server))
            _ = try await store.one(
                AddNote(note, to: conversation(1), text: secret, by: owner, at: dawn))
            let types: [EventType] = [.conversationOpened, .noteAdded]
            positions = try await store.events(after: .start, in: .everything, limit: 300)
                .events.filter { types.contains($0.type) }.map(\.id.position)
            #expect(positions.count == 2)
            lease = try await store.leaseOfTest()
            let outbox = webhook.outbox
            try await store.advance(
                ReaderName("webhooks"), from: nil,
                to: EventID(epoch: store.epoch, position: store.newest),
                storing: .webhooks(
                    positions.map {
                        Delivery(outbox: outbox, position: $0, conversation: nil, due: dawn)
                    }), under: lease)
        }

        /// An attempt at one of the two events, answered with the secret.
        func settle(_ place: Int, at time: Timestamp = dawn) async throws {
            var delivery = Delivery(
                outbox: webhook.outbox, position: positions[place], conversation: nil,
                state: .delivered, attempts: 1, due: dawn)
            delivery.last = DeliveryAttempt(
                time: time, status: 200, detail: "accepted", milliseconds: 1,
                answer: Array(secret.utf8))
            try await store.settle([delivery], [:], under: lease)
        }

        /// Of which of the two events the answer is known.
        func known() async throws -> [Bool] {
            let shown = try await store.deliveries(
                of: webhook.outbox, in: .delivered, at: .start, limit: 9)
            #expect(shown.allSatisfy { $0.last?.detail == "accepted" })
            return positions.map { position in
                shown.first { $0.position == position }?.last?.answer != nil
            }
        }

        func erase(_ id: String, olderThan limit: Timestamp? = nil) async throws {
            _ = try await store.one(
                Erasing(
                    [try messageID(id)], in: conversation(1), by: owner, at: later,
                    olderThan: limit))
        }
    }

    @Test(arguments: Kept.allCases)
    func `what was answered to other events goes with a message, and to a note with its text`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let answered = try await Answered(store)
            _ = try await store.accept(submission("m1", to: conversation(1)))
            try await answered.settle(0)
            try await answered.settle(1)
            #expect(try await answered.known() == [true, true])
            _ = try await store.one(
                ChangeNote(
                    Self.note, in: conversation(1), to: nil, by: Self.owner, at: Self.later))
            #expect(try await answered.known() == [true, false])
            try await answered.erase("m1")
            #expect(try await answered.known() == [false, false])
        }
    }

    @Test(arguments: Kept.allCases)
    func
        `an answer of an attempt from before an erasure is not kept, and one of a later attempt is`(
            _ kept: Kept
        ) async throws
    {
        try await kept.with { store in
            let answered = try await Answered(store)
            _ = try await store.accept(submission("m1", to: conversation(1)))
            try await answered.erase("m1")
            try await answered.settle(0)
            try await answered.settle(1, at: Self.later.advanced(by: .seconds(600)))
            #expect(try await answered.known() == [false, true])
        }
    }

    @Test(arguments: Kept.allCases)
    func `an erasure by age leaves what is younger until the last message goes`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let answered = try await Answered(store)
            for id in ["m1", "m2"] {
                _ = try await store.accept(submission(id, to: conversation(1)))
            }
            try await answered.settle(0)
            try await answered.settle(1, at: dawn.advanced(by: .seconds(10)))
            let limit = dawn.advanced(by: .seconds(5))
            try await answered.erase("m1", olderThan: limit)
            #expect(try await answered.known() == [false, true])
            try await answered.erase("m2", olderThan: limit)
            #expect(try await answered.known() == [false, false])
        }
    }

    @Test(arguments: Kept.allCases)
    func `what was answered to the events of a person goes with the person, also what comes late`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let answered = try await Answered(store)
            var values = SaveContact.Values()
            values.name = .some(Self.secret)
            let saved = values
            _ = try await store.one(
                SaveContact(contact(1), of: business(1), saved, by: Self.owner, at: dawn))
            try await answered.settle(0)
            #expect(try await answered.known() == [true, false])
            _ = try await store.one(
                ContactErasing(contact(1), of: business(1), by: Self.owner, at: Self.later))
            #expect(try await answered.known() == [false, false])
            try await answered.settle(1)
            #expect(try await answered.known() == [false, false])
        }
    }
}
