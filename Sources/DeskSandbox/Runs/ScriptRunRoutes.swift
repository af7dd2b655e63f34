import DeskAPI
import DeskHTTP
import DeskJSON
import DeskModel
import DeskScript
import DeskWeb

/// What the sandbox page asks of scripts in an ordinary server: begin, look, skip a wait, stop.
struct ScriptRunRoutes {
    private static let bodyBytes = 1_024
    private static let runs = "/api/sandbox/runs"

    private let runs: ScriptRuns?

    /// The routes of the runs; nil in a server that plays none.
    init(_ runs: ScriptRuns?) { self.runs = runs }

    func add(to table: inout RouteTable) {
        table.add(
            .post, Self.runs, operation: "startScriptRun", permission: .useSandbox,
            business: .sandbox, query: .known(["seed"]),
            bodyLimit: CustomerScript.maximumBytes + 1, rate: .write, repeating: .refused
        ) { context throws(Problem) in try await start(context) }
        table.add(
            .get, Self.runs, operation: "listScriptRuns", permission: .useSandbox,
            business: .sandbox, query: .known(PageParameters.names)
        ) { context throws(Problem) in
            let page = try context.page(of: try await requireRuns().all()) { $0.id }
            return .json(
                JSONWriter.object(capacity: 4_096) { text in
                    text.list(page) { $0.raw($1.summary) }
                })
        }
        table.add(
            .get, Self.runs + "/{run}", operation: "getScriptRun", permission: .useSandbox,
            business: .sandbox
        ) { context throws(Problem) in
            answer(try await requireRuns().find(try id(context)))
        }
        table.add(
            .post, Self.runs + "/{run}/skip", operation: "skipScriptWait", permission: .useSandbox,
            business: .sandbox, bodyLimit: Self.bodyBytes, rate: .write, repeating: .refused
        ) { context throws(Problem) in
            var fields = try Fields(try await context.jsonBytes())
            let line = fields.number("line", 1...Int(Int32.max))
            if line == nil {
                fields.note("line", "a line of the script", "Say which wait is meant.")
            }
            try fields.finish()
            return answer(try await requireRuns().skipWait(in: line ?? 0, of: try id(context)))
        }
        table.add(
            .post, Self.runs + "/{run}/stop", operation: "stopScriptRun", permission: .useSandbox,
            business: .sandbox, bodyLimit: Self.bodyBytes, rate: .write, repeating: .refused
        ) { context throws(Problem) in
            _ = try await context.bytes()
            return answer(try await requireRuns().stop(try id(context)))
        }
    }

    private func requireRuns() throws(Problem) -> ScriptRuns {
        guard let runs else {
            throw Problem(
                .notFound,
                "This server plays no scripts in real time: it offers no sandbox "
                    + "(frontdesk serve --sandbox), or is an ephemeral gateway, where "
                    + "POST /sandbox/scripts runs one on the virtual clock.")
        }
        return runs
    }

    private func id(_ context: RequestContext) throws(Problem) -> ScriptRunID {
        guard let id = context.request.parameters["run"].flatMap({ ScriptRunID($0) }) else {
            throw .notFound
        }
        return id
    }

    private func answer(_ run: ShownRun, _ status: Status = .ok) -> Response {
        .json(run.document, status: status)
    }

    private func start(_ context: RequestContext) async throws(Problem) -> Response {
        let runs = try requireRuns()
        let bytes = try await context.bytes()
        let script = try CustomerScript(bytes, context.request.query)
        return answer(
            try await runs.start(script, String(decoding: bytes, as: UTF8.self)), .created)
    }
}

extension CustomerScript {
    /// Reads a script of a request; its query may set another seed.
    init(_ bytes: [UInt8], _ query: Query) throws(Problem) {
        do throws(ScriptError) {
            self = try CustomerScript(parsing: bytes)
        } catch {
            throw Problem(error)
        }
        if let text = query["seed"] {
            guard let seed = UInt64(text) else {
                throw Problem(
                    parameter: "seed", in: query,
                    allowed: "a whole number from 0 on")
            }
            self.seed = seed
            hasOwnSeed = true
        }
    }
}
