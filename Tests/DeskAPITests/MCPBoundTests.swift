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

    /// A connection that notes whether its close ends the request.
    private final class Connection: PeerMark {
        private let isAsked = Mutex(false)

        var endsRequest: Bool { isAsked.withLock { $0 } }

        func markAuthenticated() {}
        func allowHandlerTime(_ more: Duration) {}
        func cancelHandlerWhenClosed() { isAsked.withLock { $0 = true } }
    }

    @Test(arguments: ["2025-03-26", "2025-06-18", "2025-11-25"])
    func `a request ends with its connection, and nothing behind it in an array is done`(
        version: String
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let routes = StandIn(nil)
        let target = OwnRoutes.Target(routes)
        server.services.ownRoutes.set(target)
        let calls = (1...5).map { Self.call(String($0)) }
        let body = version == "2025-03-26" ? "[\(calls.joined(separator: ","))]" : calls[0]
        let connection = Connection()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // Safe: the client is gone, and the counts say what was done.
                _ = try? await server.send(
                    .post, "/mcp", bytes: Array(body.utf8), by: key,
                    headers: ["MCP-Protocol-Version": version], mark: connection)
            }
            // Safe: the counts say whether the tool was asked.
            try? await Wait.until("the tool asks") { routes.asked == 1 }
            // As the connection does it when its peer closes.
            group.cancelAll()
        }
        #expect(connection.endsRequest)
        #expect(routes.asked == 1 && routes.cancelled == 1)
        withExtendedLifetime(target) {}
    }

    @Test(arguments: ["2025-06-18", "2025-11-25", "2026-07-28"])
    func `an array is refused in a revision that has none, and nothing of it is done`(
        version: String
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let routes = StandIn(Array("{}".utf8))
        let target = OwnRoutes.Target(routes)
        server.services.ownRoutes.set(target)
        let calls = (1...8).map { Self.call(String($0)) }
        let answer = try await server.post(
            "/mcp", "[\(calls.joined(separator: ","))]", by: key,
            headers: ["MCP-Protocol-Version": version])
        #expect(answer.status == 400 && routes.asked == 0)
        #expect(answer["id"]?.isNull == true)
        #expect(answer["error"]?["code"]?.int == -32600)
        let message = answer["error"]?["message"]?.string ?? ""
        #expect(message.contains(version) && message.contains("2025-03-26"), "\(message)")
        withExtendedLifetime(target) {}
    }

    @Test func `an array of no or too many messages is refused with the count it has`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        for count in [0, MCPRoutes.maximumBatch + 1] {
            let pings = Array(repeating: #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, count: count)
            let answer = try await server.post(
                "/mcp", "[\(pings.joined(separator: ","))]", by: key,
                headers: ["MCP-Protocol-Version": "2025-03-26"])
            #expect(answer.status == 400 && answer["error"]?["code"]?.int == -32600)
            let message = answer["error"]?["message"]?.string ?? ""
            #expect(message.contains(" \(count) "), "\(message)")
        }
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
