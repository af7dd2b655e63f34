import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI

/// Pictures whose header states more pixels than anybody should be made to unpack.
struct PictureSizeTests {
    private static func png(_ width: Int, _ height: Int) -> [UInt8] {
        let words = [width, height].flatMap { value in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
            + Array("IHDR".utf8) + words + [8, 6, 0, 0, 0, 1, 2, 3, 4]
    }

    private static let sizes = [(8_000, 5_000, 201), (8_000, 5_001, 422), (100_000, 400, 201)]

    @Test(arguments: sizes)
    func `a customer's picture may state 40,000,000 pixels`(
        width: Int, height: Int, status: Int
    ) async throws {
        let server = try await TestServer()
        let first = try await server.post(
            "/api/phone/\(server.business.id)/messages",
            #"{"id":"\#(server.services.broker.makeID())","text":"Hello"}"#)
        let phone = TestServer.Caller.customer(try #require(first.cookie("fdc")))
        let answer = try await server.send(
            .post, "/api/phone/\(server.business.id)/attachments?name=a.png",
            bytes: Self.png(width, height), by: phone)
        #expect(answer.status == status)
        guard status == 422 else { return }
        #expect(answer.code == "picture_too_large")
        #expect(answer["detail"]?.string?.contains("8000 x 5001") == true)
        #expect(answer.response.closesConnection)
        // What came in is removed later by a thread of the store's own.
        let kept = TestFiles.files(below: server.scratch.path).filter { !$0.hasPrefix("incoming/") }
        #expect(kept.isEmpty)
    }

    @Test(arguments: sizes)
    func `an integration's picture may state 40,000,000 pixels`(
        width: Int, height: Int, status: Int
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let answer = try await server.send(
            .post, "/api/attachments?name=a.bin&conversation=\(conversation.id)",
            bytes: Self.png(width, height), by: key)
        #expect(answer.status == status)
        #expect(answer.code == (status == 422 ? "picture_too_large" : nil))
    }

    @Test func `a packed body is refused, as a payload and as a file`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let packed: HeaderFields = ["Content-Encoding": "gzip", "Content-Type": "application/json"]
        for target in [
            "/api/conversations/\(conversation.id)/messages",
            "/api/attachments?name=a.json&conversation=\(conversation.id)",
        ] {
            let answer = try await server.send(
                .post, target, bytes: Array(#"{"type":"text","body":"x"}"#.utf8), by: key,
                headers: packed)
            #expect(answer.status == 415 && answer.code == "unsupported_media_type")
        }
        #expect(try await server.messageCount(conversation) == 1)
    }

    @Test(arguments: [(8_000, 5_000, 200), (8_000, 5_001, 422)])
    func `a business's picture may state 40,000,000 pixels`(
        width: Int, height: Int, status: Int
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.send(
            .put, "/api/businesses/\(server.business.id)/picture",
            bytes: Self.png(width, height), by: owner)
        #expect(answer.status == status)
        #expect(answer.code == (status == 422 ? "picture_too_large" : nil))
    }
}
