import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskLog
import DeskMessages
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the routes of an invited person's page: what a link is for, and accepting it.
    public mutating func addInvitations(limits: APILimits) {
        add(
            .post, "/api/invitations/open", operation: "openInvitation", permission: .open,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await InvitationRoutes(context).open() }
        add(
            .post, "/api/invitations/accept", operation: "acceptInvitation", permission: .open,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await InvitationRoutes(context).accept() }
    }
}

/// Answers the routes of `addInvitations`.
///
/// A link makes a member only of the person who accepts it: with the sign-in of the account that
/// its address has, with a first account, or with a separate one when the existing account was
/// never theirs.
struct InvitationRoutes {
    private let context: RequestContext
    private var services: Services { context.services }
    private var links: OneTimeLinks { OneTimeLinks(services: services) }

    init(_ context: RequestContext) { self.context = context }

    func open() async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let token = fields.requireText("token")
        try fields.finish()
        guard let token, let target = try await links.find(token) else { throw .deadLink }
        switch target {
        case .setup: throw .deadLink
        case .newPassword(let agent):
            return .json(
                JSONWriter.object {
                    $0.member("kind", "password")
                    $0.member("email", agent.email)
                    $0.member("name", agent.name)
                })
        case .invitation(let invitation):
            let business = try await services.requireBusiness(invitation.business)
            let accounts = try await services.accounts(of: invitation.email)
            return .json(
                JSONWriter.object {
                    $0.member("kind", "invitation")
                    $0.member("business", business.name)
                    $0.member("email", invitation.email)
                    $0.member("role", invitation.role.name)
                    $0.member("hasAccount", !accounts.isEmpty)
                    $0.member("expiresAt", invitation.expiresAt)
                })
        }
    }

    func accept() async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        // Before any other answer or work: a caller without the link learns nothing and costs
        // nothing.
        guard let token = fields.requireText("token"), let target = try await links.find(token)
        else { throw .deadLink }
        switch target {
        case .setup: throw .deadLink
        case .newPassword(let agent): return try await setPassword(of: agent, token, fields)
        case .invitation(let invitation): return try await join(invitation, fields)
        }
    }

    // MARK: Joining a business

    private func join(_ invitation: Invitation, _ given: Fields) async throws(Problem) -> Response {
        try services.requirePasswords()
        var fields = given
        guard fields.value("name") != nil else {
            let password = fields.requirePassword()
            let code = fields.code()
            try fields.finish()
            guard let password else { throw .wrongPassword }
            let account = try await SessionRoutes(context).requireAccount(
                of: invitation.email, password, code: code)
            return try await join(invitation, by: .known(account.agent), account.stored)
        }
        let name = fields.requireName()
        let password = fields.requireNewPassword(
            PasswordRule(limits: services.limits.web), names: [name, invitation.email])
        let isSeparate = fields.truth("separate") ?? false
        let code = fields.code()
        try fields.finish()
        guard let name, let password else { throw .deadLink }
        let accounts = try await services.accounts(of: invitation.email)
        guard accounts.isEmpty || isSeparate else {
            throw Problem(
                .nameTaken,
                "This address has an account already: sign in with its password. If that account "
                    + "was never yours, ask for a separate one.")
        }
        let joining: Joining
        do throws(Problem) {
            joining = try await account(invitation, name, password, code, beside: accounts)
        } catch {
            SessionRoutes(context).noteRefusal(error)
            throw error
        }
        return try await join(invitation, by: joining)
    }

    /// The new account; or the one that is there, when the password chosen is that one's.
    private func account(
        _ invitation: Invitation, _ name: String, _ password: String, _ code: String?,
        beside accounts: [Agent]
    ) async throws(Problem) -> Joining {
        let email = invitation.email
        let session = SessionRoutes(context)
        // Whether the password is another account's is a try to sign in to all, and has its budgets.
        var attempt: AccountTry?
        if !accounts.isEmpty { attempt = try await session.makeTry(on: email, accounts) }
        try attempt?.admit(whole: true)
        session.mayWaitForPassword()
        let (hash, match) = try await services.passwords.hash(
            password, beside: accounts.map { $0.password ?? "" }
        ) { () throws(Problem) in try attempt?.begin(whole: true) }
        if var attempt, let account = try await session.end(&attempt, match: match, code: code) {
            return .known(account)
        }
        let agent = Agent(
            id: AgentID(services.broker.makeID()), name: name, email: email, password: hash,
            createdAt: services.time.now())
        return .new(agent, beside: accounts.map(\.id))
    }

    private func join(
        _ invitation: Invitation, by joining: Joining, _ stored: String? = nil
    ) async throws(Problem) -> Response {
        let agent = try await accept(invitation, by: joining)
        return try await SessionRoutes(context).begin(agent, .created, by: stored)
    }

    /// Uses an invitation up; returns the account that is a member now.
    func accept(_ invitation: Invitation, by joining: Joining) async throws(Problem) -> AgentID {
        let now = services.time.latest()
        let outcome = try await services.asking { store throws(StoreError) in
            try await store.accept(invitation.token, by: joining, at: now)
        }
        switch outcome {
        case .gone: throw .deadLink
        case .changed:
            throw Problem(
                .nameTaken, "The account of this address has just changed: open the link again.")
        case .joined(let agent):
            if case .new = joining {
                // A link to the account that this one replaced.
                try await services.asking { store throws(StoreError) in
                    try await store.endSessions(of: .newPassword(agent), author: .agent(agent))
                }
            }
            context.log.info(
                "invitation_accepted",
                [
                    "agent": .text(agent.text), "business": .text(invitation.business.text),
                    "invitation": .text(invitation.id.text),
                ])
            return agent
        }
    }

    // MARK: A new password

    private func setPassword(
        of known: Agent, _ token: String, _ given: Fields
    ) async throws(Problem) -> Response {
        let agent = known
        var fields = given
        let name = fields.requireName()
        let password = fields.requireNewPassword(
            PasswordRule(limits: services.limits.web), names: [name, agent.email])
        let language = fields.word("language", Language.self) ?? .english
        try fields.finish()
        guard let name, let password, let link = Token(token) else { throw .deadLink }
        let accounts = try await services.accounts(of: agent.email)
        SessionRoutes(context).mayWaitForPassword()
        let (hash, match) = try await services.passwords.hash(
            password, beside: accounts.compactMap(\.password))
        if let match, accounts[match].id != agent.id {
            throw Problem(.invalid, "Choose another password: this one cannot be used here.")
        }
        let replacement = PasswordReplacement(hash, .link(link.digest, name: name))
        let isReplaced = try await services.asking { store throws(StoreError) in
            try await store.replacePassword(of: agent.id, by: replacement)
        }
        guard isReplaced else { throw .deadLink }
        context.log.info("password_set", ["agent": .text(agent.id.text)])
        services.sendPasswordChanged(to: agent, in: language)
        // The link replaces the password alone: who has it signs in with the second factor as anyone.
        if try await SecondFactorCheck(context).isActive(for: agent.id) {
            return .json(
                JSONWriter.object {
                    $0.member("email", agent.email)
                    $0.member("secondFactorRequired", true)
                })
        }
        return try await SessionRoutes(context).begin(agent.id, .created, by: hash)
    }
}
