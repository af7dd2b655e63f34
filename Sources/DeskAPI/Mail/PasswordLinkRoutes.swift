import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds asking for a new password by e-mail; 404 where the server sends none.
    public mutating func addPasswordLinks(limits: APILimits) {
        add(
            .post, "/api/session/password-links", operation: "requestPasswordLink",
            permission: .open, bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await PasswordLinkRoutes(context).request() }
    }
}

/// Answers the route of `addPasswordLinks`.
///
/// The answer is the same at once whether there is such an account or not: what is looked up is looked up
/// later.
struct PasswordLinkRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func request() async throws(Problem) -> Response {
        guard let mailer = services.mailer else { throw .notFound }
        try services.requirePasswords()
        var fields = try Fields(try await context.jsonBytes())
        let email = fields.requireEmail()
        let language = fields.word("language", Language.self) ?? .english
        try fields.finish()
        guard let email else { throw .notFound }
        if let wait = mailer.admitAsking(from: context.request.peer.network.counted) {
            var problem = Problem(
                .rateLimited, "Too many links were asked for from here; wait before the next one.")
            problem.retryAfterSeconds = wait.wholeSeconds
            throw problem
        }
        let services = services
        // Safe: a store that fails is in the log already, and the person asks again.
        mailer.sendLater(
            "new_password", to: email, in: language,
            if: { (try? await services.accounts(of: email).isEmpty) == false }
        ) { try? await Self.text(for: email, language, services) }
        return .json(
            JSONWriter.object { $0.member("minutes", OneTimeLinks.passwordMinutes) },
            status: .accepted)
    }

    /// What is written to an address; nil where no account has it.
    private static func text(
        for email: String, _ language: Language, _ services: Services
    ) async throws(Problem) -> MailText? {
        let origin = services.publicURL.origin
        let links = OneTimeLinks(services: services)
        let names = Dictionary(
            try await services.asking { store throws(StoreError) in try await store.businesses() }
                .map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        var accounts: [MailText.Account] = []
        var provider: String?
        for agent in try await services.accounts(of: email) {
            // The provider says whose account it is: the address may be another person's by now.
            if let found = try await services.provider(of: agent.id) {
                provider = found
                continue
            }
            let memberships = try await services.asking { store throws(StoreError) in
                try await store.memberships(of: agent.id)
            }
            accounts.append(
                MailText.Account(
                    name: agent.name, businesses: memberships.compactMap { names[$0.business] },
                    link: try await links.makePasswordLink(for: agent.id)))
        }
        guard accounts.isEmpty else {
            return .newPassword(
                at: origin, for: accounts, minutes: OneTimeLinks.passwordMinutes, language)
        }
        return provider.map { .signsInElsewhere(at: origin, through: $0, language) }
    }
}

extension Services {
    /// What people call the identity provider through which an account signs in; nil for passwords alone.
    fileprivate func provider(of agent: AgentID) async throws(Problem) -> String? {
        guard let signOn else { return nil }
        let identities = try await asking { store throws(StoreError) in
            try await store.identities(of: agent)
        }
        return identities.contains { $0.identity.issuer == signOn.provider.issuer }
            ? signOn.settings.name : nil
    }
}
