import DeskBroker
import DeskHTTP
import DeskLog
import DeskModel
import DeskStore

extension RouteTable {
    /// Adds the members of a business.
    public mutating func addMembers(limits: APILimits) {
        let path = "/api/businesses/{business}/members"
        add(.get, path, operation: "listMembers", right: .staff) {
            call async throws(Problem) in try await MemberRoutes(call).list()
        }
        add(
            .post, path, operation: "inviteMember", right: .role(.owner),
            bodyLimit: limits.recordBytes, pace: .write, repeating: .refused
        ) { call async throws(Problem) in try await MemberRoutes(call).invite() }
        add(
            .patch, path + "/{agent}", operation: "changeMember", right: .role(.owner),
            bodyLimit: limits.recordBytes, pace: .write
        ) { call async throws(Problem) in try await MemberRoutes(call).change() }
        add(
            .delete, path + "/{agent}", operation: "removeMember", right: .role(.owner),
            pace: .write
        ) { call async throws(Problem) in try await MemberRoutes(call).remove() }
    }
}

/// Answers the routes of `addMembers`.
struct MemberRoutes {
    private let call: Call
    private var services: Services { call.services }

    init(_ call: Call) { self.call = call }

    func list() async throws(Problem) -> Response {
        let business = try call.requireBusinessID()
        let members = try await members(of: business)
        // A program needs whom it may assign to; how to reach that person is the colleagues' affair.
        let isPerson = if case .agent = try call.requirePrincipal() { true } else { false }
        return .json(
            JSONText.object { text in
                text.member("data") { text in
                    text.array { text in
                        for (agent, role) in members {
                            text.member(agent, role, showsEmail: isPerson)
                        }
                    }
                }
                text.member("hasMore", false)
                text.member("next", String?.none)
            })
    }

    func invite() async throws(Problem) -> Response {
        let business = try call.requireBusinessID()
        var fields = try Fields(try await call.jsonBytes())
        let email = fields.requireEmail()
        let role = fields.word("role", Role.self) ?? .agent
        try fields.finish()
        guard let email else { throw .notFound }
        let agent = try await findOrAdd(email)
        try await refuseForeignInvitation(agent)
        let isMember = try await self.role(of: agent.id, in: business) != nil
        guard !isMember || agent.password == nil else {
            throw Problem(.nameTaken, "This person is a member already.")
        }
        try await services.asking { store throws(StoreError) in
            try await store.setRole(role, of: agent.id, in: business)
        }
        // Someone with a password has an account: the business appears at the next look.
        let link =
            agent.password == nil
            ? try await OneTimeLinks(services: services).makeInvitation(for: agent.id) : nil
        call.log.info(
            "member_invited", ["agent": .text(agent.id.text), "business": .text(business.text)])
        return .json(
            JSONText.object { text in
                text.member("member") { $0.member(agent, role) }
                text.member("invitationUrl", link)
            }, status: .created)
    }

    func change() async throws(Problem) -> Response {
        let business = try call.requireBusinessID()
        let (agent, role) = try await requireMember(of: business)
        var fields = try Fields(try await call.jsonBytes())
        let wanted = fields.word("role", Role.self)
        try fields.finish()
        guard let wanted, wanted != role else { return answer(agent, role) }
        if role == .owner { try await requireAnotherOwner(than: agent.id, of: business) }
        try await services.asking { store throws(StoreError) in
            try await store.setRole(wanted, of: agent.id, in: business)
        }
        return try await renewSession(of: agent, answer(agent, wanted))
    }

    func remove() async throws(Problem) -> Response {
        let business = try call.requireBusinessID()
        let (agent, role) = try await requireMember(of: business)
        if role == .owner { try await requireAnotherOwner(than: agent.id, of: business) }
        try await services.asking { store throws(StoreError) in
            try await store.setRole(nil, of: agent.id, in: business)
            try await store.endSessions(of: .invitation(agent.id))
        }
        call.log.info(
            "member_removed", ["agent": .text(agent.id.text), "business": .text(business.text)])
        return try await renewSession(of: agent, Response(status: .noContent))
    }

    private func answer(_ agent: Agent, _ role: Role) -> Response {
        var text = JSONText()
        text.member(agent, role)
        return .json(text.bytes)
    }

    /// Refuses a link to an account that waits for its first password elsewhere: whoever holds the
    /// link gets all that the account may see.
    private func refuseForeignInvitation(_ agent: Agent) async throws(Problem) {
        guard agent.password == nil else { return }
        let roles = try call.requireAgent().roles
        let memberships = try await services.asking { store throws(StoreError) in
            try await store.memberships(of: agent.id)
        }
        guard memberships.allSatisfy({ roles[$0.business] == .owner }) else {
            throw Problem(
                .forbidden, "This person has an open invitation elsewhere, to be accepted first.")
        }
    }

    /// After a change of rights no older session id stays valid; one's own goes on under a new one.
    private func renewSession(
        of agent: Agent, _ response: Response
    ) async throws(Problem) -> Response {
        try await services.asking { store throws(StoreError) in
            try await store.endSessions(of: .agent(agent.id))
        }
        guard try call.requireAgent().agent.id == agent.id else { return response }
        let token = try await services.agentSessions.begin(for: agent.id)
        var response = response
        let isSecure = services.isSecure(call.request)
        response.headers.append("Set-Cookie", AgentCookie.set(token, isSecure: isSecure).text)
        return response
    }

    private func findOrAdd(_ email: String) async throws(Problem) -> Agent {
        let known = try await services.asking { store throws(StoreError) in
            try await store.findAgent(email: email)
        }
        if let known { return known }
        let agent = Agent(
            id: AgentID(services.broker.makeID()), name: "", email: email, password: nil,
            createdAt: services.time.now())
        let isSaved = try await services.asking { store throws(StoreError) in
            try await store.save(agent)
        }
        guard isSaved else { throw Problem(Refusal.nameTaken) }
        return agent
    }

    private func members(of business: BusinessID) async throws(Problem) -> [(Agent, Role)] {
        try await services.asking { store throws(StoreError) in
            var members: [(Agent, Role)] = []
            for agent in try await store.agents(of: business) {
                let memberships = try await store.memberships(of: agent.id)
                guard let part = memberships.first(where: { $0.business == business }) else {
                    continue
                }
                members.append((agent, part.role))
            }
            return members
        }
    }

    private func role(
        of agent: AgentID, in business: BusinessID
    ) async throws(Problem) -> Role? {
        try await services.asking { store throws(StoreError) in
            try await store.memberships(of: agent).first { $0.business == business }?.role
        }
    }

    private func requireMember(of business: BusinessID) async throws(Problem) -> (Agent, Role) {
        guard let id = call.request.parameters["agent"].flatMap({ AgentID($0) }),
            let member = try await members(of: business).first(where: { $0.0.id == id })
        else { throw .notFound }
        return member
    }

    private func requireAnotherOwner(
        than agent: AgentID, of business: BusinessID
    ) async throws(Problem) {
        let others = try await members(of: business).contains {
            $0.0.id != agent && $0.1 == .owner && $0.0.password != nil
        }
        guard others else {
            throw Problem(.forbidden, "A business keeps at least one owner who can sign in.")
        }
    }
}
