import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the teams of a business.
    public mutating func addTeams(limits: APILimits) {
        let path = "/api/businesses/{business}/teams"
        add(
            .get, path, operation: "listTeams", permission: .readConversations, business: .path,
            query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await TeamRoutes(context).list() }
        add(
            .post, path, operation: "makeTeam", permission: .manageTeams, business: .path,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await TeamRoutes(context).make() }
        add(
            .patch, path + "/{team}", operation: "changeTeam", permission: .manageTeams,
            business: .path, bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await TeamRoutes(context).change() }
    }
}

/// Answers the routes of `addTeams`.
struct TeamRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let teams = try await services.asking { store throws(StoreError) in
            try await store.teams(of: business)
        }
        let page = try context.page(of: teams) { $0.id.text }
        return .json(JSONWriter.object { $0.list(page) { $0.team($1) } })
    }

    func make() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        var fields = try Fields(try await context.jsonBytes())
        var values = SaveTeam.Values()
        values.name = fields.requireText("name", bytes: 1...Team.maximumNameBytes)
        _ = fields.requireValue("colour")
        values.colour = fields.colour()
        values.members = try await members(&fields, of: business)
        fields.noteBlank(values.name, of: "team")
        try fields.finish()
        let author = try context.requirePrincipal().author
        let (made, permitted) = (values, services.handlingRoles)
        let team = try await services.brokering { broker throws(BrokerError) in
            try await broker.makeTeam(
                made, of: business, permitted: permitted, by: author)
        }
        return answer(team, .created)
    }

    func change() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        guard let id = context.request.parameters["team"].flatMap({ TeamID($0) }) else {
            throw .notFound
        }
        var fields = try Fields(try await context.jsonBytes())
        var values = SaveTeam.Values()
        values.name = fields.text("name", bytes: 1...Team.maximumNameBytes)
        values.colour = fields.colour()
        values.members = try await members(&fields, of: business)
        values.isRetired = fields.claim("retired")
        fields.noteBlank(values.name, of: "team")
        try fields.finish()
        let author = try context.requirePrincipal().author
        let (changes, permitted) = (values, services.handlingRoles)
        let team = try await services.brokering { broker throws(BrokerError) in
            try await broker.change(
                id, of: business, changes, permitted: permitted, by: author)
        }
        return answer(team, .ok)
    }

    /// Everybody who shall belong to the team; nil when the request does not say.
    ///
    /// The commit decides again whether they handle conversations of the business.
    private func members(
        _ fields: inout Fields, of business: BusinessID
    ) async throws(Problem) -> [AgentID]? {
        guard fields.value("members")?.isNull == false,
            let elements = fields.requireElements("members", count: 0...Team.mostMembers)
        else { return nil }
        let known = try await services.handlers(of: business)
        var members: [AgentID] = []
        for element in elements {
            let id = element.string.flatMap { AgentID($0) }
            if let member = known.first(where: { $0.id == id }) {
                members.append(member.id)
            } else {
                fields.note(
                    .value, element, "the id of a member who handles conversations",
                    "Take the id from GET /api/businesses/\(business.text)/members.")
            }
        }
        return members
    }

    private func answer(_ team: Team, _ status: Status) -> Response {
        var text = JSONWriter()
        text.team(team)
        return .json(text.bytes, status: status)
    }
}

extension JSONWriter {
    /// Writes a team.
    mutating func team(_ team: Team) {
        object { text in
            text.member("id", team.id.text)
            text.member("business", team.business.text)
            text.member("name", team.name)
            text.member("colour", team.colour)
            text.member("members") { text in
                text.array { text in
                    for member in team.members { text.string(member.text) }
                }
            }
            text.member("retired", team.isRetired)
        }
    }
}
