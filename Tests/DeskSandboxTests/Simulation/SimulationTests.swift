import APITestSupport
import DeskAPI
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskScript
import DeskStore
import DeskWeb
import Synchronization
import TestSupport
import Testing

@testable import DeskSandbox

struct SimulationTests {
    /// An ephemeral server with a person who may use it.
    private struct Stage {
        let server: TestServer
        let owner: TestServer.Caller

        init() async throws {
            server = try await TestServer(isEphemeral: true)
            owner = try await server.makeOwner()
        }

        func run(_ script: String, _ query: String = "") async throws -> Answer {
            try await server.post("/sandbox/scripts\(query)", script, by: owner)
        }

        /// Waits until a task waits for the time to pass.
        func whenAsleep() async throws {
            try await Wait.until("somebody sleeps") { server.time.sleeperCount > 0 }
        }

        func expect(_ query: String) async throws -> Answer {
            try await server.get("/sandbox/expect?\(query)", by: owner)
        }

        /// Everything that a customer said.
        func messages(_ ran: Answer) async throws -> [StoredMessage] {
            let text = ran["customers"]?[0]?["conversation"]?.string ?? ""
            let id = try #require(ConversationID(text))
            return try await server.store.messages(in: id, .newest, limit: 300).elements
        }

        /// Says something as the business.
        func send(_ body: String, _ ran: Answer) async throws {
            let text = ran["customers"]?[0]?["conversation"]?.string ?? ""
            let id = try #require(ConversationID(text))
            _ = try await server.services.broker.accept(
                Submission(
                    conversation: id, id: server.services.broker.makeMessageID(),
                    payload: Array(#"{"type":"text","body":"\#(body)"}"#.utf8),
                    facts: MessageFacts(
                        direction: .outbound, kind: .text, author: .provider("p"),
                        origin: .gateway, summary: body)))
        }
    }

    @Test func `a scripted customer writes what a phone would`() async throws {
        let stage = try await Stage()
        let ran = try await stage.run("customer=Aki locale=ja_JP intent=order\nAki says Hello")
        #expect(ran.status == 200)
        #expect(ran["passed"]?.bool == true)
        let said = try #require(try await stage.messages(ran).first)
        #expect(said.facts.summary == "Hello")
        #expect(said.facts.author == .script("Aki"))
        let payload = try JSONDocument(parsing: said.payload.carriedBytes ?? []).root
        #expect(payload["locale"]?.string == "ja_JP")
        #expect(payload["intent"]?.string == "order")
        #expect(payload["sourceId"]?.string == ran["customers"]?[0]?["customer"]?.string)
    }

    @Test func `the same seed and script give the same names in another server`() async throws {
        let script = "seed=5\nAki says Hello\nBo says Hi\nAki says Bye\nAki deletes"
        let first = try await Stage()
        let second = try await Stage()
        let one = try await first.run(script)
        let two = try await second.run(script)
        #expect(one["customers"]?.rawBytes.elementsEqual(two["customers"]?.rawBytes ?? []) == true)
        let ids = try await first.messages(one).map(\.id)
        #expect(ids.count == 2)
        #expect(try await second.messages(two).map(\.id) == ids)
        let other = try await first.run(script, "?seed=6")
        #expect(try await first.messages(other).map(\.id) != ids)
    }

    @Test func `a script goes on from where an earlier one ended`() async throws {
        let stage = try await Stage()
        let ran = try await stage.run("Aki says Hello")
        try await stage.send("One", ran)
        try await stage.send("Two", ran)
        let more = try await stage.run("Aki expects text\nAki expects text\nAki says Thanks")
        #expect(more["passed"]?.bool == true)
        let lines = more["transcript"]?.elements.compactMap(\.string) ?? []
        #expect(lines.count == 3)
        #expect(lines.first?.contains("One") == true)
        #expect(lines.last?.contains("Thanks") == true)
        #expect(try await stage.messages(ran).count == 4)
    }

    @Test func `waiting moves the clock and nothing else does`() async throws {
        let stage = try await Stage()
        let before = stage.server.time.now
        _ = try await stage.run("Aki says Hello")
        #expect(stage.server.time.now == before)
        let ran = try await stage.run("Aki waits 5 minutes\nAki goes silent for 10 minutes")
        #expect(stage.server.time.now == before.advanced(by: .seconds(900)))
        #expect(ran["now"]?.string == stage.server.time.now.text)
        let answer = try await stage.server.post(
            "/sandbox/clock/advance", #"{"by":"1.5 min"}"#, by: stage.owner)
        #expect(answer["now"]?.string == before.advanced(by: .seconds(990)).text)
        #expect(try await stage.server.get("/sandbox/clock", by: stage.owner).status == 200)
    }

    @Test(arguments: [#"{"by":"soon"}"#, #"{"by":""}"#, "{}", #"{"by":"1 s","to":1}"#])
    func `an advance that makes no sense moves nothing`(body: String) async throws {
        let stage = try await Stage()
        let before = stage.server.time.now
        let answer = try await stage.server.post("/sandbox/clock/advance", body, by: stage.owner)
        #expect(answer.status == 422)
        #expect(stage.server.time.now == before)
    }

    @Test func `an expectation finds what is there and what is still to come`() async throws {
        let stage = try await Stage()
        let ran = try await stage.run("Aki says Hello")
        try await stage.send("Order 7", ran)
        let found = try await stage.expect("customer=Aki&kind=text&matches=%5BO%5Drder&timeout=1s")
        #expect(found.status == 200)
        #expect(found["message"]?["summary"]?.string == "Order 7")
        let position = try #require(found["position"]?.int)
        async let later = stage.expect("contains=Order&after=\(position)")
        try await stage.whenAsleep()
        try await stage.send("Order 8", ran)
        #expect(try await later["message"]?["summary"]?.string == "Order 8")
    }

    @Test func `at the time-out the near misses are reported with their reasons`() async throws {
        let stage = try await Stage()
        let ran = try await stage.run("Aki says Hello")
        try await stage.send("Order 7", ran)
        async let unmet = stage.expect("kind=list&contains=8&timeout=10s")
        try await stage.whenAsleep()
        stage.server.time.advance(by: .seconds(10))
        let answer = try await unmet
        #expect(answer.status == 409)
        #expect(answer["found"]?.bool == false)
        let reasons = answer["nearMisses"]?[0]?["reasons"]?.elements.compactMap(\.string)
        #expect(reasons == ["its kind is text, not list", "\"8\" is not in \"Order 7\""])
    }

    @Test func `a customer is in one script at a time`() async throws {
        let stage = try await Stage()
        async let first = stage.run("Aki says Hello\nAki expects text within 5 s")
        try await stage.whenAsleep()
        #expect(try await stage.run("Aki says Hi").status == 409)
        #expect(try await stage.run("Bo says Hi")["passed"]?.bool == true)
        stage.server.time.advance(by: .seconds(5))
        #expect(try await first["failure"]?["line"]?.int == 2)
        #expect(try await stage.run("Aki says Hi")["passed"]?.bool == true)
    }

    @Test func `a script that cannot be read runs not at all`() async throws {
        let stage = try await Stage()
        let answer = try await stage.run("Aki says Hello\nAki sings")
        #expect(answer.status == 422)
        #expect(answer["line"]?.int == 2)
        #expect(answer["column"]?.int == 5)
        #expect(try await stage.expect("customer=Aki").status == 422)
    }

    @Test(arguments: ["/sandbox/clock", "/sandbox/expect?kind=text"])
    func `a server that is not ephemeral says where there is a clock`(path: String) async throws {
        let server = try await TestServer()
        let answer = try await server.get(path, by: try await server.makeOwner())
        #expect(answer.status == 404)
        #expect(answer["detail"]?.string?.contains("--ephemeral") == true)
        #expect(try await server.get(path).status == 401)
    }

    /// Remembers which pages were opened.
    private final class Browser: OutgoingClient {
        private let state = Mutex<[String]>([])
        var opened: [String] { state.withLock { $0 } }

        func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
            state.withLock { $0.append(request.url) }
            return OutgoingAnswer(status: .ok)
        }

        func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
            try await send(request)
        }
    }

    @Test func `who signs in is sent to the page of the business`() async throws {
        let server = try await TestServer(device: ScriptedDevice())
        let browser = Browser()
        let simulation = Simulation(
            services: server.services, business: server.business,
            files: try BlobFiles(directory: server.scratch.path + "/more"), clock: server.time,
            client: browser)
        let ran = try await simulation.run(
            try CustomerScript(parsing: Array("Aki says Hello".utf8)))
        let conversation = try #require(ran.people.first?.conversation)
        let asked = """
            {"type":"interactive","interactiveData":{"data":{"version":"2.0","requestIdentifier":"r",\
            "authenticate":{"oauth2":{"responseType":"code","scope":[],"state":"s",\
            "redirectURI":"https://shop.example/in"}}}}}
            """
        _ = try await server.services.broker.accept(
            Submission(
                conversation: conversation, id: server.services.broker.makeMessageID(),
                payload: Array(asked.utf8),
                facts: MessageFacts(
                    direction: .outbound, kind: .authentication, author: .provider("p"),
                    origin: .gateway, summary: "Sign in")))
        let signed = try await simulation.run(
            try CustomerScript(parsing: Array("Aki signs in as Aki Tanaka".utf8)))
        #expect(signed.failure == nil)
        #expect(browser.opened == ["https://shop.example/in?code=1"])
        // The code is between the page and the browser.
        #expect(signed.transcript.allSatisfy { !$0.contains("code=1") })
        #expect(signed.transcript.contains { $0.hasSuffix("which answers 200") })
    }

    @Test func `sleepers wake in the order of their moments`() async throws {
        let clock = VirtualClock(start: Timestamp(seconds: 0))
        let source = clock.source
        try await withThrowingTaskGroup(of: Int.self) { group in
            for seconds in [3, 1, 2] {
                group.addTask {
                    try? await source.sleep(.seconds(seconds))  // Safe: it is never cancelled.
                    return seconds
                }
            }
            try await Wait.until("three sleep") { clock.sleeperCount == 3 }
            clock.advance(by: .milliseconds(999))
            #expect(clock.sleeperCount == 3)
            clock.advance(by: .milliseconds(1))
            #expect(try await group.next() == 1)
            #expect(clock.sleeperCount == 2)
            clock.advance(by: .seconds(10))
            #expect(clock.sleeperCount == 0)
        }
    }
}
