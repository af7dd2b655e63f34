import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct SuggestionRouteTests {
    /// A server with its owner, a key and one conversation.
    private struct Setting {
        let server: TestServer
        let owner: TestServer.Caller
        let key: TestServer.Caller
        let conversation: Conversation

        init() async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            key = try await server.makeKey([server.business])
            conversation = try await server.makeConversation()
        }

        var path: String { "/api/conversations/\(conversation.id)" }

        func suggest(_ text: String) async throws -> String {
            let answer = try await server.post(
                path + "/suggestions",
                #"{"payload":{"type":"text","body":"\#(text)"},"remark":"Because."}"#, by: key)
            #expect(answer.status == 201, "\(answer.text)")
            return try #require(answer["suggestion"]?["id"]?.string)
        }

        func send(_ body: String, _ query: String) async throws -> Answer {
            try await server.post(path + "/messages?\(query)", body, by: owner)
        }

        func settled() async throws -> [JSONValue] {
            let page = try await server.store.events(after: .start, in: .everything, limit: 300)
            return page.events.compactMap { event in
                guard event.type == .suggestionSettled, case .json(let data) = event.body else {
                    return nil
                }
                return JSONValue.parsed(data)
            }
        }
    }

    @Test func `a file stays as long as the suggestion that names it`() async throws {
        let setting = try await Setting()
        let server = setting.server
        let path = "/api/attachments"
        let uploaded = try await server.send(
            .post, path + "?name=a.pdf&conversation=\(setting.conversation.id)", bytes: [7, 8],
            by: setting.key)
        let file = try #require(uploaded["attachment"]).rawBytes
        let made = try await server.post(
            setting.path + "/suggestions",
            """
            {"payload":{"type":"text","body":"\u{FFFC}",\
            "attachments":[\(String(decoding: file, as: UTF8.self))]}}
            """, by: setting.key)
        #expect(made.status == 201, "\(made.text)")
        let link =
            "\(path)/\(uploaded["id"]?.string ?? "")?conversation=\(setting.conversation.id)"
        for (days, status) in [(30, 200), (1, 404)] {
            server.time.advance(by: .seconds(days * 86_400))
            try await UnnamedFiles(store: server.store, blobs: server.files.blobs)
                .forget(before: server.time.now)
            #expect(try await server.get(link, by: setting.key).status == status)
        }
    }

    @Test func `a suggestion is listed with its author, and a rejected one is gone for all`()
        async throws
    {
        let setting = try await Setting()
        let id = try await setting.suggest("Your tea is ready.")
        let listed = try await setting.server.get(setting.path + "/suggestions", by: setting.owner)
        let one = try #require(listed["data"]?[0])
        #expect(one["id"]?.string == id && one["remark"]?.string == "Because.")
        #expect(one["author"]?["type"]?.string == "key" && one["author"]?["name"]?.string == "shop")
        #expect(one["payload"]?.rawText == #"{"type":"text","body":"Your tea is ready."}"#)
        #expect(one["model"]?.isNull == true && one["kind"]?.string == "text")
        let path = setting.path + "/suggestions/\(id)"
        #expect(try await setting.server.send(.delete, path, by: setting.owner).status == 204)
        let again = try await setting.server.send(.delete, path, by: setting.owner)
        #expect(again.code == "suggestion_settled")
        #expect(
            try await setting.server.get(setting.path + "/suggestions", by: setting.owner)["data"]?
                .count == 0)
        #expect(try await setting.settled().map { $0["outcome"]?.string } == ["rejected"])
        #expect(try await setting.server.messageCount(setting.conversation) == 1)
    }

    @Test(arguments: [
        (#"{"body":"Tea.","type":"text","id":"6f2d1c5e-0000-4000-8000-000000000001"}"#, "sent"),
        (
            #"{"type":"text","id":"6f2d1c5e-0000-4000-8000-000000000001","body":"Green tea."}"#,
            "edited"
        ),
    ])
    func `what is sent of a suggestion settles it, and says whether it was changed`(
        body: String, outcome: String
    ) async throws {
        let setting = try await Setting()
        let id = try await setting.suggest("Tea.")
        let sent = try await setting.send(body, "suggestion=\(id)")
        #expect(sent.status == 201, "\(sent.text)")
        let settled = try await setting.settled()
        #expect(settled.map { $0["outcome"]?.string } == [outcome])
        #expect(settled.first?["message"]?.string == "6f2d1c5e-0000-4000-8000-000000000001")
        // The same request again is a repeat, and no second decision.
        let again = try await setting.send(body, "suggestion=\(id)")
        #expect(again.status == 201 && again.headers["idempotency-replayed"] == "true")
        #expect(try await setting.settled().count == 1)
    }

    @Test
    func `a repeat by its key gets the first answer though the suggestion was settled by it`()
        async throws
    {
        let setting = try await Setting()
        let id = try await setting.suggest("Tea.")
        let path = setting.path + "/messages?suggestion=\(id)"
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await setting.server.post(
                        path, #"{"type":"text","body":"Tea."}"#, by: setting.key,
                        headers: ["Idempotency-Key": "k1"])
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.map(\.status) == Array(repeating: 201, count: 8))
        #expect(Set(answers.map { $0["id"]?.string }).count == 1)
        #expect(try await setting.settled().map { $0["outcome"]?.string } == ["sent"])
        let other = try await setting.server.post(
            path, #"{"type":"text","body":"Coffee."}"#, by: setting.key,
            headers: ["Idempotency-Key": "k1"])
        #expect(other.status == 422 && other.code == "idempotency_mismatch")
    }

    @Test func `of two who send the same suggestion one does, and the other is refused`()
        async throws
    {
        let setting = try await Setting()
        let id = try await setting.suggest("Tea.")
        let first = try await setting.send(
            #"{"type":"text","id":"6f2d1c5e-0000-4000-8000-000000000001","body":"Tea."}"#,
            "suggestion=\(id)&delay=5")
        #expect(first.status == 202)
        let same = try await setting.send(
            #"{"type":"text","id":"6f2d1c5e-0000-4000-8000-000000000001","body":"Tea."}"#,
            "suggestion=\(id)&delay=5")
        #expect(same.status == 202)
        let second = try await setting.send(
            #"{"type":"text","id":"6f2d1c5e-0000-4000-8000-000000000002","body":"Tea."}"#,
            "suggestion=\(id)")
        #expect(second.status == 409 && second.code == "suggestion_settled")
        #expect(try await setting.server.messageCount(setting.conversation) == 1)
        let wrong = try await setting.send(
            #"{"type":"text","id":"6f2d1c5e-0000-4000-8000-000000000003","body":"Tea."}"#,
            "suggestion=x")
        #expect(wrong.status == 422)
    }

    @Test func `a suggestion is judged as a send is, and its size and number have bounds`()
        async throws
    {
        let setting = try await Setting()
        let path = setting.path + "/suggestions"
        func post(_ body: String) async throws -> Answer {
            try await setting.server.post(path, body, by: setting.key)
        }
        #expect(try await post(#"{"payload":{"type":"text"}}"#).status == 422)
        #expect(try await post(#"{"payload":{"type":"typing_start"}}"#).status == 422)
        #expect(try await post(#"{"payload":[]}"#).status == 422)
        let long = String(repeating: "a", count: Suggestion.maximumRemarkBytes + 1)
        let payload = #""payload":{"type":"text","body":"Tea."}"#
        #expect(try await post("{\(payload),\"remark\":\"\(long)\"}").status == 422)
        let heavy = String(repeating: " ", count: Suggestion.maximumPayloadBytes)
        #expect(
            try await post("{\"payload\":{\"type\":\"text\",\(heavy)\"body\":\"T\"}}").status == 422
        )
        for _ in 0..<Suggestion.mostPerConversation {
            #expect(try await post("{\(payload)}").status == 201)
        }
        let full = try await post("{\(payload)}")
        #expect(full.status == 422 && full.text.contains("10 suggestions"))
    }

    @Test func `a suggestion with addresses keeps none, and other businesses see none`()
        async throws
    {
        let setting = try await Setting()
        let server = setting.server
        let stored = try await server.post(
            setting.path + "/suggestions",
            #"{"payload":{"v":1,"id":"6f2d1c5e-0000-4000-8000-000000000009","type":"text","body":"T","locale":"en_US"}}"#,
            by: setting.key)
        #expect(stored["suggestion"]?["payload"]?.rawText == #"{"type":"text","body":"T"}"#)
        let foreign = try await server.makeKey([server.other])
        #expect(
            try await server.get(setting.path + "/suggestions", by: foreign).status == 404)
        #expect(
            try await server.post(
                setting.path + "/suggestions", #"{"payload":{"type":"text","body":"T"}}"#,
                by: foreign
            ).status == 404)
    }

    @Test func `a suggestion without a decision is deleted after its days and not before`()
        async throws
    {
        let setting = try await Setting()
        _ = try await setting.suggest("Tea.")
        let housekeeping = try await Housekeeping(services: setting.server.services)
        func left() async throws -> Int {
            try await setting.server.store.suggestions(in: setting.conversation.id).count
        }
        for _ in 0..<Suggestion.daysKept { setting.server.time.advance(by: .seconds(86_400)) }
        try await housekeeping.forget()
        #expect(try await left() == 1)
        setting.server.time.advance(by: .seconds(60))
        try await housekeeping.forget()
        #expect(try await left() == 0)
    }
}
