import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the second factor of the own account.
    public mutating func addSecondFactor(limits: APILimits) {
        let path = "/api/session/second-factor"
        add(.get, path, operation: "getSecondFactor", permission: .useOwnSession) {
            context async throws(Problem) in try await SecondFactorRoutes(context).get()
        }
        add(
            .post, path, operation: "beginSecondFactor", permission: .useOwnSession,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await SecondFactorRoutes(context).begin() }
        add(
            .post, path + "/confirmation", operation: "confirmSecondFactor",
            permission: .useOwnSession, bodyLimit: limits.recordBytes, rate: .write,
            repeating: .refused
        ) { context async throws(Problem) in try await SecondFactorRoutes(context).confirm() }
        add(
            .post, path + "/recovery-codes", operation: "replaceRecoveryCodes",
            permission: .useOwnSession, bodyLimit: limits.recordBytes, rate: .write,
            repeating: .refused
        ) { context async throws(Problem) in
            try await SecondFactorRoutes(context).replaceRecoveryCodes()
        }
        add(
            .post, path + "/removal", operation: "removeSecondFactor",
            permission: .useOwnSession, bodyLimit: limits.recordBytes, rate: .write,
            repeating: .refused
        ) { context async throws(Problem) in try await SecondFactorRoutes(context).remove() }
    }
}

/// Answers the routes of `addSecondFactor`.
struct SecondFactorRoutes {
    /// What an app lists the account under.
    private static let issuer = "Frontdesk"
    private let context: RequestContext
    private var services: Services { context.services }
    private var check: SecondFactorCheck { SecondFactorCheck(context) }
    private var own: OwnPassword { OwnPassword(context) }

    init(_ context: RequestContext) { self.context = context }

    func get() async throws(Problem) -> Response {
        let principal = try context.requireAgent()
        let agent = principal.agent.id
        let factor = try await services.asking { store throws(StoreError) in
            try await store.secondFactor(of: agent)
        }
        let needsPassword = try await own.isNeeded(by: principal)
        let needsPasskey = try await check.needsPasskey(principal)
        let active = factor.flatMap { $0.confirmedAt == nil ? nil : $0 }
        return .json(
            JSONWriter.object {
                $0.member("isActive", active != nil)
                $0.member("since", active?.confirmedAt)
                $0.member("recoveryCodesLeft", active?.recoveryLeft ?? 0)
                $0.member("passwordNeeded", needsPassword)
                $0.member("passkeyNeeded", needsPasskey)
            })
    }

    /// Makes a secret, which is asked for once a code of it was confirmed.
    func begin() async throws(Problem) -> Response {
        let principal = try context.requireAgent()
        let agent = principal.agent
        var fields = try Fields(try await context.jsonBytes())
        let password = try await own.read(&fields, of: principal)
        try fields.finish()
        try await check.requirePasskey(of: principal)
        try await own.require(password, of: agent)
        let (secret, now) = (RandomBytes.make(TOTP.secretBytes), services.time.now())
        let isBegun = try await services.asking { store throws(StoreError) in
            try await store.beginSecondFactor(secret, of: agent.id, at: now)
        }
        guard isBegun else {
            throw Problem(
                .secondFactorActive,
                "The account has a second factor: remove it before you set up another one.")
        }
        context.log.info("second_factor_begun", ["agent": .text(agent.id.text)])
        let text = Base32.encode(secret)
        let url = Self.url(of: text, for: agent)
        return .json(
            JSONWriter.object {
                $0.member("secret", text)
                $0.member("url", url)
                $0.member("qr", QRCode(url)?.svg)
            }, status: .created)
    }

    func confirm() async throws(Problem) -> Response {
        let principal = try context.requireAgent()
        let (agent, session) = (principal.agent.id, principal.session)
        var fields = try Fields(try await context.jsonBytes())
        let code = fields.requireCode()
        try fields.finish()
        guard let code else { throw .wrongCode }
        // A passkey may have come since this was begun.
        try await check.requirePasskey(of: principal)
        let codes = RecoveryCode.makeAll(for: agent)
        try await check.judge(code, of: agent) { store, proof, now throws(StoreError) in
            // There is no recovery code yet.
            guard case .code(let digits) = proof else { return .wrong }
            return try await store.confirmSecondFactor(
                of: agent, digits, recovery: codes.map(\.digest), keeping: session, at: now)
        }
        context.log.info("second_factor_confirmed", ["agent": .text(agent.text)])
        // The store has forgotten every device of the account; this one is its person's.
        let shown = BrowserTokens(of: context.request, services).device
        let device = try await KnownDevices(services: services).remember(agent, shown: shown)
        var response = answer(codes)
        response.headers.append(
            "Set-Cookie",
            DeviceCookie.set(
                device, isSecure: services.isSecure(context.request), limits: services.limits.web
            ).text)
        return response
    }

    func replaceRecoveryCodes() async throws(Problem) -> Response {
        let principal = try context.requireAgent()
        let agent = principal.agent
        let code = try await requirePasswordAndCode(of: principal)
        let codes = RecoveryCode.makeAll(for: agent.id)
        try await check.judge(code, of: agent.id) { store, proof, now throws(StoreError) in
            try await store.replaceRecoveryCodes(
                of: agent.id, proof, by: codes.map(\.digest), at: now)
        }
        context.log.info("recovery_codes_replaced", ["agent": .text(agent.id.text)])
        return answer(codes)
    }

    func remove() async throws(Problem) -> Response {
        let principal = try context.requireAgent()
        let agent = principal.agent
        let code = try await requirePasswordAndCode(of: principal)
        try await check.judge(code, of: agent.id) { store, proof, now throws(StoreError) in
            try await store.removeSecondFactor(of: agent.id, proof, at: now)
        }
        context.log.info("second_factor_removed", ["agent": .text(agent.id.text)])
        return Response(status: .noContent)
    }

    // MARK: Parts

    private func requirePasswordAndCode(
        of principal: AgentPrincipal
    ) async throws(Problem) -> String {
        var fields = try Fields(try await context.jsonBytes())
        let password = try await own.read(&fields, of: principal)
        let code = fields.requireCode()
        try fields.finish()
        try await own.require(password, of: principal.agent)
        guard let code else { throw .wrongCode }
        return code
    }

    private func answer(_ codes: [RecoveryCode]) -> Response {
        .json(
            JSONWriter.object {
                $0.member("recoveryCodes") { text in
                    text.array { text in for code in codes { text.string(code.text) } }
                }
            })
    }

    /// What an app reads from the QR code, in the form that all of them know.
    private static func url(of secret: String, for agent: Agent) -> String {
        let account = PercentCoding.encode("\(issuer):\(agent.email)")
        return "otpauth://totp/\(account)?secret=\(secret)&issuer=\(issuer)"
            + "&algorithm=SHA1&digits=\(TOTP.digits)&period=\(TOTP.stepSeconds)"
    }
}

extension Fields {
    /// The password that a person has, whatever it is made of.
    mutating func requirePassword() -> String? { requireText("password", bytes: 1...16_384) }

    /// The password that a person has, where one was sent.
    mutating func password() -> String? { text("password", bytes: 1...16_384) }

    /// A code of a second factor that must be there.
    mutating func requireCode() -> String? { requireText("code", bytes: 1...128) }

    /// A code of a second factor.
    mutating func code() -> String? { text("code", bytes: 1...128) }
}
