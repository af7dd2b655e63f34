import APITestSupport
import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct RouteTableTests {
    @Test func `every route is described in the OpenAPI file, and every description is a route`()
        async throws
    {
        let server = try await TestServer()
        let routes = Set(
            server.api.table.rows.map {
                "\($0.method.token) \($0.pattern.replacing("...}", with: "}")) \($0.operation)"
            })
        let described = Set(
            OpenAPICheck.shared.operations.map { "\($0.method) \($0.path) \($0.name)" })
        #expect(!routes.isEmpty)
        #expect(routes.subtracting(described).sorted() == [])
        #expect(described.subtracting(routes).sorted() == [])
    }

    @Test func `every route that demands something refuses whoever brings nothing`() async throws {
        let server = try await TestServer()
        var refused = 0
        for row in server.api.table.rows where row.right != .anyone && row.right != .visitor {
            let target =
                "/"
                + row.pattern.split(separator: "/").map { part in
                    part.hasPrefix("{") ? "8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111" : String(part)
                }.joined(separator: "/")
            let answer = try await server.send(row.method, target, row.bodyLimit > 0 ? "{}" : "")
            #expect(answer.status == 401, "\(row.method.token) \(row.pattern)")
            #expect(answer.code == "unauthenticated")
            refused += 1
        }
        #expect(refused > 40)
    }

    @Test func `a key or sandbox never does what only people may`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        for row in server.api.table.rows {
            switch row.right {
            case .agent, .owner, .role, .keeper:
                let target = row.pattern.replacing("{business}", with: server.business.id.text)
                    .replacing("{", with: "").replacing("}", with: "")
                let answer = try await server.send(
                    row.method, target, row.bodyLimit > 0 ? "{}" : "", by: key)
                #expect(answer.status == 403, "\(row.method.token) \(row.pattern)")
            case .anyone, .member, .integration, .staff, .conversation, .sandbox, .customer,
                .visitor:
                continue
            }
        }
    }

    @Test func `an unknown path is 404, an unknown method 405 with what is allowed`() async throws {
        let server = try await TestServer()
        #expect(try await server.get("/api/nothing").code == "not_found")
        let answer = try await server.send(.delete, "/api/setup")
        #expect(answer.code == "method_not_allowed")
        #expect(answer.headers["allow"] == "GET, POST, HEAD")
    }

    @Test func `the document is served with the server's address`() throws {
        let url = try #require(PublicURL("https://chat.example.com/"))
        let text = Array(#"{"openapi":"3.1.0","servers":[{"url":"/"}],"paths":{}}"#.utf8)
        let document = try #require(OpenAPIDocument(text, publicURL: url))
        #expect(
            String(decoding: document.bytes, as: UTF8.self)
                == #"{"openapi":"3.1.0","servers":[{"url":"https://chat.example.com"}],"paths":{}}"#
        )
        #expect(OpenAPIDocument(Array("[]".utf8), publicURL: url) == nil)
    }
}
