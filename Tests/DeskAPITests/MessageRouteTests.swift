import APITestSupport
import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

struct MessageRouteTests {
    private static let texts = #"{"type":"text","body":"Yes"}"#

    @Test func `a payload is stored and answered byte for byte`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let posted = "{  \"type\" : \"text\",\n \"body\":\"caf\\u00e9 \\/ 1.50\" }"
        let answer = try await server.post(
            "/api/conversations/\(conversation.id)/messages", posted, by: key)
        #expect(answer.status == 201)
        #expect(answer["sequence"]?.int == 2)
        #expect(answer.text.contains(String(posted.dropFirst())))
        #expect(answer["payload"]?["sourceId"]?.string == server.business.id.text)
        #expect(answer["payload"]?["destinationId"]?.string == conversation.customer.id.text)
        #expect(answer["author"]?["name"]?.string == "shop")
        #expect(answer["origin"]?.string == "api")
        #expect(answer.headers["ratelimit"]?.hasPrefix("\"writes\";r=199") == true)
        let id = try #require(answer["id"]?.string)
        let again = try await server.get(
            "/api/conversations/\(conversation.id)/messages/\(id)", by: key)
        #expect(again.bytes == answer.bytes)
    }

    @Test func `without an id the same bytes make another message, with the id as stored a repeat`()
        async throws
    {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let path = "/api/conversations/\(conversation.id)/messages"
        let first = try await server.post(path, Self.texts, by: key)
        #expect(try await server.post(path, Self.texts, by: key)["sequence"]?.int == 3)
        let stored = try #require(first["payload"]?.rawText)
        let again = try await server.post(path, stored, by: key)
        #expect(again.status == 201 && again["sequence"]?.int == 2)
        #expect(again.headers["idempotency-replayed"] == "true")
        #expect(try await server.post(path, stored + " ", by: key).status == 409)
        #expect(try await server.messageCount(conversation) == 3)
    }

    @Test(arguments: [
        ("{\"type\":\"text\",\n \"body\":}", 400, "malformed_json"),
        (#"{"type":"text","type":"text","body":"x"}"#, 400, "malformed_json"),
        (#"{"type":"telegram","body":"x"}"#, 422, "invalid"),
        (#"{"type":"text"}"#, 422, "invalid"),
        (#"{"type":"text","body":["x"],"colour":"red"}"#, 422, "invalid"),
        (#"{"type":"close"}"#, 422, "invalid"),
        (
            #"{"type":"text","body":"x","sourceId":"8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"}"#, 422,
            "invalid"
        ),
        (#"{"type":"text","body":"x","id":"no uuid"}"#, 422, "invalid"),
        ("[]", 422, "invalid"),
        ("", 415, "unsupported_media_type"),
    ])
    func `bad input is refused, says where, and stores nothing`(
        body: String, status: Int, code: String
    ) async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let answer = try await server.post(
            "/api/conversations/\(conversation.id)/messages", body, by: key)
        #expect(answer.status == status)
        #expect(answer.code == code)
        if code == "malformed_json" { #expect(answer["line"]?.int ?? 0 >= 1) }
        if code == "invalid" { #expect(answer["errors"]?.count ?? 0 >= 1) }
        let same = try await server.post(
            "/api/validate?conversation=\(conversation.id)", body, by: key)
        #expect(same.bytes == answer.bytes)
        #expect(try await server.messageCount(conversation) == 1)
    }

    @Test func `a body over the limit is 413 and stores nothing`() async throws {
        let server = try await TestServer { $0.payloadBytes = 100 }
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        func send(_ count: Int) async throws -> Answer {
            let frame = #"{"type":"text","body":""}"#.utf8.count
            let body = #"{"type":"text","body":"\#(String(repeating: "x", count: count - frame))"}"#
            return try await server.post(
                "/api/conversations/\(conversation.id)/messages", body, by: key)
        }
        #expect(try await send(100).status == 201)
        let answer = try await send(101)
        #expect(answer.code == "too_large")
        #expect(try await server.messageCount(conversation) == 2)
    }

    @Test func `another media type is 415`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let answer = try await server.post(
            "/api/conversations/\(conversation.id)/messages", Self.texts, by: key,
            headers: ["Content-Type": "text/plain"])
        #expect(answer.code == "unsupported_media_type")
    }

    @Test func `the same id twice is stored once, with other bytes it is 409`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let path = "/api/conversations/\(conversation.id)/messages"
        let body = #"{"type":"text","body":"x","id":"8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"}"#
        let first = try await server.post(path, body, by: key)
        let again = try await server.post(path, body, by: key)
        #expect(first.bytes == again.bytes)
        #expect(again.headers["idempotency-replayed"] == "true")
        let other = try await server.post(
            path, body.replacing("\"x\"", with: "\"y\""), by: key)
        #expect(other.code == "idempotency_conflict")
        #expect(try await server.messageCount(conversation) == 2)
    }

    @Test func `an idempotency key gives the first answer, another body is 422`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let path = "/api/conversations/\(conversation.id)/messages"
        let first = try await server.post(
            path, Self.texts, by: key, headers: ["Idempotency-Key": "\"a1\""])
        let again = try await server.post(
            path, Self.texts, by: key, headers: ["Idempotency-Key": "\"a1\""])
        #expect(first.status == 201 && first.bytes == again.bytes)
        #expect(again.headers["idempotency-replayed"] == "true")
        let other = try await server.post(
            path, Self.texts + " ", by: key, headers: ["Idempotency-Key": "\"a1\""])
        #expect(other.code == "idempotency_mismatch")
        let bad = try await server.post(
            path, Self.texts, by: key,
            headers: ["Idempotency-Key": String(repeating: "k", count: 256)])
        #expect(bad.code == "bad_request")
        #expect(try await server.messageCount(conversation) == 2)
    }

    @Test func `a customer who left is 409, to the judge as well`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        _ = try await server.services.broker.change(
            conversation.id, .leave, by: .customer(device: "d"))
        for path in [
            "/api/conversations/\(conversation.id)/messages",
            "/api/validate?conversation=\(conversation.id)",
        ] {
            #expect(try await server.post(path, Self.texts, by: key).code == "customer_left")
        }
        #expect(try await server.messageCount(conversation) == 1)
    }

    @Test func `foreign and unknown conversations are 404 with the same words`() async throws {
        let server = try await TestServer()
        let foreign = try await server.makeConversation(server.other)
        let key = try await server.makeKey([server.business])
        var bodies: Set<ByteString> = []
        for id in [foreign.id.text, "8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111", "x"] {
            for path in ["", "/messages", "/messages/1"] {
                let answer = try await server.get("/api/conversations/\(id)\(path)", by: key)
                #expect(answer.status == 404)
                bodies.insert(ByteString(answer.bytes))
            }
            let answer = try await server.post(
                "/api/conversations/\(id)/messages", Self.texts, by: key)
            bodies.insert(ByteString(answer.bytes))
            let judged = try await server.post(
                "/api/validate?conversation=\(id)", Self.texts, by: key)
            bodies.insert(ByteString(judged.bytes))
        }
        #expect(bodies.count == 1)
        #expect(try await server.messageCount(foreign) == 1)
    }

    @Test func `judging stores nothing and answers what a send would`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let answer = try await server.post(
            "/api/validate?conversation=\(conversation.id)", Self.texts, by: key)
        #expect(answer.status == 200)
        #expect(answer["kind"]?.string == "text")
        #expect(answer["summary"]?.string == "Yes")
        #expect(try await server.messageCount(conversation) == 1)
    }

    @Test func `typing is passed on and never stored`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let answer = try await server.post(
            "/api/conversations/\(conversation.id)/messages", #"{"type":"typing_start"}"#, by: key)
        #expect(answer.status == 202)
        #expect(try await server.messageCount(conversation) == 1)
    }

    @Test func `pages of a thread join without gap, notes among them`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let path = "/api/conversations/\(conversation.id)"
        for number in 2...7 {
            _ = try await server.post(
                path + "/messages", #"{"type":"text","body":"\#(number)"}"#, by: key)
            if number == 4 {
                let note = try await server.post(path + "/notes", #"{"text":"n"}"#, by: key)
                #expect(note.status == 201)
            }
        }
        var seen: [Int] = []
        var notes = 0
        var before = ""
        while true {
            let page = try await server.get(path + "/messages?page[size]=3\(before)", by: key)
            let numbers = page["data"]?.elements.compactMap { $0["sequence"]?.int } ?? []
            notes += page["notes"]?.count ?? 0
            seen = numbers + seen
            guard page["hasMore"]?.bool == true, let first = numbers.first else { break }
            before = "&before=\(first)"
        }
        #expect(seen == [1, 2, 3, 4, 5, 6, 7])
        #expect(notes == 1)
        for query in ["page[size]=0", "page[size]=301", "before=-1", "before=1&after=2"] {
            let refused = try await server.get(path + "/messages?\(query)", by: key)
            #expect(refused.code == "invalid", "\(query)")
        }
    }
}
