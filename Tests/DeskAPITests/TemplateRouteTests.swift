import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
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
        let house = try await TestHouse()
        let conversation = try await house.makeConversation()
        let key = try await house.makeKey([house.business])
        let made = try await house.post(
            "/api/templates", Self.template(house.business), by: key)
        #expect(made.status == 201 && made["version"]?.int == 1)
        let second = try await house.post(
            "/api/templates", Self.template(house.business, body: "Hello {{who}}"), by: key)
        #expect(second["version"]?.int == 2)
        #expect(try await house.get("/api/templates", by: key)["data"]?.count == 1)
        let first = try await house.get("/api/templates/greeting?version=1", by: key)
        #expect(first["payload"]?["body"]?.string == "Hi {{who}}")
        let preview = try await house.post(
            "/api/templates/greeting/preview",
            #"{"business":"\#(house.business.id)","values":{"who":"\"Bo\""}}"#, by: key)
        #expect(preview["payload"]?["body"]?.string == "Hello \"Bo\"")
        #expect(preview["kind"]?.string == "text")
        #expect(try await house.messageCount(conversation) == 1)
        let sent = try await house.post(
            "/api/conversations/\(conversation.id)/template-messages",
            #"{"template":"greeting","version":1,"values":{"who":"Bo"}}"#, by: key)
        #expect(sent.status == 201)
        #expect(sent["payload"]?["body"]?.string == "Hi Bo")
        #expect(sent["template"]?["version"]?.int == 1)
    }

    @Test func `a missing parameter is refused by name and stores nothing`() async throws {
        let house = try await TestHouse()
        let conversation = try await house.makeConversation()
        let key = try await house.makeKey([house.business])
        _ = try await house.post("/api/templates", Self.template(house.business), by: key)
        let path = "/api/conversations/\(conversation.id)/template-messages"
        let answer = try await house.post(path, #"{"template":"greeting"}"#, by: key)
        #expect(answer.code == "invalid")
        #expect(answer["errors"]?[0]?["pointer"]?.string == "/values/who")
        let unknown = try await house.post(path, #"{"template":"other"}"#, by: key)
        #expect(unknown.code == "not_found")
        #expect(try await house.messageCount(conversation) == 1)
    }

    @Test func `a broken template is not published, a foreign business's neither`() async throws {
        let house = try await TestHouse()
        let key = try await house.makeKey([house.business])
        for body in [
            Self.template(house.business, body: "Hi {{you}}"), Self.template(house.other), "{}",
            Self.template(house.business).replacing("greeting", with: "Gr eeting"),
        ] {
            #expect(try await house.post("/api/templates", body, by: key).code == "invalid")
        }
        #expect(try await house.store.templates(of: house.business.id).isEmpty)
    }

    @Test func `the same id sends once`() async throws {
        let house = try await TestHouse()
        let conversation = try await house.makeConversation()
        let key = try await house.makeKey([house.business])
        _ = try await house.post("/api/templates", Self.template(house.business), by: key)
        let path = "/api/conversations/\(conversation.id)/template-messages"
        let id = "8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"
        let body = #"{"template":"greeting","values":{"who":"Bo"},"id":"\#(id)"}"#
        let first = try await house.post(path, body, by: key)
        let again = try await house.post(path, body, by: key)
        #expect(first.status == 201 && first.bytes == again.bytes)
        #expect(try await house.messageCount(conversation) == 2)
    }
}
