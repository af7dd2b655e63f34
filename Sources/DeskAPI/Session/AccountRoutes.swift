import DeskHTTP
import DeskJSON
import DeskLog
import DeskMessages
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds what people change of their own account: the name, the password.
    public mutating func addAccount(limits: APILimits) {
        add(
            .patch, "/api/session", operation: "changeAccount", permission: .useOwnSession,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await AccountRoutes(context).change() }
        add(
            .put, "/api/session/password", operation: "changePassword",
            permission: .useOwnSession, bodyLimit: limits.recordBytes, rate: .write,
            repeating: .refused
        ) { context async throws(Problem) in try await AccountRoutes(context).changePassword() }
    }
}

/// Answers the routes of `addAccount`.
struct AccountRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    /// Changes the name that colleagues see, and that templates may say to customers.
    func change() async throws(Problem) -> Response {
        let principal = try context.requireAgent()
        var fields = try Fields(try await context.jsonBytes())
        let name = fields.requireName()
        try fields.finish()
        guard let name else { throw .notFound }
        if name != principal.agent.name {
            let id = principal.agent.id
            _ = try await services.asking { store throws(StoreError) in
                try await store.rename(id, to: name)
            }
            context.log.info("name_changed", ["agent": .text(id.text)])
        }
        guard
            let now = try await services.agentSessions.findPrincipal(
                principal.session, keepsAlive: false)
        else { throw Problem(.unauthenticated, "The session has ended.") }
        return try await SessionRoutes(context).answer(now, .ok)
    }

    /// Replaces the password, for who has it: all other sessions end.
    func changePassword() async throws(Problem) -> Response {
        try services.requirePasswords()
        let principal = try context.requireAgent()
        let agent = principal.agent
        var fields = try Fields(try await context.jsonBytes())
        let password = fields.requirePassword()
        let new = fields.requireNewPassword(
            PasswordRule(limits: services.limits.web), names: [agent.name, agent.email],
            as: "newPassword")
        let language = fields.word("language", Language.self) ?? .english
        try fields.finish()
        guard let password, let new else { throw .notOwnPassword }
        let session = SessionRoutes(context)
        try await session.requireOwnPassword(password, of: agent)
        let accounts = try await services.accounts(of: agent.email)
        session.mayWaitForPassword()
        let (hash, match) = try await services.passwords.hash(
            new, beside: accounts.compactMap(\.password))
        guard match == nil else {
            throw Problem(.invalid, "Choose another password: this one cannot be used here.")
        }
        let replacement = PasswordReplacement(hash, .known(agent.password ?? ""))
        let isReplaced = try await services.asking { store throws(StoreError) in
            try await store.replacePassword(of: agent.id, by: replacement)
        }
        guard isReplaced else { throw .notOwnPassword }
        context.log.info("password_set", ["agent": .text(agent.id.text)])
        services.sendPasswordChanged(to: agent, in: language)
        return try await session.begin(
            agent.id, .ok, isByPasskey: principal.isByPasskey, by: hash)
    }
}

extension Services {
    /// Has the person learn of it who reads the account's e-mails.
    func sendPasswordChanged(to agent: Agent, in language: Language) {
        let origin = publicURL.origin
        mailer?.sendLater("password_changed", to: agent.email, in: language) {
            .passwordChanged(at: origin, language)
        }
    }
}
