import APITestSupport
import DeskAPI
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskScript
import DeskStore
import DeskWeb
import TestSupport
import Testing

@testable import DeskSandbox

struct ScriptRunTests {
    private static let path = "/api/sandbox/runs"

    /// An ordinary server that plays scripts, and a person who may use its sandbox.
    private struct Stage {
        let server: TestServer
        let owner: TestServer.Caller

        func start(_ script: String, _ query: String = "") async throws -> Answer {
            try await server.post(ScriptRunTests.path + query, script, by: owner)
        }

        /// Starts a script; the run's path.
        func begin(_ script: String, _ query: String = "") async throws -> String {
            let started = try await start(script, query)
            #expect(started.status == 201)
            #expect(started["state"]?.string == "running")
            return ScriptRunTests.path + "/" + (started["id"]?.string ?? "")
        }

        func look(_ run: String) async throws -> Answer { try await server.get(run, by: owner) }

        /// Waits until a run shows what is wanted.
        func when(
            _ what: String, _ run: String, _ holds: (Answer) -> Bool
        ) async throws -> Answer {
            try await Wait.until(what) { holds(try await look(run)) }
            return try await look(run)
        }

        func end(of run: String) async throws -> Answer {
            try await when("the run ends", run) { $0["state"]?.string != "running" }
        }

        /// Waits until a step of a line waits for a time or a message.
        func waiting(in line: Int, _ run: String) async throws -> Answer {
            let found = try await when("line \(line) waits", run) {
                $0["step"]?["line"]?.int == line && $0["step"]?["until"]?.string != nil
            }
            // Its wait is a sleep beside that of the longest run.
            try await Wait.until("the step sleeps") { server.time.sleeperCount > 1 }
            return found
        }

        func conversation(of name: String, _ run: String) async throws -> ConversationID {
            let people = try await look(run)["customers"]?.elements
            let one = people?.first { $0["name"]?.string == name }
            return try #require(one?["conversation"]?.string.flatMap { ConversationID($0) })
        }

        /// Answers as an agent does.
        func send(_ body: String, to name: String, _ run: String) async throws {
            let id = server.services.broker.makeMessageID()
            let sent = try await server.post(
                "/api/conversations/\(try await conversation(of: name, run))/messages",
                #"{"type":"text","id":"\#(id.text)","body":"\#(body)"}"#, by: owner)
            #expect(sent.status == 201)
        }
    }

    private func withStage(_ body: (Stage) async throws -> Void) async throws {
        let server = try await TestServer()
        let runs = try #require(server.runs)
        let stage = Stage(server: server, owner: try await server.makeOwner())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runs.run() }
            try await body(stage)
            group.cancelAll()
        }
    }

    private static func texts(_ run: Answer) -> [String] {
        run["lines"]?.elements.compactMap { $0["text"]?.string } ?? []
    }

    @Test func `two customers write, and what an agent answers is what they expect`() async throws {
        try await withStage { stage in
            let run = try await stage.begin(
                """
                Aki says Hello
                Bo says Good morning
                Aki expects text containing "Welcome"
                Bo says Still there?
                """)
            let asked = try await stage.waiting(in: 3, run)
            #expect(asked["step"]?["customer"]?.string == "Aki")
            #expect(asked["step"]?["waitsFor"]?.string == "message")
            #expect(asked["step"]?["text"]?.string == #"Aki expects text containing "Welcome""#)
            #expect(asked["steps"]?["done"]?.int == 2)
            try await stage.send("Welcome to the shop", to: "Aki", run)
            let ended = try await stage.end(of: run)
            #expect(ended["state"]?.string == "passed")
            #expect(ended["step"]?.isNull == true)
            #expect(Self.texts(ended).count == 4)
            #expect(Self.texts(ended)[2] == #"receives text "Welcome to the shop""#)
            #expect(ended["lines"]?[2]?["line"]?.int == 3)
            let said = try await stage.server.store.messages(
                in: try await stage.conversation(of: "Bo", run), .newest, limit: 10)
            #expect(said.elements.map(\.facts.summary) == ["Good morning", "Still there?"])
        }
    }

    @Test func `an expectation that nothing meets fails with what came instead`() async throws {
        try await withStage { stage in
            let run = try await stage.begin("Aki says Hello\nAki expects list\nAki says Bye")
            _ = try await stage.waiting(in: 2, run)
            try await stage.send("No list here", to: "Aki", run)
            stage.server.time.advance(by: ScriptRuns.patience)
            let ended = try await stage.end(of: run)
            #expect(ended["state"]?.string == "failed")
            #expect(ended["failure"]?["line"]?.int == 2)
            #expect(ended["failure"]?["text"]?.string == "Aki expects list")
            let reason = ended["failure"]?["reason"]?.string ?? ""
            #expect(reason.contains("within 5 minutes"))
            #expect(reason.contains("No list here"))
            #expect(reason.contains("its kind is text, not list"))
            #expect(ended["steps"]?["done"]?.int == 1)
        }
    }

    @Test func `a wait is skipped alone, and no clock moves`() async throws {
        try await withStage { stage in
            let before = stage.server.time.now
            let run = try await stage.begin("Aki says Hello\nAki waits 2 days\nAki says Bye")
            let waits = try await stage.waiting(in: 2, run)
            #expect(
                waits["step"]?["until"]?.string == before.advanced(by: .seconds(2 * 86_400)).text)
            let wrong = try await stage.server.post(
                run + "/skip", #"{"line":1}"#, by: stage.owner)
            #expect(wrong.code == "not_offered")
            let skipped = try await stage.server.post(
                run + "/skip", #"{"line":2}"#, by: stage.owner)
            #expect(skipped.status == 200)
            let ended = try await stage.end(of: run)
            #expect(ended["state"]?.string == "passed")
            #expect(Self.texts(ended)[1] == "was to wait 2 days; that was skipped")
            #expect(stage.server.time.now == before)
            let late = try await stage.server.post(run + "/skip", #"{"line":2}"#, by: stage.owner)
            #expect(late.code == "not_offered")
        }
    }

    @Test func `a wait that is not skipped is as long as the script says`() async throws {
        try await withStage { stage in
            let run = try await stage.begin("Aki says Hello\nAki waits 5 minutes")
            _ = try await stage.waiting(in: 2, run)
            stage.server.time.advance(by: .seconds(299))
            #expect(try await stage.look(run)["state"]?.string == "running")
            stage.server.time.advance(by: .seconds(1))
            let ended = try await stage.end(of: run)
            #expect(Self.texts(ended)[1] == "waited 5 minutes")
        }
    }

    @Test func `a run is stopped where it is, and its customers say nothing more`() async throws {
        try await withStage { stage in
            let run = try await stage.begin("Aki says Hello\nAki expects text\nAki says Bye")
            _ = try await stage.waiting(in: 2, run)
            #expect(try await stage.server.post(run + "/stop", by: stage.owner).status == 200)
            let ended = try await stage.end(of: run)
            #expect(ended["state"]?.string == "stopped")
            #expect(ended["failure"]?["reason"]?.string == "It was stopped.")
            #expect(ended["endedAt"]?.string != nil)
            let again = try await stage.server.post(run + "/stop", by: stage.owner)
            #expect(again["state"]?.string == "stopped")
            let said = try await stage.server.store.messages(
                in: try await stage.conversation(of: "Aki", run), .newest, limit: 10)
            #expect(said.elements.count == 1)
        }
    }

    @Test func `nothing is written while the disk is full`() async throws {
        try await withStage { stage in
            let run = try await stage.begin("Aki says Hello\nAki waits 1 minute\nAki says Bye")
            _ = try await stage.waiting(in: 2, run)
            stage.server.services.disk.noteFull()
            stage.server.time.advance(by: .seconds(60))
            let ended = try await stage.end(of: run)
            #expect(ended["state"]?.string == "failed")
            let said = try await stage.server.store.messages(
                in: try await stage.conversation(of: "Aki", run), .newest, limit: 10)
            #expect(said.elements.count == 1)
        }
    }

    @Test func `a run ends after the longest time that one may have`() async throws {
        try await withStage { stage in
            let run = try await stage.begin("Aki says Hello\nAki waits 2 days")
            _ = try await stage.waiting(in: 2, run)
            stage.server.time.advance(by: ScriptRuns.longestRun)
            // The owner's session has ended by then.
            let id = try #require(run.split(separator: "/").last.flatMap { ScriptRunID($0) })
            let store = stage.server.store
            try await Wait.until("the run ends") { try await store.findScriptRun(id)?.end != nil }
            let ended = try #require(try await store.findScriptRun(id))
            let shown = try JSONDocument(parsing: ended.document).root
            #expect(shown["state"]?.string == "stopped")
            #expect(
                shown["failure"]?["reason"]?.string
                    == "It ran for 1 hour, the longest that a script may.")
        }
    }

    @Test func `each run has customers of its own unless a seed names them`() async throws {
        try await withStage { stage in
            func customer(_ query: String = "", seed: String = "") async throws -> String? {
                let run = try await stage.begin("\(seed)Aki says Hello", query)
                return try await stage.end(of: run)["customers"]?[0]?["customer"]?.string
            }
            let first = try await customer()
            #expect(try await customer() != first)
            let named = try await customer(seed: "seed=7\n")
            #expect(try await customer("?seed=7") == named)
            #expect(named != first)
        }
    }

    @Test func `who comes again does not count an old answer as a new one`() async throws {
        try await withStage { stage in
            let first = try await stage.begin("seed=7\nAki says Hello\nAki expects text")
            _ = try await stage.waiting(in: 3, first)
            try await stage.send("Welcome", to: "Aki", first)
            #expect(try await stage.end(of: first)["state"]?.string == "passed")
            let second = try await stage.begin("seed=7\nAki says Hello\nAki expects text")
            _ = try await stage.waiting(in: 3, second)
            stage.server.time.advance(by: ScriptRuns.patience)
            #expect(try await stage.end(of: second)["state"]?.string == "failed")
        }
    }

    @Test func `a customer is in one run at a time, and no more than four run at once`()
        async throws
    {
        try await withStage { stage in
            let script = "Aki says Hello\nAki expects text"
            let first = try await stage.begin("seed=1\n" + script)
            let busy = try await stage.start("seed=1\n" + script)
            #expect(busy.code == "idempotency_in_progress")
            for _ in 1..<ScriptLimits.atOnce { _ = try await stage.begin(script) }
            let refused = try await stage.start(script)
            #expect(refused.code == "rate_limited")
            #expect(refused.response.headers["Retry-After"] != nil)
            _ = try await stage.server.post(first + "/stop", by: stage.owner)
            _ = try await stage.end(of: first)
            #expect(try await stage.start(script).status == 201)
            let listed = try await stage.server.get(Self.path, by: stage.owner)
            #expect(listed["data"]?.count == ScriptLimits.atOnce + 1)
            #expect(listed["data"]?[0]?["lines"] == nil)
        }
    }

    @Test func `the last runs can be read, older ones are forgotten`() async throws {
        try await withStage { stage in
            let first = try await stage.begin("Aki says Hello")
            for _ in 0...ScriptLimits.kept {
                _ = try await stage.end(of: try await stage.begin("Aki says Hello"))
            }
            #expect(try await stage.look(first).status == 404)
            let listed = try await stage.server.get(Self.path, by: stage.owner)
            #expect(listed["data"]?.count == ScriptLimits.kept)
        }
    }

    @Test func `a server that ends stops its runs and begins none`() async throws {
        try await withStage { stage in
            let run = try await stage.begin("Aki says Hello\nAki waits 5 minutes")
            _ = try await stage.waiting(in: 2, run)
            stage.server.runs?.close()
            let ended = try await stage.end(of: run)
            #expect(ended["state"]?.string == "stopped")
            #expect(ended["failure"]?["reason"]?.string == "The server ends.")
            #expect(try await stage.start("Aki says Hello").code == "unavailable")
        }
    }

    @Test(arguments: [
        ("Aki flies", "", "invalid"), ("", "", "invalid"),
        ("Aki says Hello", "?seed=x", "invalid"), ("Aki says Hello", "?sed=1", "bad_request"),
    ])
    func `what cannot be read starts nothing`(
        script: String, query: String, code: String
    ) async throws {
        try await withStage { stage in
            let refused = try await stage.start(script, query)
            #expect(refused.code == code)
            let listed = try await stage.server.get(Self.path, by: stage.owner)
            #expect(listed["data"]?.count == 0)
        }
    }

    @Test func `an ephemeral server has no runs in real time and says what it has`() async throws {
        let server = try await TestServer(isEphemeral: true)
        let owner = try await server.makeOwner()
        let refused = try await server.post(Self.path, "Aki says Hello", by: owner)
        #expect(refused.status == 404)
        #expect(refused["detail"]?.string?.contains("POST /sandbox/scripts") == true)
    }

    @Test func `what a script does is the sandbox's alone`() async throws {
        try await withStage { stage in
            let agent = try await stage.server.makeMember(
                "ben@example.com", .agent, of: stage.server.other, by: stage.owner)
            let refused = try await stage.server.post(Self.path, "Aki says Hello", by: agent)
            #expect(refused.status == 403)
            let key = try await stage.server.makeKey([stage.server.business])
            let answered = try await stage.server.post(Self.path, "Aki says Hello", by: key)
            #expect(answered.status == 401)
            let visitor = try await stage.server.makeSandboxVisitor()
            let started = try await stage.server.post(Self.path, "Aki says Hello", by: visitor)
            #expect(started.status == 201)
            let run = Self.path + "/" + (started["id"]?.string ?? "")
            _ = try await stage.end(of: run)
            let stored = try await stage.server.store.findConversation(
                try await stage.conversation(of: "Aki", run))
            #expect(stored?.business == stage.server.business.id)
        }
    }
}
