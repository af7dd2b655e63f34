import APITestSupport
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

/// What of long messages is read by people, by programs, and by a model.
struct ReadableTextTests {
    private static func first() async throws -> StoredMessage {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let page = try await server.store.messages(in: conversation.id, .newest, limit: 1)
        return try #require(page.elements.first)
    }

    private static func message(_ body: String, like one: StoredMessage) -> StoredMessage {
        let payload = JSON.object([("type", "text"), ("body", .string(body))]).bytes()
        return StoredMessage(
            id: one.id, conversation: one.conversation, business: one.business,
            sequence: one.sequence, position: one.position, time: one.time, facts: one.facts,
            payload: .bytes(payload), digest: one.digest, checksum: one.checksum)
    }

    @Test func `a text longer than what can be found is read whole, and found by its beginning`()
        async throws
    {
        let body = "first " + String(repeating: "茶", count: 20_000) + " last"
        let message = Self.message(body, like: try await Self.first())
        #expect(ReadableText.whole(of: message) == body)
        #expect(ReadableText.pieces(of: message) == [body])
        let found = ReadableText.text(of: message)
        #expect(found.hasPrefix("first 茶") && body.hasPrefix(found))
        #expect((1...3).contains(ReadableText.maximumBytes - found.utf8.count + 1))
    }

    @Test(arguments: [
        " 4111 1111 1111 1111", " DE89 3704 0044 0532 0130 00", " ada.lovelace@example.com",
        " +49 30 90182000",
    ])
    func `of a number at the place where a long text is cut a model reads no half`(
        number: String
    ) async throws {
        let one = try await Self.first()
        for left in 2..<number.utf8.count {
            let words = String(repeating: "tea ", count: ReadableText.maximumBytes / 4 - 10)
            let room = ReadableText.maximumBytes - words.utf8.count - left - 3
            let body = words + String(repeating: "x", count: room) + " is\(number) and more"
            let shared = ReadableText.shared(of: Self.message(body, like: one))
            // The letters of a country are no number.
            #expect(
                shared.hasSuffix("x is") || shared.hasSuffix("x is DE"), "\(shared.suffix(40))")
        }
    }

    @Test(arguments: [
        ("my card 4111 1111 1…", "my card"), ("mail ada@exam…", "mail"), ("4111 11…", ""),
        ("DE89 3704 00…", "DE"),
    ])
    func `the end of a cut text is left out where it may be half of a number`(
        text: String, left: String
    ) {
        #expect(ReadableText.withoutHalves(text) == left)
    }

    @Test func `an assistant reads that a long text is cut, and goes on behind a long payload`()
        async throws
    {
        let long = String(repeating: "y", count: 600_000)
        let page = JSON.object([
            (
                "data",
                [
                    [
                        "id": "m", "sequence": 7, "summary": "y…",
                        "payload": ["type": "text", "body": .string(long)],
                    ]
                ]
            ), ("hasMore", false),
        ]).bytes()
        let root = try #require(JSONValue.parsed(page))
        for hasPayloads in [false, true] {
            let made = MCPThread(root, withPayloads: hasPayloads).json(of: Array("{}".utf8))
            let one = try #require(JSONValue.parsed(made.bytes())?["messages"]?[0])
            #expect(one["sequence"]?.int == 7 && one["isCut"]?.bool == true)
            #expect(one["text"]?.string?.utf8.count == MCPThread.maximumBytesOfText)
            #expect(one["payload"] == nil)
        }
    }
}
