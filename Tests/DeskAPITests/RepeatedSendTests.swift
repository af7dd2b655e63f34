import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import Testing

@testable import DeskAPI

/// Sends that come again with their `Idempotency-Key` when what they name is gone.
struct RepeatedSendTests {
    private static let headers: HeaderFields = ["Idempotency-Key": "k1"]

    @Test func `a repeat is answered as at first though its template was removed since`()
        async throws
    {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let made = try await server.post(
            "/api/templates",
            """
            {"business":"\(server.business.id)","name":"ready","title":"Ready",\
            "payload":{"type":"text","body":"It is ready."},"parameters":[]}
            """, by: key)
        #expect(made.status == 201, "\(made.text)")
        func send(_ body: String = #"{"template":"ready"}"#) async throws -> Answer {
            try await server.post(
                "/api/conversations/\(conversation.id)/template-messages", body, by: key,
                headers: Self.headers)
        }
        let first = try await send()
        #expect(first.status == 201, "\(first.text)")
        let removed = try await server.send(
            .delete, "/api/templates/ready?business=\(server.business.id)", by: key)
        #expect(removed.status == 204)
        let again = try await send()
        #expect(again.status == 201, "\(again.text)")
        #expect(again["id"]?.string == first["id"]?.string)
        #expect(again.headers["idempotency-replayed"] == "true")
        let other = try await send(#"{"template":"ready","values":{}}"#)
        #expect(other.code == "idempotency_mismatch")
        #expect(try await server.messageCount(conversation) == 2)
    }

    @Test func `a repeat says that its message was erased though its file went with it`()
        async throws
    {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let uploaded = try await server.send(
            .post, "/api/attachments?name=a.pdf&conversation=\(conversation.id)", bytes: [7, 8],
            by: key)
        let file = try #require(uploaded["attachment"]).rawText
        let path = "/api/conversations/\(conversation.id)/messages"
        func send() async throws -> Answer {
            try await server.post(
                path, #"{"type":"text","body":"\#u{FFFC}","attachments":[\#(file)]}"#, by: key,
                headers: Self.headers)
        }
        let first = try await send()
        #expect(first.status == 201, "\(first.text)")
        let id = try #require(first["id"]?.string)
        let owner = try await server.makeOwner()
        #expect(try await server.send(.delete, "\(path)/\(id)", by: owner).status == 200)
        let again = try await send()
        #expect(again.status == 410 && again.code == "message_erased", "\(again.text)")
    }
}
