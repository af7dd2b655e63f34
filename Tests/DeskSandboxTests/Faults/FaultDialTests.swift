import DeskBroker
import DeskBytes
import DeskGateway
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskSandbox
import GatewayTestSupport
import Testing

@Suite struct FaultDialTests {
    private func settings(_ faults: FaultDials.Fault...) -> LinkSettings {
        var dials = FaultDials()
        for fault in faults {
            dials.dials[fault] = FaultDials.Dial(probability: 1, value: fault.usualValue)
        }
        return Self.settings(dials)
    }

    private static func settings(_ dials: FaultDials) -> LinkSettings {
        var settings = LinkSettings()
        settings.faults = dials.json.bytes()
        return settings
    }

    private func text(_ gateway: TestGateway, _ number: Int) -> String {
        gateway.payload(uuid(number), "text", #""body":"hello""#)
    }

    /// What was sent to the provider, typing left out: ids.
    private func ids(_ gateway: TestGateway) throws -> [String] {
        try gateway.client.requests.compactMap { request in
            guard case .bytes(let bytes) = request.body else { return nil }
            let body = try JSONDocument(
                parsing: Gzip.decompress(bytes, limitBytes: 1_000_000)
            ).root
            return body["type"]?.string == "text" ? body["id"]?.string : nil
        }
    }

    @Test func `without the sandbox no dial does anything`() async throws {
        let gateway = try await TestGateway(settings: settings(.status, .cut))
        #expect(try await gateway.post(text(gateway, 1), id: uuid(1)).status == 200)
    }

    @Test func `a status and a throttle refuse before anything is carried out`() async throws {
        let failing = try await TestGateway(settings: settings(.status), faults: DialledFaults())
        #expect(try await failing.post(text(failing, 1), id: uuid(1)).status == 500)
        #expect(try await failing.messages().isEmpty)
        let slow = try await TestGateway(settings: settings(.throttle), faults: DialledFaults())
        #expect(try await slow.post(text(slow, 1), id: uuid(1)).status == 429)
        #expect(try await slow.messages().isEmpty)
        let log = try await slow.exchanges()
        #expect(
            log.first?.answer.headers.contains(HeaderField(name: "Retry-After", value: "1"))
                == true)
    }

    @Test func `a cut loses the answer and not the message`() async throws {
        let gateway = try await TestGateway(settings: settings(.cut), faults: DialledFaults())
        await #expect(throws: BodyError.disconnected) {
            _ = try await gateway.ask(
                .post, "/v1/message", ["id": uuid(1), "destination-id": gateway.customer.text],
                body: Array(text(gateway, 1).utf8))
        }
        #expect(try await gateway.messages().count == 1)
        let answer = await gateway.handler.respond(
            to: try Request(
                method: .get, target: "/v1/preUpload",
                headers: ["authorization": "Bearer \(gateway.token())", "size": "4"]))
        // Not a stream that is cut: that has a head.
        guard case .cut = answer.body else {
            Issue.record("something is answered")
            return
        }
    }

    @Test func `an expired link is refused when it is used`() async throws {
        let gateway = try await TestGateway(
            settings: settings(.expiredLink), faults: DialledFaults())
        let dictionary = JSON.object(try await gateway.upload([1, 2, 3]))
        let root = try JSONDocument(parsing: dictionary.bytes()).root
        let link = try await gateway.askJSON(
            .get, "/v1/preDownload",
            [
                "url": root["url"]?.string ?? "", "owner": root["owner"]?.string ?? "",
                "signature": root["signature-base64"]?.string ?? "",
            ])
        let answer = try await gateway.ask(
            .get, try #require(link["download-url"]?.string), isSigned: false)
        #expect(answer.status == 404)
    }

    @Test func `a delivery is doubled under its own id, and under another`() async throws {
        let gateway = try await TestGateway(
            settings: settings(.duplicate, .duplicateWithOtherID), faults: DialledFaults())
        try await gateway.delivering {
            try await gateway.say("one", id: uuid(1))
            try await gateway.client.wait(for: 4)
        }
        let ids = try ids(gateway)
        #expect(ids.count == 3)
        #expect(ids.filter { $0 == uuid(1) }.count == 2)
    }

    @Test func `a message overtakes the one before it, and comes again in its turn`() async throws {
        let gateway = try await TestGateway(settings: settings(.reorder), faults: DialledFaults())
        try await gateway.say("one", id: uuid(1))
        try await gateway.say("two", id: uuid(2))
        try await gateway.parts.links.load()
        try await gateway.delivering {
            try await gateway.client.wait(for: 5)
        }
        #expect(try ids(gateway) == [uuid(2), uuid(1), uuid(2)])
    }

    @Test func `the same seed gives the same faults, another seed others`() async throws {
        func statuses(seed: Int) async throws -> [Int] {
            var dials = FaultDials()
            dials.seed = seed
            dials.dials[.status] = FaultDials.Dial(probability: 0.5, value: 503)
            let gateway = try await TestGateway(
                settings: Self.settings(dials), faults: DialledFaults())
            var statuses: [Int] = []
            for number in 1...40 {
                statuses.append(
                    try await gateway.post(text(gateway, number), id: uuid(number)).status)
            }
            return statuses
        }
        let first = try await statuses(seed: 7)
        #expect(try await statuses(seed: 7) == first)
        #expect(try await statuses(seed: 8) != first)
        #expect(Set(first) == [200, 503])
    }

    @Test func `dials are read as they are written, and nonsense leaves them at zero`() throws {
        var dials = FaultDials()
        dials.seed = -3
        dials.dials[.delay] = FaultDials.Dial(probability: 0.25, value: 20)
        dials.dials[.cut] = FaultDials.Dial(probability: 1, value: 0)
        #expect(FaultDials(try JSONDocument(parsing: dials.json.bytes()).root) == dials)
        let nonsense = #"{"delay":{"probability":2},"status":{"probability":1,"value":200},"x":1}"#
        #expect(FaultDials(try JSONDocument(parsing: nonsense).root) == FaultDials())
    }
}
