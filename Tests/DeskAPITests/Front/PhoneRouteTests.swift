import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

struct PhoneRouteTests {
    private static let bid =
        "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
        + "com.apple.icloud.apps.messages.business.extension"

    private let quickReply = """
        {"type":"interactive","interactiveData":{"bid":"\(Self.bid)","data":{"version":"1.0",\
        "requestIdentifier":"r","quick-reply":{"summaryText":"Which?","items":[\
        {"identifier":"a","title":"A"},{"identifier":"b","title":"B"}]}}}}
        """

    private func id(_ server: TestServer) -> String { server.services.broker.makeID().text }

    /// A phone that has written once: its cookie, and the conversation.
    private func makePhone(
        _ server: TestServer
    ) async throws -> (phone: TestServer.Caller, conversation: ConversationID) {
        let answer = try await server.post(
            "/api/phone/\(server.business.id)/messages",
            #"{"id":"\#(id(server))","text":"Hello","locale":"en_US"}"#)
        let text = try #require(answer["message"]?["conversation"]?.string)
        return (
            .customer(try #require(answer.cookie("fdc"))), try #require(ConversationID(text))
        )
    }

    @Test func `opening a link makes nothing, the first message makes the customer`() async throws {
        let server = try await TestServer()
        let path = "/api/phone/\(server.business.id)"
        let before = try await server.get(path)
        #expect(before["customer"]?.isNull == true && before["conversation"]?.isNull == true)
        let answer = try await server.post(
            path + "/messages", #"{"id":"\#(id(server))","text":"Hi"}"#)
        #expect(answer.status == 201)
        #expect(answer["message"]?["author"] == nil && answer["message"]?["origin"] == nil)
        let cookie = try #require(answer.headers.first("set-cookie"))
        #expect(cookie.contains("Path=\(path);") && cookie.contains("HttpOnly"))
        #expect(cookie.contains("SameSite=Lax"))
        let token = try #require(answer.cookie("fdc"))
        let after = try await server.get(path, by: .customer(token))
        #expect(after["conversation"]?["left"]?.bool == false)
    }

    @Test func `a phone's cookie is worth nothing at another business`() async throws {
        let server = try await TestServer()
        let (phone, _) = try await makePhone(server)
        let answer = try await server.get("/api/phone/\(server.other.id)/messages", by: phone)
        #expect(answer.status == 401)
    }

    @Test func `another site cannot write with a phone's cookie`() async throws {
        let server = try await TestServer()
        let (phone, _) = try await makePhone(server)
        let answer = try await server.post(
            "/api/phone/\(server.business.id)/messages", #"{"id":"\#(id(server))","text":"Hi"}"#,
            by: phone, headers: ["Origin": "http://elsewhere.example"])
        #expect(answer.code == "forbidden")
    }

    @Test func `a message sent twice is stored once, and other words under its id are refused`()
        async throws
    {
        let server = try await TestServer()
        let (phone, conversation) = try await makePhone(server)
        let path = "/api/phone/\(server.business.id)/messages"
        let name = id(server)
        let first = try await server.post(path, #"{"id":"\#(name)","text":"One"}"#, by: phone)
        let again = try await server.post(path, #"{"id":"\#(name)","text":"One"}"#, by: phone)
        #expect(first.bytes == again.bytes)
        #expect(again.headers["idempotency-replayed"] == "true")
        let other = try await server.post(path, #"{"id":"\#(name)","text":"Two"}"#, by: phone)
        #expect(other.code == "idempotency_conflict")
        #expect(try await server.store.findConversation(conversation)?.newest.value == 2)
    }

    @Test func `an answer is accepted once, if it was offered, and becomes the protocol's reply`()
        async throws
    {
        let server = try await TestServer()
        let (phone, conversation) = try await makePhone(server)
        let key = try await server.makeKey([server.business])
        let sent = try await server.post(
            "/api/conversations/\(conversation)/messages", quickReply, by: key)
        let card = try #require(sent["id"]?.string)
        let path = "/api/phone/\(server.business.id)/choices"
        func choose(_ choice: String, to card: String, _ name: String) async throws -> Answer {
            try await server.post(
                path, #"{"id":"\#(name)","inReplyTo":"\#(card)",\#(choice)}"#, by: phone)
        }
        let name = id(server)
        let absent = #""quickReply":{"identifier":"c"}"#
        let present = #""quickReply":{"identifier":"b"}"#
        #expect(try await choose(absent, to: card, id(server)).code == "not_offered")
        #expect(try await choose(present, to: id(server), id(server)).code == "not_offered")
        #expect(
            try await choose(#""list":{"identifiers":["b"]}"#, to: card, id(server)).code
                == "not_offered")
        #expect(try await choose(#""list":{}"#, to: card, id(server)).code == "invalid")
        let first = try await choose(present, to: card, name)
        let again = try await choose(present, to: card, name)
        #expect(first.status == 201 && first.bytes == again.bytes)
        let data = first["message"]?["payload"]?["interactiveData"]?["data"]
        #expect(data?["quick-reply"]?["selectedIdentifier"]?.string == "b")
        #expect(first["message"]?["inReplyTo"]?.string == card)
        #expect(try await server.store.findConversation(conversation)?.newest.value == 3)
    }

    @Test func `a deleted conversation is empty, refuses the business, and opens on a new word`()
        async throws
    {
        let server = try await TestServer()
        let (phone, conversation) = try await makePhone(server)
        let key = try await server.makeKey([server.business])
        let path = "/api/phone/\(server.business.id)"
        let send = "/api/conversations/\(conversation)/messages"
        let gone = try await server.send(.delete, path + "/conversation", by: phone)
        #expect(gone.status == 204)
        #expect(try await server.get(path + "/messages", by: phone)["data"]?.count == 0)
        let text = #"{"type":"text","body":"There?"}"#
        #expect(try await server.post(send, text, by: key).code == "customer_left")
        let back = try await server.post(
            path + "/messages", #"{"id":"\#(id(server))","text":"Back"}"#, by: phone)
        #expect(back["message"]?["sequence"]?.int == 2)
        #expect(try await server.post(send, text, by: key).status == 201)
        #expect(try await server.get(path + "/messages", by: phone)["data"]?.count == 2)
    }

    @Test func `a customer's words meet the rulebook, and their line is the one of every message`()
        async throws
    {
        let server = try await TestServer()
        let (phone, conversation) = try await makePhone(server)
        let path = "/api/phone/\(server.business.id)/messages"
        func say(_ text: String) async throws -> StoredMessage {
            let answer = try await server.post(
                path, #"{"id":"\#(id(server))","text":"\#(text)"}"#, by: phone)
            #expect(answer.status == 201)
            let page = try await server.store.messages(in: conversation, .newest, limit: 1)
            return try #require(page.elements.first)
        }
        let odd = try await say(#"a bell\u0007 rings"#)
        #expect(String(decoding: odd.facts.warnings, as: UTF8.self).contains("control-character"))
        let plain = try await say("nothing odd")
        #expect(plain.facts.warnings.isEmpty)
        // One maker of the line: as long as every other message's, and cut the same way.
        let long = try await say(String(repeating: "word ", count: 100))
        #expect(
            long.facts.summary
                == Summary.text(of: long.payload.carriedBytes ?? [], direction: .inbound))
        #expect(long.facts.summary.unicodeScalars.count == Summary.maximumScalars)
    }

    @Test func `muting is the customer's own setting`() async throws {
        let server = try await TestServer()
        let (phone, conversation) = try await makePhone(server)
        let path = "/api/phone/\(server.business.id)"
        let answer = try await server.post(path + "/mute", #"{"muted":true}"#, by: phone)
        #expect(answer.status == 204)
        #expect(try await server.get(path, by: phone)["conversation"]?["muted"]?.bool == true)
        let key = try await server.makeKey([server.business])
        let seen = try await server.get("/api/conversations/\(conversation)", by: key)
        #expect(seen.status == 200 && seen["muted"] == nil)
    }

    @Test func `a file goes only to those in the conversation`() async throws {
        let server = try await TestServer()
        let (phone, _) = try await makePhone(server)
        let (outsider, _) = try await makePhone(server)
        let path = "/api/phone/\(server.business.id)/attachments"
        let made = try await server.post(
            path + "?name=a.png", "\u{89}PNG", by: phone,
            headers: ["Content-Type": "application/octet-stream"])
        #expect(made.status == 201)
        let sha = try #require(made["id"]?.string)
        let own = try await server.get("\(path)/\(sha)", by: phone)
        #expect(own.status == 200)
        #expect(own.headers["content-disposition"]?.hasPrefix("attachment") == true)
        #expect(own.headers["content-security-policy"]?.contains("sandbox") == true)
        #expect(try await server.get("\(path)/\(sha)", by: outsider).code == "not_found")
        let key = try await server.makeKey([server.other])
        #expect(try await server.get("/api/attachments/\(sha)", by: key).code == "not_found")
        let sent = try await server.post(
            "/api/phone/\(server.business.id)/messages",
            #"{"id":"\#(id(server))","text":"x","attachments":["\#(sha)"]}"#, by: outsider)
        #expect(sent.code == "not_found")
    }

    @Test func `answers say why a customer came, and a second address leaves nothing of the first`()
        async throws
    {
        let server = try await TestServer()
        let path = "/api/phone/\(server.business.id)"
        func say(_ entry: String, by phone: TestServer.Caller? = nil) async throws -> Answer {
            let body = #"{"id":"\#(id(server))","text":"Hi","entry":{\#(entry)}}"#
            guard let phone else { return try await server.post(path + "/messages", body) }
            return try await server.post(path + "/messages", body, by: phone)
        }
        let first = try await say(#""intent":"order","group":"shop""#)
        let phone = TestServer.Caller.customer(try #require(first.cookie("fdc")))
        let conversation = try #require(first["message"]?["conversation"]?.string)
        let key = try await server.makeKey([server.business])
        let asked = try await server.post(
            "/api/conversations/\(conversation)/messages", quickReply, by: key)
        let request = try #require(asked["id"]?.string)
        func answer() async throws -> JSONValue? {
            let answer = try await server.post(
                path + "/choices",
                #"{"id":"\#(id(server))","inReplyTo":"\#(request)","quickReply":{"identifier":"a"}}"#,
                by: phone)
            return answer["message"]?["payload"]
        }
        let whole = try await answer()
        #expect(whole?["intent"]?.string == "order" && whole?["group"]?.string == "shop")
        #expect(try await say("", by: phone).status == 201)
        #expect(try await answer()?["group"]?.string == "shop")
        #expect(try await say(#""intent":"returns""#, by: phone).status == 201)
        let later = try await answer()
        #expect(later?["intent"]?.string == "returns" && later?["group"] == nil)
    }
}
