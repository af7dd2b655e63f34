import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the import of what other systems have.
    public mutating func addImports() {
        add(
            .post, "/api/businesses/{business}/imports", operation: "importLines",
            permission: .importHistory, business: .path, query: .known(["source", "dryRun"]),
            bodyLimit: ImportRoutes.mostBytes, rate: .write
        ) { context async throws(Problem) in try await ImportRoutes(context).receive() }
    }
}

/// Answers the route of `addImports`.
struct ImportRoutes {
    /// Largest body in bytes.
    static let mostBytes = 4 * 1_024 * 1_024
    /// Most lines of one body.
    static let mostLines = 1_000

    private enum Truth: String, CaseIterable {
        case `true`, `false`
    }

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    /// Imports each line by itself, in order, and says what became of them.
    ///
    /// What was imported stays where the store fails at a later line: the same lines can be sent again.
    func receive() async throws(Problem) -> Response {
        let query = context.request.query
        let isDryRun = try query.word("dryRun", Truth.self) == .true
        let system = query["source"] ?? ImportNames.usualSystem
        guard ImportNames.isSystem(system) else {
            throw Problem(parameter: "source", in: query, allowed: ImportNames.systemRule)
        }
        guard Self.isLines(context.request.headers.first("content-type")) else {
            throw Problem(
                .unsupportedMediaType,
                "Send lines of JSON with the header Content-Type: application/x-ndjson.")
        }
        let business = try context.requireBusinessID()
        let body = try await context.bytes()
        let lines = body.split(separator: 0x0A, omittingEmptySubsequences: false)
        // The last line may have an end or none.
        let count = lines.count - (lines.last?.isEmpty == true ? 1 : 0)
        guard count <= Self.mostLines else {
            throw Problem(
                .invalid, "The body has \(count) lines; allowed are \(Self.mostLines) at once.")
        }
        let names = ImportNames(business: business, system: system)
        let report = try await services.batches.pass(body.count) { () async throws(Problem) in
            var run = try await ImportRun(context, names, isDryRun: isDryRun)
            for line in lines.prefix(count) { try await run.take(line) }
            try await run.flush()
            return run.report
        }
        context.log.info(
            "imported",
            [
                "business": .text(business.text), "source": .text(system),
                "lines": .number(report.lines),
                "added": .number(report.counts.values.reduce(0) { $0 + $1.added }),
                "refused": .number(
                    report.counts.values.reduce(report.unknown) { $0 + $1.refused }),
                "dry_run": .truth(isDryRun),
            ])
        return .json(report.json(system: system, isDryRun: isDryRun))
    }

    private static func isLines(_ type: String?) -> Bool {
        guard let type else { return false }
        let essence = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        return ["application/x-ndjson", "application/jsonl", "application/octet-stream"]
            .contains(essence)
    }
}
