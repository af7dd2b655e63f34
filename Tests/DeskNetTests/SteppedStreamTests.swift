import DeskHTTP
import DeskNet
import Synchronization
import Testing

/// Streams that run in steps: their messages, wakes, ends and slow readers.
struct SteppedStreamTests {
    private static let upgrade =
        "GET /socket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

    /// A short frame as a client sends it, masked with zeros.
    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [first, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
    }

    /// Echoes a page's words; `say` makes all open streams say something.
    private final class Club: Sendable {
        private let lines = Mutex<[any StreamLine]>([])
        private let words = Mutex<[[UInt8]]>([])
        let left = Mutex(0)
        let firstLeft = Signal()
        let fiveLeft = Signal()
        let twoLeft = Signal()

        func join(_ line: any StreamLine) { lines.withLock { $0.append(line) } }

        func word(_ index: Int) -> [UInt8]? {
            words.withLock { index < $0.count ? $0[index] : nil }
        }

        func say(_ bytes: [UInt8]) {
            words.withLock { $0.append(bytes) }
            for line in lines.withLock({ $0 }) { line.wake() }
        }

        func leave() {
            let count = left.withLock { count in
                count += 1
                return count
            }
            firstLeft.set()
            if count == 2 { twoLeft.set() }
            if count == 5 { fiveLeft.set() }
        }
    }

    private final class Member: SteppedStream {
        private let club: Club
        private let heard = Mutex(0)

        init(_ club: Club) { self.club = club }

        func step(_ cause: StreamCause, on line: any StreamLine) async -> StepResult {
            do throws(StreamError) {
                switch cause {
                case .opened:
                    club.join(line)
                    try await line.send(Array("open".utf8))
                case .message(.text("bye")): return over()
                case .message(.text(let text)): try await line.send(Array(text.utf8))
                case .message(.binary): return over()
                case .due: break
                case .ending:
                    try await line.send(Array((line.isDraining ? "drain" : "end").utf8))
                    return over()
                }
                while let word = club.word(heard.withLock { $0 }) {
                    heard.withLock { $0 += 1 }
                    try await line.send(word)
                }
            } catch { return over() }
            return .upTo(.seconds(600))
        }

        private func over() -> StepResult {
            club.leave()
            return .over(code: 4000)
        }
    }

    private static func handler(_ club: Club) -> @Sendable (Request) async -> Response {
        { request in
            switch request.path.segments.first {
            case "socket":
                Response(status: .switchingProtocols, body: .socketSteps(Member(club)))
            case "events": Response(status: .ok, body: .steps(Member(club)))
            default: Response(text: "fine")
            }
        }
    }

    private static func open(
        _ server: Server, receiveBuffer: Int32? = nil
    ) throws -> TestClient {
        let client = try TestClient(port: server.port, receiveBuffer: receiveBuffer)
        try client.send(upgrade)
        #expect(try client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101 "))
        let got1 = try client.receive(exactly: 6)
        #expect(got1 == [0x81, 4] + Array("open".utf8))
        return client
    }

    @Test func `a socket answers messages, pings and a goodbye, in every split`() async throws {
        try await withServer(handler: Self.handler(Club())) { server in
            try await blocking {
                for step in [1, 3, 1000] {
                    let client = try Self.open(server)
                    let sent =
                        Self.frame(0x81, Array("hi".utf8)) + Self.frame(0x89, [7])
                        + Self.frame(0x01, [0x61]) + Self.frame(0x8A, [])
                        + Self.frame(0x80, [0x62])
                    var start = 0
                    while start < sent.count {
                        let end = min(sent.count, start + step)
                        try client.send(Array(sent[start..<end]))
                        start = end
                    }
                    let got2 = try client.receive(exactly: 4)
                    #expect(got2 == [0x81, 2, 0x68, 0x69])
                    let got3 = try client.receive(exactly: 3)
                    #expect(got3 == [0x8A, 1, 7])
                    let got4 = try client.receive(exactly: 4)
                    #expect(got4 == [0x81, 2, 0x61, 0x62])
                    try client.send(Self.frame(0x88, [0x0F, 0xA1]))
                    let got5 = try client.receive(exactly: 5)
                    #expect(got5 == [0x81, 3] + Array("end".utf8))
                    let got6 = try client.receive(exactly: 4)
                    #expect(got6 == [0x88, 2, 0x0F, 0xA1])
                    let got7 = try client.receive()
                    #expect(got7 == [])
                }
            }
        }
    }

    @Test(arguments: [
        ([0x81, 1, 0x61], [0x03, 0xEA] as [UInt8]),
        (frame(0x81, [0xFF]), [0x03, 0xEF]),
        ([0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 1, 1, 2, 3, 4], [0x03, 0xF1]),
        (frame(0x81, Array("bye".utf8)), [0x0F, 0xA0]),
    ])
    func `a session ends with the code of its end`(sent: [UInt8], code: [UInt8]) async throws {
        try await withServer(handler: Self.handler(Club())) { server in
            try await blocking {
                let client = try Self.open(server)
                try client.send(sent)
                let rest = try client.receiveBytes()
                #expect(rest.suffix(4) == [0x88, 2] + code)
            }
        }
    }

    @Test(arguments: [
        frame(0x88, [0x03, 0xE8]), frame(0x89, [7]), frame(0x81, Array("hi".utf8)),
        frame(0x01, [0x61]) + frame(0x80, [0x62]), [0xFF, 0xFF],
    ])
    func `what comes after a goodbye is not answered`(more: [UInt8]) async throws {
        try await withServer(handler: Self.handler(Club())) { server in
            try await blocking {
                let client = try Self.open(server)
                try client.send(Self.frame(0x88, [0x03, 0xE8]) + more)
                let rest = try client.receiveBytes()
                #expect(rest == [0x81, 3] + Array("end".utf8) + [0x88, 2, 0x03, 0xE8])
            }
        }
    }

    @Test func `a word reaches every stream of both sorts, each once`() async throws {
        let club = Club()
        try await withServer(handler: Self.handler(club)) { server in
            let (sockets, events) = try await blocking {
                let sockets = try (0..<20).map { _ in try Self.open(server) }
                let events = try (0..<20).map { _ in
                    let client = try TestClient(port: server.port)
                    try client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
                    _ = try client.receive(until: "open\r\n")
                    return client
                }
                return (sockets, events)
            }
            for word in ["one", "two"] { club.say(Array(word.utf8)) }
            try await blocking {
                for client in sockets {
                    let got8 = try client.receive(exactly: 10)
                    #expect(got8 == [0x81, 3] + Array("one".utf8) + [0x81, 3] + Array("two".utf8))
                }
                for client in events {
                    let got9 = try client.receive(until: "two\r\n")
                    #expect(got9 == "3\r\none\r\n3\r\ntwo\r\n")
                }
            }
        }
    }

    @Test func `a reader that leaves ends its stream and no other`() async throws {
        let club = Club()
        try await withServer(handler: Self.handler(club)) { server in
            let stays = try await blocking {
                let stays = try Self.open(server)
                let leaves = try TestClient(port: server.port)
                try leaves.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try leaves.receive(until: "open")
                return stays
            }
            await club.firstLeft.wait()
            club.say(Array("on".utf8))
            try await blocking {
                let got10 = try stays.receive(exactly: 4)
                #expect(got10 == [0x81, 2] + Array("on".utf8))
            }
            #expect(club.left.withLock { $0 } == 1)
        }
    }

    @Test func `a peer that answers no ping is cut off, one that does is not`() async throws {
        var limits = ServerLimits()
        limits.heartbeat = .milliseconds(200)
        limits.pong = .seconds(2)
        try await withServer(limits: limits, handler: Self.handler(Club())) { server in
            try await blocking {
                let client = try Self.open(server)
                for _ in 0..<3 {
                    let got11 = try client.receive(exactly: 2)
                    #expect(got11 == [0x89, 0])
                    try client.send(Self.frame(0x8A, []))
                }
                // Then it falls silent: pings, and the end without a word.
                let rest = try client.receiveBytes()
                #expect(rest.allSatisfy { $0 == 0x89 || $0 == 0 })
            }
        }
    }

    @Test func `a stream answered to HTTP 1·0 has no chunks and ends with the connection`()
        async throws
    {
        let club = Club()
        try await withServer(handler: Self.handler(club)) { server in
            let client = try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("GET /events HTTP/1.0\r\nHost: a\r\n\r\n")
                #expect(try client.receive(until: "open").hasSuffix("\r\n\r\nopen"))
                return client
            }
            club.say(Array("word".utf8))
            try await blocking {
                let got = try client.receive(exactly: 4)
                #expect(got == Array("word".utf8))
            }
        }
    }

    @Test func `a drain ends idle streams with a last piece`() async throws {
        var limits = ServerLimits()
        limits.drainStreams = .milliseconds(200)
        var configuration = Server.Configuration(listen: [ListenAddress(host: "127.0.0.1", port: 0)]
        )
        configuration.limits = limits
        let server = Server(
            configuration, handler: ClosureHandler(answer: Self.handler(Club())))
        try server.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let (socket, events) = try await blocking {
                let events = try TestClient(port: server.port)
                try events.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try events.receive(until: "open\r\n")
                return (try Self.open(server), events)
            }
            server.drain()
            try await blocking {
                let got12 = try events.receiveAll()
                #expect(got12 == "5\r\ndrain\r\n0\r\n\r\n")
                let got13 = try socket.receiveBytes()
                #expect(got13 == [0x81, 5] + Array("drain".utf8) + [0x88, 2, 0x03, 0xE9])
            }
            try await group.waitForAll()
        }
    }

    @Test func `readers that never read are cut off alone, and others get every word`()
        async throws
    {
        let club = Club()
        // It does not move until the reader that reads has everything: load alone cuts no reader
        // off.
        let clock = Mutex<UInt64>(1_000_000_000_000)
        try await withServer(
            loops: 1, clock: { clock.withLock { $0 } }, handler: Self.handler(club)
        ) { server in
            let (stuck, reads) = try await blocking {
                let stuck = try (0..<5).map { _ in
                    let client = try TestClient(port: server.port, receiveBuffer: 4096)
                    try client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
                    _ = try client.receive(until: "open\r\n")
                    return client
                }
                return (stuck, try Self.open(server))
            }
            let word = [UInt8](repeating: 0x61, count: 60_000)
            let count = 200
            for _ in 0..<count { club.say(word) }
            try await blocking {
                let got14 = try reads.receive(exactly: count * (word.count + 4)).count
                #expect(got14 > 0)
            }
            #expect(club.left.withLock { $0 } == 0)
            clock.withLock { $0 += 11_000_000_000 }
            await club.fiveLeft.wait()
            club.say(Array("on".utf8))
            try await blocking {
                let got15 = try reads.receive(exactly: 4)
                #expect(got15 == [0x81, 2] + Array("on".utf8))
            }
            #expect(club.left.withLock { $0 } == 5)
            withExtendedLifetime(stuck) {}
        }
    }

    @Test func `readers that read a byte a second are cut off alone, and others get every word`()
        async throws
    {
        let club = Club()
        let clock = StillClock()
        try await withServer(loops: 1, clock: { clock.now }, handler: Self.handler(club)) {
            server in
            let (slow, reads) = try await blocking {
                let events = try TestClient(port: server.port, receiveBuffer: 4096)
                try events.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try events.receive(until: "open\r\n")
                let socket = try Self.open(server, receiveBuffer: 4096)
                return ([events, socket], try Self.open(server))
            }
            let word = [UInt8](repeating: 0x61, count: 60_000)
            for _ in 0..<200 { club.say(word) }
            try await blocking {
                _ = try reads.receive(exactly: 200 * (word.count + 4))
                for second in 1...11 {
                    for client in slow { _ = try client.receive(exactly: 1) }
                    let other = try TestClient(port: server.port)
                    try other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    let answer = try other.receiveResponse().body
                    #expect(answer == "fine")
                    if second < 10 { #expect(club.left.withLock { $0 } == 0) }
                    clock.advance(by: .seconds(1))
                }
            }
            await club.twoLeft.wait()
            club.say(Array("on".utf8))
            try await blocking {
                let got = try reads.receive(exactly: 4)
                #expect(got == [0x81, 2] + Array("on".utf8))
                // What was cut off has ended, and without the rest.
                for client in slow {
                    let rest = try client.receiveBytes().count
                    #expect(rest < 200 * word.count)
                }
            }
            #expect(club.left.withLock { $0 } == 2)
        }
    }

    @Test func `cancelling the server ends idle streams`() async throws {
        let club = Club()
        let client = try await withServer(handler: Self.handler(club)) { server in
            try await blocking { try Self.open(server) }
        }
        _ = try await blocking { try client.receiveBytes() }
        #expect(club.left.withLock { $0 } == 1)
    }
}
