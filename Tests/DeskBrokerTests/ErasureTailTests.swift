import DeskBroker
import DeskModel
import DeskStore
import TestSupport
import Testing

/// What streams carry of a message whose content was erased.
@Suite struct ErasureTailTests {
    private static let secret = "a secret that must go"

    private static func erase(
        _ id: String, in conversation: ConversationID, by broker: Broker
    ) async throws {
        let order = Erasing(
            [try #require(MessageID(id))], in: conversation, by: agent, at: dawn)
        _ = try await broker.store.append(order).get()
    }

    /// The messages that a reader is given until it is live.
    private static func messages(_ reader: EventReader) async throws -> [StoredMessage] {
        var found: [StoredMessage] = []
        while let item = try await reader.next() {
            switch item {
            case .event(let shared):
                if case .message(let message) = shared.event.body { found.append(message) }
            case .live: return found
            case .signal: break
            case .reset, .cutOff: throw Unexpected("\(item)")
            }
        }
        throw Unexpected("the stream ended")
    }

    private static func isTombstone(_ message: StoredMessage) -> Bool {
        message.erasedAt == dawn && message.payload == .bytes(StoredMessage.tombstonePayload)
            && message.facts.summary.isEmpty
    }

    @Test
    func `a reader with an erased message in its queue is cut off and resumes with tombstone`()
        async throws
    {
        let broker = try await makeBroker()
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let start = broker.head
        let slow = broker.events(after: nil, in: .everything)
        guard case .live = try await slow.next() else { throw Unexpected("not live") }
        _ = try await broker.accept(message("a", to: place, Self.secret))
        try await Self.erase("a", in: place, by: broker)
        guard case .cutOff = try await slow.next() else { throw Unexpected("not cut off") }
        #expect(try await slow.next() == nil)

        let resumed = try await Self.messages(broker.events(after: start, in: .everything))
        #expect(resumed.map(\.id.text) == ["a"])
        #expect(resumed.allSatisfy(Self.isTombstone))
    }

    @Test func `a reader whose queue has nothing of the conversation goes on and hears of it`()
        async throws
    {
        let broker = try await makeBroker()
        let mine = try await broker.openConversation(of: customer(1), with: shop).id
        let other = try await broker.openConversation(of: customer(2), with: shop).id
        _ = try await broker.accept(message("a", to: mine, Self.secret))
        let reader = broker.events(after: nil, in: .everything)
        guard case .live = try await reader.next() else { throw Unexpected("not live") }
        _ = try await broker.accept(message("b", to: other))
        try await Self.erase("a", in: mine, by: broker)
        var types: [EventType] = []
        for _ in 0..<2 {
            guard case .event(let shared) = try await reader.next() else {
                throw Unexpected("no event")
            }
            types.append(shared.event.type)
        }
        #expect(types == [.messageAccepted, .messageErased])
    }

    @Test(arguments: [EventScope.everything, .businesses([shop])])
    func `recent memory forgets what was erased`(_ scope: EventScope) async throws {
        let broker = try await makeBroker()
        let place = try await broker.openConversation(of: customer(1), with: shop).id
        let start = broker.head
        for id in ["a", "b", "c"] {
            _ = try await broker.accept(message(id, to: place, Self.secret))
        }
        try await Self.erase("b", in: place, by: broker)
        _ = try await broker.accept(message("d", to: place))
        let found = try await Self.messages(broker.events(after: start, in: scope))
        #expect(found.map(\.id.text) == ["a", "b", "c", "d"])
        #expect(found.map(Self.isTombstone) == [false, true, false, false])
    }
}
