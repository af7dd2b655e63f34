import DeskModel
import DeskStore
import DeskWeb

/// The own password once more, before what signs an account in is changed: who finds a desk unlocked has a session alone.
struct OwnPassword {
    /// How long after its sign-in a session stands for the password of an account that may have none.
    static let recentSession = Duration.seconds(600)

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    /// Whether the password is asked for.
    ///
    /// It is not of a person who signed in a moment ago, on an account that is linked to an identity provider: it may have no
    /// password, and the sign-in shows as much.
    func isNeeded(by principal: AgentPrincipal) async throws(Problem) -> Bool {
        let now = services.time.now()
        return try await services.asking { store throws(StoreError) in
            guard let session = try await store.findSession(principal.session),
                now < session.createdAt.advanced(by: Self.recentSession)
            else { return true }
            return try await store.identities(of: principal.agent.id).isEmpty
        }
    }

    /// The password of a body; nil where none is needed and none was sent.
    func read(_ fields: inout Fields, of principal: AgentPrincipal) async throws(Problem) -> String?
    {
        try await isNeeded(by: principal) ? fields.requirePassword() : fields.password()
    }

    /// Asks for the own password where one was read.
    func require(_ password: String?, of agent: Agent) async throws(Problem) {
        guard let password else { return }
        try await SessionRoutes(context).requireOwnPassword(password, of: agent)
    }
}

extension Problem {
    static let notOwnPassword = Problem(
        .forbidden, "The password is not that of your account.")
}
