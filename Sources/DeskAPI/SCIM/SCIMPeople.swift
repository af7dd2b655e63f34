import DeskBroker
import DeskJSON
import DeskLog
import DeskModel
import DeskSCIM
import DeskStore
import DeskWeb

/// Adds, changes and removes people as an identity provider asks for it.
///
/// A person is active while a member of the business; roles, last owners and what hangs on a membership are decided where
/// people change them in the console.
struct SCIMPeople {
    private let directory: SCIMDirectory
    private let context: RequestContext
    private var services: Services { context.services }
    private var business: BusinessID { directory.business }

    init(_ directory: SCIMDirectory, _ context: RequestContext) {
        self.directory = directory
        self.context = context
    }

    func all() -> some Collection<JSON> {
        directory.people.lazy.map { directory.resource(of: $0) }
    }

    func find(_ id: String) -> JSON? {
        directory.person(id).map { directory.resource(of: $0) }
    }

    // MARK: Adding

    func add(_ body: JSONValue) async throws(Problem) -> JSON {
        let wanted = try SCIMPersonFields(JSON(body), roles: givenRoles)
        guard let email = wanted.email else {
            throw .scim(
                .invalidValue,
                "There is no address: send one in emails, or one as userName. The person signs in with it."
            )
        }
        let now = services.time.now()
        let person = ProvisionedPerson(
            agent: AgentID(services.broker.makeID()), business: business,
            userName: wanted.userName, externalID: wanted.externalID,
            givenName: wanted.givenName, familyName: wanted.familyName,
            role: wanted.role ?? .agent, createdAt: now, changedAt: now)
        let name = wanted.name ?? Self.name(at: wanted.userName, email)
        let author = try context.requirePrincipal().author
        // With a password that no person knows: what has one can sign in, by the identity provider or a link.
        let new = NewlyProvisioned(
            person, name: name, email: email, password: SCIMPassword.make(),
            isActive: wanted.isActive ?? true)
        let outcome = try await services.asking { store throws(StoreError) in
            try await store.provision(new, author: author)
        }
        let agent = try Self.agent(of: outcome)
        context.log.info(
            "person_provisioned",
            ["agent": .text(agent.text), "business": .text(business.text)])
        // One who was a member before keeps the role, which the provider may have another for.
        let known = directory.person(agent.text)
        if known?.role != nil { try await carryOut(wanted, on: known, of: agent) }
        return try await resource(of: agent)
    }

    private static func agent(of outcome: ProvisionOutcome) throws(Problem) -> AgentID {
        switch outcome {
        case .added(let agent): return agent
        case .nameTaken:
            throw .scim(
                .uniqueness,
                "The business has this person already, by the userName or by the address: find it by a filter."
            )
        case .tooMany:
            throw .scim(
                .tooMany,
                "The business has \(ProvisionedPerson.mostOfBusiness) people, which is all it may have."
            )
        case .severalAccounts:
            throw .scim(
                .uniqueness,
                "Several accounts have this address, so that it does not say whose it is: invite the person by hand."
            )
        case .unverifiedAccount:
            throw .scim(
                .uniqueness,
                "An account has this address that no identity provider is linked to, so that another person may have "
                    + "made it: let the person sign in through the provider once, or invite the person by hand."
            )
        case .noAccount: throw Problem(.unavailable, "The account went meanwhile: ask again.")
        }
    }

    // MARK: Changing

    func change(_ id: String, to resource: JSON) async throws(Problem) -> JSON {
        guard let person = directory.person(id) else { throw .notFound }
        let roles = person.role == .owner ? givenRoles + [.owner] : givenRoles
        let wanted = try SCIMPersonFields(resource, roles: roles)
        guard !directory.hasAnother(than: person.agent.id, named: wanted.userName) else {
            throw Self.nameTaken
        }
        // What may be refused is first, so that nothing was changed then; but one who is not kept yet would be
        // gone with the membership.
        if person.kept == nil { try await keep(wanted, of: person) }
        try await carryOut(wanted, on: person, of: person.agent.id)
        if person.kept != nil { try await keep(wanted, of: person) }
        return try await self.resource(of: person.agent.id)
    }

    func remove(_ id: String) async throws(Problem) {
        guard let person = directory.person(id) else { throw .notFound }
        let (agent, business) = (person.agent.id, business)
        if person.role != nil {
            try await MemberRoutes(context).carryOut(nil, for: agent, in: business)
        }
        let author = try context.requirePrincipal().author
        _ = try await services.asking { store throws(StoreError) in
            try await store.removeProvisioned(agent, of: business, author: author)
        }
        // Whom another request made active meanwhile; from here on none does.
        let isMember = try await services.asking { store throws(StoreError) in
            try await store.memberships(of: agent).contains { $0.business == business }
        }
        if isMember { try await MemberRoutes(context).carryOut(nil, for: agent, in: business) }
        context.log.info(
            "person_unprovisioned",
            ["agent": .text(agent.text), "business": .text(business.text)])
    }

    /// Keeps what the provider says, where it says something new.
    private func keep(
        _ wanted: SCIMPersonFields, of person: SCIMDirectory.Person
    ) async throws(Problem) {
        let now = services.time.now()
        let agent = person.agent
        let before = person.kept
        var kept =
            before
            ?? ProvisionedPerson(
                agent: agent.id, business: business, userName: agent.email,
                role: person.role ?? .agent, createdAt: now, changedAt: now)
        kept.userName = wanted.userName
        kept.externalID = wanted.externalID
        kept.givenName = wanted.givenName
        kept.familyName = wanted.familyName
        if let role = wanted.role, person.role != .owner { kept.role = role }
        guard kept != before else { return }
        kept.changedAt = now
        let (saved, author) = (kept, try context.requirePrincipal().author)
        let isSaved = try await services.asking { store throws(StoreError) in
            try await store.saveProvisioned(saved, author: author)
        }
        guard isSaved else {
            let now = try await directory.again(services, reaching: .person(agent.id))
            guard now.person(agent.id.text) != nil else { throw .notFound }
            throw Self.nameTaken
        }
    }

    private static var nameTaken: Problem {
        .scim(.uniqueness, "Another person of the business has this userName.")
    }

    /// Brings membership, role and name to what is wanted.
    private func carryOut(
        _ wanted: SCIMPersonFields, on person: SCIMDirectory.Person?, of agent: AgentID
    ) async throws(Problem) {
        var held = person?.role
        switch wanted.isActive {
        case false where held != nil:
            try await MemberRoutes(context).carryOut(nil, for: agent, in: business)
            held = nil
        case true where held == nil:
            held = try await activate(agent, as: wanted.role ?? person?.returning ?? .agent)
        default: break
        }
        if let role = wanted.role, let held, held != role, held != .owner {
            try await MemberRoutes(context).carryOut(role, for: agent, in: business)
        }
        guard let name = wanted.name, let person, !person.agent.name.utf8.elementsEqual(name.utf8)
        else { return }
        let (business, author) = (business, try context.requirePrincipal().author)
        _ = try await services.asking { store throws(StoreError) in
            try await store.rename(agent, to: name, in: business, author: author)
        }
    }

    /// Makes a person a member again; returns the role of then.
    private func activate(_ agent: AgentID, as role: Role) async throws(Problem) -> Role {
        let author = try context.requirePrincipal().author
        do {
            return try await services.store.activate(agent, of: business, as: role, author: author)
        } catch {
            guard error.code == .refused else { throw services.problem(error) }
            // Another request removed the person meanwhile.
            throw .notFound
        }
    }

    // MARK: Parts

    /// The roles that a provider gives: an owner is made by an owner.
    private var givenRoles: [Role] { services.permissions.memberRoles.filter { $0 != .owner } }

    private func resource(of agent: AgentID) async throws(Problem) -> JSON {
        let now = try await directory.again(services, reaching: .person(agent))
        guard let person = now.person(agent.text) else { throw .notFound }
        return now.resource(of: person)
    }

    /// What an account is called whose provider has no name for it.
    private static func name(at userName: String, _ email: String) -> String {
        let names = [userName, email].map { (text: String) -> String in
            var name = ""
            for scalar in text.unicodeScalars.prefix(while: { $0 != "@" }) {
                guard name.utf8.count + scalar.utf8.count <= Fields.nameBytes else { break }
                name.unicodeScalars.append(scalar)
            }
            return name
        }
        // An address has something before its sign.
        return names.first(where: Fields.isName) ?? email
    }
}
