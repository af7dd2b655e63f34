import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import GatewayTestSupport
import TestSupport
import Testing

@testable import DeskGateway

/// What WhatsApp learns of the business reading and typing, and what a customer's message quotes.
@Suite struct WhatsAppReadTests {
    private static func signal(
        _ kind: Signal.Kind, _ state: Signal.State, at number: TestNumber,
        by who: Author = .agent(AgentID(UniqueID(high: 9, low: 1)))
    ) async throws {
        number.gateway.parts.broker.signal(
            Signal(
                kind: kind, business: number.gateway.business,
                conversation: try await number.conversation().id, who: who, state: state))
    }

    /// Repeats a signal until as many requests were made: the relay may not listen yet.
    private static func repeating(
        _ kind: Signal.Kind, _ state: Signal.State, at number: TestNumber, until count: Int
    ) async throws {
        try await Wait.until("\(count) requests were made") {
            try await signal(kind, state, at: number)
            return number.gateway.client.requests.count >= count
        }
    }

    private static func read(_ number: TestNumber) async throws {
        let conversation = try await number.conversation()
        _ = try await number.gateway.parts.broker.change(
            conversation.id, .markRead(conversation.newest),
            by: .agent(AgentID(UniqueID(high: 9, low: 1))))
    }

    @Test func `what was read is marked once, by the customer's last message`() async throws {
        let number = try await TestNumber(marksRead: true)
        try await number.say("Hello", id: "wamid.A")
        try await number.say("Anyone there?", id: "wamid.B")
        try await Self.read(number)
        try await number.gateway.delivering {
            try await Self.repeating(.read, .looking, at: number, until: 1)
            try await number.say("Well?", id: "wamid.C")
            try await Self.read(number)
            try await Self.repeating(.read, .looking, at: number, until: 2)
        }
        let posted = try number.posted()
        #expect(posted.map { $0["message_id"]?.string } == ["wamid.B", "wamid.C"])
        #expect(posted.allSatisfy { $0["status"]?.string == "read" })
        #expect(posted.allSatisfy { $0["typing_indicator"] == nil && $0["to"] == nil })
    }

    @Test func `an answer marks what was not marked, and ends the typing`() async throws {
        let number = try await TestNumber(marksRead: true)
        try await number.say("Hello", id: "wamid.A")
        try await number.gateway.delivering {
            try await Self.repeating(.typing, .start, at: number, until: 1)
            let sent = try await number.send(#""type":"text","body":"Yes""#, id: uuid(1))
            _ = try await number.settled(sent)
            // Else it would come twenty seconds later.
            try await Self.repeating(.typing, .start, at: number, until: 3)
        }
        let posted = try number.posted()
        #expect(posted.map { $0["status"]?.string } == ["read", nil, "read"])
        #expect(posted[0]["typing_indicator"]?["type"]?.string == "text")
        #expect(posted[2]["message_id"]?.string == "wamid.A")
    }

    @Test func `typing is signalled every twenty seconds at most`() {
        let state = LinkReadState()
        let place = ConversationID(UniqueID(high: 2, low: 2))
        let begin = ContinuousClock.now
        let moments = [0, 19_999, 20_000, 39_999, 40_000].map { milliseconds in
            state.type(
                SequenceNumber(1), in: place, over: TestNumber.link,
                at: begin + .milliseconds(milliseconds))
        }
        #expect(moments == [true, false, true, false, true])
        #expect(!state.read(SequenceNumber(1), in: place, over: TestNumber.link))
        #expect(state.read(SequenceNumber(2), in: place, over: TestNumber.link))
    }

    @Test func `a link that does not mark is asked for nothing`() async throws {
        let number = try await TestNumber()
        try await number.say("Hello", id: "wamid.A")
        try await Self.read(number)
        let link = try #require(number.gateway.parts.links.find(TestNumber.link))
        let relay = TypingRelay(id: link.id, parts: number.gateway.parts)
        await relay.mark(try await number.conversation().id, over: link, isTyping: true)
        await relay.mark(try await number.conversation().id, over: link, isTyping: false)
        #expect(number.gateway.client.requests.isEmpty)
    }

    @Test func `after the time for answers no typing is shown`() async throws {
        let number = try await TestNumber(marksRead: true)
        try await number.say("Hello", id: "wamid.A")
        number.gateway.clock.advance(by: .seconds(86_400))
        try await Self.read(number)
        let link = try #require(number.gateway.parts.links.find(TestNumber.link))
        await TypingRelay(id: link.id, parts: number.gateway.parts).mark(
            try await number.conversation().id, over: link, isTyping: true)
        let posted = try #require(try number.posted().first)
        #expect(posted["status"]?.string == "read" && posted["typing_indicator"] == nil)
    }

    // MARK: Quotes

    @Test func `a message quotes the customer's and the business's own by their names`()
        async throws
    {
        let number = try await TestNumber()
        try await number.say("Hello", id: "wamid.A")
        try await number.gateway.delivering {
            let sent = try await number.send(#""type":"text","body":"Tea?""#, id: uuid(1))
            _ = try await number.settled(sent)
        }
        let last = try #require(try await number.messages().last)
        let name = try #require(try await number.delivery(of: last)?.last?.answer)
        for (place, target) in [
            "wamid.A", String(decoding: name, as: UTF8.self), "wamid.unknown", "",
        ].enumerated() {
            let message = TestNumber.message(
                #""context":{"from":"1","id":"\#(target)"},"text":{"body":"This \#(place)"}"#,
                id: "wamid.Q\(place)")
            #expect(
                try await number.post(TestNumber.webhook(#""messages":[\#(message)]"#)).status.code
                    == 200)
        }
        let messages = try await number.messages()
        let quotes = messages.suffix(4).map { $0.facts.inReplyTo }
        #expect(quotes == [messages[0].id, messages[1].id, nil, nil])
        let findings = try await number.gateway.exchanges().map {
            String(decoding: $0.findings, as: UTF8.self)
        }
        #expect(findings.count { $0.contains("/context") } == 1)
        #expect(findings.count { $0.contains("quotes is not known") } == 1)
    }
}
