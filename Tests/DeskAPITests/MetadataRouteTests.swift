import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// Metadata of conversations, contacts and messages over HTTP.
struct MetadataRouteTests {
    /// Where metadata is given.
    enum Place: String, CaseIterable, Sendable {
        case conversation, contact, message, batch, template

        /// Whether null removes a name.
        var mayRemove: Bool { self == .conversation || self == .contact }
    }

    private struct Desk {
        let server: TestServer
        let key: TestServer.Caller
        let conversation: Conversation

        init() async throws {
            server = try await TestServer()
            key = try await server.makeKey([server.business])
            conversation = try await server.makeConversation()
            let made = try await server.post(
                "/api/templates",
                """
                {"business":"\(server.business.id)","name":"greeting","title":"Greeting",\
                "description":"","payload":{"type":"text","body":"Hi"},"parameters":[]}
                """, by: key)
            #expect(made.status == 201)
        }

        var path: String { "/api/conversations/\(conversation.id)" }
        var contact: String {
            "/api/businesses/\(server.business.id)/contacts/\(conversation.contact)"
        }

        /// Gives metadata, a text of JSON, at a place.
        func give(_ metadata: String, _ place: Place) async throws -> Answer {
            let words = #"{"type":"text","body":"Tea"}"#
            switch place {
            case .conversation:
                return try await server.send(
                    .patch, path, #"{"metadata":\#(metadata)}"#, by: key)
            case .contact:
                return try await server.send(
                    .patch, contact, #"{"metadata":\#(metadata)}"#, by: key)
            case .message:
                return try await server.post(
                    path + "/messages", #"{"payload":\#(words),"metadata":\#(metadata)}"#, by: key)
            case .batch:
                let entry =
                    #"{"conversation":"\#(conversation.id)","payload":\#(words),"metadata":\#(metadata)}"#
                return try await server.post(
                    "/api/messages/batch", #"{"messages":[\#(entry)]}"#, by: key)
            case .template:
                return try await server.post(
                    path + "/template-messages",
                    #"{"template":"greeting","metadata":\#(metadata)}"#,
                    by: key)
            }
        }

        /// What a place answers for itself: of a batch its only result.
        func answered(_ answer: Answer, _ place: Place) -> (status: Int?, body: JSONValue?) {
            guard place == .batch else { return (answer.status, answer.document?.root) }
            let result = answer["results"]?[0]
            return (result?["status"]?.int, result?["message"] ?? result?["problem"])
        }
    }

    private static func object(_ count: Int, value: String = "x") -> String {
        "{" + (0..<count).map { #""n\#($0)":"\#(value)""# }.joined(separator: ",") + "}"
    }

    @Test(arguments: Place.allCases)
    func `metadata is in the answer of the place where it was given, and where it is read`(
        _ place: Place
    ) async throws {
        let desk = try await Desk()
        let (status, body) = desk.answered(
            try await desk.give(#"{"order":"A-17","注文":"é","empty":""}"#, place), place)
        #expect(status == (place.mayRemove ? 200 : 201))
        #expect(body?["metadata"]?.count == 3)
        #expect(body?["metadata"]?["order"]?.string == "A-17")
        let read: JSONValue?
        switch place {
        case .conversation:
            read = try await desk.server.get("/api/conversations", by: desk.key)["data"]?[0]
        case .contact:
            let list = "/api/businesses/\(desk.server.business.id)/contacts"
            read = try await desk.server.get(list, by: desk.key)["data"]?[0]
        case .message, .batch, .template:
            let id = try #require(body?["id"]?.string)
            read = try await desk.server.get(desk.path + "/messages/\(id)", by: desk.key).document?
                .root
        }
        #expect(read?["metadata"]?["注文"]?.string == "é")
        #expect(read?["metadata"]?["empty"]?.string == "")
    }

    @Test(arguments: [Place.conversation, .contact])
    func `names that are given are set, null removes one, and the others stay`(
        _ place: Place
    ) async throws {
        let desk = try await Desk()
        _ = try await desk.give(#"{"a":"1","b":"2"}"#, place)
        let answer = try await desk.give(#"{"b":null,"c":"3","gone":null}"#, place)
        #expect(answer["metadata"]?.rawText == #"{"a":"1","c":"3"}"#)
        let full = try await desk.give(Self.object(48), place)
        #expect(full.status == 200 && full["metadata"]?.count == 50)
        let more = try await desk.give(#"{"d":"x"}"#, place)
        #expect(more.status == 422)
        #expect(more["errors"]?[0]?["pointer"]?.string == "/metadata")
        #expect(more["errors"]?[0]?["actual"]?.int == 51)
        let instead = try await desk.give(#"{"d":"x","a":null}"#, place)
        #expect(instead.status == 200 && instead["metadata"]?.count == 50)
    }

    @Test(arguments: Place.allCases)
    func
        `metadata at its limits is kept, and what is beyond or of another shape is refused at its place`(
            _ place: Place
        ) async throws
    {
        let desk = try await Desk()
        let name = String(repeating: "n", count: 40)
        let value = String(repeating: "é", count: 250)
        for body in ["{}", #"{"\#(name)":"\#(value)"}"#, Self.object(place.mayRemove ? 49 : 50)] {
            let (status, _) = desk.answered(try await desk.give(body, place), place)
            #expect(status == (place.mayRemove ? 200 : 201), "\(body)")
        }
        var cases = [
            ("[]", "/metadata"), ("null", "/metadata"), (#""a""#, "/metadata"),
            (#"{"\#(name)n":"x"}"#, "/metadata/\(name)n"), (#"{"":"x"}"#, "/metadata/"),
            (#"{"a":1}"#, "/metadata/a"), (#"{"a":true}"#, "/metadata/a"),
            (#"{"a":{}}"#, "/metadata/a"), (#"{"a":["x"]}"#, "/metadata/a"),
            (#"{"a":"\#(value)x"}"#, "/metadata/a"), (#"{"a":"\u0000"}"#, "/metadata/a"),
            (Self.object(51), "/metadata"),
        ]
        if !place.mayRemove { cases.append((#"{"a":null}"#, "/metadata/a")) }
        for (body, pointer) in cases {
            let (status, found) = desk.answered(try await desk.give(body, place), place)
            #expect(status == 422, "\(body)")
            let error = found?["errors"]?[0]
            let prefix = place == .batch ? "/messages/0" : ""
            #expect(error?["pointer"]?.string == prefix + pointer, "\(body)")
            for member in ["found", "allowed", "fix"] {
                #expect(error?[member]?.string?.isEmpty == false, "\(body)")
            }
        }
    }

    @Test func `a payload beside metadata is judged and sent as a payload alone is`() async throws {
        let desk = try await Desk()
        let path = desk.path + "/messages"
        let words =
            #"{ "type":"text", "id":"019ad2f0-7b31-7c4e-9a51-3f0e8d2b6b01","body":"\u0041" }"#
        let sent = try await desk.server.post(
            path, #" { "metadata":{"order":"A-17"},"payload":\#(words)}"#, by: desk.key)
        #expect(sent.status == 201)
        #expect(
            sent["payload"]?.rawText.contains(
                #""id":"019ad2f0-7b31-7c4e-9a51-3f0e8d2b6b01","body":"\u0041""#) == true)
        #expect(sent["payload"]?["metadata"] == nil)
        // The same message, whatever is beside it: the first metadata stays.
        for body in [words, #"{"payload":\#(words),"metadata":{"order":"B"}}"#] {
            let again = try await desk.server.post(path, body, by: desk.key)
            #expect(again.status == 201, "\(again.text)")
            #expect(again["metadata"]?["order"]?.string == "A-17")
        }
        for (body, status, pointer) in [
            (#"{"payload":{"type":"text"}}"#, 422, ""),
            (#"{"metadata":{}}"#, 422, ""),
            (#"{"payload":7}"#, 422, ""),
            (#"{"payload":{"type":"text","body":"x"},"other":1}"#, 422, "/other"),
            (#"{"payload":"#, 400, nil),
        ] as [(String, Int, String?)] {
            let refused = try await desk.server.post(path, body, by: desk.key)
            #expect(refused.status == status, "\(body)")
            if let pointer {
                #expect(
                    refused["errors"]?[0]?["pointer"]?.string == pointer,
                    "\(body) \(refused.text)")
            }
        }
    }

    @Test func `a customer sees no metadata of a message`() async throws {
        let server = try await TestServer()
        let phone = "/api/phone/\(server.business.id)/messages"
        let hello = try await server.post(
            phone, #"{"id":"\#(server.services.broker.makeID())","text":"Hello","locale":"en_US"}"#)
        let customer = TestServer.Caller.customer(try #require(hello.cookie("fdc")))
        let name = try #require(hello["message"]?["conversation"]?.string)
        let key = try await server.makeKey([server.business])
        let sent = try await server.post(
            "/api/conversations/\(name)/messages",
            #"{"payload":{"type":"text","body":"Tea"},"metadata":{"hidden":"beside"}}"#, by: key)
        #expect(sent.status == 201)
        let seen = try await server.get(phone, by: customer)
        #expect(seen["data"]?.count == 2)
        #expect(!seen.text.contains("metadata") && !seen.text.contains("beside"))
    }

    @Test func `a message that is sent later keeps its metadata until then and afterwards`()
        async throws
    {
        let desk = try await Desk()
        let time = desk.server.time.now.advanced(by: .seconds(60)).text
        let body =
            #"{"payload":{"type":"text","id":"019ad2f0-7b31-7c4e-9a51-3f0e8d2b6b01","body":"Tea"},"metadata":{"order":"A-17"}}"#
        let path = desk.path + "/messages?sendAt=\(time)"
        for _ in 1...2 {
            let made = try await desk.server.post(path, body, by: desk.key)
            #expect(made.status == 202)
            #expect(made["scheduled"]?["metadata"]?["order"]?.string == "A-17")
        }
        let other = try await desk.server.post(
            path, body.replacing("A-17", with: "B"), by: desk.key)
        #expect(other.status == 409)
        desk.server.time.advance(by: .seconds(60))
        _ = try await Scheduler(services: desk.server.services).doRound()
        let sent = try await desk.server.get(
            desk.path + "/messages/019ad2f0-7b31-7c4e-9a51-3f0e8d2b6b01", by: desk.key)
        #expect(sent["metadata"]?["order"]?.string == "A-17")
    }

    @Test func `a change of metadata is refused where the conversation has another revision`()
        async throws
    {
        let desk = try await Desk()
        let found = try await desk.server.get(desk.path, by: desk.key)
        let tag = try #require(found.headers.first("etag"))
        for (status, value) in [(200, "A"), (412, "B")] {
            let changed = try await desk.server.send(
                .patch, desk.path, #"{"metadata":{"order":"\#(value)"}}"#, by: desk.key,
                headers: ["If-Match": tag])
            #expect(changed.status == status)
        }
        let now = try await desk.server.get(desk.path, by: desk.key)
        #expect(now["metadata"]?["order"]?.string == "A")
    }

    @Test func `keys need the scope that the change needs without metadata`() async throws {
        let desk = try await Desk()
        for (scopes, place, status) in [
            ([.send], .message, 201), ([.send], .conversation, 200), ([.send], .contact, 403),
            ([.customers], .contact, 200), ([.customers], .message, 403),
            ([.read], .conversation, 403),
        ] as [(KeyScopes, Place, Int)] {
            let key = try await desk.server.makeKey(
                [desk.server.business], scopes: scopes.union([.read]))
            let path =
                switch place {
                case .conversation, .batch, .template: desk.path
                case .contact: desk.contact
                case .message: desk.path + "/messages"
                }
            let answer = try await desk.server.send(
                place == .message ? .post : .patch, path,
                place == .message
                    ? #"{"payload":{"type":"text","body":"Tea"},"metadata":{"a":"b"}}"#
                    : #"{"metadata":{"a":"b"}}"#, by: key)
            #expect(answer.status == status, "\(scopes) \(place)")
        }
    }

    @Test func `an answer under an idempotency key shows no metadata that was erased since`()
        async throws
    {
        let desk = try await Desk()
        _ = try await desk.server.post(
            desk.path + "/messages",
            #"{"type":"text","id":"019ad2f0-7b31-7c4e-9a51-3f0e8d2b6b01","body":"Tea"}"#,
            by: desk.key)
        let headers: HeaderFields = ["Idempotency-Key": "\"k\""]
        let change = #"{"metadata":{"a":"beside"}}"#
        let first = try await desk.server.send(
            .patch, desk.path, change, by: desk.key, headers: headers)
        #expect(first.status == 200)
        // Another is the last message now: what is found is found by the metadata.
        _ = try await desk.server.post(
            desk.path + "/messages",
            #"{"type":"text","id":"019ad2f0-7b31-7c4e-9a51-3f0e8d2b6b02","body":"Tea"}"#,
            by: desk.key)
        let order = Erasing(
            [try #require(MessageID("019ad2f0-7b31-7c4e-9a51-3f0e8d2b6b02"))],
            in: desk.conversation.id, by: .server,
            at: desk.server.time.now)
        #expect(try await desk.server.store.append(order).get().count == 1)
        let again = try await desk.server.send(
            .patch, desk.path, change, by: desk.key, headers: headers)
        #expect(again.status == 410 && !again.text.contains("beside"), "\(again.text)")
        let now = try await desk.server.get(desk.path, by: desk.key)
        #expect(now["metadata"]?.count == 0)
    }

    @Test func `metadata is in exports, and an import reads it from them`() async throws {
        let desk = try await Desk()
        for place in [Place.conversation, .contact, .message] {
            _ = try await desk.give(#"{"at":"\#(place.rawValue)"}"#, place)
        }
        let base = "/api/businesses/\(desk.server.business.id)"
        let agent = try await desk.server.makeOwner()
        var lines = ""
        for (table, value) in [
            ("customers", "contact"), ("conversations", "conversation"), ("messages", "message"),
        ] {
            let rows = try await desk.server.get(
                base + "/exports/\(table)", by: desk.key
            ).whole().text
            #expect(rows.contains(#""metadata":"{\"at\":\"\#(value)\"}""#), "\(rows)")
            lines += rows
        }
        let other = try await TestServer()
        let owner = try await other.makeOwner()
        let target = "/api/businesses/\(other.business.id)"
        for _ in 1...2 {
            let done = try await other.post(
                target + "/imports?source=frontdesk", lines, by: owner,
                headers: ["Content-Type": "application/x-ndjson"])
            #expect(done.status == 200, "\(done.text)")
            #expect(done["findings"]?.count == 0, "\(done.text)")
            let conversation = try #require(
                try await other.get("/api/conversations?state=any", by: owner)["data"]?[0])
            #expect(conversation["metadata"]?["at"]?.string == "conversation")
            let id = try #require(conversation["id"]?.string)
            let contact = try await other.get(
                target + "/contacts/\(conversation["contact"]?["id"]?.string ?? "")", by: owner)
            #expect(contact["metadata"]?["at"]?.string == "contact")
            let thread = try await other.get("/api/conversations/\(id)/messages", by: owner)
            #expect(
                thread["data"].flatMap { Array($0.elements).last }?["metadata"]?["at"]?.string
                    == "message")
        }
        let refused = try await desk.server.post(
            base + "/imports?source=x", #"{"type":"customer","customer":"1","metadata":{"a":1}}"#,
            by: agent, headers: ["Content-Type": "application/x-ndjson"])
        let errors = refused["findings"]?[0]?["errors"]
        #expect(errors?[0]?["pointer"]?.string == "/metadata/a", "\(refused.text)")
    }
}
