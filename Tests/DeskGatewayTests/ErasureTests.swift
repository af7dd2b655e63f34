import DeskBroker
import DeskBytes
import DeskGateway
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import GatewayTestSupport
import Synchronization
import TestSupport
import Testing

/// What goes over a gateway of a message whose content was erased.
@Suite struct ErasureTests {
    private static let secret = "a secret that must go"

    private static func erase(
        _ id: String, in conversation: ConversationID, of gateway: TestGateway
    ) async throws {
        let order = Erasing(
            [try #require(MessageID(id))], in: conversation, by: .server, at: TestGateway.now)
        _ = try await gateway.store.append(order).get()
    }

    /// The words of the texts that were sent out.
    private static func said(_ gateway: TestGateway) throws -> [String] {
        try gateway.client.requests.compactMap { request in
            guard case .bytes(let bytes) = request.body else { return nil }
            let isPacked = request.headers["content-encoding"] == "gzip"
            let text = isPacked ? try Gzip.decompress(bytes, limitBytes: 1_000_000) : bytes
            return try JSONDocument(parsing: text).root["body"]?.string
        }
    }

    /// Waits until an outbox has tried something.
    private static func waitForAttempt(
        of outbox: OutboxID, of gateway: TestGateway
    ) async throws {
        try await Wait.until("a delivery was tried") {
            try await gateway.store.nextDeliveries(of: outbox, limit: 9).contains {
                $0.attempts == 1
            }
        }
    }

    private static func isKept(_ text: String, by exchange: WireExchange) -> Bool {
        let parts = [
            exchange.request.body, exchange.answer.body, exchange.findings,
            Array(exchange.request.headers.map(\.value).joined(separator: " ").utf8),
        ]
        return parts.contains { String(decoding: $0, as: UTF8.self).contains(text) }
    }

    @Test func `a queued delivery to a provider is given up, and the next one goes out`()
        async throws
    {
        let gateway = try await TestGateway { _, _ in
            OutgoingAnswer(status: .serviceUnavailable)
        }
        let outbox = gateway.link.outbox
        try await gateway.delivering {
            try await gateway.say(Self.secret, id: uuid(1))
            try await Self.waitForAttempt(of: outbox, of: gateway)
        }
        let before = try Self.said(gateway)
        #expect(before.contains(Self.secret))
        try await Self.erase(uuid(1), in: gateway.conversation, of: gateway)
        try await gateway.store.reschedule(
            attempts: 1, of: outbox, to: TestGateway.now, author: .server)
        gateway.client.script.withLock { script in
            script = { _, _ throws(OutgoingError) in OutgoingAnswer(status: .ok) }
        }
        try await gateway.delivering {
            try await gateway.say("after", id: uuid(2))
            try await Wait.until("the next one went out") {
                try await gateway.store.countDeliveries(of: outbox)[.delivered] == 1
            }
        }
        #expect(try Self.said(gateway).dropFirst(before.count) == ["after"])
        let dead = try await gateway.store.deliveries(
            of: outbox, in: .dead, at: .start, limit: 9)
        #expect(dead.map(\.last?.detail) == ["the message was erased"])
        for exchange in try await gateway.exchanges() {
            #expect(!Self.isKept(Self.secret, by: exchange))
        }
    }

    @Test func `a queued delivery to an upstream is given up, and the next one goes out`()
        async throws
    {
        let gateway = try await TestGateway { _, _ in
            OutgoingAnswer(status: .serviceUnavailable)
        }
        let token = try await gateway.connectUpstream()
        let brought = try await gateway.bring(
            #""type":"text","body":"Hi""#, id: uuid(1), token: token)
        #expect(brought.status == .ok)
        let customer = try #require(CustomerID("urn:mbid:AQAAYw=="))
        let conversation = try #require(
            try await gateway.store.findConversation(of: customer, with: gateway.business))
        let links = try await gateway.store.gatewayLinks()
        let outbox = try #require(links.first { $0.side == .upstream }).outbox
        func reply(_ text: String, _ id: String) async throws {
            let payload = """
                {"v":1,"id":"\(id)","sourceId":"\(gateway.business.text)",\
                "destinationId":"\(customer.text)","type":"text","body":"\(text)"}
                """
            _ = try await gateway.parts.broker.accept(
                Submission(
                    conversation: conversation.id, id: try #require(MessageID(id)),
                    payload: Array(payload.utf8),
                    facts: MessageFacts(
                        direction: .outbound, kind: .text, author: .server, origin: .api)))
        }
        try await gateway.delivering {
            try await reply(Self.secret, uuid(2))
            try await Self.waitForAttempt(of: outbox, of: gateway)
        }
        let before = try Self.said(gateway)
        #expect(before.contains(Self.secret))
        try await Self.erase(uuid(2), in: conversation.id, of: gateway)
        try await gateway.store.reschedule(
            attempts: 1, of: outbox, to: TestGateway.now, author: .server)
        gateway.client.script.withLock { script in
            script = { _, _ throws(OutgoingError) in OutgoingAnswer(status: .ok) }
        }
        try await gateway.delivering {
            try await reply("after", uuid(3))
            try await Wait.until("the next one went out") {
                try Self.said(gateway).dropFirst(before.count).contains("after")
            }
        }
        #expect(!(try Self.said(gateway).dropFirst(before.count).contains(Self.secret)))
        let dead = try await gateway.store.deliveries(
            of: outbox, in: .dead, at: .start, limit: 9)
        #expect(dead.map(\.last?.detail) == ["the message was erased"])
    }

    // The channel's own 410 says that the customer left, so a repeat is answered like every other.
    @Test func `a provider's repeat of an erased id is dropped, and the wire log keeps none of it`()
        async throws
    {
        let gateway = try await TestGateway()
        let body = gateway.payload(uuid(1), "text", #""body":"\#(Self.secret)""#)
        #expect(try await gateway.post(body, id: uuid(1)).status == 200)
        try await Self.erase(uuid(1), in: gateway.conversation, of: gateway)
        let newest = gateway.store.newest
        let other = gateway.payload(uuid(1), "text", #""body":"\#(Self.secret) again""#)
        for body in [body, other] {
            let answer = try await gateway.post(
                body, id: uuid(1), ["msp-agent": Self.secret])
            #expect(answer.status == 200 && answer.text == "")
        }
        #expect(gateway.store.newest == newest)
        let messages = try await gateway.messages()
        #expect(messages.map(\.payload) == [.bytes(StoredMessage.tombstonePayload)])
        let log = try await gateway.exchanges()
        #expect(log.count == 3)
        #expect(log.filter { Self.isKept(Self.secret, by: $0) }.isEmpty)
        #expect(log.filter { Self.isKept("is erased", by: $0) }.count == 2)
    }

    @Test func `an upstream's repeat of an erased id is dropped before its files are fetched`()
        async throws
    {
        let gateway = try await TestGateway { _, _ in OutgoingAnswer(status: .notFound) }
        let token = try await gateway.connectUpstream()
        let first = try await gateway.bring(
            #""type":"text","body":"\#(Self.secret)""#, id: uuid(1), token: token)
        #expect(first.status == .ok)
        let customer = try #require(CustomerID("urn:mbid:AQAAYw=="))
        let conversation = try #require(
            try await gateway.store.findConversation(of: customer, with: gateway.business))
        try await Self.erase(uuid(1), in: conversation.id, of: gateway)
        let newest = gateway.store.newest
        let key = String(repeating: "ab", count: 32)
        let file = """
            {"name":"a","url":"u","owner":"o","signature-base64":"AAAA","key":"00\(key)"}
            """
        for rest in [
            #""type":"text","body":"\#(Self.secret)""#,
            #""type":"text","body":"\uFFFC","attachments":[\#(file)]"#,
        ] {
            let answer = try await gateway.bring(rest, id: uuid(1), token: token)
            #expect(answer.status == .ok)
        }
        #expect(gateway.store.newest == newest)
        #expect(gateway.client.requests.isEmpty)
        for exchange in try await gateway.exchanges() {
            #expect(!Self.isKept(Self.secret, by: exchange))
        }
    }
}
