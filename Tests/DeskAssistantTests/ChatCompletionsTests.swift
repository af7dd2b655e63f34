import APITestSupport
import DeskHTTP
import DeskJSON
import TestSupport
import Testing

@testable import DeskAssistant

struct ChatCompletionsTests {
    private static let good =
        #"{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"Tea."},"finish_reason":"stop"}],"usage":{"total_tokens":9}}"#

    @Test(arguments: [
        #"{"choices":[]}"#, #"{"choices":{}}"#, "[]", "", "{", #"{"error":{"message":"no"}}"#,
        #"{"choices":[{"message":{"content":null},"finish_reason":"stop"}]}"#,
        #"{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}"#,
        #"{"choices":[{"message":{"content":" \n\t"},"finish_reason":"stop"}]}"#,
        #"{"choices":[{"message":{"content":"Te"},"finish_reason":"length"}]}"#,
        #"{"choices":[{"message":{"content":[{"type":"text"}]}}]}"#,
        #"{"choices":[{"message":{"content":"<think>Tea or"},"finish_reason":"stop"}]}"#,
        #"{"choices":[{"message":{"content":"<think>Tea</think>\n"},"finish_reason":"stop"}]}"#,
    ])
    func `what is no whole answer is a failure`(body: String) {
        #expect(throws: AssistantError.self) {
            try ChatCompletions.content(of: Array(body.utf8))
        }
    }

    @Test func `an answer is read, and a damaged one is refused or read, and never a trap`() throws
    {
        let bytes = Array(Self.good.utf8)
        #expect(try ChatCompletions.content(of: bytes) == "Tea.")
        for end in bytes.indices {
            #expect(throws: AssistantError.self) {
                try ChatCompletions.content(of: Array(bytes[..<end]))
            }
        }
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        for _ in 0..<2_000 {
            var mutated = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<mutated.count, using: &random)
                mutated[place] = UInt8.random(in: 0...255, using: &random)
            }
            // Safe: only that it returns counts.
            _ = try? ChatCompletions.content(of: mutated)
        }
    }

    @Test(arguments: [
        (#"<think>Tea?</think>\n\nTea."#, "Tea."), (#"\n<think></think>Tea."#, "Tea."),
        (#"Tea <think>."#, "Tea <think>."), (#" Tea."#, " Tea."),
    ])
    func `the thoughts that a model begins with are left out`(content: String, text: String) throws
    {
        let body = Self.good.replacing("Tea.", with: content)
        #expect(try ChatCompletions.content(of: Array(body.utf8)) == text)
    }

    @Test(arguments: [
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1/chat/completions"),
        ("https://models.example/v1/", "https://models.example/v1/chat/completions"),
        (
            "https://models.example/v1/chat/completions",
            "https://models.example/v1/chat/completions"
        ),
    ])
    func `the address may be typed with or without the path`(typed: String, asked: String)
        async throws
    {
        let model = ScriptedModel([.says("Tea.")])
        let server = ChatCompletions(url: typed, key: "k-1", model: "m", client: model)
        let text = try await server.ask(
            server.body([.init(role: .user, content: "Hi")], .text), within: .seconds(3))
        #expect(text == "Tea.")
        let request = try #require(model.requests.first)
        #expect(request.url == asked)
        #expect(request.headers.first("authorization") == "Bearer k-1")
        #expect(request.timeout == .seconds(3))
        #expect(request.answerLimit == ChatCompletions.maximumAnswerBytes)
        #expect(model.bodies.first?["model"]?.string == "m")
    }

    @Test(arguments: [
        (ScriptedModel.Answer.status(500), AssistantError.Code.refused), (.status(401), .refused),
        (.fails(.timeout), .slow), (.fails(.connection), .unreachable),
        (.fails(.forbidden), .unreachable), (.fails(.tooLarge), .malformed),
        (.body("<html>"), .malformed),
    ])
    func `each failure has its kind, and no key in its words`(
        answer: ScriptedModel.Answer, code: AssistantError.Code
    ) async throws {
        let server = ChatCompletions(
            url: "http://m.example", key: "k-secret", model: "m", client: ScriptedModel([answer]))
        let error = await #expect(throws: AssistantError.self) {
            try await server.ask([], within: .seconds(1))
        }
        #expect(error?.code == code)
        #expect(error.map { !"\($0)".contains("k-secret") } == true)
    }
}
