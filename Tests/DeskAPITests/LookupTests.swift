import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

/// Programs find a customer's conversation by what they know of the customer.
struct LookupTests {
    private static func found(
        _ query: String, on server: TestServer, by caller: TestServer.Caller
    ) async throws -> Set<String> {
        let answer = try await server.get("/api/conversations?\(query)", by: caller)
        #expect(answer.status == 200, "\(answer.text)")
        return Set(answer["data"]?.elements.compactMap { $0["id"]?.string } ?? [])
    }

    @Test
    func `a conversation is found by its contact, its customer and the contact's external id`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let one = try await server.makeConversation()
        let other = try await server.makeConversation()
        let contacts = "/api/businesses/\(server.business.id)/contacts"
        let changed = try await server.send(
            .patch, "\(contacts)/\(one.id)", #"{"externalId":"crm 7&8"}"#, by: key)
        #expect(changed.status == 200, "\(changed.text)")
        let customer = one.customer.id.text.replacing("+", with: "%2B").replacing("=", with: "%3D")
        for query in [
            "filter%5Bcustomer%5D=\(one.id)", "filter%5Bcustomer%5D=\(customer)",
            "filter%5BexternalId%5D=crm+7%268", "filter%5BexternalId%5D=crm%207%268&state=open",
            "filter%5BexternalId%5D=crm%207%268&filter%5Bcustomer%5D=\(one.id)&waiting=true",
        ] {
            #expect(try await Self.found(query, on: server, by: key) == [one.id.text], "\(query)")
        }
        for query in [
            "filter%5BexternalId%5D=crm", "filter%5Bcustomer%5D=nobody",
            "filter%5BexternalId%5D=crm%207%268&filter%5Bcustomer%5D=\(other.id)",
            "filter%5BexternalId%5D=crm%207%268&state=closed",
        ] {
            #expect(try await Self.found(query, on: server, by: key).isEmpty, "\(query)")
        }
    }

    @Test func `merged contacts are one customer, and customers of other businesses are not found`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let key = try await server.makeKey([server.business])
        let (one, other) = (
            try await server.makeConversation(), try await server.makeConversation()
        )
        let foreign = try await server.makeConversation(server.other)
        let merged = try await server.post(
            "/api/businesses/\(server.business.id)/contacts/\(one.id)/merge",
            #"{"contact":"\#(other.id)"}"#, by: owner)
        #expect(merged.status == 200, "\(merged.text)")
        let both: Set<String> = [one.id.text, other.id.text]
        #expect(try await Self.found("filter%5Bcustomer%5D=\(one.id)", on: server, by: key) == both)
        #expect(
            try await Self.found("filter%5Bcustomer%5D=\(other.id)", on: server, by: key) == both)
        #expect(
            try await Self.found("filter%5Bcustomer%5D=\(foreign.id)", on: server, by: key).isEmpty)
    }

    @Test(arguments: [
        "filter%5Bcustomer%5D=", "filter%5Bintent%5D=", "filter%5Bgroup%5D=",
        "filter%5BexternalId%5D=%00",
    ])
    func `a lookup of nothing is refused`(query: String) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        #expect(try await server.get("/api/conversations?\(query)", by: key).status == 422)
    }
}
