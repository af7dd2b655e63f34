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
import DeskWeb
import FoundationEssentials

/// A gateway for one test run: one provider, scripted customers, everything in memory.
struct EphemeralGateway: Sendable {
    /// Attempts to send to the provider that run at once.
    private static let attemptsAtOnce = 16
    /// How long requests and streams get when it is to end: no stored data is at stake.
    private static let drain = Duration.milliseconds(500)

    let configuration: EphemeralConfiguration
    let server: Server
    private let store: any Store & Maintenance
    private let clock: VirtualClock
    private let gateway: GatewayParts
    private let webhooks: WebhookRunner
    private let scratch: String

    /// Where it is reached.
    var origin: String { configuration.address.url(port: server.port, isSecure: false) }

    /// Puts it together and binds the port; nothing is served yet.
    static func build(
        _ configuration: EphemeralConfiguration, executable: String
    ) async throws -> EphemeralGateway {
        configuration.portFile.remove()
        async let compiled = SchemaFolder(configuration.schemas, executable: executable)
            .makeRulebook()
        let pages = try readPages(configuration, executable: executable)
        let log = Log(from: LogLevel(configuration.logLevel) ?? .warning)
        let metrics = Metrics()
        let store = try DataFolder.openInMemory()
        let clock = VirtualClock(start: configuration.start)
        let business = try await makeRecords(configuration, store, at: clock.now)
        let secrets = try await SharedSecrets(of: store)
        let links = LoadedLinks(store: store)
        try await links.load()
        let handler = DeferredHandler()
        let server = try bind(configuration.address, handler, log, metrics)
        let origin = configuration.address.url(port: server.port, isSecure: false)
        guard let publicURL = PublicURL(origin) else {
            throw Installation.Failure("\(origin) is no address for links")
        }
        let scratch = try makeScratch()
        let files = try BlobFiles(directory: scratch)
        // What is stored is dated by the virtual clock; rates, durations and sleeps are real.
        let time = TimeSource(
            now: { clock.now }, instant: TimeSource.system.instant,
            sleep: TimeSource.system.sleep)
        let rulebook = try await compiled
        let client = CurlClient(reach: .anywhere)
        let broker = Broker(
            store: store, now: time.now, random: BufferedRandom(), metrics: metrics)
        let limits = APILimits()
        let notes = RequestNotes(log: log, metrics: metrics)
        let disk = DiskGuard(limits: limits.web, log: log, metrics: metrics)
        let gateway = GatewayParts(
            broker: broker, links: links, rulebook: rulebook, blobs: files.blobs,
            client: client, origin: origin,
            watch: ServerWatch(notes: notes, disk: disk),
            rate: limits.gatewayWrites,
            keepsUnnamed: .seconds(limits.gatewayUploadHours * 3_600), secrets: secrets,
            time: time, tokenClock: TimeSource.system.now, log: log, faults: DialledFaults(),
            reachesNumbers: true)
        let provider = TestProvider(key: secrets.signInCodes)
        // Receivers compare what is signed with their own clocks.
        let poster = WebhookPoster(client: client, time: .system, version: Version.number)
        let services = Services(
            broker: broker, rulebook: rulebook, publicURL: publicURL, secrets: secrets,
            limits: limits, time: time, log: log, metrics: metrics, version: Version.number,
            links: links,
            device: SandboxDevice(
                outside: TestProviderDevice(gateway, provider)), notes: notes, disk: disk,
            faultSettings: FaultDials.settings, webhooks: poster,
            whatsApp: WhatsAppTemplateCache(gateway))
        let simulation = Simulation(
            services: services, business: business, files: files, clock: clock, client: client)
        handler.set(
            RootHandler(
                gateway: GatewayHandler(gateway, adding: OAuthEndpoints(provider).all),
                api: api(services, business, files, simulation, secrets, pages)))
        return EphemeralGateway(
            configuration: configuration, server: server, store: store, clock: clock,
            gateway: gateway,
            webhooks: services.makeWebhookRunner(
                poster, schedule: exactSchedule, time: clock.source), scratch: scratch)
    }

    /// Waits are the virtual clock's and exact, so that a test can count on them.
    private static let exactSchedule = RetrySchedule(
        waits: RetrySchedule.standard.waits, jitter: 0)

    /// Serves until it is asked to end.
    ///
    /// - Throws: when the server cannot run at all.
    func run(_ signals: SignalWatch) async throws(NetError) {
        let failure = await withTaskGroup(of: NetError?.self) { group in
            group.addTask {
                for await request in signals.requests where request == .end {
                    guard !server.isDraining else { Crash.now(code: 1) }
                    server.drain()
                }
                return nil
            }
            group.addTask {
                await GatewayRunner(
                    gateway, slots: AttemptSemaphore(Self.attemptsAtOnce),
                    settings: OutboxSettings(schedule: Self.exactSchedule), time: clock.source
                ).run()
                return nil
            }
            group.addTask {
                await webhooks.run()
                return nil
            }
            let failure = await serve()
            group.cancelAll()
            return failure
        }
        await store.close()
        configuration.portFile.remove()
        // Safe: a folder that stays behind lies among temporary files and disturbs nothing.
        try? FileManager.default.removeItem(atPath: scratch)
        if let failure { throw failure }
    }

    private func serve() async -> NetError? {
        do throws(NetError) {
            try await server.run()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Parts

    private static func makeRecords(
        _ configuration: EphemeralConfiguration, _ store: any Store, at time: Timestamp
    ) async throws -> Business {
        let business = Business(
            id: configuration.business, name: "Ephemeral", colour: "#7a5af5", mode: .test,
            isSandbox: true, createdAt: time)
        try await store.save(business, author: .server)
        _ = try await store.save(
            GatewayLink(
                id: GatewayLinkID(business.id.value), business: business.id, side: .provider,
                mspID: configuration.mspID, secret: configuration.secret,
                url: configuration.endpoint, createdAt: time), author: .server)
        if let chosen = configuration.webhook {
            var random = SystemRandomNumberGenerator()
            _ = try await store.add(
                Webhook(
                    id: WebhookID(using: &random), business: business.id, url: chosen.url,
                    signing: chosen.signing, secret: chosen.secret, createdAt: time),
                author: .server)
        }
        return business
    }

    /// The sandbox page with its files and schemas; none unless they are wanted, since a test waits
    /// until they are read.
    private static func readPages(
        _ configuration: EphemeralConfiguration, executable: String
    ) throws -> (web: FileSet, schemas: FileSet) {
        guard configuration.hasPages else { return (FileSet(), FileSet()) }
        let folders = try ShareFolders.find(
            web: configuration.web, schemas: configuration.schemas, executable: executable)
        return (try FileSet(folder: folders.web), try FileSet(folder: folders.schemas))
    }

    private static func api(
        _ services: Services, _ business: Business, _ files: BlobFiles, _ simulation: Simulation,
        _ secrets: SharedSecrets, _ pages: (web: FileSet, schemas: FileSet)
    ) -> API {
        let sandbox = Sandbox(
            business: business.id, isOffered: true, isOpen: true, secrets: secrets,
            opening: .nothing)
        let readiness = Readiness()
        readiness.set(true)
        var table = RouteTable.whole(
            limits: services.limits,
            pages: PageRoutes(
                web: pages.web, schemas: pages.schemas, docs: FileSet(), readiness: readiness,
                front: "/sandbox"),
            attachments: AttachmentRoutes(files),
            mcp: MCPRoutes(schemas: pages.schemas, docs: FileSet()), openAPI: nil,
            codeKey: sandbox.codeKey)
        table.addSandbox(sandbox, simulation: simulation)
        return API(
            services: services,
            authenticators: Authenticators(
                services: services,
                sandbox: SandboxAuthenticator(services: services, sandbox: sandbox),
                sandboxBusiness: sandbox.business,
                customer: PhoneAuthenticator(services: services)),
            table: table)
    }

    private static func bind(
        _ address: Address, _ handler: DeferredHandler, _ log: Log, _ metrics: Metrics
    ) throws(Installation.Failure) -> Server {
        var setup = Server.Configuration(
            listen: [ListenAddress(host: address.host, port: UInt16(address.port))])
        // A script and an expectation answer when they are done.
        setup.limits.handlerTime = Simulation.longestRun + .seconds(120)
        setup.limits.drainRequests = drain
        setup.limits.drainStreams = drain
        setup.limits.lastWord = drain
        let server = Server(setup, handler: handler, log: log, metrics: metrics)
        do throws(NetError) {
            try server.start()
        } catch {
            throw ListenFailure.failure(error, at: address, flag: "--port 0")
        }
        return server
    }

    private static func makeScratch() throws(Installation.Failure) -> String {
        let folder = FileManager.default.temporaryDirectory.path
        let path = "\(folder)/frontdesk-ephemeral-\(Epoch.random().text)"
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw Installation.Failure("a folder for attachments cannot be made in \(folder)")
        }
        return path
    }
}
