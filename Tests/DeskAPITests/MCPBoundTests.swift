import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskWeb
import Synchronization
import TestSupport
import Testing

@testable import DeskAPI

/// What one request to `/mcp` may hold, and what its client cancels.
struct MCPBoundTests {
    /// Routes that answer each tool with a text, or with none before they are cancelled.
    private final class StandIn: Handler {
        private let counts = Mutex((asked: 0, cancelled: 0))
        private let body: [UInt8]?

        init(_ body: [UInt8]?) { self.body = body }

        var asked: Int { counts.withLock { $0.asked } }
        var cancelled: Int { counts.withLock { $0.cancelled } }

        func respond(to request: Request) async -> Response {
            counts.withLock { $0.asked += 1 }
            if let body { return .json(body) }
            // Safe: the counts say how the wait ended.
            try? await Wait.until("the request is cancelled") { Task.isCancelled }
            if Task.isCancelled { counts.withLock { $0.cancelled += 1 } }
            return Problem(.unavailable, "Cancelled.").response
        }
    }

    private static func call(_ id: String, _ tool: String = "list_conversations") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)"}}"#
    }

    private static func cancel(_ id: String) -> String {
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id),"reason":"late"}}"#
    }

    @Test func `an array is answered up to so many bytes, and what is left of it is not done`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let words = String(repeating: "x", count: 300_000)
        let routes = StandIn(Array(#"{"data":[],"words":"\#(words)"}"#.utf8))
        let target = OwnRoutes.Target(routes)
        server.services.ownRoutes.set(target)
        let calls = (1...MCPRoutes.maximumBatch).map { Self.call(String($0)) }
        let answer = try await server.post(
            "/mcp", "[\(calls.joined(separator: ","))]", by: key,
            headers: ["MCP-Protocol-Version": "2025-03-26"])
        #expect(answer.status == 200 && routes.asked == 4)
        let answers = try #require(answer.document?.root.elements.map { $0 })
        #expect(answers.compactMap { $0["id"]?.int } == Array(1...MCPRoutes.maximumBatch))
        #expect(answers.prefix(4).allSatisfy { $0["result"]?["isError"]?.bool == false })
        for refused in answers.dropFirst(4) {
            #expect(refused["error"]?["code"]?.int == -32600)
            #expect(refused["error"]?["message"]?.string?.contains("by itself") == true)
        }
        #expect(answer.bytes.count < MCPRoutes.maximumBatchAnswerBytes + 400_000)
        withExtendedLifetime(target) {}
    }

    @Test func `a request that its client cancels stops, and nothing is answered to it`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let other = try await server.makeKey([server.business])
        let routes = StandIn(nil)
        let target = OwnRoutes.Target(routes)
        server.services.ownRoutes.set(target)
        async let answer = server.post("/mcp", Self.call("7"), by: key)
        try await Wait.until("the tool asks") { routes.asked == 1 }
        // Ids of other requests, ids that are none, and the same id of another client.
        for (id, caller) in [("8", key), ("\"7\"", key), ("null", key), ("[7]", key), ("7", other)]
        {
            #expect(try await server.post("/mcp", Self.cancel(id), by: caller).status == 202)
        }
        #expect(routes.cancelled == 0)
        let ended = try await server.post("/mcp", Self.cancel("7"), by: key)
        #expect(ended.status == 202 && ended.bytes.isEmpty)
        let nothing = try await answer
        #expect(nothing.status == 202 && nothing.bytes.isEmpty, "\(nothing.text)")
        #expect(routes.cancelled == 1 && routes.asked == 1)
        withExtendedLifetime(target) {}
    }

    @Test func `of two requests of one name none is cancelled, and one that ended is forgotten`()
        async throws
    {
        let requests = RequestsUnderWay<String>()
        let first = requests.begin("a")
        let second = requests.begin("a")
        requests.cancel("a")
        let answers = (
            await requests.run(first) { Task.isCancelled },
            await requests.run(second) { Task.isCancelled }
        )
        #expect(answers.0 == false && answers.1 == false)
        let third = requests.begin("a")
        // Between the two: it is cancelled before its work has begun.
        requests.cancel("a")
        let answer = await requests.run(third) {
            // Safe: an end in vain is an answer, which the test would see.
            (try? await Wait.until("it is cancelled") { Task.isCancelled }) != nil
        }
        #expect(answer == nil)
    }
}
