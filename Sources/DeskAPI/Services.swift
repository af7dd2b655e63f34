package import DeskAssistant
public import DeskBroker
import DeskCalendar
public import DeskDelivery
package import DeskEventJSON
package import DeskJSON
public import DeskLinks
public import DeskLog
public import DeskMessages
public import DeskModel
public import DeskStore
public import DeskWeb

/// What all handlers share: the parts behind the API and its own tables.
///
/// One object: a request context that holds it costs one reference count, not one for each part.
public final class Services: WebServices {
    /// Accepts, stores and publishes.
    public let broker: Broker
    /// Conversations, sessions, keys and the rest.
    public let store: any Store
    /// Conversations by their ids, for requests; the store's.
    let conversations: any ConversationViews
    /// The address that the outside knows.
    public let publicURL: PublicURL
    /// Its origin where it is plain http.
    var plainOrigin: String? { publicURL.isSecure ? nil : publicURL.origin }
    /// The numbers.
    public let limits: APILimits
    /// Who may do what; another table than the product's only in tests.
    public let permissions: PermissionTable
    /// The clocks.
    public let time: TimeSource
    /// Where lines go.
    public let log: Log
    /// What is counted.
    public let metrics: Metrics
    /// The keys used lately.
    public let keys: KeyRing
    /// What keys were used for lately.
    let keyRequests: KeyRequestLog
    /// The sessions of agents.
    public let agentSessions: AgentSessions
    /// The sessions of customers' phones.
    let customerSessions: CustomerSessions
    /// Lets batches in as fast as they are written.
    let batches = BatchAdmission()
    /// The time zones of business hours.
    let timeZones = TimeZones()
    /// The API as what is within it asks it.
    let ownRoutes = OwnRoutes()
    /// Examines texts for wrong encodings.
    let doctor = DoctorQueue()
    /// Names requests, notes and counts their answers.
    public let notes: RequestNotes
    /// The uploads under way.
    let uploads: UploadQuota
    /// The bytes of an hour's uploads.
    let uploadBudgets: UploadBudgets
    /// The budgets of callers.
    public let rates: RateBuckets

    /// The names behind ids.
    package let authorNames: AuthorNames
    /// Judges payloads.
    public let rulebook: Rulebook
    /// Hashes passwords.
    public let passwords: PasswordQueue
    /// Slows guessing down.
    public let logins: LoginGuard
    /// Slows the guessing of second factors down.
    let codes: CodeGuard
    /// Counts sign-ins that failed, and has the log say from where.
    package let signInFailures: SignInFailures
    /// Counts the open streams.
    public let streams: StreamLimiter
    /// Knows whether there is room to write.
    public let disk: DiskGuard
    /// The proxies whose forwarding headers are trusted.
    public let proxies: TrustedProxies
    /// The links to providers and upstream gateways.
    public let links: LoadedLinks
    /// Posts test events to endpoints; nil where nothing is sent to other servers.
    let webhooks: WebhookPoster?
    /// The push services that browsers may be notified by.
    public let pushServices: PushServices
    /// The key by which those know this installation.
    public let pushKey: PushKey
    /// What passkeys sign.
    let passkeyChallenges: PasskeyChallenges
    /// Sends to browsers; nil where nothing is sent to other servers.
    let pushSender: PushSender?
    /// The operator's model; nil where none is set up.
    let assistant: Assistant?
    /// The operator's identity provider; nil where people sign in with passwords alone.
    let signOn: SingleSignOn?
    /// Whether keys may add and remove people by SCIM.
    let allowsProvisioning: Bool
    /// Sends e-mails; nil where no mail server is set up.
    let mailer: Mailer?
    /// Lists the templates of numbers at WhatsApp; nil where nothing is sent to other servers.
    let whatsApp: (any WhatsAppTemplateSource)?
    /// Reads how faults are set for a link; nil where no faults can be set.
    let faultSettings: FaultSettings?
    /// What customers' devices do towards the outside; nil where nothing is outside.
    let device: (any DeviceWorks)?
    /// Finds messages by their words; nil where there is no search.
    public let search: (any SearchIndex)?
    /// The version shown to clients.
    public let version: String

    /// Puts the shared parts together.
    package init(
        broker: Broker, rulebook: Rulebook, publicURL: PublicURL, secrets: SharedSecrets,
        limits: APILimits = APILimits(), time: TimeSource = .system, log: Log = .silent,
        metrics: Metrics = Metrics(), passwords: PasswordQueue? = nil, version: String = "0.1.0",
        proxies: TrustedProxies = TrustedProxies(), search: (any SearchIndex)? = nil,
        conversations: (any ConversationViews)? = nil, links: LoadedLinks? = nil,
        device: (any DeviceWorks)? = nil, notes: RequestNotes? = nil,
        disk: DiskGuard? = nil, faultSettings: FaultSettings? = nil,
        webhooks: WebhookPoster? = nil, pushServices: PushServices = PushServices(),
        pushSender: PushSender? = nil,
        assistant: Assistant? = nil,
        signOn: SingleSignOn? = nil, allowsProvisioning: Bool = false, mailer: Mailer? = nil,
        whatsApp: (any WhatsAppTemplateSource)? = nil,
        counters: any CounterSource = LocalCounters(), permissions: PermissionTable = .product
    ) {
        self.permissions = permissions
        self.faultSettings = faultSettings
        self.webhooks = webhooks
        self.pushServices = pushServices
        pushKey = PushKey(secret: secrets.pushKey)
        passkeyChallenges = PasskeyChallenges(key: secrets.passkeyChallenges)
        self.pushSender = pushSender
        self.assistant = assistant
        self.signOn = signOn
        self.allowsProvisioning = allowsProvisioning
        self.mailer = mailer
        self.whatsApp = whatsApp
        self.device = device
        self.links = links ?? LoadedLinks(store: broker.store)
        self.search = search
        self.proxies = proxies
        self.broker = broker
        self.rulebook = rulebook
        self.version = version
        self.passwords = passwords ?? PasswordQueue(limits: limits.web)
        let streams = StreamLimiter(limits: limits.web)
        self.streams = streams
        self.disk = disk ?? DiskGuard(limits: limits.web, log: log, metrics: metrics)
        logins = LoginGuard(limits: limits.web, time: time, counters: counters)
        codes = CodeGuard(limits: limits.web, time: time, counters: counters)
        signInFailures = SignInFailures(log: log, time: time, metrics: metrics)
        store = broker.store
        self.publicURL = publicURL
        self.limits = limits
        self.time = time
        self.log = log
        self.metrics = metrics
        self.notes = notes ?? RequestNotes(log: log, metrics: metrics)
        keys = KeyRing(store: broker.store, time: time)
        keyRequests = KeyRequestLog(store: broker.store)
        agentSessions = AgentSessions(store: broker.store, time: time, limits: limits.web)
        self.conversations = conversations ?? broker.store
        customerSessions = CustomerSessions(
            store: broker.store, conversations: self.conversations, time: time, limits: limits,
            key: secrets.customerTokens)
        uploads = UploadQuota(counters: counters)
        uploadBudgets = UploadBudgets(limits: limits, time: time, counters: counters)
        rates = RateBuckets(limits: limits.web, time: time, counters: counters)
        let authorNames = AuthorNames(store: broker.store)
        self.authorNames = authorNames
        // Weak: the names have the store, which has its listeners.
        let apply: @Sendable (CredentialNotice) -> Void = { [weak streams, weak authorNames] in
            authorNames?.forget(after: $0)
            streams?.recheck(after: $0)
        }
        // What this process commits, before the events of the commit are published.
        store.followRegistries { apply(.changes($0.map(\.change))) }
        // What other nodes commit; what is our own comes a second time, which does no harm.
        store.credentials.follow { apply($0) }
        metrics.reading("frontdesk_live_streams", help: "Streams that follow the log now.") {
            Double(streams.count)
        }
    }

    /// Looks a conversation up.
    public func findConversation(_ id: ConversationID) async throws(Problem) -> Conversation? {
        do {
            return try await conversations.findConversation(id)
        } catch {
            throw problem(error)
        }
    }

    /// Asks the store and turns its failures into problems.
    public func asking<Value>(
        _ ask: (any Store) async throws(StoreError) -> Value
    ) async throws(Problem) -> Value {
        do {
            return try await ask(store)
        } catch {
            throw problem(error)
        }
    }

    /// Asks the broker and turns refusals and failures into problems.
    public func brokering<Value>(
        _ ask: (Broker) async throws(BrokerError) -> Value
    ) async throws(Problem) -> Value {
        do {
            return try await ask(broker)
        } catch {
            switch error {
            case .refused(let refusal): throw Problem(refusal)
            case .store(let failure): throw problem(failure)
            }
        }
    }

    /// The public form of a store's failure, once it is in the log and a full disk is known as one.
    package func problem(_ error: StoreError) -> Problem {
        log.error(
            "store_failed", ["code": .text(error.code.rawValue), "detail": .text(error.detail)])
        if error.code == .full { disk.noteFull() }
        return Problem(error)
    }
}

/// Reads the member `faults` of a link's settings; returns the JSON text that is stored.
///
/// - Throws: `invalid` with everything that is wrong with it.
package typealias FaultSettings = @Sendable (JSONValue) throws(Problem) -> [UInt8]
