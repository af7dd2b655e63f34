import APITestSupport
import DeskAssistant
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Synchronization
import TestSupport
import Testing

@testable import DeskAPI

/// What of a conversation a model is shown, and what of its answers is stored.
struct AssistantReadingTests {
    /// A model before whose answer something else happens.
    private final class LateModel: OutgoingClient {
        private let model: ScriptedModel
        private let first = Mutex<(@Sendable () async -> Void)?>(nil)

        init(_ model: ScriptedModel) { self.model = model }

        func begin(with action: @escaping @Sendable () async -> Void) {
            first.withLock { $0 = action }
        }

        func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
            let action = first.withLock { $0 }
            await action?()
            return try await model.send(request)
        }

        func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
            try await send(request)
        }
    }

    private static func server(_ client: any OutgoingClient) async throws -> TestServer {
        try await TestServer(
            assistant: Assistant(
                ChatCompletions(url: "http://m.example/v1", key: "k", model: "m", client: client),
                blanks: Set(Blanking.Kind.allCases), schemas: TestFiles.schemas,
                deadline: .seconds(60)))
    }

    private static let text = #"{"type":"text","body":"It is ready."}"#

    @Test func `a message of another kind than was asked for is given back and not stored`()
        async throws
    {
        let model = ScriptedModel([.says(Self.text), .says(Self.text), .says(Self.text)])
        let server = try await Self.server(model)
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let answer = try await server.post(
            "/api/conversations/\(conversation.id)/assistant/draft", #"{"kind":"list"}"#,
            by: owner)
        #expect(answer.status == 422 && answer.code == "assistant_unusable", "\(answer.text)")
        #expect(answer["errors"]?[0]?["allowed"]?.string == "list")
        let last = ScriptedModel.texts(of: try #require(model.bodies.last)).last
        #expect(last?.contains("Write a message of the kind list") == true)
        #expect(try await server.store.suggestions(in: conversation.id) == [])
    }

    @Test func `a draft is not stored once a message that its writer read is erased`()
        async throws
    {
        let model = ScriptedModel([.says(Self.text), .says(Self.text)])
        let late = LateModel(model)
        let server = try await Self.server(late)
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)/assistant/draft"
        let page = try await server.store.messages(in: conversation.id, .newest, limit: 1)
        let message = try #require(page.elements.first?.id)
        let order = Erasing([message], in: conversation.id, by: .server, at: server.time.now)
        let store = server.store
        late.begin {
            do { _ = try await store.append(order).get() } catch { Issue.record(error) }
        }
        let answer = try await server.post(path, "{}", by: owner)
        #expect(answer.status == 422 && answer.code == "assistant_unusable", "\(answer.text)")
        #expect(try await server.store.suggestions(in: conversation.id) == [])
        late.begin {}
        // What is erased is not read again.
        #expect(try await server.post(path, "{}", by: owner).status == 201)
        let said = ScriptedModel.texts(of: try #require(model.bodies.last))
        #expect(said.contains("[]"))
    }

    @Test(arguments: [
        (
            #"{"type":"text","body":"Here","attachments":[{"name":"ada-lovelace.pdf"}]}"#, "Here"
        ),
        (
            #"{"type":"interactive","interactiveData":{"data":{"payment":{"title":"Tea","shippingContact":{"givenName":"Ada","familyName":"Lovelace","locality":"London"}}}}}"#,
            "Tea"
        ),
        (#"{"type":"text","givenName":"Ada","body":"Hi","title":"Tea"}"#, "Hi\nTea"),
        ("no JSON", "Hello"),
    ])
    func `neither names of files nor of customers are shown to a model`(
        payload: String, shown: String
    ) async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let page = try await server.store.messages(in: conversation.id, .newest, limit: 1)
        let one = try #require(page.elements.first)
        let message = StoredMessage(
            id: one.id, conversation: one.conversation, business: one.business,
            sequence: one.sequence, position: one.position, time: one.time, facts: one.facts,
            payload: .bytes(Array(payload.utf8)), digest: one.digest, checksum: one.checksum)
        #expect(ReadableText.shared(of: message) == shown)
    }
}
