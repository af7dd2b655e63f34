import DeskBroker
import DeskBytes
import DeskLog
import DeskModel
import DeskStore
import DeskWeb

/// A person whom the provider signed in, on the way to an account.
struct SignOnPerson {
    private let person: ProvidedPerson
    private let domains: [String]
    private let device: Token?
    private let context: RequestContext
    private var services: Services { context.services }
    private var identity: Identity { person.identity }

    /// - Parameter device: the one that the browser had when the sign-in began.
    init(
        _ person: ProvidedPerson, domains: [String], device: Token?, _ context: RequestContext
    ) {
        self.person = person
        self.domains = domains
        self.device = device
        self.context = context
    }

    /// The account of the person; the first time it is found by the address, and linked.
    ///
    /// - Parameter invitation: the token of the invitation that the person opened before.
    func account(invitation: String?) async throws(SignOnRefusal) -> AgentID {
        if !domains.isEmpty { _ = try requireAddress() }
        if let invitation { return try await join(invitation) }
        if let known = try await linked() { return known.id }
        let email = try requireAddress()
        let accounts = try await accounts(of: email)
        if accounts.count == 1, let account = accounts.first, try await isFree(account) {
            try await makeOwn(account)
        }
        let (identity, now) = (identity, services.time.now())
        let outcome = try await asking { store throws(StoreError) in
            try await store.link(identity, toAccountOf: email, at: now)
        }
        return try agent(of: outcome)
    }

    /// The account that was linked before; the subject decides, and not the address of today.
    private func linked() async throws(SignOnRefusal) -> Agent? {
        let identity = identity
        let found = try await asking { store throws(StoreError) -> (id: AgentID, agent: Agent?)? in
            guard let id = try await store.findAccount(of: identity) else { return nil }
            return (id, try await store.findAgent(id))
        }
        guard let found else { return nil }
        guard let agent = found.agent else { throw SignOnRefusal(reason: .unknown) }
        return agent
    }

    private func link(to account: AgentID) async throws(SignOnRefusal) -> AgentID {
        let (identity, now) = (identity, services.time.now())
        return try agent(
            of: try await asking { store throws(StoreError) in
                try await store.link(identity, to: account, at: now)
            })
    }

    private func agent(of outcome: LinkOutcome) throws(SignOnRefusal) -> AgentID {
        switch outcome {
        case .account(let agent): return agent
        case .noAccount: throw SignOnRefusal(reason: .unknown)
        case .severalAccounts: throw SignOnRefusal(reason: .several)
        case .otherIdentity: throw SignOnRefusal(reason: .other)
        }
    }

    // MARK: Joining by an invitation

    private func join(_ token: String) async throws(SignOnRefusal) -> AgentID {
        let invitation = try await requireInvitation(token)
        let known = try await linked()
        let joining: Joining
        if let known {
            // An account accepts what is for its own address, as with a password.
            guard known.email.utf8.elementsEqual(invitation.email.utf8) else {
                throw SignOnRefusal(reason: .address)
            }
            joining = .known(known.id)
        } else {
            guard try requireAddress().utf8.elementsEqual(invitation.email.utf8) else {
                throw SignOnRefusal(reason: .address)
            }
            joining = try await self.joining(invitation)
        }
        let member: AgentID
        do throws(Problem) {
            member = try await InvitationRoutes(context).accept(invitation, by: joining)
        } catch {
            throw SignOnRefusal(
                reason: error.code == .unauthenticated ? .link : .unavailable,
                detail: error.code.rawValue)
        }
        guard case .new = joining else { return member }
        return try await link(to: member)
    }

    private func requireInvitation(_ token: String) async throws(SignOnRefusal) -> Invitation {
        do throws(Problem) {
            let target = try await OneTimeLinks(services: services).find(token)
            if case .invitation(let invitation) = target { return invitation }
        } catch {
            throw SignOnRefusal(reason: .unavailable, detail: error.code.rawValue)
        }
        throw SignOnRefusal(reason: .link)
    }

    /// The one account of the address; a new one where there is none, or others have those there are.
    private func joining(_ invitation: Invitation) async throws(SignOnRefusal) -> Joining {
        let email = invitation.email
        let accounts = try await accounts(of: email)
        var free: [Agent] = []
        for account in accounts where try await isFree(account) { free.append(account) }
        if accounts.count == 1, let account = free.first {
            // Before it is a member: what another person has of it comes into no business.
            try await makeOwn(account)
            return .known(try await link(to: account.id))
        }
        guard free.isEmpty else { throw SignOnRefusal(reason: .several) }
        return .new(try await newAgent(email), beside: accounts.map(\.id))
    }

    /// An account with a password that no person knows: what has one can sign in.
    private func newAgent(_ email: String) async throws(SignOnRefusal) -> Agent {
        Agent(
            id: AgentID(services.broker.makeID()), name: name(at: email), email: email,
            password: try await unknownPassword(), createdAt: services.time.now())
    }

    // MARK: An account that is linked the first time

    /// Ends what another person may have of an account that this one is about to be linked to.
    ///
    /// No address was verified before, and an invitation's link may have been accepted by who made it. A
    /// browser that the account was signed in with shows that it is the person's, and then nothing ends.
    private func makeOwn(_ account: Agent) async throws(SignOnRefusal) {
        guard try await !isKnown(account) else { return }
        let replacement = PasswordReplacement(try await unknownPassword(), .identity)
        _ = try await asking { store throws(StoreError) in
            try await store.replacePassword(of: account.id, by: replacement)
        }
        context.log.info("account_secured", ["agent": .text(account.id.text)])
    }

    private func isKnown(_ account: Agent) async throws(SignOnRefusal) -> Bool {
        do throws(Problem) {
            let found = try await KnownDevices(services: services).find(device)
            return found?.agents.contains(account.id) ?? false
        } catch {
            throw SignOnRefusal(reason: .unavailable, detail: error.code.rawValue)
        }
    }

    /// Whether no other identity of the provider has an account.
    private func isFree(_ account: Agent) async throws(SignOnRefusal) -> Bool {
        let own = try await asking { store throws(StoreError) in
            try await store.identities(of: account.id)
        }
        return !own.contains { $0.identity.issuer.utf8.elementsEqual(identity.issuer.utf8) }
    }

    private func unknownPassword() async throws(SignOnRefusal) -> String {
        SessionRoutes(context).mayWaitForPassword()
        do throws(Problem) {
            return try await services.passwords.hash(Token.make().text)
        } catch {
            throw SignOnRefusal(reason: .unavailable, detail: error.code.rawValue)
        }
    }

    /// What the provider calls the person, as far as it is a name here; else the address without its domain.
    private func name(at email: String) -> String {
        if let name = person.name, Fields.isName(name), name.utf8.count <= Fields.nameBytes {
            return name
        }
        let part = email.utf8.prefix { $0 != UInt8(ascii: "@") }.prefix(Fields.nameBytes)
        return UTF8Text.text(Array(part)) ?? email
    }

    // MARK: Parts

    /// The verified address, in lower case and of a domain that the operator wants.
    private func requireAddress() throws(SignOnRefusal) -> String {
        guard person.isEmailVerified, let email = person.email.flatMap(Fields.normalEmail) else {
            throw SignOnRefusal(
                reason: .unverified, detail: person.email == nil ? "no_email" : "email")
        }
        guard !domains.isEmpty else { return email }
        let own = email.utf8.drop { $0 != UInt8(ascii: "@") }.dropFirst()
        guard domains.contains(where: { own.elementsEqual($0.utf8) }) else {
            throw SignOnRefusal(reason: .domain)
        }
        return email
    }

    /// Those of an address that can sign in.
    private func accounts(of email: String) async throws(SignOnRefusal) -> [Agent] {
        try await asking { store throws(StoreError) in
            try await store.agents(email: email).filter { $0.password != nil }
        }
    }

    private func asking<Value>(
        _ ask: (any Store) async throws(StoreError) -> Value
    ) async throws(SignOnRefusal) -> Value {
        do throws(Problem) {
            return try await services.asking(ask)
        } catch {
            throw SignOnRefusal(reason: .unavailable, detail: error.code.rawValue)
        }
    }
}
