import DeskHTTP
import DeskModel
import DeskStore
import DeskTeam
public import DeskWeb

extension RouteTable {
    /// Adds the reports of a business.
    public mutating func addReports() {
        add(
            .get, "/api/businesses/{business}/reports", operation: "getReport",
            permission: .readOwnReports, business: .path, query: .known(ReportQuery.names),
            rate: .search
        ) { context async throws(Problem) in try await ReportRoutes(context).report() }
    }
}

/// Answers the route of `addReports`.
struct ReportRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func report() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let query = try ReportQuery(
            context.request.query, in: services.timeZones, now: services.time.now())
        let own = try ownMember(in: business)
        if own != nil, let cut = query.cut, cut != .agent {
            throw Problem(
                .forbidden,
                "You see your own work: ask without by=\(cut.rawValue), or ask an owner for the report."
            )
        }
        let report = try await services.asking { store throws(StoreError) in
            try await ReportReading(store: store).report(of: business, query, by: own)
        }
        switch query.format {
        case .json: return .json(report.json)
        case .csv:
            var response = Response(type: "text/csv; charset=utf-8", report.csv)
            response.headers.append(
                "Content-Disposition", "attachment; filename=\"\(report.fileName)\"")
            return response
        }
    }

    /// Whose work the caller sees; nil for all.
    private func ownMember(in business: BusinessID) throws(Problem) -> AgentID? {
        let principal = try context.requirePrincipal()
        let everything = services.permissions.roles(with: .readReports)
        if let role = principal.role(in: business), everything.contains(role) { return nil }
        return try context.requireAgent().agent.id
    }
}
