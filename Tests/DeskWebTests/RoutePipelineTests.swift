import DeskHTTP
import DeskLog
import DeskModel
import Synchronization
import TestSupport
import Testing

@testable import DeskWeb

/// The route table and its pipeline with services, permissions and an authorizer that are no product's.
struct RoutePipelineTests {
    private static let read = Permission("read")
    private static let open = Permission("open")

    private let services: TestServices
    private let principal: Principal
    private let business: BusinessID

    init() throws {
        services = try TestServices()
        var random = SystemRandomNumberGenerator()
        business = BusinessID(using: &random)
        principal = .key(
            KeyPrincipal(
                id: KeyID(UniqueID(high: 0x4000, low: 1 << 63)), name: "k", mode: .test,
                businesses: [business]))
    }

    /// Serves a table whose role of everybody may `open`, and the role of keys also `read`.
    private func serve(
        _ table: Routes<TestServices>, by other: TestServices? = nil
    ) -> RouteHandler<TestServices> {
        RouteHandler(
            table, services: other ?? services, authorizer: TestAuthorizer(principal: principal),
            permissions: PermissionTable([
                PermissionTable.Row(.anyone, [Self.open]), PermissionTable.Row(.key, [Self.read]),
            ]))
    }

    private func send(
        _ method: Method, _ target: String, _ headers: HeaderFields = [:],
        to handler: RouteHandler<TestServices>
    ) async throws -> Response {
        await handler.respond(
            to: try Request(
                method: method, target: target, headers: headers, host: "desk.example:8080",
                peer: Peer(address: "192.0.2.7", isLoopback: false)))
    }

    private static let credential: HeaderFields = ["Authorization": "Bearer k"]

    @Test func `a handler gets the caller, its businesses and the head that its row asks for`()
        async throws
    {
        var table = Routes<TestServices>()
        table.add(
            .get, "/x/{name}", operation: "x", permission: Self.read, business: .any,
            needsHead: true
        ) { [business, principal] context throws(Problem) in
            let caller = try context.requirePrincipal()
            #expect(caller.author == principal.author)
            #expect(context.businesses == [business])
            #expect(context.requireHead().position == Position(7))
            return Response(text: context.request.parameters["name"] ?? "")
        }
        let answer = try await send(.get, "/x/name", Self.credential, to: serve(table))
        guard case .bytes(let bytes) = answer.body else {
            Issue.record("no text")
            return
        }
        #expect(answer.status == .ok)
        #expect(bytes == Array("name".utf8))
        #expect(answer.headers["cache-control"] == "no-store")
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["x-finished"] == "key")
    }

    @Test func `caller, query, disk and rate are checked in this order before the handler`()
        async throws
    {
        var table = Routes<TestServices>()
        table.add(.post, "/x", operation: "x", permission: Self.read, rate: .write) { _ in
            Response(status: .noContent)
        }
        table.add(
            .post, "/y", operation: "y", permission: Self.read, rate: .write, goesOnWhenFull: true
        ) { _ in Response(status: .noContent) }
        table.add(.delete, "/x", operation: "z", permission: Self.read) { _ in
            Response(status: .noContent)
        }
        let handler = serve(table)
        let key = Self.credential
        services.disk.noteFull()
        #expect(try await send(.post, "/x?a=1", to: handler).status.code == 401)
        #expect(try await send(.post, "/x?a=1", key, to: handler).status.code == 400)
        #expect(try await send(.post, "/x", key, to: handler).status.code == 503)
        #expect(try await send(.delete, "/x", key, to: handler).status.code == 204)
        #expect(try await send(.post, "/y", key, to: handler).status.code == 204)
        #expect(try await send(.post, "/y", key, to: handler).status.code == 204)
        #expect(try await send(.post, "/y", key, to: handler).status.code == 429)
        #expect(try await send(.post, "/x", key, to: handler).status.code == 503)
    }

    @Test func `a repeat under a key is answered by the services, and refused where secrets are`()
        async throws
    {
        let runs = Counted()
        var table = Routes<TestServices>()
        table.add(.post, "/x", operation: "x", permission: Self.open, repeating: .remembered) {
            _ in Response(text: "\(runs.next())")
        }
        table.add(.post, "/y", operation: "y", permission: Self.open, repeating: .refused) {
            _ in Response(text: "\(runs.next())")
        }
        let handler = serve(table)
        let key: HeaderFields = ["Idempotency-Key": "a"]
        for _ in 0..<2 {
            #expect(try await send(.post, "/x", key, to: handler).status == .ok)
            #expect(runs.count == 1)
        }
        _ = try await send(.post, "/x", to: handler)
        #expect(runs.count == 2)
        #expect(try await send(.post, "/y", key, to: handler).status.code == 400)
        #expect(runs.count == 2)
    }

    @Test func `the line of a request says who sent it and how long it lasted`() async throws {
        let time = TestTime()
        let sink = MemorySink()
        let logged = try TestServices(time: time.source, log: Log(to: sink, from: .debug))
        var table = Routes<TestServices>()
        table.add(.get, "/x", operation: "x", permission: Self.open) { _ in
            time.advance(by: .milliseconds(250))
            return Response(status: .noContent)
        }
        table.add(.get, "/y", operation: "y", permission: Self.read) { _ throws(Problem) in
            throw Problem(.unavailable, "It is not there.")
        }
        let handler = serve(table, by: logged)
        _ = try await send(.get, "/x", Self.credential, to: handler)
        _ = try await send(.get, "/x", to: handler)
        _ = try await send(.get, "/y", Self.credential, to: handler)
        let ends = sink.lines.map { $0.split(separator: " operation=").last.map { String($0) } }
        let key = principal.credential
        #expect(key.hasPrefix("key:"))
        #expect(
            ends == [
                "x status=204 code=\"\" by=\(key) ms=250", "x status=204 code=\"\" by=\"\" ms=250",
                "y status=503 code=unavailable by=\(key) ms=0",
            ])
    }

    @Test func `who sent a request that failed is in its line, whatever lines there are besides`()
        async throws
    {
        let sink = MemorySink()
        let logged = try TestServices(log: Log(to: sink))
        var table = Routes<TestServices>()
        table.add(.get, "/x", operation: "x", permission: Self.read) { _ throws(Problem) in
            throw Problem(.unavailable, "It is not there.")
        }
        _ = try await send(.get, "/x", Self.credential, to: serve(table, by: logged))
        #expect(sink.lines.count == 1)
        #expect(sink.lines.first?.contains(" by=\(principal.credential) ms=") == true)
    }

    @Test func `an unknown path is 404 and an unknown method 405, with the common headers`()
        async throws
    {
        var table = Routes<TestServices>()
        table.add(.get, "/x", operation: "x", permission: Self.open) { _ in Response(text: "x") }
        let handler = serve(table)
        for (method, target, code) in [(Method.get, "/z", 404), (.delete, "/x", 405)] {
            let answer = try await send(method, target, to: handler)
            #expect(answer.status.code == code)
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(answer.headers["cross-origin-resource-policy"] == "same-origin")
        }
    }

    /// Counts runs of a handler.
    private final class Counted: Sendable {
        private let runs = Mutex(0)

        var count: Int { runs.withLock { $0 } }

        func next() -> Int {
            runs.withLock { runs in
                runs += 1
                return runs
            }
        }
    }
}
