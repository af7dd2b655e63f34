import DeskBroker
import DeskJSON
import DeskLog
import DeskModel
import DeskSCIM
import DeskStore
import DeskWeb

/// Makes, changes and retires teams, which identity providers call groups.
struct SCIMTeams {
    /// What teams are shown in that come without a colour, one of them by the name.
    private static let colours = [
        "#2563eb", "#0d9488", "#9333ea", "#c2410c", "#be185d", "#4d7c0f", "#0369a1", "#b45309",
    ]

    private let directory: SCIMDirectory
    private let context: RequestContext
    private var services: Services { context.services }
    private var business: BusinessID { directory.business }

    init(_ directory: SCIMDirectory, _ context: RequestContext) {
        self.directory = directory
        self.context = context
    }

    func all() -> some Collection<JSON> {
        directory.groups.lazy.map { directory.resource(of: $0) }
    }

    func find(_ id: String) -> JSON? {
        directory.group(id).map { directory.resource(of: $0) }
    }

    func add(_ body: JSONValue) async throws(Problem) -> JSON {
        let wanted = try Wanted(JSON(body))
        var values = SaveTeam.Values()
        values.name = wanted.name
        values.members = try usable(wanted.members, beside: [])
        let (permitted, author) = (services.handlingRoles, try context.requirePrincipal().author)
        let business = business
        let key = Team(
            id: TeamID(services.broker.makeID()), business: business, name: wanted.name, colour: ""
        ).key
        let team: Team
        if let before = directory.retired.first(where: { $0.key == key }) {
            values.isRetired = false
            let changes = values
            team = try await services.brokering { broker throws(BrokerError) in
                try await broker.change(
                    before.id, of: business, changes, permitted: permitted, by: author)
            }
        } else {
            values.colour = Self.colours[key.reduce(0) { $0 &+ Int($1) } % Self.colours.count]
            let made = values
            team = try await services.brokering { broker throws(BrokerError) in
                try await broker.makeTeam(made, of: business, permitted: permitted, by: author)
            }
        }
        try await keep(wanted, of: team, before: nil)
        return try await resource(of: team)
    }

    func change(_ id: String, to resource: JSON) async throws(Problem) -> JSON {
        guard let group = directory.group(id) else { throw .notFound }
        let wanted = try Wanted(resource)
        let before = group.team.members
        let members = try usable(wanted.members, beside: before)
        var values = SaveTeam.Values()
        if !wanted.name.utf8.elementsEqual(group.team.name.utf8) { values.name = wanted.name }
        // What was added and what was left out, and not all: another request may change the rest meanwhile.
        values.joining = members.filter { !before.contains($0) }
        values.leaving = Set(before).subtracting(members)
        let (changes, permitted) = (values, services.handlingRoles)
        let (business, author) = (business, try context.requirePrincipal().author)
        let team = try await services.brokering { broker throws(BrokerError) in
            try await broker.change(
                group.team.id, of: business, changes, permitted: permitted, by: author)
        }
        try await keep(wanted, of: team, before: group.kept)
        return try await self.resource(of: team)
    }

    /// Retires the team: its conversations stay readable.
    func remove(_ id: String) async throws(Problem) {
        guard let group = directory.group(id) else { throw .notFound }
        var values = SaveTeam.Values()
        values.isRetired = true
        let (changes, team, business) = (values, group.team.id, business)
        let (permitted, author) = (services.handlingRoles, try context.requirePrincipal().author)
        _ = try await services.brokering { broker throws(BrokerError) in
            try await broker.change(team, of: business, changes, permitted: permitted, by: author)
        }
        _ = try await services.asking { store throws(StoreError) in
            try await store.removeProvisioned(team, of: business, author: author)
        }
    }

    // MARK: Parts

    /// What a provider wants a team to be.
    private struct Wanted {
        let name: String
        let externalID: String?
        let members: [String]

        init(_ resource: JSON) throws(Problem) {
            let fields = SCIMFields(resource)
            try fields.require(SCIMSchemas.groupURN)
            guard let name = try fields.text("displayName", most: Team.maximumNameBytes) else {
                throw .scim(
                    .invalidValue, "displayName is missing: send what the team is called.")
            }
            self.name = name
            externalID = try fields.text("externalId", most: ProvisionedPerson.nameBytes)
            var members: [String] = []
            for element in try fields.elements("members", most: Team.mostMembers) {
                guard
                    let id = try SCIMFields(element).text(
                        "value", most: ProvisionedPerson.nameBytes)
                else { throw .scim(.invalidValue, "A member has no value: send the id of a user.") }
                members.append(id)
            }
            self.members = members
        }
    }

    /// The people whom ids name, each once; those who were members before are not looked up again.
    ///
    /// Those who are not active, or handle no conversations, are left out: providers have whole groups, and one person would
    /// keep all others out.
    private func usable(
        _ ids: [String], beside before: [AgentID]
    ) throws(Problem) -> [AgentID] {
        let handling = services.handlingRoles
        let usable = Set(
            directory.people.filter { $0.role.map { handling.contains($0) } ?? false }
                .map(\.agent.id) + before)
        var members: [AgentID] = []
        for text in ids {
            guard let id = AgentID(text), usable.contains(id) || directory.has(id) else {
                throw .scim(
                    .invalidValue,
                    "The member \(Quoted.cut(text)) is no user of the business: send ids of its users."
                )
            }
            if usable.contains(id), !members.contains(id) { members.append(id) }
        }
        return members
    }

    private func keep(
        _ wanted: Wanted, of team: Team, before: ProvisionedTeam?
    ) async throws(Problem) {
        let now = services.time.now()
        var kept =
            before
            ?? ProvisionedTeam(
                team: team.id, business: business, externalID: nil, createdAt: now, changedAt: now)
        kept.externalID = wanted.externalID
        guard kept != before else { return }
        kept.changedAt = now
        let (saved, author) = (kept, try context.requirePrincipal().author)
        try await services.asking { store throws(StoreError) in
            try await store.saveProvisioned(saved, author: author)
        }
    }

    private func resource(of team: Team) async throws(Problem) -> JSON {
        guard let found = SCIMTeams(try await directory.again(services), context).find(team.id.text)
        else { throw .notFound }
        return found
    }
}
