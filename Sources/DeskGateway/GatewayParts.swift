public import DeskBroker
public import DeskHTTP
public import DeskLinks
public import DeskLog
public import DeskMessages
public import DeskModel
public import DeskStore

/// What the gateway's handlers and targets share.
public struct GatewayParts: Sendable {
    /// Accepts, stores and publishes.
    public let broker: Broker
    /// The links as they are now.
    public let links: LoadedLinks
    /// Judges payloads.
    public let rulebook: Rulebook
    /// Keeps ciphertext and files.
    public let blobs: any BlobStore
    /// Asks others.
    public let client: any OutgoingClient
    /// The address that the outside knows, without a path.
    public let origin: String
    /// The clocks.
    public let time: TimeSource
    /// What tokens are dated by, and held against: the machine's clock, where `time` is a virtual one,
    /// since the software that makes and reads them lives by it.
    let tokenClock: @Sendable () -> Timestamp
    /// Where lines go.
    public let log: Log
    /// Names, notes and counts requests, and knows the disk.
    public let watch: any GatewayWatch
    /// What the links' other ends may send.
    public let rate: LinkRateLimiter
    /// How long ciphertext is kept that no message names.
    public let keepsUnnamed: Duration
    /// What goes wrong on purpose; nil but beside the sandbox.
    package let faults: (any GatewayFaults)?
    /// Whether telephone numbers are reachable: only with the sandbox.
    package let reachesNumbers: Bool
    /// What upload and download addresses are signed with.
    let addressKey: [UInt8]
    /// Limits what callers with a wrong token may write into a link's wire log, so that an attacker
    /// who knows an MSP id cannot flush the rest of it: 60 exchanges at once, one a second.
    let unauthenticated: LinkRateLimiter
    /// The conversations in which a typing signal is under way.
    let typing = LinkTypingState()
    /// The read marks and signs of typing that WhatsApp has.
    let reads = LinkReadState()

    /// Puts the parts together.
    package init(
        broker: Broker, links: LoadedLinks, rulebook: Rulebook, blobs: any BlobStore,
        client: any OutgoingClient,
        origin: String, watch: any GatewayWatch, rate: Rate, keepsUnnamed: Duration,
        secrets: SharedSecrets,
        time: TimeSource = .system, tokenClock: (@Sendable () -> Timestamp)? = nil,
        log: Log = .silent, faults: (any GatewayFaults)? = nil,
        reachesNumbers: Bool = false, counters: any CounterSource = LocalCounters()
    ) {
        self.tokenClock = tokenClock ?? time.now
        addressKey = secrets.fileAddresses
        self.broker = broker
        self.links = links
        self.rulebook = rulebook
        self.blobs = blobs
        self.client = client
        self.origin = origin
        self.watch = watch
        self.rate = LinkRateLimiter(rate, named: "writes", from: counters)
        unauthenticated = LinkRateLimiter(
            Rate(perSecond: 1, burst: 60), named: "unauthenticated", from: counters)
        self.keepsUnnamed = keepsUnnamed
        self.time = time
        self.log = log
        self.faults = faults
        self.reachesNumbers = reachesNumbers
    }

    /// Forgets what was uploaded and named by no message in its time, and its bytes.
    public func forgetUnnamed(before time: Timestamp) async throws(StoreError) {
        for file in try await store.pruneMMCSObjects(before: time) {
            _ = try await blobs.removeUnnamed(file)
        }
    }

    /// The store behind the broker.
    var store: any Store { broker.store }

    /// Asks the store; a failure is answered with 503 and goes to the log.
    package func asking<Value>(
        _ ask: (any Store) async throws(StoreError) -> Value
    ) async throws(GatewayRefusal) -> Value {
        do {
            return try await ask(store)
        } catch {
            throw refusal(error)
        }
    }

    /// The answer to the other side when the store failed: try again.
    func refusal(_ error: StoreError) -> GatewayRefusal {
        log.error(
            "store_failed",
            ["code": .text(error.code.rawValue), "detail": .text(error.detail)])
        if error.code == .full {
            watch.noteFull()
            return .storageFull
        }
        return GatewayRefusal(.serviceUnavailable, "nothing can be stored now, try again")
    }
}
