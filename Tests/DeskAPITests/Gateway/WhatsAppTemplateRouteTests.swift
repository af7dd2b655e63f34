import APITestSupport
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import DeskStoreSQLite
import DeskWeb
import StoreSupport
import Synchronization
import Testing

@testable import DeskAPI

/// How often something was asked for.
private final class AskedTimes: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func add() { state.withLock { $0 += 1 } }
}

/// Templates from a list, or a failure.
private struct ScriptedTemplates: WhatsAppTemplateSource {
    var templates: [WhatsAppTemplate] = []
    var failure: WhatsAppTemplateError?
    var asked = AskedTimes()

    func approved(
        of link: GatewayLink
    ) async throws(WhatsAppTemplateError) -> WhatsAppTemplateList {
        if let failure { throw failure }
        return WhatsAppTemplateList(
            templates.filter { $0.status == WhatsAppTemplate.approved }, isComplete: true)
    }

    func find(
        _ name: String, _ language: String, of link: GatewayLink
    ) async throws(WhatsAppTemplateError) -> WhatsAppTemplate? {
        if let failure { throw failure }
        asked.add()
        return templates.first { $0.name == name && $0.language == language }
    }
}

struct WhatsAppTemplateRouteTests {
    private static func template(
        _ name: String, status: String = "APPROVED", body: String = "Hi {{1}}",
        format: String = "TEXT"
    ) throws -> WhatsAppTemplate {
        let text = """
            {"name":"\(name)","language":"en","status":"\(status)","category":"UTILITY","components":[\
            {"type":"HEADER","format":"\(format)","text":"Tea"},{"type":"BODY","text":"\(body)"}]}
            """
        return try #require(
            WhatsAppTemplate(try JSONDocument(parsing: Array(text.utf8)).root))
    }

    /// A server with a number, and a conversation whose time for answers has ended.
    private static func desk(
        _ source: ScriptedTemplates, over wrap: (SQLiteStore) -> any Store = { $0 }
    ) async throws -> (server: TestServer, owner: TestServer.Caller, conversation: Conversation) {
        let server = try await TestServer(whatsApp: source, over: wrap)
        let owner = try await server.makeOwner()
        let made = try await server.send(
            .put, "/api/businesses/\(server.business.id)/gateway/whatsapp",
            #"{"phoneNumberId":"106","accessToken":"secret-a","appSecret":"secret-b"}"#, by: owner)
        let link = try #require(made["whatsapp"]?["id"]?.string.flatMap { GatewayLinkID($0) })
        let conversation = try await server.makeConversation()
        _ = try await server.store.append([
            [.bind(conversation.id, to: link, freeFormUntil: server.time.now)]
        ])
        return (server, owner, conversation)
    }

    private static func path(_ conversation: Conversation) -> String {
        "/api/conversations/\(conversation.id)/whatsapp-template-messages"
    }

    @Test func `a template is listed with its variables and sent as the text that it becomes`()
        async throws
    {
        let source = ScriptedTemplates(templates: [
            try Self.template("ready"), try Self.template("map", format: "LOCATION"),
            try Self.template("old", status: "PAUSED"),
        ])
        let (server, owner, conversation) = try await Self.desk(source)
        let list = try await server.get(
            "/api/businesses/\(server.business.id)/gateway/whatsapp/templates", by: owner)
        #expect(list.status == 200 && list["isComplete"]?.bool == true)
        #expect(list["data"]?.count == 2)
        #expect(list["data"]?[0]?["parameters"]?[0]?["key"]?.string == "body.1")
        #expect(list["data"]?[1]?["isFillable"]?.bool == false)
        let plain = try await server.post(
            "/api/conversations/\(conversation.id)/messages", #"{"type":"text","body":"late"}"#,
            by: owner)
        #expect(plain.status == 409 && plain["code"]?.string == "reply_window_over")
        let body =
            #"{"id":"m-1","name":"ready","language":"en","values":{"body.1":"Ada"}}"#
        let sent = try await server.post(Self.path(conversation), body, by: owner)
        #expect(sent.status == 201)
        #expect(sent["payload"]?["body"]?.string == "Tea\n\nHi Ada")
        #expect(sent["whatsappTemplate"]?["name"]?.string == "ready")
        #expect(sent["whatsappTemplate"]?["language"]?.string == "en")
        #expect(sent["template"]?.isNull == true)
        let again = try await server.post(Self.path(conversation), body, by: owner)
        #expect(again.status == 201 && again["sequence"]?.int == sent["sequence"]?.int)
        let id = try #require(MessageID("m-1"))
        let stored = try #require(
            try await server.store.findMessage(id, in: conversation.id))
        #expect(
            stored.facts.whatsAppTemplate
                == #"{"name":"ready","language":{"code":"en"},"components":[{"type":"body","parameters":[{"type":"text","text":"Ada"}]}]}"#
        )
    }

    @Test func `a template that was sent is answered again whatever WhatsApp accepts by then`()
        async throws
    {
        let source = ScriptedTemplates(templates: [try Self.template("ready")])
        let (server, owner, conversation) = try await Self.desk(source)
        func send(_ name: String, _ value: String) async throws -> Answer {
            try await server.post(
                Self.path(conversation),
                #"{"id":"m-1","name":"\#(name)","language":"en","values":{"body.1":"\#(value)"}}"#,
                by: owner)
        }
        let sent = try await send("ready", "Ada")
        #expect(sent.status == 201 && source.asked.count == 1)
        let again = try await send("ready", "Ada")
        #expect(again.status == 201 && again["sequence"]?.int == sent["sequence"]?.int)
        #expect(again.headers["idempotency-replayed"] == "true")
        #expect(source.asked.count == 1)
        #expect(try await send("ready", "Ben").code == "idempotency_conflict")
        #expect(try await send("gone", "Ada").code == "whatsapp_template_refused")
        func sendByKey() async throws -> Answer {
            try await server.post(
                Self.path(conversation),
                #"{"name":"ready","language":"en","values":{"body.1":"Cy"}}"#, by: owner,
                headers: ["Idempotency-Key": "k1"])
        }
        #expect(try await sendByKey().status == 201)
        let asked = source.asked.count
        #expect(try await sendByKey().headers["idempotency-replayed"] == "true")
        #expect(source.asked.count == asked)
        #expect(try await server.messageCount(conversation) == 3)
    }

    @Test func `a template that was sent is answered again only once that is confirmed`()
        async throws
    {
        let source = ScriptedTemplates(templates: [try Self.template("ready")])
        let (server, owner, conversation) = try await Self.desk(
            source, over: { DoubtfulStore(over: $0) })
        let doubtful = try #require(server.services.store as? DoubtfulStore)
        func send() async throws -> Answer {
            try await server.post(
                Self.path(conversation),
                #"{"id":"m-1","name":"ready","language":"en","values":{"body.1":"Ada"}}"#, by: owner
            )
        }
        #expect(try await send().status == 201)
        doubtful.fail(1)
        #expect(try await send().status == 503)
        #expect(try await send().headers["idempotency-replayed"] == "true")
        #expect(doubtful.confirmations == 2)
        #expect(try await server.messageCount(conversation) == 2)
    }

    @Test func `a number that is connected again sends to who wrote to it before`() async throws {
        let source = ScriptedTemplates(templates: [try Self.template("ready")])
        let (server, owner, conversation) = try await Self.desk(source)
        let path = "/api/businesses/\(server.business.id)/gateway/whatsapp"
        #expect(try await server.send(.delete, path, "", by: owner).status == 204)
        let body = #"{"name":"ready","language":"en","values":{"body.1":"Ada"}}"#
        let early = try await server.post(Self.path(conversation), body, by: owner)
        #expect(early.status == 409 && early.code == "whatsapp_unusable")
        let made = try await server.send(
            .put, path,
            #"{"phoneNumberId":"106","accessToken":"secret-a","appSecret":"secret-b"}"#, by: owner)
        #expect(made["whatsapp"]?["id"]?.string != nil)
        #expect(try await server.post(Self.path(conversation), body, by: owner).status == 201)
    }

    /// A body, and what it is answered.
    struct Wrong: Sendable {
        let body: String
        let status: Int
        let says: String
    }

    @Test(arguments: [
        Wrong(
            body: #"{"name":"gone","language":"en"}"#, status: 409, says: "no template of this name"
        ),
        Wrong(
            body: #"{"name":"ready","language":"ja"}"#, status: 409,
            says: "no template of this name"),
        Wrong(body: #"{"name":"old","language":"en"}"#, status: 409, says: "its status is PAUSED"),
        Wrong(body: #"{"name":"map","language":"en"}"#, status: 409, says: "needs more than texts"),
        Wrong(body: #"{"name":"ready","language":"en"}"#, status: 422, says: "has 1 variables"),
        Wrong(
            body: #"{"name":"ready","language":"en","values":{}}"#, status: 422,
            says: #""pointer":"/values""#),
        Wrong(
            body: #"{"name":"ready","language":"en","values":{"body.1":"a","body.2":"b"}}"#,
            status: 422, says: #""pointer":"/values/body.2""#),
        Wrong(
            body: #"{"name":"ready","language":"en","values":{"body.1":"a\nb"}}"#, status: 422,
            says: "text on one line"),
        Wrong(body: #"{"name":"ready"}"#, status: 422, says: "no language"),
    ])
    func `what cannot be sent is refused before anything is stored`(_ wrong: Wrong) async throws {
        let source = ScriptedTemplates(templates: [
            try Self.template("ready"), try Self.template("map", format: "LOCATION"),
            try Self.template("old", status: "PAUSED"),
        ])
        let (server, owner, conversation) = try await Self.desk(source)
        let answer = try await server.post(Self.path(conversation), wrong.body, by: owner)
        #expect(answer.status == wrong.status)
        #expect(answer.text.contains(wrong.says), "\(answer.text)")
        if wrong.status == 409 {
            #expect(answer["code"]?.string == "whatsapp_template_refused")
        }
        #expect(try await server.messageCount(conversation) == 1)
    }

    @Test(arguments: [(true, 503, "whatsapp_unavailable"), (false, 409, "whatsapp_unusable")])
    func `why templates cannot be listed is in the answer`(
        _ isPassing: Bool, _ status: Int, _ code: String
    ) async throws {
        let failure = WhatsAppTemplateError(isPassing: isPassing, detail: "Not now.")
        let (server, owner, conversation) = try await Self.desk(
            ScriptedTemplates(failure: failure))
        let list = try await server.get(
            "/api/businesses/\(server.business.id)/gateway/whatsapp/templates", by: owner)
        #expect(list.status == status && list["code"]?.string == code)
        #expect(list["detail"]?.string == "Not now.")
        let sent = try await server.post(
            Self.path(conversation), #"{"name":"ready","language":"en"}"#, by: owner)
        #expect(sent.status == status && sent["code"]?.string == code)
    }

    @Test func `a conversation of another channel has no templates of WhatsApp's`() async throws {
        let (server, owner, _) = try await Self.desk(ScriptedTemplates())
        let other = try await server.makeConversation()
        let answer = try await server.post(
            Self.path(other), #"{"name":"ready","language":"en"}"#, by: owner)
        #expect(answer.status == 409 && answer["code"]?.string == "whatsapp_unusable")
        let list = try await server.get(
            "/api/businesses/\(server.other.id)/gateway/whatsapp/templates", by: owner)
        #expect(list.status == 404)
    }
}
