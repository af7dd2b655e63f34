import APITestSupport
import DeskHTTP
import DeskModel
import DeskWeb
import Testing

@testable import DeskAPI

/// What accounts have that a provider adds.
struct SCIMPasswordTests {
    @Test func `it is read as a stored password, and none fits it`() async throws {
        let stored = SCIMPassword.make()
        #expect(SCIMPassword.make() != stored)
        let made = try await PasswordQueue(limits: WebLimits()).hash("x", beside: [stored])
        #expect(made.match == nil)
        // All but the key, so that the salt was read: otherwise it would be another one.
        let parts = (made.text.split(separator: "$"), stored.split(separator: "$"))
        #expect(parts.0.count == 6 && parts.0.dropLast() == parts.1.dropLast())
        #expect(parts.0.last?.count == parts.1.last?.count)
    }

    @Test func `people are added while no password can be worked on`() async throws {
        let server = try await TestServer(limits: {
            $0.web.passwordsAtOnce = 0
            $0.web.passwordQueue = 0
        })
        let key = try await server.makeKey([server.other], scopes: .people)
        let made = try await server.send(
            .post, "/api/businesses/\(server.other.id)/scim/v2/Users",
            #"{"userName":"a@example.com"}"#, by: key,
            headers: ["Content-Type": "application/scim+json"])
        #expect(made.status == 201, "\(made.text)")
    }
}
