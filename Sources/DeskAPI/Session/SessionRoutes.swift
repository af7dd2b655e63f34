import DeskAssistant
import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds first owner, sign-in and sign-out.
    public mutating func addSession(limits: APILimits) {
        add(.get, "/api/setup", operation: "getSetup", permission: .open) {
            context async throws(Problem) in try await SessionRoutes(context).getSetup()
        }
        add(
            .post, "/api/setup", operation: "setUp", permission: .open,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await SessionRoutes(context).setUp() }
        add(
            .post, "/api/session", operation: "signIn", permission: .open,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused, goesOnWhenFull: true
        ) { context async throws(Problem) in try await SessionRoutes(context).signIn() }
        add(.get, "/api/session", operation: "getSession", permission: .useOwnSession) {
            context async throws(Problem) in
            let agent = try context.requireAgent()
            return try await SessionRoutes(context).answer(agent, .ok)
        }
        add(
            .put, "/api/session/availability", operation: "chooseAvailability",
            permission: .useOwnSession, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await SessionRoutes(context).chooseAvailability() }
        add(
            .patch, "/api/session/preferences", operation: "changePreferences",
            permission: .useOwnSession, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await SessionRoutes(context).changePreferences() }
        add(.delete, "/api/session", operation: "signOut", permission: .useOwnSession) {
            context async throws(Problem) in try await SessionRoutes(context).signOut()
        }
    }
}

/// Answers the routes of `addSession`.
struct SessionRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func getSetup() async throws(Problem) -> Response {
        let agents = try await services.asking { store throws(StoreError) in
            try await store.agents(of: nil)
        }
        return .json(JSONWriter.object { $0.member("needsOwner", agents.isEmpty) })
    }

    func setUp() async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let token = fields.requireText("token")
        let name = fields.requireName()
        let email = fields.requireEmail()
        let password = fields.requireNewPassword(
            PasswordRule(limits: services.limits.web), names: [name, email])
        let links = OneTimeLinks(services: services)
        // Before any other answer or work: a caller without the link learns nothing and costs
        // nothing.
        if let token {
            guard case .setup = try await links.find(token) else { throw .deadLink }
        }
        try fields.finish()
        guard let token, let name, let email, let password else { throw .deadLink }
        mayWaitForPassword()
        let hash = try await services.passwords.hash(password)
        let agent = Agent(
            id: AgentID(services.broker.makeID()), name: name, email: email, password: hash,
            createdAt: services.time.now())
        let isFirst = try await services.asking { store throws(StoreError) in
            try await store.addFirstOwner(agent)
        }
        guard isFirst else { throw Problem(.forbidden, "There is an owner already; sign in.") }
        _ = try await links.take(token, author: .agent(agent.id))
        context.log.info("owner_created", ["agent": .text(agent.id.text)])
        return try await begin(agent.id, .created)
    }

    func signIn() async throws(Problem) -> Response {
        try services.requirePasswords()
        var fields = try Fields(try await context.jsonBytes())
        let email = fields.requireEmail()
        let password = fields.requirePassword()
        let code = fields.code()
        try fields.finish()
        guard let email, let password else { throw .wrongPassword }
        let (agent, stored) = try await requireAccount(of: email, password, code: code)
        let answer = try await begin(agent, .ok, by: stored)
        context.log.info("signed_in", ["agent": .text(agent.text)])
        return answer
    }

    /// The account of an address with this password, and what is stored of the password.
    ///
    /// Where the account has a second factor the code is needed too. Of two with one address the password decides.
    func requireAccount(
        of email: String, _ password: String, code: String?
    ) async throws(Problem) -> (agent: AgentID, stored: String?) {
        var (attempt, match) = try await tryPassword(password, on: email)
        guard let account = try await end(&attempt, match: match, code: code) else {
            services.signInFailures.noteFailure(from: context.request.peer, in: context.log)
            throw .wrongPassword
        }
        return (account, attempt.password(of: account))
    }

    /// Asks for the own password again, under the budgets of sign-ins.
    func requireOwnPassword(_ password: String, of agent: Agent) async throws(Problem) {
        var (attempt, match) = try await tryPassword(password, on: agent.email)
        guard attempt.find(match) == agent.id else {
            // The password of another account of the address is as wrong as any.
            _ = attempt.end(match: nil)
            services.signInFailures.noteFailure(from: context.request.peer, in: context.log)
            throw .notOwnPassword
        }
        attempt.leaveOpen()
    }

    /// Ends a try of a password: the account that it found, once its second factor is there too.
    func end(
        _ attempt: inout AccountTry, match: Int?, code: String?
    ) async throws(Problem) -> AgentID? {
        guard let account = attempt.find(match) else { return attempt.end(match: match) }
        attempt.release()
        do throws(Problem) {
            try await SecondFactorCheck(context).require(of: account, code)
        } catch {
            if error.code == .wrongCode {
                attempt.noteWrongCode()
                services.signInFailures.noteFailure(from: context.request.peer, in: context.log)
            } else {
                attempt.leaveOpen()
                noteRefusal(error)
            }
            throw error
        }
        return attempt.end(match: match)
    }

    /// Notes a try of a password that was refused because of those that failed before.
    func noteRefusal(_ problem: Problem) {
        guard problem.code == .rateLimited else { return }
        services.signInFailures.noteRefusal(from: context.request.peer, in: context.log)
    }

    /// Tries a password on the accounts of an address; the caller ends the try.
    func tryPassword(
        _ password: String, on email: String
    ) async throws(Problem) -> (AccountTry, match: Int?) {
        do throws(Problem) {
            let accounts = try await services.accounts(of: email)
            var attempt = try await makeTry(on: email, accounts)
            try attempt.admit()
            mayWaitForPassword()
            let match = try await services.passwords.findMatch(
                password, among: accounts.map { $0.password ?? "" }
            ) { () throws(Problem) in try attempt.begin() }
            return (attempt, match)
        } catch {
            noteRefusal(error)
            throw error
        }
    }

    /// A try of a password on an address, from this request's device and network.
    func makeTry(on email: String, _ accounts: [Agent]) async throws(Problem) -> AccountTry {
        // Looked up whether there is such an account or not.
        let device = try await KnownDevices(services: services).find(of: context.request)
        return AccountTry(
            on: email, accounts, device: device, from: context.request.peer.network,
            logins: services.logins)
    }

    /// Lets this request wait for its turn to have a password hashed.
    func mayWaitForPassword() {
        context.request.peer.allowHandlerTime(services.passwords.longestWait)
    }

    func signOut() async throws(Problem) -> Response {
        let agent = try context.requireAgent()
        // First: a crash behind it leaves a session that can be ended again, and no browser that is pushed to.
        await context.endPush(of: agent.agent.id)
        try await services.agentSessions.end(agent.session, author: .agent(agent.agent.id))
        var response = Response(status: .noContent)
        let isSecure = services.isSecure(context.request)
        response.headers.append("Set-Cookie", AgentCookie.clear(isSecure: isSecure).text)
        return response
    }

    /// Keeps what the agent chose of being there, and publishes it where the agent handles conversations.
    func chooseAvailability() async throws(Problem) -> Response {
        let agent = try context.requireAgent()
        var fields = try Fields(try await context.jsonBytes())
        let words = Availability.allCases.map(\.rawValue).joined(separator: ", ")
        if fields.requireValue("state")?.isNull == true {
            fields.note("state", "one of \(words)", "Send one of these words.")
        }
        let state = fields.word("state", Availability.self)
        try fields.finish()
        guard let state else { throw .notFound }
        let chosen = try await services.asking { store throws(StoreError) in
            try await store.choose(state, by: agent.agent.id)
        }
        for business in agent.roles.keys where services.handles(.agent(agent), in: business) {
            services.broker.signal(chosen, in: business)
        }
        return .json(JSONWriter.object { $0.member("state", chosen.state.rawValue) })
    }

    /// Begins a session and answers who is signed in; `stored` is as for `beginSession`.
    func begin(
        _ agent: AgentID, _ status: Status, isByPasskey: Bool = false, by stored: String? = nil
    ) async throws(Problem) -> Response {
        let begun = try await beginSession(
            of: agent, in: BrowserTokens(of: context.request, services), isByPasskey: isByPasskey,
            by: stored)
        var response = try await answer(begun.principal, status)
        for cookie in begun.cookies { response.headers.append("Set-Cookie", cookie.text) }
        return response
    }

    /// Begins a session; one that the browser still had ends, so that no id outlives a sign-in.
    ///
    /// - Parameters:
    ///   - isByPasskey: whether a passkey let the person in.
    ///   - stored: what was stored of the password that did. Where it is another one by now, the
    ///     change has ended the sessions that were there, and this one ends as well.
    func beginSession(
        of agent: AgentID, in browser: BrowserTokens, isByPasskey: Bool = false,
        by stored: String? = nil
    ) async throws(Problem) -> (principal: AgentPrincipal, cookies: [SetCookie]) {
        let isSecure = services.isSecure(context.request)
        if let old = browser.session {
            try await services.agentSessions.end(old, author: .agent(agent))
        }
        let token = try await services.agentSessions.begin(
            for: agent, isByPasskey: isByPasskey)
        guard
            let principal = try await services.agentSessions.findPrincipal(
                token.digest, keepsAlive: false)
        else { throw Problem(.unavailable, "The session could not be begun.") }
        if let stored, principal.agent.password != stored {
            try await services.agentSessions.end(token.digest, author: .agent(agent))
            throw .wrongPassword
        }
        let device = try await KnownDevices(services: services)
            .remember(agent, shown: browser.device)
        return (
            principal,
            [
                AgentCookie.set(token, isSecure: isSecure),
                DeviceCookie.set(device, isSecure: isSecure, limits: services.limits.web),
            ]
        )
    }

    /// Changes what the agent chose for the own work; what the body leaves out stays.
    func changePreferences() async throws(Problem) -> Response {
        let principal = try context.requireAgent()
        let agent = principal.agent.id
        var fields = try Fields(try await context.jsonBytes())
        let delay = fields.number("sendDelay", 0...AgentPreferences.longestSendDelay)
        let stated = fields.value("console").flatMap { $0.isNull ? nil : $0 }
        try fields.finish()
        var change: ConsoleChoices?
        if let stated { change = try ConsoleChoices(stated) }
        let chosen = change
        let preferences = try await services.asking { store throws(StoreError) in
            try await store.changePreferences(of: agent) { preferences in
                if let delay { preferences.sendDelay = delay }
                guard let chosen else { return }
                var console = ConsoleChoices(stored: preferences.console)
                console.apply(chosen)
                preferences.console = console.json
            }
        }
        // One business is enough: a page of the agent's follows all of them.
        if let business = principal.roles.keys.min(by: { $0.text < $1.text }) {
            services.broker.signal(.saved(.preferences, in: business, by: .agent(agent)))
        }
        var text = JSONWriter()
        text.preferences(preferences)
        return .json(text.bytes)
    }

    /// Who is signed in, with the businesses that the console starts with.
    func answer(_ principal: AgentPrincipal, _ status: Status) async throws(Problem) -> Response {
        let (businesses, chosen, preferences, factor) = try await services.asking {
            store throws(StoreError) in
            (
                try await store.businesses(),
                try await store.availability(of: principal.agent.id),
                try await store.findPreferences(of: principal.agent.id),
                try await store.secondFactor(of: principal.agent.id)
            )
        }
        let services = services
        return .json(
            JSONWriter.object { text in
                text.member("agent") {
                    $0.object {
                        $0.member("id", principal.agent.id.text)
                        $0.member("name", principal.agent.name)
                        $0.member("email", principal.agent.email)
                        $0.member("role", services.firstRole(of: principal).name)
                    }
                }
                text.member("businesses") { text in
                    text.array { text in
                        for business in businesses {
                            guard let role = principal.roles[business.id] else { continue }
                            text.business(business, role, services)
                        }
                    }
                }
                text.member("secondFactor") { text in
                    text.object { text in
                        text.member("isActive", factor?.confirmedAt != nil)
                        text.member("waiting") { text in
                            text.array { text in
                                for business in businesses
                                where principal.waiting.contains(business.id) {
                                    text.string(business.name)
                                }
                            }
                        }
                    }
                }
                text.member("availability", chosen.state.rawValue)
                text.member("preferences") { $0.preferences(preferences) }
                text.member("memberRoles") { text in
                    text.array { text in
                        for role in services.permissions.memberRoles { text.string(role.name) }
                    }
                }
                text.member("assistant") { text in
                    if let assistant = services.assistant {
                        text.object { $0.member("model", assistant.model) }
                    } else {
                        text.null()
                    }
                }
                text.member("publicUrl", services.publicURL.origin)
                text.member("version", services.version)
                text.member("head", services.broker.head.text)
            }, status: status)
    }
}

extension JSONWriter {
    /// Writes what an agent chose for the own work.
    fileprivate mutating func preferences(_ preferences: AgentPreferences) {
        object { text in
            text.member("sendDelay", preferences.sendDelay)
            text.member("console") { text in
                if preferences.console == nil {
                    text.null()
                } else {
                    text.raw(ConsoleChoices(stored: preferences.console).json)
                }
            }
        }
    }
}

extension Services {
    /// Refuses a password where people sign in through the identity provider alone.
    func requirePasswords() throws(Problem) {
        guard let settings = signOn?.settings, settings.isOnly else { return }
        throw Problem(
            .forbidden, "No password is accepted here: sign in through \(settings.name).")
    }

    /// The first role of the table that a person has in any business; `agent` without a membership.
    fileprivate func firstRole(of principal: AgentPrincipal) -> Role {
        let held = Set(principal.roles.values.compactMap(\.member))
        return permissions.memberRoles.first { held.contains($0) } ?? .agent
    }

    /// Those of an address who have a password, oldest first.
    func accounts(of email: String) async throws(Problem) -> [Agent] {
        try await asking { store throws(StoreError) in
            try await store.agents(email: email).filter { $0.password != nil }
        }
    }
}

extension Problem {
    static let wrongPassword = Problem(
        .unauthenticated, "E-mail address and password do not belong together.")
}
