import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskSAML
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the sign-in through the operator's identity provider.
    ///
    /// Without one the first answers that there is none, and the others 404.
    public mutating func addSignOn(limits: APILimits) {
        add(.get, "/api/session/sso", operation: "getSignOn", permission: .open) {
            context async throws(Problem) in SignOnRoutes(context).get()
        }
        add(
            .post, "/api/session/sso", operation: "beginSignOn", permission: .open,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused, goesOnWhenFull: true
        ) { context async throws(Problem) in try await SignOnRoutes(context).begin() }
        add(
            .get, "/api/session/identities", operation: "listIdentities",
            permission: .useOwnSession
        ) { context async throws(Problem) in try await SignOnRoutes(context).identities() }
        add(
            .get, "/sso/start", operation: "startSignOn", permission: .open,
            query: .known(["return"]), rate: .write
        ) { context async throws(Problem) in try await SignOnRoutes(context).start() }
        add(
            .get, "/sso/callback", operation: "finishSignOn", permission: .open, query: .ignored,
            rate: .write
        ) { context async throws(Problem) in try await SignOnRoutes(context).finish() }
        add(
            .post, "/sso/acs", operation: "receiveSAMLResponse", permission: .open,
            query: .ignored, bodyLimit: SAMLProvider.formBytes, rate: .write, repeating: .refused,
            origins: .any
        ) { context async throws(Problem) in try await SAMLRoutes(context).receive() }
        add(.get, "/sso/acs", operation: "openSAMLResponses", permission: .open, query: .ignored) {
            context async throws(Problem) in try SAMLRoutes(context).open()
        }
        add(
            .get, "/sso/metadata", operation: "getSAMLMetadata", permission: .open, query: .ignored
        ) { context async throws(Problem) in try SAMLRoutes(context).metadata() }
    }
}

/// Answers the routes of `addSignOn`.
struct SignOnRoutes {
    /// Longest code of a provider in bytes.
    private static let codeBytes = 4_096

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    /// What the sign-in page shows.
    func get() -> Response {
        .json(
            JSONWriter.object { text in
                text.member("provider") { text in
                    guard let signOn = services.signOn else { return text.null() }
                    text.object {
                        $0.member("name", signOn.settings.name)
                        $0.member("isOnly", signOn.settings.isOnly)
                        $0.member("signOutUrl", signOn.provider.signOutURL(returningTo: consoleURL))
                    }
                }
                text.member(
                    "passwordLinks",
                    services.mailer != nil && services.signOn?.settings.isOnly != true)
                text.member("passkeys") { text in
                    guard let site = services.passkeySite(of: context.request) else {
                        return text.null()
                    }
                    text.object { $0.member("host", site.host) }
                }
            })
    }

    /// The identities of the own account.
    func identities() async throws(Problem) -> Response {
        let agent = try context.requireAgent().agent.id
        let all = try await services.asking { store throws(StoreError) in
            try await store.identities(of: agent)
        }
        return .json(
            JSONWriter.object { text in
                text.member("identities") { text in
                    text.array { text in
                        for one in all {
                            text.object {
                                $0.member("issuer", one.identity.issuer)
                                $0.member("subject", one.identity.subject)
                                $0.member("createdAt", one.createdAt)
                            }
                        }
                    }
                }
            })
    }

    // MARK: To the provider

    /// Begins a sign-in for a page, which goes to the address of the answer.
    func begin() async throws(Problem) -> Response {
        let signOn = try requireSignOn()
        var fields = try Fields(try await context.jsonBytes())
        let page = fields.text("return", bytes: 1...SignOnState.pageBytes)
        let invitation = fields.text("invitation")
        if let page, !SignOnState.isPage(page) {
            fields.note("return", "a path of this server", "Send a path such as /console.")
        }
        try fields.finish()
        if let invitation {
            guard case .invitation = try await OneTimeLinks(services: services).find(invitation)
            else { throw .deadLink }
        }
        do throws(SignOnFault) {
            let (url, cookie) = try await authorize(
                signOn, returningTo: page ?? "/console", invitation: invitation)
            var response = Response.json(JSONWriter.object { $0.member("url", url) })
            response.headers.append("Set-Cookie", cookie.text)
            return response
        } catch {
            note(SignOnRefusal(error))
            let name = signOn.settings.name
            // Without Retry-After where it would be the same again, such as with an issuer that is written otherwise.
            guard error.isPassing else {
                throw Problem(.unavailable, "The answer of \(name) could not be accepted.")
            }
            var problem = Problem(.unavailable, "\(name) cannot be reached at the moment.")
            problem.retryAfterSeconds = 5
            throw problem
        }
    }

    /// Begins a sign-in for a link, such as one of the provider's own list of applications.
    func start() async throws(Problem) -> Response {
        let signOn = try requireSignOn()
        let page = context.request.query["return"] ?? "/console"
        guard SignOnState.isPage(page) else {
            throw Problem(.badRequest, "The parameter return is a path of this server.")
        }
        do throws(SignOnFault) {
            let (url, cookie) = try await authorize(signOn, returningTo: page, invitation: nil)
            var response = Response(status: .found, headers: ["Location": url])
            response.headers.append("Set-Cookie", cookie.text)
            return response
        } catch {
            let refusal = SignOnRefusal(error)
            note(refusal)
            return Self.back(refusal.reason)
        }
    }

    private func authorize(
        _ signOn: SingleSignOn, returningTo page: String, invitation: String?
    ) async throws(SignOnFault) -> (url: String, cookie: SetCookie) {
        context.request.peer.allowHandlerTime(OpenIDProvider.longestWait)
        let state = SignOnState(
            page: page, invitation: invitation,
            browser: BrowserTokens(of: context.request, services), at: services.time.latest())
        let url = try await signOn.provider.authorizationURL(
            for: state, redirectURI: redirectURI)
        return (
            url,
            SignOnCookie.set(
                signOn.states.encrypt(state), isSecure: services.isSecure(context.request))
        )
    }

    // MARK: Back from the provider

    /// Finishes a sign-in; whatever the outcome, the browser lands on a page of the console.
    func finish() async throws(Problem) -> Response {
        let signOn = try requireSignOn()
        var response: Response
        do throws(SignOnRefusal) {
            response = try await admit(signOn)
        } catch {
            note(error)
            response = Self.back(error.reason)
            if error.isOfAnother { return response }
        }
        response.headers.append(
            "Set-Cookie", SignOnCookie.clear(isSecure: services.isSecure(context.request)).text)
        return response
    }

    private func admit(_ signOn: SingleSignOn) async throws(SignOnRefusal) -> Response {
        let state = try await requireState(signOn)
        let code = try requireCode(signOn)
        context.request.peer.allowHandlerTime(OpenIDProvider.longestWait)
        let found: ProvidedPerson
        do throws(SignOnFault) {
            found = try await signOn.provider.person(
                code: code, for: state, redirectURI: redirectURI)
        } catch {
            throw SignOnRefusal(error)
        }
        let person = SignOnPerson(
            found, domains: signOn.settings.domains, device: state.browser.device, context)
        let agent = try await person.account(invitation: state.invitation)
        do throws(Problem) {
            let begun = try await SessionRoutes(context)
                .beginSession(of: agent, in: state.browser)
            context.log.info("signed_in", ["agent": .text(agent.text), "by": .text("sso")])
            var response = Response(status: .found, headers: ["Location": state.page])
            for cookie in begun.cookies { response.headers.append("Set-Cookie", cookie.text) }
            return response
        } catch {
            throw SignOnRefusal(reason: .unavailable, detail: error.code.rawValue)
        }
    }

    /// The state that the browser carries and the provider sends back, once.
    private func requireState(_ signOn: SingleSignOn) async throws(SignOnRefusal) -> SignOnState {
        let name = SignOnCookie.name(isSecure: services.isSecure(context.request))
        guard let value = context.request.cookies[name],
            let state = signOn.states.decrypt(value, at: services.time.latest())
        else { throw SignOnRefusal(reason: .expired, detail: "cookie") }
        guard let sent = context.request.query["state"],
            constantTimeEquals(Array(sent.utf8), Array(state.state.utf8))
        else { throw SignOnRefusal(reason: .expired, detail: "state", isOfAnother: true) }
        let isFirst: Bool
        do throws(Problem) {
            isFirst = try await services.asking { store throws(StoreError) in
                try await store.useCode(state.digest, until: state.expires)
            }
        } catch {
            throw SignOnRefusal(reason: .unavailable, detail: error.code.rawValue)
        }
        guard isFirst else { throw SignOnRefusal(reason: .expired, detail: "used") }
        return state
    }

    private func requireCode(_ signOn: SingleSignOn) throws(SignOnRefusal) -> String {
        let query = context.request.query
        if let error = query["error"] {
            throw SignOnRefusal(reason: .refused, detail: Self.word(error))
        }
        // RFC 9207: an answer of another provider names that one.
        if let issuer = query["iss"], !issuer.utf8.elementsEqual(signOn.provider.issuer.utf8) {
            throw SignOnRefusal(reason: .invalid, detail: "answer issuer")
        }
        guard let code = query["code"], (1...Self.codeBytes).contains(code.utf8.count) else {
            throw SignOnRefusal(reason: .invalid, detail: "answer code")
        }
        return code
    }

    /// The console with a word for a response of SAML that is none to a sign-in here.
    func refuse(_ fault: SAMLFault) -> Response {
        let refusal = SignOnRefusal(.wrong("saml", fault.rawValue))
        note(refusal)
        var response = Self.back(refusal.reason)
        response.status = .seeOther
        return response
    }

    // MARK: Parts

    private var redirectURI: String { "\(services.publicURL.origin)/sso/callback" }
    private var consoleURL: String { "\(services.publicURL.origin)/console" }

    private func requireSignOn() throws(Problem) -> SingleSignOn {
        guard let signOn = services.signOn else { throw .notFound }
        return signOn
    }

    /// A person who is not let in is no matter for the operator; a provider that fails is.
    private func note(_ refusal: SignOnRefusal) {
        let more: KeyValuePairs<String, LogValue> = [
            "reason": .text(refusal.reason.rawValue), "detail": .text(refusal.detail),
        ]
        if refusal.reason.isFailure {
            context.log.warning("sso_failed", more)
        } else {
            context.log.info("sso_refused", more)
        }
    }

    /// The console with a word for what went wrong.
    static func back(_ reason: SignOnRefusal.Reason) -> Response {
        Response(status: .found, headers: ["Location": "/console#sso=\(reason.rawValue)"])
    }

    /// An error code of the provider as the log may have it: letters, digits and `_`, at most 40.
    private static func word(_ text: String) -> String {
        let bytes = text.utf8.prefix(40).map { byte in
            let isPlain =
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            return isPlain ? byte : UInt8(ascii: "_")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
