import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds how a business and its teams assign by themselves.
    public mutating func addAssignment(limits: APILimits) {
        let business = "/api/businesses/{business}"
        for (path, whose) in [(business, ""), (business + "/teams/{team}", "Team")] {
            add(
                .get, path + "/assignment", operation: "get\(whose)Assignment",
                permission: .readConversations, business: .path
            ) { context async throws(Problem) in try await AssignmentRoutes(context).get() }
            add(
                .put, path + "/assignment", operation: "set\(whose)Assignment",
                permission: .manageAssignment, business: .path, bodyLimit: limits.recordBytes,
                rate: .write
            ) { context async throws(Problem) in try await AssignmentRoutes(context).set() }
        }
        add(
            .delete, business + "/teams/{team}/assignment", operation: "removeTeamAssignment",
            permission: .manageAssignment, business: .path, rate: .write
        ) { context async throws(Problem) in try await AssignmentRoutes(context).remove() }
    }
}

/// Answers the routes of `addAssignment`.
struct AssignmentRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func get() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        return try await answer(business, try await requireTeam(of: business))
    }

    func set() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let isOfTeam = context.request.parameters["team"] != nil
        let known = AssignmentSettings(try await stored(business))
        let members = try await services.handlers(of: business).map(\.id)
        var fields = try Fields(try await context.jsonBytes())
        var rule = AssignmentRule()
        if let strategy = fields.word("strategy", AssignmentRule.Strategy.self) {
            rule.strategy = strategy
        }
        rule.isSticky = fields.claim("sticky") ?? false
        if let capacity = capacity(fields.value("capacity"), &fields) { rule.capacity = capacity }
        rule.giveBackMinutes = minutes(&fields)
        // Who left, or handles conversations no more, needs no place of their own.
        var capacities = isOfTeam ? [:] : known.capacities.filter { members.contains($0.key) }
        if !isOfTeam, let own = try own(members, &fields) { capacities = own }
        try fields.finish()
        let team = try await requireTeam(of: business)
        return try await save(
            StoredAssignment(of: business, for: team, rule, capacities: capacities), of: business,
            for: team)
    }

    func remove() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        return try await save(nil, of: business, for: try await requireTeam(of: business))
    }

    private func save(
        _ chosen: StoredAssignment?, of business: BusinessID, for team: TeamID?
    ) async throws(Problem) -> Response {
        // What is chosen already has no event.
        if try await stored(business).first(where: { $0.team == team }) != chosen {
            let author = try context.requirePrincipal().author
            let event = JSONWriter.object { text in
                text.member("team", team?.text)
                text.member("assignment") { $0.assignment(chosen) }
                text.member("by") {
                    $0.object {
                        $0.member("type", author.kind)
                        $0.member("id", author.name)
                    }
                }
            }
            let permitted = services.handlingRoles
            try await services.brokering { broker throws(BrokerError) in
                try await broker.saveAssignment(
                    of: business, for: team, chosen, event: event, permitted: permitted,
                    by: author)
            }
        }
        return try await answer(business, team)
    }

    // MARK: What is read

    private func capacity(_ value: JSONValue?, _ fields: inout Fields) -> Int? {
        guard let value else { return nil }
        guard let number = value.int, (1...AssignmentRule.highestCapacity).contains(number) else {
            fields.note(
                .value, value, "a whole number from 1 to \(AssignmentRule.highestCapacity)",
                "An agent with no place would never be given anything: to leave someone out, take "
                    + "them out of the team, or let them be away.")
            return nil
        }
        return number
    }

    private func minutes(_ fields: inout Fields) -> Int? {
        guard let value = fields.value("giveBackMinutes"), !value.isNull else { return nil }
        guard let minutes = value.int, (1...AssignmentRule.longestGiveBack).contains(minutes) else {
            fields.note(
                .value, value,
                "a whole number from 1 to \(AssignmentRule.longestGiveBack), or null",
                "Send minutes within these bounds, or null to give nothing back.")
            return nil
        }
        return minutes
    }

    /// The members with a capacity of their own; nil where the request leaves them as they are.
    private func own(
        _ members: [AgentID], _ fields: inout Fields
    ) throws(Problem) -> [AgentID: Int]? {
        guard let value = fields.value("capacities") else { return nil }
        guard value.kind == .object else {
            fields.note(
                .type, value, "an object", "Send a number under the id of each member who has one.")
            return nil
        }
        var own: [AgentID: Int] = [:]
        for member in value.members {
            guard let agent = AgentID(member.key), members.contains(agent) else {
                fields.note(
                    .value, member.value, "the id of a member who handles conversations",
                    "Take the ids from GET /api/businesses/{business}/members.")
                continue
            }
            if let number = capacity(member.value, &fields) { own[agent] = number }
        }
        return own
    }

    // MARK: What is looked up

    private func stored(_ business: BusinessID) async throws(Problem) -> [StoredAssignment] {
        try await services.asking { store throws(StoreError) in
            try await store.assignment(of: business)
        }
    }

    /// The team that the path names; nil where it names none.
    private func requireTeam(of business: BusinessID) async throws(Problem) -> TeamID? {
        guard let text = context.request.parameters["team"] else { return nil }
        let teams = try await services.asking { store throws(StoreError) in
            try await store.teams(of: business)
        }
        guard let id = TeamID(text), teams.contains(where: { $0.id == id }) else {
            throw .notFound
        }
        return id
    }

    private func answer(_ business: BusinessID, _ team: TeamID?) async throws(Problem) -> Response {
        let stored = try await stored(business)
        let settings = AssignmentSettings(stored)
        var own = stored.first { $0.team == team }
        if own == nil, team == nil { own = StoredAssignment(of: business, AssignmentRule()) }
        let rule = settings.rule(of: team)
        let counts = try await services.asking { store throws(StoreError) in
            try await store.countViews(of: [business])
        }
        let states = services.broker.availability(in: business)
        var members = try await services.handlers(of: business)
        if let team {
            let teams = try await services.asking { store throws(StoreError) in
                try await store.teams(of: business)
            }
            let ids = teams.first { $0.id == team }?.members ?? []
            members.removeAll { !ids.contains($0.id) }
        }
        let shown = members
        let chosen = own
        return .json(
            JSONWriter.object { text in
                text.member("assignment") { $0.assignment(chosen) }
                text.member("members") { text in
                    text.array { text in
                        for member in shown {
                            text.object { text in
                                text.member("agent") {
                                    $0.object {
                                        $0.member("id", member.id.text)
                                        $0.member("name", member.name)
                                    }
                                }
                                text.member("state", (states[member.id] ?? .offline).rawValue)
                                text.member("open", counts.assignees[member.id] ?? 0)
                                text.member(
                                    "capacity", settings.capacity(of: member.id, by: rule))
                                text.memberIfAny(
                                    "ownCapacity", settings.capacities[member.id])
                            }
                        }
                    }
                }
            })
    }
}

extension JSONWriter {
    /// Writes a number; null for none.
    fileprivate mutating func memberIfAny(_ name: StaticString, _ number: Int?) {
        member(name) { text in
            if let number { text.integer(number) } else { text.null() }
        }
    }

    /// Writes a rule; null for none.
    fileprivate mutating func assignment(_ stored: StoredAssignment?) {
        guard let stored else { return null() }
        object { text in
            text.member("strategy", stored.rule.strategy.rawValue)
            text.member("sticky", stored.rule.isSticky)
            text.member("capacity", stored.rule.capacity)
            text.memberIfAny("giveBackMinutes", stored.rule.giveBackMinutes)
            guard stored.team == nil else { return }
            text.member("capacities") { text in
                text.object { text in
                    for (agent, number) in stored.capacities.sorted(by: {
                        $0.key.text < $1.key.text
                    }) {
                        text.key(text: agent.text)
                        text.integer(number)
                    }
                }
            }
        }
    }
}
