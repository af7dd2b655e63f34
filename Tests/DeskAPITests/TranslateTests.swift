import APITestSupport
import DeskHTTP
import DeskJSON
import DeskWeb
import Testing

@testable import DeskAPI

struct TranslateTests {
    private static let slack =
        #"{"text":"Which?","blocks":[{"type":"section","text":{"type":"plain_text","text":"Which?"}},{"type":"divider"},{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"Yes"},"value":"y"},{"type":"button","text":{"type":"plain_text","text":"No"},"value":"n"}]}]}"#

    @Test func `a message is answered in another shape, with what is lost`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.post(
            "/api/translate?from=slack&to=messages-for-business", Self.slack, by: key)
        #expect(answer.status == 200)
        let data = answer["message"]?["interactiveData"]?["data"]
        #expect(data?["quick-reply"]?["summaryText"]?.string == "Which?")
        #expect(data?["requestIdentifier"]?.string?.count == 36)
        #expect(answer["losses"]?[0]?["pointer"]?.string == "/blocks/1")
        #expect(answer["losses"]?[0]?["kind"]?.string == "dropped")
        #expect(answer["losses"]?[0]?["line"]?.int == 1)
        #expect(answer["additions"]?.elements.contains { $0.equals("/v") } == true)
        #expect(answer["findings"]?.count == 0)
        // What comes back may be sent as it is.
        let judged = try await server.post(
            "/api/validate", answer["message"]?.rawText ?? "", by: key)
        #expect(judged.status == 200)
    }

    @Test(arguments: [
        ("from=slack&to=slack", "{\"text\":\"a\"}", "to"),
        ("from=slack&to=fax", "{\"text\":\"a\"}", "to"), ("to=slack", "{\"text\":\"a\"}", "from"),
        ("from=slack", "{\"text\":\"a\"}", "to"),
    ])
    func `a shape that there is not, or none, is refused by its parameter`(
        query: String, body: String, parameter: String
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.post("/api/translate?\(query)", body, by: key)
        #expect(answer.status == 422)
        #expect(answer["errors"]?[0]?["parameter"]?.string == parameter)
        #expect(answer["errors"]?[0]?["allowed"]?.string?.isEmpty == false)
        // It is required: to leave it out is no way.
        #expect(answer["errors"]?[0]?["fix"]?.string == "Send one of these.", "\(answer.text)")
    }

    @Test(arguments: [
        ("telegram", #"{"text":5}"#, 422, "/text", "wrong-type"),
        (
            "whatsapp", #"{"messaging_product":"whatsapp","type":"image"}"#, 422, "/type",
            "wrong-value"
        ),
        ("messages-for-business", #"{"type":"typing_end"}"#, 422, "/type", "request-value"),
        ("line", "{", 400, "", ""),
    ])
    func `what is not a message of its shape is refused with its place`(
        from: String, body: String, status: Int, pointer: String, rule: String
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.post("/api/translate?from=\(from)&to=rcs", body, by: key)
        #expect(answer.status == status)
        guard status == 422 else { return }
        #expect(answer["errors"]?[0]?["pointer"]?.string == pointer)
        #expect(answer["errors"]?[0]?["rule"]?.string == rule)
    }

    @Test func `no more is translated than may be sent`() async throws {
        let server = try await TestServer { $0.payloadBytes = 20 }
        let key = try await server.makeKey([server.business])
        let path = "/api/translate?from=telegram&to=line"
        #expect(try await server.post(path, #"{"text":"123456789"}"#, by: key).status == 200)
        #expect(try await server.post(path, #"{"text":"1234567890"}"#, by: key).status == 413)
    }
}
