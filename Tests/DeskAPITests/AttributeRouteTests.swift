import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct AttributeRouteTests {
    @discardableResult
    private static func define(
        _ body: String, in server: TestServer, by caller: TestServer.Caller, status: Int = 201
    ) async throws -> Answer {
        let answer = try await server.post(
            "/api/businesses/\(server.business.id)/attributes", body, by: caller)
        #expect(answer.status == status, "\(body)")
        return answer
    }

    @Test func `owners define attributes, and agents and keys give values`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let key = try await server.makeKey([server.business], scopes: .unnamed)
        let text = #"{"of":"conversation","key":"order_no","name":"Order","type":"text"}"#
        try await Self.define(text, in: server, by: agent, status: 403)
        try await Self.define(text, in: server, by: key, status: 403)
        let made = try await Self.define(text, in: server, by: owner)
        #expect(made["choices"]?.count == 0)
        #expect(
            try await Self.define(text, in: server, by: owner, status: 409).code == "name_taken")
        try await Self.define(
            #"{"of":"contact","key":"tier","name":"Tier","type":"choice","choices":["gold"]}"#,
            in: server, by: owner)
        try await Self.define(
            #"{"of":"conversation","key":"weight","name":"kg","type":"number","order":0}"#,
            in: server, by: owner)
        let path = "/api/businesses/\(server.business.id)"
        #expect(try await server.get(path + "/attributes", by: agent)["data"]?.count == 3)
        let conversation = try await server.makeConversation()
        let one = "/api/conversations/\(conversation.id)"
        let given = try await server.send(
            .patch, one, #"{"attributes":{"order_no":"A-17","weight":12.50}}"#, by: agent)
        #expect(given.status == 200)
        #expect(given["attributes"]?["order_no"]?.string == "A-17")
        #expect(given["attributes"]?["weight"]?.double == 12.5)
        let events = try await server.get(one + "/messages", by: agent)
        let changed = try #require(events["events"].flatMap { Array($0.elements).last })
        #expect(changed["type"]?.string == "conversation.attributes_changed")
        #expect(
            changed["data"]?["change"]?["attributes"]?["weight"]?["to"]?.double == 12.5)
        let contact = "\(path)/contacts/\(conversation.contact)"
        let tier = try await server.send(
            .patch, contact, #"{"attributes":{"tier":"gold"}}"#, by: key)
        #expect(tier["attributes"]?["tier"]?.string == "gold")
        let removed = try await server.send(
            .patch, one, #"{"attributes":{"order_no":null}}"#, by: key)
        #expect(removed["attributes"]?["order_no"] == nil)
        #expect(removed["attributes"]?["weight"]?.double == 12.5)
    }

    @Test func `a value that its attribute does not allow is refused at the value`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        for (key, type, rest) in [
            ("note", "text", ""), ("weight", "number", ""), ("due", "date", ""),
            ("tier", "choice", #","choices":["gold"]"#), ("page", "link", ""),
        ] {
            try await Self.define(
                #"{"of":"conversation","key":"\#(key)","name":"x","type":"\#(type)"\#(rest)}"#,
                in: server, by: owner)
        }
        let path = "/api/conversations/\(try await server.makeConversation().id)"
        for (body, pointer) in [
            (#"{"note":7}"#, "/attributes/note"), (#"{"note":" "}"#, "/attributes/note"),
            (#"{"weight":"7"}"#, "/attributes/weight"), (#"{"weight":1e99}"#, "/attributes/weight"),
            (#"{"due":"2026-02-30"}"#, "/attributes/due"), (#"{"tier":"x"}"#, "/attributes/tier"),
            (#"{"page":"javascript:1"}"#, "/attributes/page"),
            (#"{"unheard_of":"x"}"#, "/attributes/unheard_of"), ("[]", "/attributes"),
        ] {
            let refused = try await server.send(
                .patch, path, #"{"attributes":\#(body)}"#, by: owner)
            #expect(refused.status == 422, "\(body)")
            #expect(refused["errors"]?[0]?["pointer"]?.string == pointer, "\(body)")
        }
        #expect(try await server.get(path, by: owner)["attributes"]?.count == 0)
        for body in [
            #"{"of":"conversation","key":"Big","name":"x","type":"text"}"#,
            #"{"of":"conversation","key":"a","name":" ","type":"text"}"#,
            #"{"of":"conversation","key":"a","name":"x","type":"choice"}"#,
            #"{"of":"conversation","key":"a","name":"x","type":"text","choices":["y"]}"#,
            #"{"of":"business","key":"a","name":"x","type":"text"}"#,
            #"{"of":"contact","key":"a","name":"x","type":"choice","choices":[""]}"#,
        ] {
            try await Self.define(body, in: server, by: owner, status: 422)
        }
    }
}
