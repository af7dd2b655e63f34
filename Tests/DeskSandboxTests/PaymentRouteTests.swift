import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import TestSupport
import Testing

@testable import DeskSandbox

/// The endpoints of the test merchant, which accept calls of a device and nothing else.
struct PaymentRouteTests {
    private static let calls = [
        ("gateway", "payment-gateway-request"), ("method", "payment-method-update-request"),
        ("contact", "shipping-contact-update-request"),
        ("shipping", "shipping-method-update-request"), ("tracking", "order-tracking-request"),
    ]

    @Test(arguments: calls)
    func `a call as its schema has it is answered`(name: String, schema: String) async throws {
        let server = try await TestServer()
        let text = try #require(TestFiles.text("Schemas/callback/\(schema).json"))
        let document = try JSONDocument(parsing: Array(text.utf8), limits: .unlimited)
        let example = try #require(document.root["examples"]?[0])
        let answer = try await server.post(
            "/pay/\(server.business.id)/\(name)", String(decoding: example.rawBytes, as: UTF8.self))
        #expect(answer.status == 200, "\(answer.text)")
    }

    private static let none = ["[]", "1", "\"pay\"", "null", #"{"requestIdentifier":5}"#]

    @Test(arguments: calls.map(\.0), none)
    func `what is no call is refused, with what is wrong`(name: String, body: String) async throws {
        let server = try await TestServer()
        let answer = try await server.post("/pay/\(server.business.id)/\(name)", body)
        #expect(answer.status == 422)
        #expect(answer.code == "invalid")
        #expect((answer["errors"]?.count ?? 0) > 0)
    }

    @Test(arguments: ["gateway", "method", "contact", "shipping"])
    func `a call without what it asks is refused`(name: String) async throws {
        let server = try await TestServer()
        for body in ["{}", #"{"requestIdentifier":"a","version":"1.0"}"#] {
            let answer = try await server.post("/pay/\(server.business.id)/\(name)", body)
            #expect(answer.status == 422, "\(body)")
        }
    }
}
