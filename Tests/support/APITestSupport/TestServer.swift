package import DeskAPI
package import DeskAssistant
import DeskBroker
import DeskCrypto
package import DeskHTTP
import DeskJSON
package import DeskLinks
package import DeskLog
import DeskMessages
package import DeskModel
package import DeskSandbox
package import DeskStore
package import DeskStoreSQLite
package import DeskWeb
import Synchronization
package import TestSupport
package import Testing

/// A whole server without sockets and disk: every route over a store in memory.
package struct TestServer: Sendable {
    package static let password = "correct horse battery staple"
    package static let host = "desk.example:8080"
    package static let origin = "http://desk.example:8080"

    /// Where it is: host and port.
    package let host: String
    package let scratch: ScratchFolder
    package let files: BlobFiles
    package let time = TestTime()
    package let log = MemorySink()
    package let store: any Store & Maintenance
    package let services: Services
    package let api: API
    /// Plays scripts while its `run()` does; nil in an ephemeral server.
    package let runs: ScriptRuns?
    /// The test business that keys and the sandbox use.
    package let business: Business
    /// The server's own secrets.
    package let secrets: SharedSecrets
    /// Another business, a live one.
    package let other: Business
    /// Whether the OpenAPI file describes it; it does not describe roles that only a test has.
    private let isDescribed: Bool
    private let events = EventCheck()

    private static let schemas = FileSet(
        TestFiles.schemas.reduce(into: [:]) { $0[$1.name] = $1.bytes })
    private static let docs = FileSet(
        TestFiles.names("docs/rules").reduce(into: [:]) { files, path in
            let text = TestFiles.text(path)
            files[String(path.dropFirst("docs/".count))] = text.map { Array($0.utf8) }
        })
    /// Compiled once: hundreds of servers are made.
    private static let mcp = MCPRoutes(schemas: schemas, docs: docs)

    package init(
        at host: String = TestServer.host, web: FileSet = FileSet(),
        device: (any DeviceWorks)? = nil, isEphemeral: Bool = false,
        permissions: PermissionTable = .product, isDescribed: Bool = true,
        agents: (any Authenticator)? = nil,
        conversations: CountedConversations? = nil, assistant: Assistant? = nil,
        whatsApp: (any WhatsAppTemplateSource)? = nil, allowsProvisioning: Bool = true,
        limits change: (inout APILimits) -> Void = { _ in },
        over wrap: (SQLiteStore) -> any Store = { $0 }
    ) async throws {
        self.host = host
        self.isDescribed = isDescribed
        var limits = APILimits()
        change(&limits)
        let store = try SQLiteStore(inMemory: Epoch(7))
        self.store = store
        conversations?.begin(store)
        let time = time
        var random = SystemRandomNumberGenerator()
        business = Business(
            id: BusinessID(using: &random), name: "Sandbox", colour: "#112233", mode: .test,
            isSandbox: true, createdAt: time.now)
        other = Business(
            id: BusinessID(using: &random), name: "Shop", colour: "#445566", mode: .live,
            createdAt: time.now)
        try await store.save(business, author: .server)
        try await store.save(other, author: .server)
        let url = try #require(PublicURL("http://\(host)"))
        secrets = try await SharedSecrets(of: store)
        services = Services(
            broker: Broker(store: wrap(store), now: { time.now }), rulebook: TestFiles.rulebook,
            publicURL: url, secrets: secrets, limits: limits, time: time.source,
            log: Log(to: log, from: .debug),
            passwords: PasswordQueue(
                limits: limits.web, scrypt: Scrypt(cost: 2, blockSize: 1, parallelism: 1)),
            search: try SQLiteSearch(inMemoryOf: store, readable: ReadableText.text(of:)),
            conversations: conversations,
            device: SandboxDevice(outside: device), faultSettings: FaultDials.settings,
            assistant: assistant, allowsProvisioning: allowsProvisioning, whatsApp: whatsApp,
            permissions: permissions)
        scratch = try ScratchFolder()
        files = try BlobFiles(directory: scratch.path, time: time.source)
        let sandbox = Sandbox(
            business: business.id, isOffered: true, isOpen: false, secrets: secrets)
        var table = RouteTable.whole(
            limits: limits,
            pages: PageRoutes(
                web: web, schemas: FileSet(), docs: FileSet(), readiness: Readiness()),
            attachments: AttachmentRoutes(files),
            mcp: Self.mcp, openAPI: nil,
            codeKey: sandbox.codeKey)
        runs =
            isEphemeral
            ? nil
            : ScriptRuns(services: services, business: business, files: files, client: nil)
        table.addSandbox(
            sandbox,
            simulation: isEphemeral
                ? Simulation(services: services, business: business, files: files, clock: time)
                : nil,
            runs: runs)
        api = API(
            services: services,
            authenticators: Authenticators(
                services: services, agent: agents,
                sandbox: SandboxAuthenticator(services: services, sandbox: sandbox),
                sandboxBusiness: sandbox.business,
                customer: PhoneAuthenticator(services: services)),
            table: table)
    }

    // MARK: People and things

    /// Who sends a request.
    package enum Caller: Sendable {
        case anonymous
        case agent(String)
        case key(String)
        case customer(String)
        case sandbox(String)
    }

    /// The first owner, signed in.
    package func makeOwner() async throws -> Caller {
        let link = try await OneTimeLinks(services: services).makeSetupLink()
        let token = try #require(link.split(separator: "=").last)
        let answer = try await post(
            "/api/setup",
            """
            {"token":"\(token)","name":"Ada","email":"Ada@Example.com",\
            "password":"\(Self.password)"}
            """)
        #expect(answer.status == 201)
        return .agent(try #require(answer.cookie("fd")))
    }

    /// A member with this role, signed in.
    package func makeMember(
        _ email: String, _ role: Role, of business: Business, by owner: Caller
    ) async throws -> Caller {
        let token = try await invite(email, role, to: business, by: owner)
        let answer = try await post(
            "/api/invitations/accept",
            #"{"token":"\#(token)","name":"Ben","password":"\#(Self.password)"}"#)
        return .agent(try #require(answer.cookie("fd")))
    }

    /// The token of a fresh invitation's link.
    package func invite(
        _ email: String, _ role: Role = .agent, to business: Business, by owner: Caller
    ) async throws -> String {
        let invited = try await post(
            "/api/businesses/\(business.id)/members",
            #"{"email":"\#(email)","role":"\#(role.name)"}"#, by: owner)
        #expect(invited.status == 201)
        let link = try #require(invited["invitationUrl"]?.string)
        #expect(link.hasPrefix("http://\(host)/console#invite="))
        return String(try #require(link.split(separator: "=").last))
    }

    /// A visitor of the sandbox page.
    package func makeSandboxVisitor() async throws -> Caller {
        let token = Token.make()
        try await store.add(
            Session(
                token: token.digest, subject: .sandbox, createdAt: time.now,
                expiresAt: time.now.advanced(by: .seconds(3_600))),
            author: .script("sandbox"))
        return .sandbox(token.text)
    }

    /// The token of the operator's link for a new password.
    package func makePasswordLink(for agent: AgentID) async throws -> String {
        let token = Token.make()
        try await store.add(
            Session(
                token: token.digest, subject: .newPassword(agent), createdAt: time.now,
                expiresAt: time.now.advanced(by: .seconds(86_400))), author: .server)
        return token.text
    }

    /// Who a caller is.
    package func agentID(of caller: Caller) async throws -> AgentID {
        let id = try await get("/api/session", by: caller)["agent"]?["id"]?.string
        return try #require(id.flatMap { AgentID($0) })
    }

    /// A key for businesses, with every scope unless it says which.
    package func makeKey(
        _ businesses: [Business], scopes: KeyScopes = .all
    ) async throws -> Caller {
        let made = try await KeyMint(services: services).make(
            name: "shop", businesses: businesses, limits: KeyLimits(scopes: scopes.names))
        return .key(made.text)
    }

    /// A conversation with one message of its customer's.
    package func makeConversation(_ business: Business? = nil) async throws -> Conversation {
        let business = business ?? self.business
        let answer = try await post(
            "/api/phone/\(business.id)/messages",
            #"{"id":"\#(services.broker.makeID())","text":"Hello","locale":"en_US"}"#)
        let id = try #require(answer["message"]?["conversation"]?.string)
        let conversation = try #require(ConversationID(id))
        return try #require(try await store.findConversation(conversation))
    }

    /// How many messages a conversation has.
    package func messageCount(_ conversation: Conversation) async throws -> Int {
        Int(try #require(try await store.findConversation(conversation.id)).newest.value)
    }

    // MARK: Requests

    package func get(
        _ target: String, by caller: Caller = .anonymous, headers: HeaderFields = [:],
        location: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await send(.get, target, by: caller, headers: headers, location: location)
    }

    package func post(
        _ target: String, _ body: String = "", by caller: Caller = .anonymous,
        headers: HeaderFields = [:], location: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await send(.post, target, body, by: caller, headers: headers, location: location)
    }

    /// Sends a request; the answer is held against the OpenAPI file.
    package func send(
        _ method: DeskHTTP.Method, _ target: String, _ body: String = "",
        by caller: Caller = .anonymous, headers: HeaderFields = [:],
        location: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await send(
            method, target, bytes: Array(body.utf8), by: caller, headers: headers,
            location: location)
    }

    /// Sends a request whose body is bytes; the answer is held against the OpenAPI file.
    package func send(
        _ method: DeskHTTP.Method, _ target: String, bytes body: [UInt8],
        by caller: Caller = .anonymous, headers: HeaderFields = [:], mark: (any PeerMark)? = nil,
        location: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        var headers = headers
        if !body.isEmpty, !headers.contains("content-type") {
            headers.append("Content-Type", "application/json")
        }
        switch caller {
        case .anonymous: break
        case .agent(let token): headers.append("Cookie", "fd=\(token)")
        case .customer(let token): headers.append("Cookie", "fdc=\(token)")
        case .sandbox(let token): headers.append("Cookie", "fd_sandbox=\(token)")
        case .key(let text): headers.append("Authorization", "Bearer \(text)")
        }
        switch caller {
        case .agent, .customer, .sandbox:
            if !headers.contains("origin") { headers.append("Origin", "http://\(host)") }
        case .anonymous, .key: break
        }
        let request = try Request(
            method: method, target: target, headers: headers, body: body,
            host: host, peer: Peer(address: "192.0.2.7", isLoopback: false, mark: mark))
        let answer = Answer(response: await api.respond(to: request))
        if isDescribed, let row = row(of: request) {
            OpenAPICheck.shared.check(answer, of: row.operation, location: location)
        }
        await events.check(store, location: location)
        return answer
    }

    /// The route of a request; nil when there is none.
    private func row(of request: Request) -> RouteTable.Row? {
        let segments = request.path.segments
        return api.table.rows.filter { row in
            let parts = row.pattern.split(separator: "/")
            guard row.method == request.method else { return false }
            guard parts.count == segments.count else { return false }
            return zip(parts, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }.min { $0.pattern.filter { $0 == "{" }.count < $1.pattern.filter { $0 == "{" }.count }
    }
}
