import DeskHTTP
import DeskLog
import DeskNet
import Glibc
import Testing

/// Limits of whole connections: how many requests, how long they wait to be let in, how they end.
struct ConnectionLimitTests {
    /// How late a deadline may fire: the loop looks at them ten times a second.
    private static let late = Duration.milliseconds(201)
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    /// A request on a connection of its own: when it is answered the loop has seen what came before.
    private static func settle(_ server: Server) throws {
        for _ in 0..<2 {
            let client = try TestClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            _ = try client.receiveAll()
        }
    }

    @Test func `the thousandth request of a connection is its last`() async throws {
        try await withServer(handler: { _ in Response(text: "fine") }) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                for number in 1...1_000 {
                    try client.send(Self.get)
                    let head = try client.receiveResponse().head
                    #expect(head.contains("Connection: close") == (number == 1_000))
                }
                // One more on the wire is not answered.
                try? client.send(Self.get)  // Safe: the connection may be gone already.
                #expect(try client.receiveAll() == "")
            }
        }
    }

    @Test
    func `as many connections as the backlog holds wait to be accepted, the next is not let in`()
        async throws
    {
        var configuration = Server.Configuration(
            listen: [ListenAddress(host: "127.0.0.1", port: 0)])
        configuration.limits.acceptBacklog = 7
        let server = Server(configuration, handler: ClosureHandler { _ in Response(text: "in") })
        try server.start()
        // Linux lets one more in than its limit.
        let waiting = try (0..<8).map { _ in try TestClient(port: server.port) }
        let beyond = try WaitingClient(port: server.port)
        #expect(!beyond.isConnected(within: 100))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            try await blocking {
                for client in waiting {
                    try client.send(Self.get)
                    #expect(try client.receiveResponse().body == "in")
                }
                // The kernel asks again after a second, and now there is room.
                #expect(beyond.isConnected(within: 60_000))
            }
            group.cancelAll()
        }
    }

    /// A connection that is being made.
    private final class WaitingClient: Sendable {
        private let descriptor = socket(
            AF_INET,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
                | Int32(SOCK_CLOEXEC.rawValue), 0)

        init(port: Int) throws {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(UInt16(port)).bigEndian
            address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
            let code = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard code != 0, errno == EINPROGRESS else {
                throw TestClient.Failure(step: "connect at once")
            }
        }

        deinit { close(descriptor) }

        func isConnected(within milliseconds: Int32) -> Bool {
            var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return unsafe poll(&wish, 1, milliseconds) == 1
        }
    }

    /// A request that is refused and its answer; the connection lingers afterwards.
    private static func refused(_ server: Server) throws -> TestClient {
        let client = try TestClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nHost : a\r\n\r\n")
        #expect(try client.receiveAll().hasPrefix("HTTP/1.1 400 "))
        return client
    }

    /// Whether the peer answers one of the next bytes with a reset: it has closed.
    private static func resets(_ client: TestClient, _ server: Server) throws -> Bool {
        for _ in 0..<100 {
            if client.isReset { return true }
            do { try client.send("x") } catch { return true }
            try settle(server)
        }
        return false
    }

    @Test func `after a refusal 16 MiB are dropped, and nothing more is waited for`() async throws {
        let clock = StillClock()
        try await withServer(
            loops: 1, clock: { clock.now }, handler: { _ in Response(text: "fine") }
        ) { server in
            try await blocking {
                let client = try Self.refused(server)
                try client.send([UInt8](repeating: 0x61, count: 16_777_216))
                try Self.settle(server)
                // Read like all before it: the connection still stood.
                try client.send("x")
                try Self.settle(server)
                #expect(!client.isReset)
                // The clock does not move, so it was this byte that ended it.
                let isOver = try Self.resets(client, server)
                #expect(isOver)
            }
        }
    }

    @Test func `after a refusal a second is waited and no longer`() async throws {
        let clock = StillClock()
        try await withServer(
            loops: 1, clock: { clock.now }, handler: { _ in Response(text: "fine") }
        ) { server in
            try await blocking {
                let client = try Self.refused(server)
                try Self.settle(server)
                clock.advance(by: .milliseconds(999))
                try Self.settle(server)
                try client.send("x")
                try Self.settle(server)
                #expect(!client.isReset)
                clock.advance(by: Self.late)
                try Self.settle(server)
                let isOver = try Self.resets(client, server)
                #expect(isOver)
            }
        }
    }
}
