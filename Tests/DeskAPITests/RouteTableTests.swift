import APITestSupport
import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
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
