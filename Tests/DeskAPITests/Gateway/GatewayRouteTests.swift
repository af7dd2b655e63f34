import APITestSupport
import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskLog
import DeskModel
import DeskStore
import DeskWeb
import StoreSupport
import Testing

@testable import DeskAPI

struct GatewayRouteTests {
    static let endpoint = #"{"endpoint":"https://bots.example/shop"}"#

    /// A request to a gateway route below the business.
    struct Ask: Sendable, CustomTestStringConvertible {
        let method: DeskHTTP.Method
        let path: String
        let body: String
        let isReading: Bool
        var testDescription: String { "\(method.token) \(path)" }

        /// What it is answered with where the link is known.
        var done: Int { method == .delete || path.hasSuffix("/retry-now") ? 204 : 200 }

        init(_ method: DeskHTTP.Method, _ path: String, _ body: String = "", reads: Bool = false) {
            (self.method, self.path, self.body, isReading) = (method, path, body, reads)
        }
    }

    static let asks = [
        Ask(.get, "", reads: true), Ask(.get, "/exchanges", reads: true),
        Ask(.get, "/deliveries", reads: true),
        Ask(.put, "/registration", endpoint), Ask(.post, "/registration/secret"),
        Ask(.put, "/upstream", #"{"baseUrl":"https://gw.example/v1"}"#),
        Ask(.post, "/deliveries/retry", "{}"), Ask(.post, "/deliveries/retry-now", "{}"),
        Ask(.put, "/whatsapp", #"{"accountId":"55"}"#), Ask(.delete, "/whatsapp"),
        Ask(.delete, "/upstream"),
        Ask(.delete, "/registration"),
    ]

    @Test(arguments: asks)
    func `owners and the sandbox change links, members read them, others know of nothing`(ask: Ask)
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ben = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let cleo = try await server.makeMember(
            "cleo@example.com", .owner, of: server.other, by: owner)
        let key = try await server.makeKey([server.business])
        let path = "/api/businesses/\(server.business.id)/gateway"
        let other = "/api/businesses/\(server.other.id)/gateway"
        for link in [path, other] { try await server.makeLinks(link, by: owner) }
        let changes = ask.isReading ? 200 : 403
        #expect(try await server.send(ask, path, by: .anonymous) == 401)
        #expect(try await server.send(ask, path, by: cleo) == 404)
        #expect(try await server.send(ask, path, by: ben) == changes)
        #expect(try await server.send(ask, path, by: key) == changes)
        #expect(try await server.send(ask, other, by: ben) == 404)
        #expect(try await server.send(ask, other, by: key) == (ask.isReading ? 404 : 403))
        let visitor = try await server.makeVisitor()
        let seen = try await server.send(ask.method, other + ask.path, ask.body, headers: visitor)
        #expect(seen.status == 404)
        let done = try await server.send(ask.method, path + ask.path, ask.body, headers: visitor)
        #expect(done.status == ask.done)
        #expect(try await server.send(ask, other, by: owner) == ask.done)
    }

    @Test func `a member who has the sandbox open keeps what the sandbox may do, and no more`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        guard
            case .agent(let token) = try await server.makeMember(
                "ben@example.com", .agent, of: server.business, by: owner)
        else { return }
        var fields = try await server.makeVisitor()
        fields.set("Cookie", "fd=\(token); \(fields["cookie"] ?? "")")
        let path = "/api/businesses/\(server.business.id)/gateway/registration"
        #expect(try await server.send(.put, path, Self.endpoint, headers: fields).status == 201)
        let other = "/api/businesses/\(server.other.id)/gateway/registration"
        #expect(try await server.send(.put, other, Self.endpoint, headers: fields).status == 404)
        let business = "/api/businesses/\(server.business.id)"
        #expect(try await server.send(.patch, business, "{}", headers: fields).status == 403)
    }

    @Test func `a secret is answered when it is made, and never again`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.other.id)/gateway"
        #expect(try await server.get(path, by: owner)["registration"]?.isNull == true)
        let made = try await server.send(
            .put, path + "/registration", Self.endpoint, by: owner)
        #expect(made.status == 201)
        let secret = try #require(made["secret"]?.string)
        #expect(Base64.decode(secret)?.count == 32)
        let registration = try #require(made["registration"])
        #expect(registration["baseUrl"]?.string == TestServer.origin + "/v1")
        #expect(registration["mspId"]?.string?.isEmpty == false)
        #expect(registration["settings"]?["freshnessSeconds"]?.int == 3_600)
        let changed = try await server.send(
            .put, path + "/registration",
            #"""
            {"endpoint":"http://127.0.0.1:9","settings":{"packsBodies":false,
            "faults":{"seed":7,"status":{"probability":0.5,"value":503},"cut":{"probability":0}}}}
            """#, by: owner)
        #expect(changed.status == 200)
        #expect(changed["registration"]?["mspId"]?.string == registration["mspId"]?.string)
        #expect(changed["registration"]?["settings"]?["packsBodies"]?.bool == false)
        let faults = changed["registration"]?["settings"]?["faults"]
        #expect(
            faults?.rawText == #"{"seed":7,"status":{"probability":0.5,"value":503}}"#)
        #expect(server.services.links.all.first.map { Base64.encode($0.secret) } == secret)
        let renewed = try await server.post(path + "/registration/secret", by: owner)
        let second = try #require(renewed["secret"]?.string)
        #expect(second != secret)
        let received = try await server.get(path, by: owner)
        for text in [changed.text, received.text, server.log.lines.joined()] {
            #expect(!text.contains(secret) && !text.contains(second))
        }
        #expect(try await server.send(.delete, path + "/registration", by: owner).status == 204)
        #expect(try await server.send(.delete, path + "/registration", by: owner).status == 404)
        #expect(try await server.post(path + "/registration/secret", by: owner).status == 404)
    }

    @Test func `a connection to a gateway keeps what a change leaves out`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.other.id)/gateway/upstream"
        let bare = #"{"baseUrl":"https://gw.example/v1"}"#
        #expect(try await server.send(.put, path, bare, by: owner)["errors"]?.count == 2)
        let secret = Base64.encode([UInt8](repeating: 9, count: 16))
        let made = try await server.send(
            .put, path,
            #"{"baseUrl":"https://gw.example/v1","mspId":"m-1","secret":"\#(secret)"}"#, by: owner)
        #expect(made.status == 201)
        #expect(!made.text.contains(secret))
        let id = try #require(made["upstream"]?["id"]?.string)
        #expect(made["upstream"]?["callbackUrl"]?.string == "\(TestServer.origin)/msp/\(id)")
        let theirs = "b9159070-c454-4135-8bf3-049809624818"
        let moved = try await server.send(
            .put, path,
            #"""
            {"baseUrl":"https://gw2.example/v1","settings":{"upstreamBusiness":"\#(theirs)"}}
            """#, by: owner)
        #expect(moved["upstream"]?["settings"]?["upstreamBusiness"]?.string == theirs)
        #expect(moved["upstream"]?["baseUrl"]?.string == "https://gw2.example/v1")
        let link = try #require(server.services.links.find(.upstream, of: server.other.id))
        #expect(link.mspID == "m-1" && Base64.encode(link.secret) == secret)
    }

    @Test(arguments: [
        #"{}"#, #"{"endpoint":"ftp://x"}"#, #"{"endpoint":"http://bots.example"}"#,
        #"{"endpoint":"https://b.example","mspId":"a b"}"#,
        #"{"endpoint":"https://b.example","secret":"c2hvcnQ="}"#,
        #"{"endpoint":"https://b.example","secret":17}"#,
        #"{"endpoint":"https://b.example","settings":[]}"#,
        #"{"endpoint":"https://b.example","settings":{"freshnessSeconds":59}}"#,
        #"{"endpoint":"https://b.example","settings":{"packsBodies":"yes"}}"#,
        #"{"endpoint":"https://b.example","settings":{"surprise":1}}"#,
        #"{"endpoint":"https://b.example","settings":{"faults":{"cut":{"probability":1.1}}}}"#,
        #"{"endpoint":"https://b.example","settings":{"faults":{"cut":{}}}}"#,
        #"{"endpoint":"https://b.example","settings":{"faults":{"fire":{"probability":1}}}}"#,
        #"{"endpoint":"https://b.example","settings":{"faults":{"cut":{"probability":1,"value":1}}}}"#,
        #"{"endpoint":"https://b.example","settings":{"upstreamBusiness":"shop"}}"#,
        #"{"endpoint":"https://b.example","baseUrl":"https://b.example"}"#,
    ])
    func `a registration that breaks a rule registers nothing`(body: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.other.id)/gateway/registration"
        let answer = try await server.send(.put, path, body, by: owner)
        #expect(answer.code == "invalid")
        #expect(answer["errors"]?.count == 1)
        #expect(!answer.text.contains("c2hvcnQ"))
        #expect(server.services.links.all.isEmpty)
    }

    @Test func `the wire log has pages, and what is asked for`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/gateway"
        try await server.makeLinks(path, by: owner)
        let link = try #require(server.services.links.find(.provider, of: server.business.id))
        let talk = ConversationID(server.services.broker.makeID())
        for number in 1...5 {
            let message = number.isMultiple(of: 2) ? MessageID("m\(number)") : nil
            _ = try await server.store.note(
                Self.exchange(link, number > 3 ? talk : nil, message, at: server.time.now))
        }
        func numbers(_ query: String) async throws -> [Int] {
            let page = try await server.get(path + "/exchanges" + query, by: owner)
            #expect(page.status == 200)
            return page["data"]?.elements.compactMap { $0["number"]?.int } ?? []
        }
        #expect(try await numbers("") == [5, 4, 3, 2, 1])
        #expect(try await numbers("?page%5Bsize%5D=2") == [5, 4])
        #expect(try await numbers("?page%5Bsize%5D=2&before=4") == [3, 2])
        #expect(try await numbers("?conversation=\(talk)") == [5, 4])
        #expect(try await numbers("?conversation=\(talk)&message=m4") == [4])
        let page = try await server.get(path + "/exchanges?page%5Bsize%5D=4", by: owner)
        #expect(page["hasMore"]?.bool == true)
        let first = try #require(page["data"]?[0])
        #expect(first["side"]?.string == "provider")
        #expect(first["request"]?["body"]?.string == #"{"a":1}"#)
        #expect(first["findings"]?[0]?["found"]?.string == "slow")
        #expect(first["curl"]?.string?.contains("$TOKEN") == true)
        for wrong in ["?before=x", "?message=m4", "?conversation=x", "?page%5Bsize%5D=51"] {
            #expect(try await server.get(path + "/exchanges" + wrong, by: owner).code == "invalid")
        }
        let elsewhere = "/api/businesses/\(server.other.id)/gateway/exchanges?conversation=\(talk)"
        #expect(try await server.get(elsewhere, by: owner)["data"]?.count == 0)
    }

    @Test func `deliveries are listed by state with their reason, and dead ones tried again`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/gateway"
        try await server.makeLinks(path, by: owner)
        let link = try #require(server.services.links.find(.provider, of: server.business.id))
        let conversation = try await server.makeConversation()
        let head = server.store.newest
        var dead = Delivery(
            outbox: link.outbox, position: head, conversation: conversation.id,
            due: server.time.now)
        let later = Delivery(
            outbox: link.outbox, position: Position(head.value + 1), conversation: conversation.id,
            due: server.time.now)
        try await server.store.enqueue(
            [dead, later], of: link.outbox, upTo: later.position,
            under: try await server.store.leaseOfTest())
        dead.state = .dead
        dead.attempts = 10
        dead.last = DeliveryAttempt(time: server.time.now, status: 404, detail: "is it doubled?")
        try await server.store.attempt(dead)
        let received = try await server.get(path, by: owner)
        #expect(received["registration"]?["deliveries"]?["dead"]?.int == 1)
        #expect(received["registration"]?["deliveries"]?["pending"]?.int == 1)
        let list = try await server.get(path + "/deliveries?state=dead", by: owner)
        let one = try #require(list["data"]?[0])
        #expect(one["position"]?.int == Int(head.value))
        #expect(one["event"]?.string?.isEmpty == false)
        #expect(one["last"]?["detail"]?.string == "is it doubled?")
        let full = try await server.get(path + "/deliveries?page%5Bsize%5D=1", by: owner)
        let next = try #require(full["next"]?.string)
        let rest = try await server.get(
            path + "/deliveries?page%5Bsize%5D=1&page%5Bafter%5D=\(next)", by: owner)
        #expect(rest["data"]?.count == 0)
        #expect(try await server.get(path + "/deliveries?state=lost", by: owner).code == "invalid")
        for side in ["filter%5Bside%5D", "side"] {
            let upstream = try await server.get(path + "/deliveries?\(side)=upstream", by: owner)
            #expect(upstream["data"]?.count == 0, "\(upstream.text)")
            let wrong = try await server.get(path + "/deliveries?\(side)=left", by: owner)
            #expect(wrong.code == "invalid")
        }
        let retry = path + "/deliveries/retry"
        #expect(try await server.post(retry, #"{"from":9,"to":8}"#, by: owner).code == "invalid")
        let upstream = try await server.post(retry, #"{"side":"upstream"}"#, by: owner)
        #expect(upstream["retried"]?.int == 0)
        let range = #"{"from":\#(head.value),"to":\#(head.value)}"#
        #expect(try await server.post(retry, range, by: owner)["retried"]?.int == 1)
        #expect(try await server.post(retry, range, by: owner)["retried"]?.int == 0)
    }

    @Test func `what names no side is about all links of the business, and there must be one`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/gateway"
        try await server.makeLinks(path, by: owner)
        for link in ["/registration", "/upstream"] {
            #expect(try await server.send(.delete, path + link, by: owner).status == 204)
        }
        for (ask, status) in [("/retry", 200), ("/retry-now", 204)] {
            let answer = try await server.post(path + "/deliveries" + ask, "{}", by: owner)
            #expect(answer.status == status, "\(answer.text)")
        }
        #expect(try await server.send(.delete, path + "/whatsapp", by: owner).status == 204)
        for ask in ["/retry", "/retry-now"] {
            #expect(
                try await server.post(path + "/deliveries" + ask, "{}", by: owner).status == 404)
        }
    }

    private static func exchange(
        _ link: GatewayLink, _ conversation: ConversationID?, _ message: MessageID?,
        at time: Timestamp
    ) -> WireExchange {
        WireExchange(
            link: link.id, business: link.business, conversation: conversation, message: message,
            course: .sent, time: time, milliseconds: 3, method: "POST",
            target: "https://bots.example/shop/message",
            request: .init(
                headers: [HeaderField(name: "Authorization", value: "Bearer ***")],
                body: Array(#"{"a":1}"#.utf8), byteCount: 7),
            status: 200, answer: .init(headers: [], body: Array("ok".utf8), byteCount: 2),
            findings: Array(#"[{"severity":"error","found":"slow"}]"#.utf8))
    }
}

extension TestServer {
    /// Both links of a business, whose gateway is at this path.
    fileprivate func makeLinks(_ path: String, by owner: Caller) async throws {
        let made = try await send(
            .put, path + "/registration", GatewayRouteTests.endpoint, by: owner)
        #expect(made.status == 201)
        let secret = Base64.encode([UInt8](repeating: 9, count: 16))
        let connected = try await send(
            .put, path + "/upstream",
            #"{"baseUrl":"https://gw.example/v1","mspId":"m-1","secret":"\#(secret)"}"#, by: owner)
        #expect(connected.status == 201)
        let number = try await send(
            .put, path + "/whatsapp",
            #"{"phoneNumberId":"106","accessToken":"a","appSecret":"b"}"#, by: owner)
        #expect(number.status == 201)
    }

    /// The fields of a visitor of the sandbox page.
    fileprivate func makeVisitor() async throws -> HeaderFields {
        let token = Token.make()
        try await store.add(
            Session(
                token: token.digest, subject: .sandbox, createdAt: time.now,
                expiresAt: time.now.advanced(by: .seconds(60))), author: .server)
        return ["Cookie": "fd_sandbox=\(token.text)", "Origin": Self.origin]
    }

    fileprivate func send(
        _ ask: GatewayRouteTests.Ask, _ path: String, by caller: Caller
    ) async throws -> Int {
        try await send(ask.method, path + ask.path, ask.body, by: caller).status
    }
}
