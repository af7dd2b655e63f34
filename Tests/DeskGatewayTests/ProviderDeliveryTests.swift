import DeskBroker
import DeskBytes
import DeskGateway
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import GatewayTestSupport
import TestSupport
import Testing

@Suite struct ProviderDeliveryTests {
    /// The body of one of our requests, unpacked.
    private func body(_ request: OutgoingRequest) throws -> JSONValue {
        guard case .bytes(let bytes) = request.body else { throw BodyError.malformed }
        let isPacked = request.headers["content-encoding"] == "gzip"
        let text = isPacked ? try Gzip.decompress(bytes, limitBytes: 1_000_000) : bytes
        return try JSONDocument(parsing: text).root
    }

    @Test func `a customer's text is announced and delivered as the protocol says`() async throws {
        let gateway = try await TestGateway()
        try await gateway.delivering {
            try await gateway.say("hello", id: uuid(5))
            try await gateway.client.wait(for: 2)
        }
        let requests = gateway.client.requests
        #expect(
            requests.map(\.url)
                == Array(
                    repeating: "https://provider.example/bots/message", count: 2))
        #expect(try body(requests[0])["type"]?.string == "typing_start")
        let text = try body(requests[1])
        #expect(text["type"]?.string == "text")
        #expect(text["body"]?.string == "hello")
        #expect(text["id"]?.string == uuid(5))
        for request in requests {
            let fields = request.headers
            #expect(fields["source-id"] == gateway.customer.text)
            #expect(fields["destination-id"] == gateway.business.text)
            #expect(fields["content-type"] == "application/json")
            #expect(fields["content-encoding"] == "gzip")
            #expect(fields["capability-list"] == "QUICK,LIST,TIME")
            #expect(fields["device-agent"] == nil)
            #expect(try fields["id"] == body(request)["id"]?.string)
            let bearer = try #require(fields["authorization"])
            let claims = try JSONWebToken.verify(
                String(bearer.dropFirst("Bearer ".count)), key: TestGateway.secret)
            #expect(claims.audiences == ["msp-1"])
            #expect(claims.issuedAt == TestGateway.now.milliseconds / 1_000)
        }
    }

    @Test func `deleting the conversation is sent as close, after what was said before`()
        async throws
    {
        let gateway = try await TestGateway()
        try await gateway.delivering {
            try await gateway.say("bye", id: uuid(5))
            _ = try await gateway.parts.broker.change(
                gateway.conversation, .leave, by: .customer(device: "d"))
            try await gateway.client.wait(for: 3)
        }
        let types = try gateway.client.requests.map { try body($0)["type"]?.string }
        #expect(types == ["typing_start", "text", "close"])
    }

    struct Wrong: Sendable {
        let status: Int
        let says: String
        var url = "https://provider.example/bots"
    }

    @Test(arguments: [
        Wrong(
            status: 404, says: "answered 404 at /message/message: is the path doubled?",
            url: "https://provider.example/message"),
        Wrong(status: 404, says: "is there a route?"),
        Wrong(status: 403, says: "base64-decoded secret"),
        Wrong(status: 301, says: "redirects are not followed"),
        Wrong(status: 500, says: "answered 500 at /bots/message"),
    ])
    func `an endpoint that answers wrongly holds its conversation, and the reason is shown`(
        _ wrong: Wrong
    ) async throws {
        let gateway = try await TestGateway { _, _ in
            OutgoingAnswer(status: Status(wrong.status))
        }
        var link = gateway.link
        link.url = wrong.url
        #expect(try await gateway.parts.links.save(link, author: .server))
        try await gateway.delivering {
            try await gateway.say("one", id: uuid(1))
            try await gateway.say("two", id: uuid(2))
            try await gateway.client.wait(for: 2)
            try await Wait.until("the first delivery was tried") {
                try await gateway.store.nextDeliveries(of: link.outbox, limit: 9).first?.last != nil
            }
        }
        let next = try await gateway.store.nextDeliveries(of: link.outbox, limit: 9)
        #expect(next.count == 1)
        let detail = next.first?.last?.detail ?? ""
        #expect(detail.contains(wrong.says), "\(detail)")
        let said = try gateway.client.requests.compactMap { try body($0)["body"]?.string }
        #expect(!said.isEmpty && said.allSatisfy { $0 == "one" })
        let log = try await gateway.exchanges(
            .message(try #require(MessageID(uuid(1))), in: gateway.conversation))
        #expect(log.first?.status == wrong.status)
        let findings = String(decoding: log.first?.findings ?? [], as: UTF8.self)
        #expect(findings.contains("answered"))
    }
}
