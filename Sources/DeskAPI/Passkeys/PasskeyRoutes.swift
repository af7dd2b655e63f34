import DeskBroker
import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskLog
import DeskMessages
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the passkeys of the own account, and the sign-in with one.
    public mutating func addPasskeys(limits: APILimits) {
        let path = "/api/session/passkeys"
        add(.get, path, operation: "getPasskeys", permission: .useOwnSession) {
            context async throws(Problem) in try await PasskeyRoutes(context).list()
        }
        add(
            .post, path + "/options", operation: "beginPasskey", permission: .useOwnSession,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await PasskeyRoutes(context).begin() }
        add(
            .post, path, operation: "addPasskey", permission: .useOwnSession,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await PasskeyRoutes(context).add() }
        add(
            .delete, path + "/{passkey}", operation: "removePasskey", permission: .useOwnSession,
            rate: .write
        ) { context async throws(Problem) in try await PasskeyRoutes(context).remove() }
        add(
            .post, "/api/session/passkey/options", operation: "beginPasskeySignIn",
            permission: .open, bodyLimit: limits.recordBytes, rate: .write, repeating: .refused,
            goesOnWhenFull: true
        ) { context async throws(Problem) in try await PasskeySignIn(context).begin() }
        add(
            .post, "/api/session/passkey", operation: "signInWithPasskey", permission: .open,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused, goesOnWhenFull: true
        ) { context async throws(Problem) in try await PasskeySignIn(context).signIn() }
    }
}

/// Answers the routes of the own account's passkeys.
struct PasskeyRoutes {
    private let context: RequestContext
    private var services: Services { context.services }
    private var own: OwnPassword { OwnPassword(context) }
    private var check: SecondFactorCheck { SecondFactorCheck(context) }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let principal = try context.requireAgent()
        let passkeys = try await all(of: principal.agent.id)
        let needsPassword = try await own.isNeeded(by: principal)
        let needsCode = try await check.isActive(for: principal.agent.id)
        let needsPasskey = try await check.needsPasskey(principal)
        let site = services.passkeySite(of: context.request)
        return .json(
            JSONWriter.object { text in
                text.member("host", site?.host)
                text.member("passwordNeeded", needsPassword)
                text.member("codeNeeded", needsCode)
                text.member("passkeyNeeded", needsPasskey)
                text.member("passkeys") { text in
                    text.array { text in for passkey in passkeys { text.passkey(passkey) } }
                }
            })
    }

    /// Lets the person add a passkey, who shows what signs in to the account now; the answer is what the browser makes it by.
    func begin() async throws(Problem) -> Response {
        let principal = try context.requireAgent()
        let agent = principal.agent
        var fields = try Fields(try await context.jsonBytes())
        let password = try await own.read(&fields, of: principal)
        let code = fields.code()
        try fields.finish()
        let site = try services.requirePasskeySite(of: context.request)
        let known = try await all(of: agent.id)
        guard known.count < Passkey.most else { throw .tooManyPasskeys }
        try await check.requirePasskey(of: principal)
        try await own.require(password, of: agent)
        // It will sign in without the code.
        try await check.require(of: agent.id, code)
        let challenge = services.passkeyChallenges.make(
            for: .addition(session: principal.session), at: services.time.latest())
        return .json(
            JSONWriter.object { text in
                text.creationOptions(challenge, at: site, for: agent, beside: known)
            })
    }

    func add() async throws(Problem) -> Response {
        let principal = try context.requireAgent()
        let agent = principal.agent
        var fields = try Fields(try await context.jsonBytes())
        let name = fields.requireName()
        let answer = PasskeyFields.Addition(&fields)
        let language = fields.word("language", Language.self) ?? .english
        try fields.finish()
        guard let name, let answer else { throw .notFound }
        let site = try services.requirePasskeySite(of: context.request)
        // Another may have come since this one was begun.
        try await check.requirePasskey(of: principal)
        let now = services.time.latest()
        let (passkey, challenge, end): (Passkey, [UInt8], Timestamp)
        do throws(PasskeyFault) {
            let client = try PasskeyClientData(answer.clientData, .addition, at: site)
            guard
                let expiry = services.passkeyChallenges.expiry(
                    of: client.challenge, for: .addition(session: principal.session), at: now)
            else { throw .challenge }
            let data = try AuthenticatorData(answer.authenticatorData, at: site)
            guard data.credential == answer.id,
                let algorithm = AuthenticatorSignature.Algorithm(rawValue: answer.algorithm),
                AuthenticatorSignature.isKey(answer.publicKey, of: algorithm)
            else { throw .key }
            passkey = Passkey(
                id: PasskeyID(services.broker.makeID()), agent: agent.id, name: name,
                host: site.host, credential: answer.id, publicKey: answer.publicKey,
                algorithm: answer.algorithm, counter: data.counter, createdAt: services.time.now())
            (challenge, end) = (client.challenge, expiry)
        } catch {
            context.log.info(
                "passkey_refused",
                ["agent": .text(agent.id.text), "detail": .text(error.rawValue)])
            throw Problem(
                .invalid, "This passkey cannot be added: its \(error.rawValue) is not as expected.")
        }
        // The person has just shown both: what waits for a second factor opens, and a further passkey may follow.
        let next =
            principal.isByPasskey
            ? nil : services.agentSessions.make(for: agent.id, isByPasskey: true)
        let outcome = try await services.asking { store throws(StoreError) in
            guard try await store.useCode(PasskeyChallenges.digest(of: challenge), until: end)
            else { return nil as AddedPasskey? }
            return try await store.add(
                passkey, in: principal.session, at: now, beginning: next?.session)
        }
        switch outcome {
        case .added: break
        case .known: throw Problem(.invalid, "This passkey has been added already.")
        case .tooMany: throw .tooManyPasskeys
        case .ended: throw Problem(.unauthenticated, "The session has ended.")
        case nil: throw Problem(.invalid, "This answer was used before: begin again.")
        }
        context.log.info("passkey_added", ["agent": .text(agent.id.text)])
        services.sendPasskeyAdded(passkey, to: agent, in: language)
        var text = JSONWriter()
        text.passkey(passkey)
        var response = Response.json(text.bytes, status: .created)
        if let next {
            let isSecure = services.isSecure(context.request)
            response.headers.append(
                "Set-Cookie", AgentCookie.set(next.token, isSecure: isSecure).text)
        }
        return response
    }

    func remove() async throws(Problem) -> Response {
        let principal = try context.requireAgent()
        let agent = principal.agent.id
        guard let id = context.request.parameters["passkey"].flatMap({ PasskeyID($0) }) else {
            throw .notFound
        }
        try await check.requirePasskey(of: principal)
        let isRemoved = try await services.asking { store throws(StoreError) in
            try await store.removePasskey(id, of: agent)
        }
        guard isRemoved else { throw .notFound }
        context.log.info("passkey_removed", ["agent": .text(agent.text)])
        return Response(status: .noContent)
    }

    private func all(of agent: AgentID) async throws(Problem) -> [Passkey] {
        try await services.asking { store throws(StoreError) in
            try await store.passkeys(of: agent)
        }
    }
}

extension Services {
    /// The site that passkeys work at; nil where they do not, or where people sign in through the provider alone.
    func passkeySite(of request: Request) -> PasskeySite? {
        guard signOn?.settings.isOnly != true else { return nil }
        return PasskeySite(publicURL, request: request.host, isSecure: isSecure(request))
    }

    /// The site that passkeys work at.
    func requirePasskeySite(of request: Request) throws(Problem) -> PasskeySite {
        guard let site = passkeySite(of: request) else {
            throw Problem(
                .forbidden,
                "No passkey works here: they need https at a name, such as https://desk.example.com, "
                    + "and no identity provider through which alone people sign in.")
        }
        return site
    }

    /// Has the person learn of a passkey who reads the account's e-mails.
    fileprivate func sendPasskeyAdded(
        _ passkey: Passkey, to agent: Agent, in language: Language
    ) {
        let origin = publicURL.origin
        mailer?.sendLater("passkey_added", to: agent.email, in: language) {
            .passkeyAdded(passkey.name, at: origin, language)
        }
    }
}

extension Problem {
    fileprivate static let tooManyPasskeys = Problem(
        .invalid,
        "An account has at most \(Passkey.most) passkeys: remove one before you add another.")
}
