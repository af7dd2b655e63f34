public import DeskHTTP
import DeskJSON

/// A server with the interface of chat completions, which many programs that run models have.
public struct ChatCompletions: Sendable {
    /// Most bytes of an answer; a longer one is a failure.
    public static let maximumAnswerBytes = 256 * 1_024

    /// One message of the exchange with a model.
    struct Message: Sendable {
        enum Role: String, Sendable { case system, user, assistant }
        let role: Role
        let content: String
    }

    /// What the answer must be.
    enum Form: Sendable {
        /// A text.
        case text
        /// JSON of this schema.
        case json(name: String, schema: [UInt8])
    }

    /// The name of the model there.
    public let model: String
    private let url: String
    private let key: String?
    private let client: any OutgoingClient

    /// A server at an address such as `http://127.0.0.1:11434/v1`; `key` is sent as a bearer token.
    public init(url: String, key: String?, model: String, client: any OutgoingClient) {
        var base = url
        while base.hasSuffix("/") { base.removeLast() }
        let path = "/chat/completions"
        self.url = base.hasSuffix(path) ? base : base + path
        self.key = key
        self.model = model
        self.client = client
    }

    /// The body of a request.
    func body(_ messages: [Message], _ form: Form) -> [UInt8] {
        var members: [(String, JSON)] = [
            ("model", .string(model)),
            (
                "messages",
                .array(
                    messages.map {
                        ["role": .string($0.role.rawValue), "content": .string($0.content)]
                    })
            ),
            ("stream", false),
        ]
        if case .json(let name, let schema) = form {
            members.append(
                (
                    "response_format",
                    [
                        "type": "json_schema",
                        "json_schema": [
                            "name": .string(name), "strict": false, "schema": .raw(schema),
                        ],
                    ]
                ))
        }
        return JSON.object(members).bytes()
    }

    /// Sends a body and returns what the model wrote.
    ///
    /// Limit: `time`, and ``maximumAnswerBytes``. Cancel: honoured.
    func ask(_ body: [UInt8], within time: Duration) async throws(AssistantError) -> String {
        var headers: HeaderFields = [
            "Content-Type": "application/json", "Accept": "application/json",
        ]
        if let key { headers.append("Authorization", "Bearer \(key)") }
        let request = OutgoingRequest(
            .post, url, headers: headers, body: .bytes(body), timeout: time,
            answerLimit: Self.maximumAnswerBytes)
        let answer: OutgoingAnswer
        do throws(OutgoingError) { answer = try await client.send(request) } catch {
            throw Self.failure(error)
        }
        guard (200...299).contains(answer.status.code) else {
            throw AssistantError(.refused, "The model's server answered \(answer.status.code).")
        }
        let bytes: [UInt8]
        do throws(BodyError) {
            bytes = try await answer.body.collect(upTo: Self.maximumAnswerBytes)
        } catch { throw AssistantError(.malformed, "The answer was cut.") }
        return try Self.content(of: bytes)
    }

    /// What the model wrote, in an answer's body.
    static func content(of body: [UInt8]) throws(AssistantError) -> String {
        guard let root = JSONValue.parsed(body), let choice = root["choices"]?[0] else {
            throw AssistantError(.malformed, "The answer has no choices.")
        }
        if choice["finish_reason"]?.equals("length") == true {
            throw AssistantError(
                .malformed, "The model stopped in the middle: the answer was too long.")
        }
        guard let content = choice["message"]?["content"]?.string,
            let text = withoutThoughts(content), !text.allSatisfy({ $0.isWhitespace })
        else { throw AssistantError(.malformed, "The model wrote nothing.") }
        return String(text)
    }

    /// What stands behind the block of thoughts that some models begin with; nil for thoughts without an end.
    static func withoutThoughts(_ content: String) -> Substring? {
        let trimmed = content.drop { $0.isWhitespace }
        guard trimmed.hasPrefix("<think>") else { return content[...] }
        guard let end = trimmed.firstRange(of: "</think>") else { return nil }
        return trimmed[end.upperBound...].drop { $0.isWhitespace }
    }

    private static func failure(_ error: OutgoingError) -> AssistantError {
        switch error.code {
        case .timeout: AssistantError(.slow, "The model did not answer in time.")
        case .tooLarge: AssistantError(.malformed, "The answer is too long.")
        case .forbidden:
            AssistantError(.unreachable, "No server of a model can be at this address.")
        case .address, .name, .connection, .security, .cutOff, .cancelled:
            AssistantError(
                .unreachable, "The model's server could not be asked: \(error.code.rawValue).")
        }
    }
}
