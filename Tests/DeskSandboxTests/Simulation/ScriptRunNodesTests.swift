import APITestSupport
import DeskAPI
import DeskBroker
import DeskJSON
import DeskModel
import DeskScript
import DeskStore
import DeskWeb
import TestSupport
import Testing

@testable import DeskSandbox

/// Runs of scripts where several nodes serve one sandbox: two sets of runs over one store.
struct ScriptRunNodesTests {
    private struct Nodes {
        let server: TestServer
        /// Plays what is started at it.
        let one: ScriptRuns
        let other: ScriptRuns

        func start(_ script: String, at node: ScriptRuns) async throws -> ScriptRunID {
            let run = try await node.start(try CustomerScript(parsing: Array(script.utf8)), script)
            return try #require(try root(run)["id"]?.string.flatMap { ScriptRunID($0) })
        }

        func root(_ run: ShownRun) throws -> JSONValue {
            try JSONDocument(parsing: run.document).root
        }

        /// A run as a node shows it, once a step of a line waits for a time.
        func waiting(in line: Int, _ id: ScriptRunID, at node: ScriptRuns) async throws {
            try await Wait.until("line \(line) waits") {
                try await node.find(id).waitsForTime(inLine: line)
            }
        }

        func end(of id: ScriptRunID, at node: ScriptRuns) async throws -> JSONValue {
            try await Wait.until("the run ends") { try await !node.find(id).isRunning }
            return try root(try await node.find(id))
        }
    }

    private func withNodes(_ body: (Nodes) async throws -> Void) async throws {
        let server = try await TestServer()
        let other = ScriptRuns(
            services: server.services, business: server.business, files: server.files, client: nil)
        let nodes = Nodes(server: server, one: try #require(server.runs), other: other)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await nodes.one.run() }
            try await body(nodes)
            group.cancelAll()
        }
    }

    @Test func `a node that does not play a run lists, shows and skips it`() async throws {
        try await withNodes { nodes in
            let id = try await nodes.start(
                "Aki says Hello\nAki waits 2 days\nAki says Bye", at: nodes.one)
            try await nodes.waiting(in: 2, id, at: nodes.other)
            #expect(try await nodes.other.all().count == 1)
            await #expect(throws: Problem.self) {
                try await nodes.other.skipWait(in: 3, of: id)
            }
            _ = try await nodes.other.skipWait(in: 2, of: id)
            let ended = try await nodes.end(of: id, at: nodes.other)
            #expect(ended["state"]?.string == "passed")
            #expect(
                ended["lines"]?.elements.map { $0["text"]?.string } == [
                    "says \"Hello\"", "was to wait 2 days; that was skipped", "says \"Bye\"",
                ])
        }
    }

    @Test func `a node that does not play a run stops it`() async throws {
        try await withNodes { nodes in
            let id = try await nodes.start("Aki says Hello\nAki waits 2 days", at: nodes.one)
            try await nodes.waiting(in: 2, id, at: nodes.other)
            _ = try await nodes.other.stop(id)
            let ended = try await nodes.end(of: id, at: nodes.one)
            #expect(ended["state"]?.string == "stopped")
            #expect(ended["failure"]?["reason"]?.string == "It was stopped.")
        }
    }

    @Test func `four at once and a customer's one run count over all nodes`() async throws {
        try await withNodes { nodes in
            let script = "Aki says Hello\nAki waits 2 days"
            _ = try await nodes.start("seed=1\n" + script, at: nodes.one)
            let busy = await #expect(throws: Problem.self) {
                _ = try await nodes.start("seed=1\n" + script, at: nodes.other)
            }
            #expect(busy?.detail.contains("Aki is in another script") == true)
            for _ in 1..<ScriptLimits.atOnce {
                _ = try await nodes.start(script, at: nodes.other)
            }
            let refused = await #expect(throws: Problem.self) {
                _ = try await nodes.start(script, at: nodes.other)
            }
            #expect(refused?.retryAfterSeconds != nil)
        }
    }

    /// A run that a node began and plays no more: with a step under way, or between two.
    private func leave(
        _ step: ScriptRun.UnderWay?, in nodes: Nodes
    ) async throws -> ScriptRunID {
        let store = nodes.server.store
        let id = ScriptRunID(nodes.server.services.broker.makeID())
        let start = nodes.server.time.now
        var played = PlayedScript(
            id: id, start: start, source: ["Aki says Hello", "Aki waits 1 minute"],
            run: ScriptRun(seed: 1, stepCount: 2, people: [], end: start))
        played.run.note(start, "Aki", "says \"Hello\"", line: 1)
        played.run.underWay = step
        let lease = try #require(
            try await store.acquireLease(ScriptRunRow.lease(of: id), life: .seconds(60)))
        let row = ScriptRunRow(id: id, start: start, document: played.document)
        #expect(
            try await store.beginScriptRun(row, of: ["1 Aki"], atMost: 4, under: lease) == .begun)
        #expect(try await nodes.other.find(id).isRunning)
        try await store.releaseLease(lease)
        return id
    }

    @Test(arguments: [
        (ScriptRun.UnderWay(line: 2, who: "Aki", wait: .time, until: nil), 2),
        (nil, 1),
    ])
    func `a run that no node plays any more is shown as stopped, with the reason`(
        step: ScriptRun.UnderWay?, line: Int
    ) async throws {
        try await withNodes { nodes in
            let id = try await leave(step, in: nodes)
            let run = try nodes.root(try await nodes.other.find(id))
            #expect(run["state"]?.string == "stopped")
            #expect(run["step"]?.isNull == true)
            #expect(run["endedAt"]?.string == nodes.server.time.now.text)
            #expect(run["failure"]?["line"]?.int == line)
            #expect(run["failure"]?["reason"]?.string == ScriptRuns.lost)
            #expect(
                run["lines"]?.elements.map { $0["text"]?.string } == [
                    "says \"Hello\"", "FAILED in line \(line): \(ScriptRuns.lost)",
                ])
        }
    }

    @Test func `the customers of a run that no node plays any more are free`() async throws {
        try await withNodes { nodes in
            _ = try await leave(nil, in: nodes)
            _ = try await nodes.start("seed=1\nAki waits 2 days", at: nodes.one)
            #expect(try await nodes.one.all().map(\.isRunning) == [true, false])
        }
    }
}
