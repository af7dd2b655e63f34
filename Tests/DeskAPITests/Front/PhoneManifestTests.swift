import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskWeb
import Testing

@testable import DeskAPI

/// What a home screen keeps a business's page as.
struct PhoneManifestTests {
    private static func png(_ width: Int, _ height: Int) -> [UInt8] {
        let words = [width, height].flatMap { value in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
            + Array("IHDR".utf8) + words + [8, 6, 0, 0, 0, 1, 2, 3, 4]
    }

    private static func sources(_ icons: JSONValue?) -> [String] {
        icons?.elements.compactMap { $0["src"]?.string } ?? []
    }

    @Test func `a page is installed under its business's name, and opens there`() async throws {
        let server = try await TestServer()
        let place = "/b/\(server.business.id)"
        let answer = try await server.get(place + "/manifest.webmanifest")
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "application/manifest+json")
        for member in ["id", "start_url", "scope"] {
            #expect(answer[member]?.string == place, "\(member)")
        }
        #expect(answer["name"]?.string == server.business.name)
        #expect(answer["short_name"]?.string == server.business.name)
        #expect(answer["theme_color"]?.string == server.business.colour)
        #expect(Self.sources(answer["icons"]).allSatisfy { $0.hasPrefix("/web/phone/icon-") })
        let unknown = "/b/\(server.services.broker.makeID())/manifest.webmanifest"
        #expect(try await server.get(unknown).status == 404)
    }

    @Test(arguments: [(192, 192, true), (191, 191, false), (400, 399, false), (512, 512, true)])
    func `a picture is the icon if browsers install one of its size`(
        width: Int, height: Int, isIcon: Bool
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        _ = try await server.send(
            .put, "/api/businesses/\(server.business.id)/picture",
            bytes: Self.png(width, height), by: owner)
        let answer = try await server.get("/b/\(server.business.id)/manifest.webmanifest")
        let sources = Self.sources(answer["icons"])
        #expect(sources.contains { $0.contains("/picture?v=") } == isIcon)
        #expect(sources.count == (isIcon ? 1 : 3))
        if isIcon {
            for icon in try #require(answer["icons"]).elements {
                #expect(icon["sizes"]?.string == "\(width)x\(height)")
                #expect(icon["type"]?.string == "image/png")
            }
        }
    }
}
