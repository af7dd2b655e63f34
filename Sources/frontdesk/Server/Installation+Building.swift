import DeskAPI
import DeskBroker
import DeskCrypto
import DeskDelivery
import DeskGateway
import DeskHTTP
import DeskLinks
import DeskLint
import DeskLog
import DeskMessages
import DeskModel
import DeskNet
import DeskSandbox
import DeskStore
import DeskTeam
import DeskWeb
import FoundationEssentials

extension Installation {
    /// Why a server cannot be put together, in words for the terminal.
    struct Failure: Error {
        let message: String
        let hint: String?

        init(_ message: String, hint: String? = nil) {
            self.message = message
            self.hint = hint
        }
    }

    /// Files that a server opens until it serves, about 30, and some for its first requests.
    private static let leastFiles = 128

    /// Refuses a process that may open too few files, before one that cannot be opened looks damaged or missing.
    private static func requireFiles() throws(Failure) {
        Server.raiseDescriptorLimit()
        let most = Server.descriptorLimit
        guard most < leastFiles else { return }
        throw Failure(
            "this process may open \(most) files, and a server needs \(leastFiles) at least",
            hint:
                "raise the limit: LimitNOFILE=32768 in the unit of systemd, or \"ulimit -n 32768\" "
                + "before the command")
    }

    /// Opens the store, reads the files, binds the port; nothing is served yet.
    static func build(
        _ configuration: ServeConfiguration, executable: String
    ) async throws -> Installation {
        let begin = ContinuousClock.now
        try requireFiles()
        var limits = Limits()
        for setting in configuration.limits {
            try setting.apply(to: &limits.api, &limits.server)
        }
        let folders = try ShareFolders.find(
            web: configuration.web, schemas: configuration.schemas, executable: executable)
        // Compiled on another core while the store is opened and the files are read.
        async let compiled = SchemaFolder(folders.schemas, executable: executable).makeRulebook()
        let log = Log(from: LogLevel(configuration.logLevel) ?? .info)
        let metrics = Metrics()
        ProcessReadings.show(in: metrics)
        let alarm = DamageAlarm(log: log, metrics: metrics)
        let parts = try await openStore(configuration, log: log, metrics, alarm: alarm)
        let store = parts.store
        let time = TimeSource.system
        let secrets = try await SharedSecrets(of: store)
        let businesses = try await FirstStart(store: store, time: time)
            .requireBusinesses(named: configuration.businessName)

        let handler = DeferredHandler()
        let server = try bind(configuration, limits.server, handler, log, metrics)
        // Binding has raised the descriptors' limit; other files and connections need some of them.
        limits.api.web.streams = min(limits.api.web.streams, max(1, Server.descriptorLimit - 1_000))
        let publicURL = try publicURL(of: configuration, port: server.port)
        let links = LoadedLinks(store: store)
        try await links.load()
        metrics.reading(
            "frontdesk_whatsapp_unknown_number_posts_total",
            help: "Posts of WhatsApp for numbers that no business here has.", isCounter: true
        ) { Double(links.unknownNumbers.posts) }
        let (web, schemas, docs) = try folders.read()
        // Waited for here and not before: all above is done while it is compiled.
        let rulebook = try await compiled
        let isPrivate = configuration.listen.isLoopback && publicURL.isLoopback
        let sandbox = Sandbox(
            business: businesses.sandbox.id, isOffered: configuration.sandbox ?? isPrivate,
            isOpen: isPrivate, secrets: secrets, isShared: parts.isShared,
            opening: ShareFolders.isInCheckout(executable: executable) ? .make : .flags)
        let files = BlobFiles(blobs: parts.blobs)
        let notes = RequestNotes(log: log, metrics: metrics)
        let disk = DiskGuard(limits: limits.api.web, log: log, metrics: metrics)
        let gateway = GatewayParts(
            broker: Broker(
                store: store, now: time.now, random: BufferedRandom(), metrics: metrics,
                signals: parts.signals),
            links: links, rulebook: rulebook, blobs: files.blobs,
            client: CurlClient(
                reach: configuration.privateEndpoints ?? isPrivate
                    ? .anywhere : .publicOnly), origin: publicURL.origin,
            watch: ServerWatch(notes: notes, disk: disk),
            rate: limits.api.gatewayWrites,
            keepsUnnamed: .seconds(limits.api.gatewayUploadHours * 3_600), secrets: secrets,
            time: time, log: log, faults: sandbox.isOffered ? DialledFaults() : nil,
            reachesNumbers: sandbox.isOffered, counters: parts.counters)
        let poster = WebhookPoster(client: gateway.client, time: time, version: Version.number)
        let assistant = configuration.assistant?.make(
            // The operator names its address alone: it may be this machine's.
            client: CurlClient(reach: .anywhere),
            schemas: schemas.paths.compactMap { path in
                schemas[path]?.bytes.map { (name: path, bytes: $0) }
            }, seconds: limits.api.assistantSeconds)
        let signOn = configuration.signOn.map {
            // The operator names it: it may be on a private network.
            SingleSignOn(
                $0, origin: publicURL.origin, key: secrets.signOnStates,
                client: CurlClient(reach: .anywhere), time: time)
        }
        let mailer = configuration.mail.map { mail in
            Mailer(
                CurlMailer(mail.server, greetingAs: publicURL.host), from: mail.from,
                makeID: { gateway.broker.makeID() }, time: time, log: log, metrics: metrics,
                counters: parts.counters)
        }
        let pushServices = PushServices(adding: configuration.pushServices)
        let pushSender = PushSender(
            key: PushKey(secret: secrets.pushKey), services: pushServices, store: store,
            client: gateway.client, contact: publicURL.origin, version: Version.number, time: time,
            log: log, metrics: metrics)
        let provider = TestProvider(key: secrets.signInCodes)
        let services = Services(
            broker: gateway.broker, rulebook: rulebook,
            publicURL: publicURL, secrets: secrets, limits: limits.api, time: time, log: log,
            metrics: metrics,
            version: Version.number, proxies: TrustedProxies(configuration.trustedProxies),
            search: parts.search, links: links,
            device: SandboxDevice(
                outside: TestProviderDevice(gateway, provider)), notes: notes, disk: disk,
            faultSettings: FaultDials.settings, webhooks: poster,
            pushServices: pushServices, pushSender: pushSender, assistant: assistant,
            signOn: signOn, allowsProvisioning: configuration.allowsProvisioning, mailer: mailer,
            whatsApp: WhatsAppTemplateCache(gateway),
            counters: parts.counters)
        let runs =
            sandbox.isOffered
            ? ScriptRuns(
                services: services, business: businesses.sandbox, files: files,
                client: gateway.client) : nil
        let readiness = Readiness(asLongAs: parts.isReachable)
        let pages = PageRoutes(
            web: web, schemas: schemas, docs: docs, readiness: readiness, log: log,
            metricsReaders: MetricsReaders(configuration.metricsFrom))
        var table = RouteTable.whole(
            limits: limits.api, pages: pages, attachments: AttachmentRoutes(files),
            mcp: MCPRoutes(schemas: schemas, docs: docs), openAPI: docs["openapi.json"],
            codeKey: sandbox.codeKey)
        table.addSandbox(sandbox, runs: runs)
        let authenticators = Authenticators(
            services: services, sandbox: SandboxAuthenticator(services: services, sandbox: sandbox),
            sandboxBusiness: sandbox.business,
            customer: PhoneAuthenticator(services: services))
        handler.set(
            RootHandler(
                gateway: GatewayHandler(gateway, adding: OAuthEndpoints(provider).all),
                api: API(
                    services: services, authenticators: authenticators, table: table,
                    missing: pages.missing)))
        let admin = try AdminSocket(in: configuration.data)
        try await beginScript(services, businesses.sandbox)
        let place = try await findPlace(under: publicURL.origin, in: store, log)
        do throws(StoreError) {
            try await parts.useKeys(place.lease)
        } catch {
            // Safe: a place that is not given back is free some seconds later.
            try? await place.release()
            throw configuration.database.map { DatabaseFailure.failure(error, at: $0) }
                ?? Failure(StoreFailure.words(error), hint: StoreFailure.hint(error))
        }
        return Installation(
            configuration: configuration, parts: parts, server: server, services: services,
            sandbox: sandbox, runs: runs, businesses: businesses, readiness: readiness,
            pages: pages,
            gateway: gateway, admin: admin, place: place,
            reading: StoreReading(
                leases: store, watch: parts.watch, alarm: alarm, time: time, log: log,
                metrics: metrics),
            housekeeping: try await Housekeeping(
                services: services,
                others: { now throws(StoreError) in
                    try await UnnamedFiles(store: store, blobs: files.blobs).forget(before: now)
                    try await gateway.forgetUnnamed(before: now)
                    try await files.blobs.removeLeftovers()
                }),
            retention: try await RetentionWorker(services: services),
            reports: ReaderRunner(
                ReportReader(store), of: services.broker, time: time, log: log, metrics: metrics,
                mayWrite: { !disk.isFull }),
            rules: ReaderRunner(
                RuleReader(services.broker, host: RuleSurroundings(services)),
                of: services.broker, time: time, log: log, metrics: metrics,
                mayWrite: { !disk.isFull }),
            webhooks: services.makeWebhookRunner(poster),
            pushes: services.makePushReader(pushSender, mayWrite: { !disk.isFull }),
            agentPushes: services.makeAgentPushReader(pushSender, mayWrite: { !disk.isFull }),
            pushSender: pushSender,
            assigner: Assigner(
                of: services.broker,
                permitted: services.permissions.handlingRoles, time: time, log: log,
                mayWrite: { !disk.isFull }),
            buildTime: begin.duration(to: .now))
    }

    /// A place under a public URL that no other running process contradicts.
    private static func findPlace(
        under url: String, in store: any Store, _ log: Log
    ) async throws -> NodePlace {
        switch try await NodePlace.find(for: url, in: store) {
        case .granted(let place, let former):
            if let former {
                log.info("public_url_changed", ["from": .text(former), "to": .text(url)])
            }
            return place
        case .refused(let running):
            throw Failure(
                "another Frontdesk with this data runs under \(running)",
                hint: "start this one with --public-url \(running), or end the others first")
        case .full: throw Failure("too many servers run with this data")
        }
    }

    private static func beginScript(
        _ services: Services, _ business: Business
    ) async throws(Failure) {
        let customer = ScriptedCustomer(services: services, business: business)
        let result: Result<Void, Problem>
        do throws(StoreError) {
            result = try await services.store.withLease("script begins") {
                () async -> Result<Void, Problem> in
                do throws(Problem) {
                    return .success(try await customer.begin())
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            throw Failure("the scripted customer could not write: \(error.detail)")
        }
        if case .failure(let problem) = result {
            throw Failure("the scripted customer could not write: \(problem.detail)")
        }
    }

    private static func openStore(
        _ configuration: ServeConfiguration, log: Log, _ metrics: Metrics, alarm: DamageAlarm
    ) async throws -> StoreParts {
        try DataFolder.make(configuration.data)
        guard let address = configuration.database else {
            return try StoreParts.inFolder(configuration, log: log, metrics, alarm: alarm)
        }
        return try await StoreParts.inDatabase(
            address, configuration, log: log, metrics, alarm: alarm)
    }

    private static func bind(
        _ configuration: ServeConfiguration, _ limits: ServerLimits, _ handler: DeferredHandler,
        _ log: Log, _ metrics: Metrics
    ) throws -> Server {
        let address = configuration.listen
        guard let port = UInt16(exactly: address.port) else {
            throw Failure("port \(address.port) does not exist")
        }
        var setup = Server.Configuration(
            listen: [ListenAddress(host: address.host, port: port)],
            tls: try certificate(configuration, log, metrics))
        setup.limits = limits
        let server = Server(setup, handler: handler, log: log, metrics: metrics)
        do throws(NetError) {
            try server.start()
        } catch {
            throw ListenFailure.failure(error, at: address)
        }
        return server
    }

    private static func certificate(
        _ configuration: ServeConfiguration, _ log: Log, _ metrics: Metrics
    ) throws -> TLSContext? {
        guard let chain = configuration.certificate, let key = configuration.key else { return nil }
        return try CertificateFiles(chain: chain, key: key).context(log, metrics)
    }

    /// The address for links: the one that was said, or the one listened on.
    static func publicURL(
        of configuration: ServeConfiguration, port: Int
    ) throws -> PublicURL {
        if let said = configuration.publicURL { return said }
        let text = configuration.listen.url(port: port, isSecure: configuration.isSecure)
        guard let url = PublicURL(text) else {
            throw Failure("\(text) is no address for links", hint: "say one with --public-url")
        }
        return url
    }
}
