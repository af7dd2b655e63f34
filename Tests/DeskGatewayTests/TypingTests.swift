import DeskBroker
import DeskBytes
import DeskGateway
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import GatewayTestSupport
import TestSupport
import Testing

@Suite struct TypingTests {
    private func types(_ gateway: TestGateway) throws -> [String?] {
        try gateway.client.requests.map { request in
            guard case .bytes(let bytes) = request.body else { return nil }
            let text = try Gzip.decompress(bytes, limitBytes: 1_000_000)
            return try JSONDocument(parsing: text).root["type"]?.string
        }
    }

    private func signal(
        _ state: Signal.State, by who: Author = .customer(device: "d"), in gateway: TestGateway
    ) {
        gateway.parts.broker.signal(
            Signal(
                kind: .typing, business: gateway.business, conversation: gateway.conversation,
                who: who, state: state))
    }

    /// Signals until the relay listens: a signal without a listener is lost.
    private func begin(_ gateway: TestGateway, _ count: Int) async throws {
        var turns = 0
        try await Wait.until("\(count) requests were made") {
            if turns % 50 == 0 { signal(.start, in: gateway) }
            turns += 1
            return gateway.client.requests.count >= count
        }
    }

    @Test func `a customer who writes and erases it is sent as typing_start and typing_end`()
        async throws
    {
        let gateway = try await TestGateway()
        try await gateway.delivering {
            try await begin(gateway, 1)
            signal(.end, in: gateway)
            try await gateway.client.wait(for: 2)
            signal(.end, in: gateway)
            try await begin(gateway, 3)
        }
        #expect(try types(gateway) == ["typing_start", "typing_end", "typing_start"])
        let exchanges = try await gateway.exchanges()
        #expect(exchanges.count >= 2)
    }

    @Test func `a text after live typing is announced once, and ends it without typing_end`()
        async throws
    {
        let gateway = try await TestGateway()
        try await gateway.delivering {
            try await begin(gateway, 1)
            try await gateway.say("hello", id: uuid(5))
            try await gateway.client.wait(for: 2)
            signal(.end, in: gateway)
            try await gateway.say("again", id: uuid(6))
            try await gateway.client.wait(for: 4)
        }
        #expect(try types(gateway) == ["typing_start", "text", "typing_start", "text"])
    }

    @Test func `an agent's typing is nothing to a provider, and none is sent where it is off`()
        async throws
    {
        var settings = LinkSettings()
        settings.announcesText = false
        let gateway = try await TestGateway(settings: settings)
        try await gateway.delivering {
            for _ in 0..<50 {
                signal(.start, by: .provider("msp-1"), in: gateway)
                signal(.start, in: gateway)
                await Task.yield()  // Bounded: once each.
            }
            try await gateway.say("hello", id: uuid(5))
            try await gateway.client.wait(for: 1)
        }
        #expect(try types(gateway) == ["text"])
    }

    @Test func `an agent's typing goes up to the gateway that the customer came over`()
        async throws
    {
        let servers = try await TwoServers()
        try await servers.running {
            try await servers.say(#""type":"text","body":"hello""#, id: uuid(1))
            let there = try await Wait.value("the conversation") { try await servers.arrived() }
            let phone = servers.gateway.broker.events(
                after: nil, in: .customer(servers.conversation))
            for state in [Signal.State.start, .end] {
                let typing = Task {
                    while !Task.isCancelled {
                        servers.provider.broker.signal(
                            Signal(
                                kind: .typing, business: servers.business, conversation: there.id,
                                who: .agent(AgentID(UniqueID(high: 9, low: 1))), state: state))
                        // Bounded: cancelled below. Safe: the loop looks for cancelling.
                        try? await Task.sleep(for: .milliseconds(1))
                    }
                }
                defer { typing.cancel() }
                while let item = try await phone.next() {
                    guard case .signal(let signal) = item else { continue }
                    #expect(signal.kind == .typing)
                    #expect(signal.state == state)
                    break
                }
            }
        }
    }
}
