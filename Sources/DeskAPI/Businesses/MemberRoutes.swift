import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLog
import DeskMessages
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the members of a business and its open invitations.
    public mutating func addMembers(limits: APILimits) {
        let path = "/api/businesses/{business}/members"
        add(
            .get, path, operation: "listMembers", permission: .readMembers, business: .path,
            query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await MemberRoutes(context).list() }
        add(
            .post, path, operation: "inviteMember", permission: .manageMembers, business: .path,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await MemberRoutes(context).invite() }
        let invitations = "/api/businesses/{business}/invitations"
        add(
            .get, invitations, operation: "listInvitations", permission: .manageMembers,
            business: .path, query: .known(PageParameters.names)
        ) {
            context async throws(Problem) in try await MemberRoutes(context).invitations()
        }
        add(
            .delete, invitations + "/{invitation}", operation: "withdrawInvitation",
            permission: .manageMembers, business: .path, rate: .write
        ) { context async throws(Problem) in try await MemberRoutes(context).withdraw() }
        add(
            .patch, path + "/{agent}", operation: "changeMember", permission: .manageMembers,
            business: .path,
            bodyLimit: limits.recordBytes, rate: .write, goesOnWhenFull: true
        ) { context async throws(Problem) in try await MemberRoutes(context).change() }
        add(
            .delete, path + "/{agent}", operation: "removeMember", permission: .manageMembers,
            business: .path,
            rate: .write
        ) { context async throws(Problem) in try await MemberRoutes(context).remove() }
    }
}

/// Answers the routes of `addMembers`.
struct MemberRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let members = try await services.members(of: business)
        let page = try context.page(of: members) { $0.agent.id.text }
        // A program needs the members whom it may assign; only colleagues need to reach them.
        let principal = try context.requirePrincipal()
        let isPerson = if case .agent = principal { true } else { false }
        let role = principal.membership(in: business)
        let manages =
            role.map { services.permissions.permissions(of: $0).contains(.manageMembers) } ?? false
        let (secured, provisioned) = try await services.asking { store throws(StoreError) in
            guard manages else { return (Set<AgentID>(), Set<AgentID>()) }
            return (
                Set(try await store.agentsWithSecondFactor(in: business)),
                Set(try await store.provisionedPeople(of: business).map(\.agent))
            )
        }
        let handling = services.handlingRoles
        return .json(
            JSONWriter.object { text in
                text.list(page) { text, member in
                    text.member(
                        member.agent, member.role,
                        handles: handling.contains(member.role),
                        showsEmail: isPerson,
                        hasSecondFactor: manages ? secured.contains(member.agent.id) : nil,
                        isProvisioned: manages ? provisioned.contains(member.agent.id) : nil)
                }
            })
    }

    func invite() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let maker = try context.requireAgent().agent.id
        let bytes = try await context.jsonBytes()
        var fields = try Fields(bytes)
        let email = fields.requireEmail()
        let role = fields.role(of: services.permissions) ?? .agent
        let language = fields.word("language", Language.self) ?? .english
        try fields.finish()
        guard let email else { throw .notFound }
        // Only this business's own lists are looked at: the answer does not show who has an
        // account.
        let isMember = try await services.members(of: business).contains { agent, _ in
            agent.password != nil && agent.email.utf8.elementsEqual(email.utf8)
        }
        guard !isMember else {
            throw Problem(.nameTaken, "This person is a member already.")
        }
        try await refuseTooMany(of: business, beside: email)
        try await context.requireApproval(of: .inviteMember, in: [business], body: bytes)
        let token = Token.make()
        let now = services.time.latest()
        let life = Duration.seconds(services.limits.invitationDays * 86_400)
        let invitation = Invitation(
            id: InvitationID(services.broker.makeID()), business: business, email: email,
            role: role, token: token.digest, maker: maker, createdAt: now,
            expiresAt: now.advanced(by: life))
        let permitted = context.permittedRoles
        try await services.asPermitted { store throws(StoreError) in
            try await store.add(invitation, permitted: permitted)
        }
        context.log.info(
            "member_invited",
            ["invitation": .text(invitation.id.text), "business": .text(business.text)])
        let link = OneTimeLinks(services: services).invitationURL(token)
        let outcome = try await mail(invitation, link, language)
        // Where a second person is needed, the link is for the invited one alone, or who asked could accept it.
        let rules = try await services.asking { store throws(StoreError) in
            try await store.approvalRules(of: business)
        }
        let isForPersonAlone = rules?.guards(.members) == true && outcome == .sent
        return .json(
            JSONWriter.object { text in
                text.member("invitation") { $0.invitation(invitation) }
                text.member("invitationUrl", isForPersonAlone ? nil : link)
                text.member("mail", outcome?.rawValue)
            }, status: .created)
    }

    /// Sends an invitation's link to its address; nil where the server sends no e-mails.
    private func mail(
        _ invitation: Invitation, _ link: String, _ language: Language
    ) async throws(Problem) -> Mailer.Outcome? {
        guard let mailer = services.mailer else { return nil }
        let business = try await services.requireBusiness(invitation.business)
        context.request.peer.allowHandlerTime(Mailer.longestWait)
        return await mailer.send(
            .invitation(
                to: business.name, by: try context.requireAgent().agent.name, link: link,
                days: services.limits.invitationDays, language),
            "invitation", to: invitation.email, in: language)
    }

    func invitations() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let now = services.time.latest()
        let open = try await services.asking { store throws(StoreError) in
            try await store.invitations(of: business).filter { $0.expiresAt > now }
        }
        let page = try context.page(of: open) { $0.id.text }
        return .json(JSONWriter.object { $0.list(page) { $0.invitation($1) } })
    }

    func withdraw() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        guard let id = context.request.parameters["invitation"].flatMap({ InvitationID($0) }) else {
            throw .notFound
        }
        let author = try context.requirePrincipal().author
        let isGone = try await services.asking { store throws(StoreError) in
            try await store.removeInvitation(id, of: business, author: author)
        }
        guard isGone else { throw .notFound }
        context.log.info(
            "invitation_withdrawn",
            ["invitation": .text(id.text), "business": .text(business.text)])
        return Response(status: .noContent)
    }

    func change() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let (agent, role) = try await requireMember(of: business)
        let bytes = try await context.jsonBytes()
        var fields = try Fields(bytes)
        let wanted = fields.role(of: services.permissions)
        try fields.finish()
        guard let wanted, wanted != role else { return answer(agent, role) }
        try await context.requireApproval(of: .changeMember, in: [business], body: bytes)
        try await carryOut(wanted, for: agent.id, in: business)
        context.log.info(
            "member_changed",
            [
                "agent": .text(agent.id.text), "business": .text(business.text),
                "role": .text(wanted.name),
            ])
        return answer(agent, wanted)
    }

    func remove() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let (agent, _) = try await requireMember(of: business)
        try await carryOut(nil, for: agent.id, in: business)
        context.log.info(
            "member_removed", ["agent": .text(agent.id.text), "business": .text(business.text)])
        return Response(status: .noContent)
    }

    /// Changes what a member may do; open streams have been asked to look again when it is answered.
    ///
    /// The person stays signed in: only this business's membership ends, and every request is
    /// authorized again.
    func carryOut(
        _ role: Role?, for agent: AgentID, in business: BusinessID
    ) async throws(Problem) {
        let author = try context.requirePrincipal().author
        let permitted = context.permittedRoles
        let handling = services.handlingRoles
        let ended = try await services.brokering { broker throws(BrokerError) in
            try await broker.changeMember(
                agent, of: business, to: role, by: author, permitted: permitted, handling: handling)
        }
        for key in ended {
            context.log.info(
                "key_grant_ended", ["key": .text(key.text), "business": .text(business.text)])
        }
    }

    /// Refuses an invitation that is one too many; a new one for the same address needs no room.
    private func refuseTooMany(of business: BusinessID, beside email: String) async throws(Problem)
    {
        let open = try await services.asking { store throws(StoreError) in
            try await store.invitations(of: business)
        }
        let others = open.count { !$0.email.utf8.elementsEqual(email.utf8) }
        guard others < services.limits.invitationsPerBusiness else {
            throw Problem(
                .invalid,
                "The business has \(others) open invitations, which is all it may have: withdraw "
                    + "those that are not needed.")
        }
    }

    private func answer(_ agent: Agent, _ role: Role) -> Response {
        var text = JSONWriter()
        text.member(agent, role, handles: services.handlingRoles.contains(role))
        return .json(text.bytes)
    }

    private func requireMember(of business: BusinessID) async throws(Problem) -> (Agent, Role) {
        guard let id = context.request.parameters["agent"].flatMap({ AgentID($0) }),
            let member = try await services.members(of: business).first(where: {
                $0.agent.id == id
            })
        else { throw .notFound }
        return member
    }
}

extension Services {
    /// Runs a write for which the store asks again whether the caller may make it.
    func asPermitted<Value>(
        _ ask: (any Store) async throws(StoreError) -> Value
    ) async throws(Problem) -> Value {
        do {
            return try await ask(store)
        } catch {
            guard error.code == .refused else { throw problem(error) }
            throw Problem(.forbidden, "It is not permitted: \(error.detail).")
        }
    }
}

extension Fields {
    /// A member's role of the table; nil when it is absent, null or none, which is a finding.
    fileprivate mutating func role(of table: PermissionTable) -> Role? {
        word("role", among: table.memberRoles) { $0.name }
    }
}
