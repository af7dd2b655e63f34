import APITestSupport
import DeskAssistant
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import TestSupport
import Testing

@testable import DeskAPI

struct AssistantRouteTests {
    /// A server with a model that answers what it is given, its owner and one conversation.
    private struct Setting {
        let model: ScriptedModel
        let server: TestServer
        let owner: TestServer.Caller
        let conversation: Conversation

        init(_ answers: [ScriptedModel.Answer], seconds: Int = 60) async throws {
            let model = ScriptedModel(answers)
            self.model = model
            server = try await TestServer(
                assistant: Assistant(
                    ChatCompletions(
                        url: "http://m.example/v1", key: "k", model: "a-model", client: model),
                    blanks: Set(Blanking.Kind.allCases), schemas: TestFiles.schemas,
                    deadline: .seconds(seconds)))
            owner = try await server.makeOwner()
            conversation = try await server.makeConversation()
        }

        func ask(_ what: String, _ body: String) async throws -> Answer {
            try await server.post(
                "/api/conversations/\(conversation.id)/assistant/\(what)", body, by: owner)
        }

        func asked() async throws -> [JSONValue] {
            let page = try await server.store.events(after: .start, in: .everything, limit: 300)
            return page.events.compactMap { event in
                guard event.type == .assistantAsked, case .json(let data) = event.body else {
                    return nil
                }
                return JSONValue.parsed(data)
            }
        }

        func suggestions() async throws -> [Suggestion] {
            try await server.store.suggestions(in: conversation.id)
        }
    }

    private static let list =
        #"{"type":"interactive","interactiveData":{"bid":"com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.icloud.apps.messages.business.extension","data":{"version":"1.0","requestIdentifier":"1","listPicker":{"sections":[{"title":"Tea","order":0,"items":[{"identifier":"a","title":"Sencha","order":0},{"identifier":"b","title":"Gyokuro","order":1},{"identifier":"c","title":"Hojicha","order":2}]}]}},"receivedMessage":{"title":"Which tea?","subtitle":"Tap to choose","style":"icon"},"replyMessage":{"title":"Tea"}}}"#

    @Test func `a reply is drafted, stored as a suggestion, recorded, and not sent`() async throws {
        let setting = try await Setting([.says(#"{"type":"text","body":"It is ready."}"#)])
        let answer = try await setting.ask("draft", "{}")
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer["suggestion"]?["model"]?.string == "a-model")
        #expect(answer["suggestion"]?["author"]?["type"]?.string == "agent")
        #expect(try await setting.suggestions().map(\.summary) == ["It is ready."])
        #expect(try await setting.server.messageCount(setting.conversation) == 1)
        let said = ScriptedModel.texts(of: try #require(setting.model.bodies.first))
        #expect(said.contains(#"[{"speaker":"customer","text":"Hello"}]"#))
        let asked = try await setting.asked()
        #expect(asked.count == 1 && asked[0]["purpose"]?.string == "reply")
        #expect(asked[0]["by"]?["type"]?.string == "agent")
        #expect(asked[0]["model"]?.string == "a-model")
        #expect((asked[0]["bytes"]?.int ?? 0) > 500)
        // Neither what was said nor the key is in the log.
        #expect(!asked[0].rawText.contains("Hello"))
        #expect(!setting.server.log.lines.contains { $0.contains("Bearer") })
    }

    @Test
    func `a card is judged, corrected with what was found, and given an identifier of its own`()
        async throws
    {
        let broken = Self.list.replacing(#""title":"Sencha","#, with: "")
        let setting = try await Setting([.says(broken), .says(Self.list)])
        let answer = try await setting.ask(
            "draft", #"{"kind":"list","instruction":"Make a card of three teas"}"#)
        #expect(answer.status == 201, "\(answer.text)")
        let payload = answer["suggestion"]?["payload"]
        let items = payload?["interactiveData"]?["data"]?["listPicker"]?["sections"]?[0]?["items"]
        #expect(
            items?.elements.compactMap { $0["title"]?.string } == ["Sencha", "Gyokuro", "Hojicha"])
        let identifier = payload?["interactiveData"]?["data"]?["requestIdentifier"]?.string
        #expect(identifier != "1" && identifier?.count == 36)
        let second = ScriptedModel.texts(of: try #require(setting.model.bodies.last))
        #expect(second.last?.contains("title") == true)
        let asked = try await setting.asked()
        #expect(asked.map { $0["round"]?.int } == [1, 2])
        #expect(Set(asked.map { $0["request"]?.string }).count == 1)
        #expect(asked.allSatisfy { $0["purpose"]?.string == "card" })
    }

    @Test func `a message that stays wrong is refused with its findings, and not stored`()
        async throws
    {
        let setting = try await Setting([
            .says("{}"), .says("no"), .says(#"{"type":"text"}"#), .says("never asked for"),
        ])
        let answer = try await setting.ask("draft", "{}")
        #expect(answer.status == 422 && answer.code == "assistant_unusable", "\(answer.text)")
        #expect((answer["errors"]?.count ?? 0) > 0)
        #expect(try await setting.suggestions() == [])
        #expect(setting.model.requests.count == 3)
    }

    /// What a model writes each time, and what is said of it.
    static let unusable: [(written: String, said: String)] = [
        ("Just words.", "The model's answer was no JSON, and still so after 2 corrections."),
        (#"{"type":"text"}"#, "The model's message broke a rule, and still so"),
        (
            #"{"type":"text","body":"\#(String(repeating: "x", count: 66_000))"}"#,
            "The model's message broke a rule"
        ),
    ]

    @Test(arguments: unusable.indices)
    func `what a model wrote that cannot be suggested is said in the words that fit`(_ place: Int)
        async throws
    {
        let (written, said) = Self.unusable[place]
        let setting = try await Setting([.says(written), .says(written), .says(written)])
        let answer = try await setting.ask("draft", "{}")
        #expect(answer.code == "assistant_unusable", "\(answer.text)")
        #expect(answer["detail"]?.string?.hasPrefix(said) == true, "\(answer.text)")
        #expect(try await setting.suggestions() == [])
    }

    @Test(arguments: [
        ScriptedModel.Answer.status(500), .fails(.connection), .fails(.timeout), .body("[]"),
    ])
    func
        `a model that gives no answer is said to be away, and the request is in the log all the same`(
            failure: ScriptedModel.Answer
        ) async throws
    {
        let setting = try await Setting([failure])
        let answer = try await setting.ask("draft", "{}")
        #expect(answer.status == 503 && answer.code == "assistant_unavailable")
        #expect(try await setting.asked().count == 1)
        #expect(try await setting.suggestions() == [])
        #expect(setting.server.log.lines.contains { $0.contains("assistant_failed") })
    }

    @Test func `a model that takes too long is not waited for`() async throws {
        let setting = try await Setting([.fails(.timeout)], seconds: 7)
        #expect(try await setting.ask("draft", "{}").code == "assistant_unavailable")
        let timeout = try #require(setting.model.requests.first?.timeout)
        #expect(timeout <= .seconds(7) && timeout > .seconds(1))
    }

    @Test func `a summary and a translation are answered and not stored`() async throws {
        let setting = try await Setting([.says("A greeting."), .says("こんにちは")])
        let summary = try await setting.ask("summary", #"{"language":"en"}"#)
        #expect(summary.status == 200 && summary["text"]?.string == "A greeting.")
        let message = try await setting.server.store.messages(
            in: setting.conversation.id, .newest, limit: 1)
        let id = try #require(message.elements.first?.id)
        let translated = try await setting.ask(
            "translation", #"{"message":"\#(id)","language":"ja"}"#)
        #expect(translated["text"]?.string == "こんにちは" && translated["language"]?.string == "ja")
        #expect(
            ScriptedModel.texts(of: try #require(setting.model.bodies.last)).last == "Hello")
        #expect(
            try await setting.asked().map { $0["purpose"]?.string } == ["summary", "translation"])
        #expect(
            try await setting.ask("translation", #"{"message":"x","language":"ja"}"#).status == 404)
        for wrong in ["{}", #"{"language":"e"}"#, #"{"language":"en en"}"#] {
            #expect(try await setting.ask("summary", wrong).status == 422, "\(wrong)")
        }
    }

    @Test func `without a model, and where as many suggestions wait as may, nothing is asked`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)/assistant/draft"
        let answer = try await server.post(path, "{}", by: owner)
        #expect(answer.status == 404 && answer.text.contains("--assistant-url"))
        #expect(try await server.get("/api/session", by: owner)["assistant"]?.isNull == true)
        let key = try await server.makeKey([server.business])
        #expect(try await server.post(path, "{}", by: key).status == 403)
        let setting = try await Setting([])
        #expect(
            try await setting.server.get("/api/session", by: setting.owner)["assistant"]?["model"]?
                .string == "a-model")
        for number in 0..<Suggestion.mostPerConversation {
            _ = try await setting.server.services.suggest(
                Array(#"{"type":"text","body":"\#(number)"}"#.utf8), in: setting.conversation,
                remark: nil, by: .server)
        }
        #expect(try await setting.ask("draft", "{}").status == 422)
        #expect(try await setting.ask("draft", #"{"kind":"payment"}"#).status == 422)
        #expect(setting.model.requests.isEmpty)
    }
}
