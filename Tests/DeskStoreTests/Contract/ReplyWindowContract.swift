import DeskModel
import DeskStore
import StoreSupport
import Testing

/// What every store promises of the time in which a channel accepts answers.
@Suite struct ReplyWindowContract {
    private static let place = conversation(1)
    private static let link = GatewayLinkID(uniqueID(0x6001))

    private static func bind(
        until end: Timestamp?, in store: any Store
    ) async throws {
        _ = try await store.one(Write.bind(place, to: link, freeFormUntil: end))
    }

    private static func send(
        _ id: String, _ direction: Direction, at time: Timestamp, in store: any Store,
        template: String? = nil
    ) async throws {
        let author: Author = direction == .inbound ? .customer(device: "") : .server
        var facts = MessageFacts(
            direction: direction, kind: .text, author: author, origin: .api)
        facts.whatsAppTemplate = template
        _ = try await store.one(
            NewMessage(
                Submission(
                    conversation: place, id: try messageID(id), payload: Array("{}".utf8),
                    facts: facts),
                at: time))
    }

    @Test(arguments: Kept.allCases)
    func `nothing is sent after the time, which the latest message sets`(_ kept: Kept) async throws
    {
        try await kept.with { store in
            try await store.begin(Self.place)
            #expect(try await store.require(Self.place).freeFormUntil == nil)
            let end = dawn.advanced(by: .seconds(60))
            try await Self.bind(until: end, in: store)
            try await Self.bind(until: dawn, in: store)
            #expect(try await store.require(Self.place).freeFormUntil == end)
            let before = end.advanced(by: .milliseconds(-1))
            try await Self.send("a", .outbound, at: before, in: store)
            await #expect(throws: Refusal.replyWindowOver) {
                try await Self.send("b", .outbound, at: end, in: store)
            }
            try await Self.send("c", .inbound, at: end, in: store)
            let template = #"{"name":"tea","language":{"code":"en"}}"#
            try await Self.send("t", .outbound, at: end, in: store, template: template)
            let sent = try await store.findMessage(messageID("t"), in: Self.place)
            #expect(sent?.facts.whatsAppTemplate == template)
            let listed = try await store.conversations(
                ConversationFilter(businesses: [business(1)]), at: .start, limit: 9)
            #expect(listed.elements.map(\.freeFormUntil) == [end])
            let events = try await store.events(after: .start, in: .everything, limit: 99).events
            #expect(events.last?.conversation?.freeFormUntil == end)
            #expect(try await store.findUpstream(of: Self.place) == Self.link)
            try await Self.bind(until: nil, in: store)
            #expect(try await store.require(Self.place).freeFormUntil == nil)
            try await Self.send("b", .outbound, at: end, in: store)
        }
    }
}
