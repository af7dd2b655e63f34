import APITestSupport
import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// The routes by which a customer's browser has itself notified of answers.
struct PushRouteTests {
    private static let host = "https://fcm.googleapis.com/"

    private static func body(_ endpoint: String, more: String = "") -> String {
        let point = Base64.encode(P256.make().point, alphabet: .url)
        let secret = Base64.encode(RandomBytes.make(16), alphabet: .url)
        return #"{"endpoint":"\#(endpoint)","point":"\#(point)","secret":"\#(secret)"\#(more)}"#
    }

    private static func endpoint(ofBytes count: Int) -> String {
        host + String(repeating: "a", count: count - host.utf8.count)
    }

    @Test func `an endpoint has 2 KiB and not one byte more`() async throws {
        let server = try await TestServer()
        let (phone, conversation) = try await server.makePhone()
        let path = "/api/phone/\(server.business.id)/push"
        let longest = Self.endpoint(ofBytes: PushSubscription.endpointBytes)
        #expect(try await server.send(.put, path, Self.body(longest), by: phone).status == 204)
        let longer = Self.endpoint(ofBytes: PushSubscription.endpointBytes + 1)
        #expect(try await server.send(.put, path, Self.body(longer), by: phone).status == 422)
        let known = try await server.get(path, by: phone)
        #expect(
            known["devices"]?.elements.map(\.string)
                == [PushSubscription.id(of: longest, in: conversation).text])
        #expect(known["key"]?.string?.utf8.count == 87)
    }

    @Test func `a subscription's body has 4 KiB and not one byte more`() async throws {
        let server = try await TestServer()
        let (phone, _) = try await server.makePhone()
        let path = "/api/phone/\(server.business.id)/push"
        let body = Self.body(Self.host + "a")
        let spaces = String(repeating: " ", count: PushFields.mostBytes - body.utf8.count)
        #expect(try await server.send(.put, path, body + spaces, by: phone).status == 204)
        #expect(try await server.send(.put, path, body + spaces + " ", by: phone).status == 413)
    }

    @Test func `the frame of a widget has no bell`() async throws {
        let server = try await TestServer()
        let (phone, _) = try await server.makePhone()
        guard case .customer(let token) = phone else { return }
        let answer = try await server.send(
            .get, "/api/widget/\(server.business.id)/phone/push", "", by: .anonymous,
            headers: ["Cookie": "fdw=\(token)"])
        #expect(answer.status == 404)
    }
}
