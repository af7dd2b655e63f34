import APITestSupport
import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI

struct TemplateRouteTests {
    private static func template(_ business: Business, body: String = "Hi {{who}}") -> String {
        """
        {"business":"\(business.id)","name":"greeting","title":"Greeting","description":"",\
        "payload":{"type":"text","body":"\(body)"},\
        "parameters":[{"name":"who","type":"text","label":"Who","required":true}]}
        """
    }

    @Test func `a template is published, listed, previewed and sent`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let made = try await server.post(
            "/api/templates", Self.template(server.business), by: key)
        #expect(made.status == 201 && made["version"]?.int == 1)
        let second = try await server.post(
            "/api/templates", Self.template(server.business, body: "Hello {{who}}"), by: key)
        #expect(second["version"]?.int == 2)
        #expect(try await server.get("/api/templates", by: key)["data"]?.count == 1)
        let first = try await server.get("/api/templates/greeting?version=1", by: key)
        #expect(first["payload"]?["body"]?.string == "Hi {{who}}")
        let preview = try await server.post(
            "/api/templates/greeting/preview",
            #"{"business":"\#(server.business.id)","values":{"who":"\"Bo\""}}"#, by: key)
        #expect(preview["payload"]?["body"]?.string == "Hello \"Bo\"")
        #expect(preview["kind"]?.string == "text")
        #expect(try await server.messageCount(conversation) == 1)
        let sent = try await server.post(
            "/api/conversations/\(conversation.id)/template-messages",
            #"{"template":"greeting","version":1,"values":{"who":"Bo"}}"#, by: key)
        #expect(sent.status == 201)
        #expect(sent["payload"]?["body"]?.string == "Hi Bo")
        #expect(sent["template"]?["version"]?.int == 1)
    }

    @Test(arguments: [
        ("t", 200, 2_000, 201), ("茶", 200, 2_000, 201), ("🍵", 200, 2_000, 201),
        ("茶", 201, 0, 422), ("茶", 1, 2_001, 422), ("t", 201, 0, 422), ("t", 0, 0, 422),
    ])
    func `a title has 200 characters and a description 2,000, in whatever script`(
        letter: String, title: Int, description: Int, status: Int
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let template = Self.template(server.business)
            .replacing(
                #""title":"Greeting""#,
                with: #""title":"\#(String(repeating: letter, count: title))""#
            )
            .replacing(
                #""description":"""#,
                with: #""description":"\#(String(repeating: letter, count: description))""#)
        let answer = try await server.post("/api/templates", template, by: key)
        #expect(answer.status == status)
        guard status == 422 else { return }
        let finding = answer["errors"]?[0]
        #expect(finding?["found"]?.string?.hasSuffix("characters") == true)
    }

    @Test
    func `a template that is removed is sent and listed no longer, and its name goes on counting`()
        async throws
    {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let path = "/api/templates/greeting?business=\(server.business.id)"
        #expect(try await server.send(.delete, path, by: key).status == 404)
        _ = try await server.post("/api/templates", Self.template(server.business), by: key)
        let text = #"{"template":"greeting","values":{"who":"Bo"}}"#
        let sending = "/api/conversations/\(conversation.id)/template-messages"
        #expect(try await server.post(sending, text, by: key).status == 201)
        let reader = try await server.makeKey([server.business], scopes: .read)
        #expect(try await server.send(.delete, path, by: reader).code == "missing_scope")
        #expect(try await server.send(.delete, path, by: key).status == 204)
        #expect(try await server.get("/api/templates", by: key)["data"]?.count == 0)
        for version in ["", "&version=1", "&version=2"] {
            #expect(try await server.get(path + version, by: key).status == 404)
        }
        #expect(try await server.post(sending, text, by: key).status == 404)
        #expect(try await server.send(.delete, path, by: key).status == 404)
        let events = try await server.get(
            "/api/events?filter[type]=template.removed", by: key,
            headers: ["Accept": "application/json"])
        #expect(events["data"]?[0]?["data"]?["name"]?.string == "greeting")
        #expect(events["data"]?[0]?["data"]?["version"]?.int == 2)
        let again = try await server.post(
            "/api/templates", Self.template(server.business), by: key)
        #expect(again["version"]?.int == 3)
    }

    @Test func `what sends a template by itself keeps it from being removed, by name`() async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let business = "/api/businesses/\(server.business.id)"
        let plain =
            #"{"business":"\#(server.business.id)","name":"hello","title":"Hello","#
            + #""payload":{"type":"text","body":"Hello"}}"#
        #expect(try await server.post("/api/templates", plain, by: owner).status == 201)
        let macro = try await server.post(
            business + "/macros",
            #"{"name":"Say hello","shared":true,"actions":[{"template":{"name":"hello"}}]}"#,
            by: owner)
        #expect(macro.status == 201)
        let path = "/api/templates/hello?business=\(server.business.id)"
        let refused = try await server.send(.delete, path, by: owner)
        #expect(refused.status == 409)
        #expect(refused.code == "template_in_use")
        #expect(refused["detail"]?.string?.contains("the macro \"Say hello\"") == true)
        let id = try #require(macro["id"]?.string)
        #expect(
            try await server.send(
                .patch, "\(business)/macros/\(id)", #"{"retired":true}"#, by: owner
            ).status == 200)
        #expect(try await server.send(.delete, path, by: owner).status == 204)
    }

    @Test func `a customer gets the translation into their language, or else the template itself`()
        async throws
    {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        #expect(conversation.customer.locale == "en_US")
        for (name, body) in [("greeting", "Plain {{who}}"), ("greeting.xx", "Other {{who}}")] {
            let text = Self.template(server.business, body: body)
                .replacing("\"greeting\"", with: "\"\(name)\"")
            #expect(try await server.post("/api/templates", text, by: key).status == 201)
        }
        func said(_ version: String = "") async throws -> String? {
            let preview = try await server.post(
                "/api/templates/greeting/preview",
                #"{"business":"\#(server.business.id)","conversation":"\#(conversation.id)","#
                    + #"\#(version)"values":{"who":"Bo"}}"#, by: key)
            return preview["payload"]?["body"]?.string
        }
        #expect(try await said() == "Plain Bo")
        let translation = Self.template(server.business, body: "Near {{who}}")
            .replacing("\"greeting\"", with: "\"greeting.en\"")
        #expect(try await server.post("/api/templates", translation, by: key).status == 201)
        #expect(try await said() == "Near Bo")
        #expect(try await said(#""version":1,"#) == "Plain Bo")
        let sent = try await server.post(
            "/api/conversations/\(conversation.id)/template-messages",
            #"{"template":"greeting","values":{"who":"Bo"}}"#, by: key)
        #expect(sent["payload"]?["body"]?.string == "Near Bo")
        #expect(sent["template"]?["name"]?.string == "greeting.en")
    }

    @Test
    func `a name that some customers do not have is refused without a fallback, at its place`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let bare = Self.template(server.business, body: "Hi {{customer.name}}, {{who}}")
        let refused = try await server.post("/api/templates", bare, by: key)
        #expect(refused.status == 422)
        #expect(refused["errors"]?[0]?["pointer"]?.string == "/payload/body")
        let whole = bare.replacing(
            "\"parameters\":[",
            with: #""parameters":[{"name":"customer.name","type":"text","default":"there"},"#)
        #expect(try await server.post("/api/templates", whole, by: key).status == 201)
    }

    @Test func `the list of templates is read page by page, over all businesses`() async throws {
        let server = try await TestServer()
        let second = Business(
            id: BusinessID(UniqueID(high: 1, low: 2)), name: "Second",
            colour: server.business.colour, mode: server.business.mode,
            createdAt: server.business.createdAt)
        try await server.store.save(second, author: .server)
        let key = try await server.makeKey([server.business, second])
        for business in [second, server.business] {
            for name in ["b", "a", "c"] {
                let made = try await server.post(
                    "/api/templates",
                    Self.template(business).replacing("greeting", with: name), by: key)
                #expect(made.status == 201)
            }
        }
        let businesses = [server.business, second].map(\.id.text).sorted()
        let all = businesses.flatMap { business in ["a", "b", "c"].map { "\(business)/\($0)" } }
        for size in 1...7 {
            var found: [String] = []
            var after = ""
            repeat {
                let page = try await server.get(
                    "/api/templates?page[size]=\(size)\(after)", by: key)
                #expect(page.status == 200)
                for one in page["data"]?.elements.map({ $0 }) ?? [] {
                    found.append("\(one["business"]?.string ?? "")/\(one["name"]?.string ?? "")")
                }
                #expect(page["hasMore"]?.bool == (page["next"]?.string != nil))
                after = page["next"]?.string.map { "&page[after]=\($0)" } ?? ""
            } while !after.isEmpty && found.count <= all.count
            #expect(found == all, "pages of \(size)")
        }
        for wrong in ["x", "\(server.business.id)", "\(server.business.id)/A B", "/a"] {
            let path = "/api/templates?page[after]=\(wrong.replacing(" ", with: "%20"))"
            #expect(try await server.get(path, by: key).code == "invalid", "\(wrong)")
        }
    }

    @Test func `what a template would become is refused with 413, seen and sent`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let gaps = String(repeating: "{{who}}", count: 2_000)
        let body = Self.template(server.business, body: gaps)
        #expect(try await server.post("/api/templates", body, by: key).status == 201)
        let values = #"{"who":"\#(String(repeating: "x", count: 500_000))"}"#
        let seen = try await server.post(
            "/api/templates/greeting/preview",
            #"{"business":"\#(server.business.id)","values":\#(values)}"#, by: key)
        #expect(seen.status == 413 && seen.code == "too_large")
        let sent = try await server.post(
            "/api/conversations/\(conversation.id)/template-messages",
            #"{"template":"greeting","values":\#(values)}"#, by: key)
        #expect(sent.status == 413 && sent.code == "too_large")
        #expect(try await server.messageCount(conversation) == 1)
    }

    @Test func `a missing parameter is refused by name and stores nothing`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        _ = try await server.post("/api/templates", Self.template(server.business), by: key)
        let path = "/api/conversations/\(conversation.id)/template-messages"
        let answer = try await server.post(path, #"{"template":"greeting"}"#, by: key)
        #expect(answer.code == "invalid")
        #expect(answer["errors"]?[0]?["pointer"]?.string == "/values/who")
        let unknown = try await server.post(path, #"{"template":"other"}"#, by: key)
        #expect(unknown.code == "not_found")
        #expect(try await server.messageCount(conversation) == 1)
    }

    @Test func `a broken template is not published, a foreign business's neither`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        for body in [
            Self.template(server.business, body: "Hi {{you}}"), Self.template(server.other), "{}",
            Self.template(server.business).replacing("greeting", with: "Gr eeting"),
        ] {
            #expect(try await server.post("/api/templates", body, by: key).code == "invalid")
        }
        #expect(
            try await server.store.templates(
                of: server.business.id, at: .start, limit: 300
            ).elements.isEmpty)
    }

    @Test func `a template that can never be sent is not published, with the place and the fix`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        func picker(_ event: String, _ more: String = "") -> String {
            """
            {"business":"\(server.business.id)","name":"times","title":"Times",\
            "payload":{"type":"interactive","interactiveData":{"bid":\
            "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:\
            com.apple.icloud.apps.messages.business.extension","data":{"version":"1.0",\
            "requestIdentifier":"r","event":\(event)}\(more),\
            "receivedMessage":{"title":"{{title}}"}}},\
            "parameters":[{"name":"title","type":"text"},{"name":"slots","type":"text"},\
            {"name":"length","type":"number"}]}
            """
        }
        let slot = #"{"identifier":"s","startTime":"2031-01-01T09:00+0000","duration":"#
        let place = "/payload/interactiveData/data/event"
        let rows: [(event: String, pointer: String, fix: String)] = [
            (
                #"{"identifier":"e","title":"{{title}}","timeslots":"{{slots}}"}"#,
                place + "/timeslots", "write what belongs here itself"
            ),
            (
                #"{"identifier":"e","title":"{{length|number}}","timeslots":[\#(slot)60}]}"#,
                place + "/title", "Take |number out"
            ),
            (
                #"{"identifier":"e","title":"{{title}}","timeslots":[{"identifier":"s","duration":60}]}"#,
                place + "/timeslots/0", ""
            ),
        ]
        for row in rows {
            let body = picker(row.event)
            let answer = try await server.post("/api/templates", body, by: key)
            #expect(answer.status == 422 && answer.code == "invalid", "\(row.event)")
            let error = answer["errors"]?.elements.first { $0["pointer"]?.string == row.pointer }
            #expect(error != nil, "\(row.event): \(answer.text)")
            #expect(error?["fix"]?.string?.contains(row.fix) == true, "\(answer.text)")
            // The place is one of the text as it was posted.
            if let start = error?["start"]?.int, let end = error?["end"]?.int {
                let bytes = Array(body.utf8)
                let found = try JSONDocument(parsing: bytes).root
                    .find(try #require(JSONPointer(parsing: row.pointer)))
                #expect(found?.range == start..<end)
            }
        }
        // What some value fixes is published: a time, a page, a name of a picture. So is a number as
        // text, which the channel accepts.
        for event in [
            #"{"identifier":"e","title":"T","timeslots":[\#(slot)"{{length}}"}]}"#,
            #"{"identifier":"{{slots}}","title":"{{title}}","timeslots":[\#(slot)60}]}"#,
            #"{"identifier":"e","title":"T","timeslots":[{"identifier":"{{title}}","startTime":"{{slots}}","duration":"#
                + #""{{length|number}}"}]}"#,
        ] {
            let made = try await server.post("/api/templates", picker(event), by: key)
            #expect(made.status == 201, "\(made.text)")
        }
    }

    @Test
    func `a template's name has one rule in the schema, the OpenAPI file, the pages and the API`()
        async throws
    {
        let schema = try JSONDocument(
            parsing: Array(try #require(TestFiles.text("Schemas/template.json")).utf8)
        ).root
        #expect(schema["properties"]?["name"]?["pattern"]?.string == TemplateName.pattern)
        #expect(schema["properties"]?["name"]?["x-form"]?.string == TemplateName.rule)
        let openAPI = try JSONDocument(
            parsing: Array(try #require(TestFiles.text("docs/openapi.json")).utf8),
            limits: .unlimited
        ).root
        let asked = openAPI["paths"]?["/api/templates"]?["post"]?["requestBody"]?["content"]?[
            "application/json"]?["schema"]?["properties"]?["name"]?["pattern"]
        #expect(asked?.string == TemplateName.pattern)
        let page = try #require(TestFiles.text("web/console/template-editor.js"))
        #expect(
            page.contains(#"maxlength: 64,"#)
                && page.contains(#"pattern: "[a-z0-9][a-z0-9._\\-]*""#))

        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let names = [
            ("a", true), ("0", true), ("a.b_c-d", true), ("a.", true), ("a-", true),
            (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
            ("", false), ("-x", false), (".x", false), ("_x", false), ("..", false), ("A", false),
            ("a b", false), ("a/b", false), ("é", false),
        ]
        for (name, isGood) in names {
            let body = Self.template(server.business).replacing("\"greeting\"", with: "\"\(name)\"")
            let answer = try await server.post("/api/templates", body, by: key)
            #expect(answer.status == (isGood ? 201 : 422), "\(name)")
            let document = #"{"name":"\#(name)","payload":{"type":"text","body":"Hi"}}"#
            let judged = try await server.post("/api/validate?kind=template", document, by: key)
            #expect(judged.status == (isGood ? 200 : 422), "\(name)")
        }
    }

    @Test func `a template whose name is older than the rule gets its next version`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let old = try #require(TemplateName("-old"))
        let first = Template(
            business: server.business.id, name: old, title: "Old", detail: "",
            payload: Array(#"{"type":"text","body":"Hi"}"#.utf8), parameters: Array("[]".utf8),
            author: .server, publishedAt: server.time.source.now())
        _ = try await server.services.broker.publish(first)
        let body = Self.template(server.business).replacing("greeting", with: "-old")
        let answer = try await server.post("/api/templates", body, by: key)
        #expect(answer.status == 201 && answer["version"]?.int == 2)
        #expect(try await server.get("/api/templates/-old", by: key)["version"]?.int == 2)
    }

    @Test func `the same id sends once`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        _ = try await server.post("/api/templates", Self.template(server.business), by: key)
        let path = "/api/conversations/\(conversation.id)/template-messages"
        let id = "8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"
        let body = #"{"template":"greeting","values":{"who":"Bo"},"id":"\#(id)"}"#
        let first = try await server.post(path, body, by: key)
        let again = try await server.post(path, body, by: key)
        #expect(first.status == 201 && first.bytes == again.bytes)
        #expect(try await server.messageCount(conversation) == 2)
    }
}
