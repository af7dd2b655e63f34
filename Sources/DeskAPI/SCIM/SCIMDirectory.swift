import DeskBytes
import DeskJSON
import DeskModel
import DeskSCIM
import DeskStore
import DeskWeb

/// The people and teams of a business as a provider reads them.
struct SCIMDirectory {
    /// A person who is a member, or whom a provider keeps.
    struct Person {
        /// The account.
        var agent: Agent
        /// The role; nil for one who is no member now.
        var role: Role?
        /// What a provider keeps.
        var kept: ProvisionedPerson?

        /// The role that the person has when active again: an owner is made by an owner alone.
        var returning: Role? { kept.map { $0.role == .owner ? .agent : $0.role } }
    }

    /// A team that is not retired.
    struct Group {
        /// The team.
        var team: Team
        /// What a provider keeps.
        var kept: ProvisionedTeam?
    }

    /// Whom a request needs of the people who are no members: their accounts are read one by one.
    enum Reach {
        /// All of them.
        case everyone
        /// One at most.
        case person(AgentID?)
        /// None.
        case members

        fileprivate func includes(_ agent: AgentID) -> Bool {
            switch self {
            case .everyone: true
            case .person(let one): one == agent
            case .members: false
            }
        }
    }

    /// Whose they are.
    let business: BusinessID
    /// The people: members as the list of members has them, then those who are none.
    let people: [Person]
    /// The teams by their names.
    let groups: [Group]
    /// Retired teams by their names.
    let retired: [Team]
    /// Whom a provider keeps.
    private let kept: [AgentID: ProvisionedPerson]
    /// The teams of each person.
    private let teams: [AgentID: [Team]]
    private let names: [AgentID: String]
    private let base: String

    /// Reads what a request needs of a business.
    init(
        of business: BusinessID, base: String, _ services: Services, reaching reach: Reach
    ) async throws(Problem) {
        let members = try await services.members(of: business)
        let (kept, left, teams, rows) = try await services.asking { store throws(StoreError) in
            let kept = try await store.provisionedPeople(of: business)
            let present = Set(members.map(\.agent.id))
            var left: [Agent] = []
            for person in kept where reach.includes(person.agent) {
                guard !present.contains(person.agent) else { continue }
                if let agent = try await store.findAgent(person.agent) { left.append(agent) }
            }
            return (
                kept, left, try await store.teams(of: business),
                try await store.provisionedTeams(of: business)
            )
        }
        let byAgent = Dictionary(kept.map { ($0.agent, $0) }) { $1 }
        let byTeam = Dictionary(rows.map { ($0.team, $0) }) { $1 }
        self.business = business
        self.base = base
        people =
            members.map { Person(agent: $0.agent, role: $0.role, kept: byAgent[$0.agent.id]) }
            + left.map { Person(agent: $0, role: nil, kept: byAgent[$0.id]) }
        groups = teams.filter { !$0.isRetired }.map { Group(team: $0, kept: byTeam[$0.id]) }
        retired = teams.filter(\.isRetired)
        self.kept = byAgent
        names = Dictionary(people.map { ($0.agent.id, $0.agent.name) }) { $1 }
        var own: [AgentID: [Team]] = [:]
        for group in groups {
            for member in group.team.members { own[member, default: []].append(group.team) }
        }
        self.teams = own
    }

    /// The same, read again.
    func again(
        _ services: Services, reaching reach: Reach = .members
    ) async throws(Problem) -> SCIMDirectory {
        try await SCIMDirectory(of: business, base: base, services, reaching: reach)
    }

    /// Whether there is a person, whether read or not.
    func has(_ agent: AgentID) -> Bool { names[agent] != nil || kept[agent] != nil }

    /// Whether a provider keeps another person under a name, whatever its case.
    func hasAnother(than agent: AgentID, named userName: String) -> Bool {
        kept.values.contains {
            $0.agent != agent && ASCII.equalsIgnoringCase($0.userName.utf8, userName.utf8)
        }
    }

    /// A person by the id that providers have, which is the account's.
    func person(_ id: String) -> Person? {
        AgentID(id).flatMap { id in people.first { $0.agent.id == id } }
    }

    /// A team by its id.
    func group(_ id: String) -> Group? {
        TeamID(id).flatMap { id in groups.first { $0.team.id == id } }
    }

    // MARK: As SCIM has them

    /// A person (RFC 7643, section 4.1).
    func resource(of person: Person) -> JSON {
        let (agent, kept) = (person.agent, person.kept)
        let id = agent.id.text
        var resource: JSON = [
            "schemas": [.string(SCIMSchemas.userURN)], "id": .string(id),
            "userName": .string(kept?.userName ?? agent.email),
        ]
        if let external = kept?.externalID { resource.add("externalId", .string(external)) }
        var name: JSON = ["formatted": .string(agent.name)]
        if let given = kept?.givenName { name.add("givenName", .string(given)) }
        if let family = kept?.familyName { name.add("familyName", .string(family)) }
        resource.add("name", name)
        resource.add("displayName", .string(agent.name))
        resource.add("active", .bool(person.role != nil))
        resource.add(
            "emails",
            [["value": .string(agent.email), "type": "work", "primary": true]])
        if let role = person.role ?? person.returning {
            resource.add("roles", [["value": .string(role.name), "primary": true]])
        }
        resource.add(
            "groups",
            .array(
                (teams[agent.id] ?? []).map {
                    [
                        "value": .string($0.id.text),
                        "$ref": .string("\(base)/Groups/\($0.id.text)"),
                        "display": .string($0.name), "type": "direct",
                    ]
                }))
        resource.add(
            "meta",
            meta(
                "User", "Users/\(id)", from: kept?.createdAt ?? agent.createdAt,
                to: kept?.changedAt ?? agent.createdAt))
        return resource
    }

    /// A team (RFC 7643, section 4.2).
    func resource(of group: Group) -> JSON {
        let team = group.team
        var resource: JSON = [
            "schemas": [.string(SCIMSchemas.groupURN)], "id": .string(team.id.text),
            "displayName": .string(team.name),
        ]
        if let external = group.kept?.externalID {
            resource.add("externalId", .string(external))
        }
        resource.add(
            "members",
            .array(
                team.members.map { member in
                    [
                        "value": .string(member.text),
                        "$ref": .string("\(base)/Users/\(member.text)"),
                        "display": .string(names[member] ?? ""), "type": "User",
                    ]
                }))
        resource.add(
            "meta",
            meta(
                "Group", "Groups/\(team.id.text)", from: group.kept?.createdAt,
                to: group.kept?.changedAt))
        return resource
    }

    private func meta(
        _ type: String, _ path: String, from made: Timestamp?, to changed: Timestamp?
    ) -> JSON {
        var meta: JSON = ["resourceType": .string(type)]
        if let made { meta.add("created", .string("\(made)")) }
        if let changed { meta.add("lastModified", .string("\(changed)")) }
        meta.add("location", .string("\(base)/\(path)"))
        return meta
    }
}
