public import DeskAPI
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

/// What the sandbox page asks: where it is, a way in, and join codes that renew themselves.
public struct SandboxRoutes: Sendable {
    private static let bodyBytes = 1_024

    private let sandbox: Sandbox

    /// The routes of a sandbox.
    public init(_ sandbox: Sandbox) { self.sandbox = sandbox }

    /// Adds the routes.
    public func add(to table: inout RouteTable) {
        table.add(
            .get, "/api/sandbox", operation: "getSandbox", permission: .useSandbox,
            business: .sandbox
        ) {
            context throws(Problem) in try await describe(context)
        }
        table.add(
            .post, "/api/sandbox/session", operation: "openSandboxSession", permission: .open,
            bodyLimit: Self.bodyBytes, rate: .write, repeating: .refused
        ) { context throws(Problem) in try await beginSession(context) }
        table.add(
            .post, "/api/sandbox/codes", operation: "createJoinCode", permission: .useSandbox,
            business: .sandbox,
            bodyLimit: Self.bodyBytes, rate: .write, repeating: .refused
        ) { context throws(Problem) in try await makeCode(context) }
        table.add(
            .get, "/api/sandbox/codes/{code}", operation: "getJoinCode", permission: .useSandbox,
            business: .sandbox
        ) { context throws(Problem) in
            let code = try await requireCode(context)
            return Response(
                type: "application/json",
                JSONWriter.object { text in
                    text.member("id", code.id)
                    text.member("expires", code.expiresAt)
                    text.member("conversation", code.conversation?.text)
                })
        }
        table.add(
            .get, "/api/sandbox/codes/{code}/qr.svg", operation: "getJoinCodeQR",
            permission: .useSandbox, business: .sandbox
        ) { context throws(Problem) in
            let code = try await requireCode(context)
            let text = JoinCodeText(id: code.id, key: sandbox.codeKey)
            // A code of another key is known by its digest alone: one of before an update.
            guard text.linkDigest == code.link, let drawn = QRCode(url(of: text, context)) else {
                throw .notFound
            }
            return QRPicture.svg(drawn)
        }
        table.add(
            .post, "/api/sandbox/invitations/{conversation}", operation: "answerInvitation",
            permission: .playCustomers, business: .conversation, bodyLimit: Self.bodyBytes,
            rate: .write, repeating: .refused
        ) { context throws(Problem) in
            guard sandbox.isOffered else { throw .notFound }
            return try await InvitedPhone(context).answer()
        }
    }

    private func describe(_ context: RequestContext) async throws(Problem) -> Response {
        guard sandbox.isOffered else { throw .notFound }
        let found = try await context.services.asking { store throws(StoreError) in
            try await store.findBusiness(sandbox.business)
        }
        guard let business = found else { throw .notFound }
        let origin = context.services.publicURL.origin
        let isLoopback = context.services.publicURL.isLoopback
        return Response(
            type: "application/json",
            JSONWriter.object { text in
                text.member("business") { $0.business(business, nil, context.services) }
                text.member("publicUrl", origin)
                text.member("reachable", isLoopback ? "loopback" : "network")
                text.member("hint", isLoopback ? sandbox.opening.hint : nil)
                text.member(
                    "opensBy",
                    isLoopback && sandbox.opening != .nothing ? sandbox.opening.rawValue : nil)
            })
    }

    private func beginSession(_ context: RequestContext) async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let key = fields.requireText("key", bytes: 1...64)
        try fields.finish()
        guard sandbox.isOffered, let shown = key.flatMap({ Token($0) }),
            sandbox.accepts(shown, at: context.services.time.now())
        else {
            throw Problem(
                .unauthenticated,
                "This is not the sandbox's link, or an earlier one. "
                    + "frontdesk sandbox link prints it.")
        }
        let token = Token.make()
        let now = context.services.time.latest()
        let session = Session(
            token: token.digest, subject: .sandbox, createdAt: now,
            expiresAt: now.advanced(by: .seconds(Sandbox.sessionHours * 3_600)))
        try await context.services.asking { store throws(StoreError) in
            try await store.add(session, author: session.subject.author)
        }
        let cookie = SandboxCookie.set(token, isSecure: context.services.isSecure(context.request))
        return Response(status: .noContent, headers: ["Set-Cookie": cookie.text])
    }

    private func makeCode(_ context: RequestContext) async throws(Problem) -> Response {
        guard sandbox.isOffered else { throw .notFound }
        let author = try context.requirePrincipal().author
        let id = context.services.broker.makeID().text
        let text = JoinCodeText(id: id, key: sandbox.codeKey)
        let now = context.services.time.latest()
        let code = JoinCode(
            id: id, business: sandbox.business, link: text.linkDigest, locator: text.locator,
            typed: text.proofDigest, createdAt: now,
            expiresAt: now.advanced(by: .seconds(JoinCodeText.lifeSeconds)), uses: JoinCodeText.uses
        )
        try await context.services.asking { store throws(StoreError) in
            try await store.add(code, author: author)
        }
        let body = JSONWriter.object { json in
            json.member("id", id)
            json.member("url", url(of: text, context))
            json.member("typed", text.typed)
            json.member("expires", code.expiresAt)
            json.member("qrSvg", "/api/sandbox/codes/\(id)/qr.svg")
        }
        return Response(status: .created, type: "application/json", body)
    }

    private func requireCode(_ context: RequestContext) async throws(Problem) -> JoinCode {
        guard sandbox.isOffered, let id = context.request.parameters["code"], id.utf8.count <= 64
        else { throw .notFound }
        let code = try await context.services.asking { store throws(StoreError) in
            try await store.findJoinCode(id)
        }
        guard let code, code.business == sandbox.business else { throw .notFound }
        return code
    }

    private func url(of text: JoinCodeText, _ context: RequestContext) -> String {
        "\(context.services.publicURL.origin)/j/\(text.link)"
    }
}

extension Sandbox.Opening {
    /// What to do so that a phone on the network reaches it.
    fileprivate var hint: String {
        switch self {
        case .make:
            "A phone cannot reach this address. Start Frontdesk with \"make run LAN=1\", or set "
                + "--listen and --public-url to this machine's network address."
        case .flags:
            "A phone cannot reach this address. Start Frontdesk with --listen and --public-url set to "
                + "this machine's network address."
        case .nothing:
            "An ephemeral gateway is reached from this machine alone: play a customer in a browser here."
        }
    }
}
