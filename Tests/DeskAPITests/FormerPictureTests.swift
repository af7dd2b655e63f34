import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import StoreSupport
import Testing

@testable import DeskAPI

/// A picture that a business no longer has.
struct FormerPictureTests {
    private static func png(_ last: UInt8) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 1, 2, 3, last]
    }

    private struct Desk {
        let server: TestServer
        let owner, agent: TestServer.Caller
        let path: String

        init() async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            agent = try await server.makeMember(
                "ben@example.com", .agent, of: server.business, by: owner)
            path = "/api/businesses/\(server.business.id)/picture"
        }

        /// Sets a picture and returns the address of its file.
        func set(_ bytes: [UInt8]) async throws -> String {
            let answer = try await server.send(.put, path, bytes: bytes, by: owner)
            #expect(answer.status == 200, "\(answer.text)")
            let business = try await server.store.findBusiness(server.business.id)
            return "/api/attachments/\(try #require(business?.picture).text)"
        }

        func status(_ path: String) async throws -> Int {
            try await server.get(path, by: agent).status
        }
    }

    @Test func `a picture that was replaced or removed is not found by its old address`()
        async throws
    {
        let desk = try await Desk()
        let first = try await desk.set(FormerPictureTests.png(1))
        #expect(try await desk.status(first) == 200)
        let second = try await desk.set(FormerPictureTests.png(2))
        #expect(try await desk.status(first) == 404)
        #expect(try await desk.status(second) == 200)
        // The same once more changes nothing, and one that comes back is there.
        #expect(try await desk.set(FormerPictureTests.png(2)) == second)
        #expect(try await desk.status(second) == 200)
        #expect(try await desk.set(FormerPictureTests.png(1)) == first)
        #expect(try await desk.status(first) == 200)
        let removed = try await desk.server.send(.delete, desk.path, "", by: desk.owner)
        #expect(removed.status == 204)
        #expect(try await desk.status(first) == 404)
        // Housekeeping removes its bytes.
        let file = try #require(AttachmentID(String(first.suffix(64))))
        let given = try await desk.server.store.expireUploads(before: desk.server.time.now)
        #expect(given.contains(file))
    }

    @Test func `a former picture that a template names stays`() async throws {
        let desk = try await Desk()
        let first = try await desk.set(FormerPictureTests.png(1))
        // The same bytes once more, as a file of the business.
        let uploaded = try await desk.server.send(
            .post, "/api/attachments?name=logo.png&business=\(desk.server.business.id)",
            bytes: Self.png(1), by: desk.owner)
        let file = try #require(uploaded["attachment"]).rawText
        let published = try await desk.server.post(
            "/api/templates",
            """
            {"business":"\(desk.server.business.id)","name":"logo","title":"Logo","payload":{"type":"text","body":"\u{FFFC}",\
            "attachments":[\(file)]}}
            """, by: desk.owner)
        #expect(published.status < 300, "\(published.text)")
        _ = try await desk.set(FormerPictureTests.png(2))
        #expect(try await desk.status(first) == 200)
    }
}
