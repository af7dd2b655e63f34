public import DeskBroker
public import DeskModel
public import DeskStore
import Synchronization

/// The links to providers and upstream gateways as they are now, and the outboxes that serve them.
///
/// Pages and commands change links through it, the gateway follows them: neither knows the other.
public final class LoadedLinks: Sendable {
    private struct State {
        var links: [GatewayLink] = []
        var outboxes: [OutboxID: Outbox] = [:]
        /// How many reads of the links began.
        var begun = 0
        /// Which of them is shown: none that began earlier, for it may have read older links.
        var shown = 0
        /// Whether links changed and could not be read.
        var isStale = false

        mutating func show(_ links: [GatewayLink], read number: Int, isStale: Bool) {
            guard number > shown else { return }
            self.links = links
            self.isStale = isStale
            shown = number
        }
    }

    /// Time between two attempts to read links that changed.
    private static let pause = Duration.milliseconds(50)

    private let store: any Store
    private let state = Mutex(State())
    private let wakeSignal = WakeSignal()
    /// The numbers at WhatsApp for which posts came that no business here has.
    public let unknownNumbers = UnknownNumbers()

    /// No links until `load` has read those of the store.
    ///
    /// They are read again whenever one changed, on whichever node, before the change is answered.
    public init(store: any Store) {
        self.store = store
        store.credentials.follow { [weak self] notice in await self?.apply(notice) }
    }

    /// Reads the links that the store has.
    public func load() async throws(StoreError) {
        let number = beginRead()
        let links = try await store.gatewayLinks()
        show(links, read: number)
    }

    private func apply(_ notice: CredentialNotice) async {
        if case .changes(let changes) = notice {
            let ofLinks = changes.contains { if case .links = $0 { true } else { false } }
            guard ofLinks else { return }
        }
        await reload()
    }

    /// Reads links that changed; while they cannot be read none is accepted, and `run` tries again.
    private func reload() async {
        let number = beginRead()
        do throws(StoreError) {
            show(try await store.gatewayLinks(), read: number)
        } catch {
            guard error.code != .closed else { return }
            show([], read: number, isStale: true)
        }
    }

    private func beginRead() -> Int {
        state.withLock { state in
            state.begun += 1
            return state.begun
        }
    }

    private func show(_ links: [GatewayLink], read number: Int, isStale: Bool = false) {
        state.withLock { $0.show(links, read: number, isStale: isStale) }
        wakeSignal.notify()
    }

    /// All links, oldest first.
    public var all: [GatewayLink] { state.withLock(\.links) }

    /// A link by its name.
    public func find(_ id: GatewayLinkID) -> GatewayLink? { all.first { $0.id == id } }

    /// A business's link of one side.
    public func find(_ side: GatewaySide, of business: BusinessID) -> GatewayLink? {
        all.first { $0.side == side && $0.business == business }
    }

    /// The links of one side under an MSP id, compared as bytes.
    public func find(_ side: GatewaySide, mspID: String) -> [GatewayLink] {
        all.filter { $0.side == side && $0.mspID.utf8.elementsEqual(mspID.utf8) }
    }

    /// Adds a link or replaces what may change of it; the link receives events from then on.
    ///
    /// - Returns: false when the business has another link of its side; then nothing changed.
    public func save(_ link: GatewayLink, author: Author) async throws(StoreError) -> Bool {
        try await store.save(link, author: author)
    }

    /// Adds a link where none was known, or replaces what may change of the one that was read.
    ///
    /// - Returns: false when it was changed since, or the business has another of its side: then nothing was stored,
    ///   and the links are those of the store.
    public func save(
        _ link: GatewayLink, over known: GatewayLink?, author: Author
    ) async throws(StoreError) -> Bool {
        if try await store.save(link, over: known, author: author) { return true }
        // What another node changed may still be on its way here.
        try await load()
        return false
    }

    /// Removes a link with its deliveries and its wire log; returns whether there was one.
    public func remove(_ id: GatewayLinkID, author: Author) async throws(StoreError) -> Bool {
        try await store.removeGatewayLink(id, author: author)
    }

    /// The outbox that runs for a link; nil while none does.
    public func outbox(of link: GatewayLinkID) -> Outbox? {
        state.withLock { $0.outboxes[OutboxID(link.value)] }
    }

    /// Runs an outbox for each link, as links come and go, until cancelled.
    ///
    /// Thread: one caller. Cancel: returns when every outbox has ended, and what ran beside it.
    ///
    /// - Parameter beside: work that lasts as long as the link, or ends earlier.
    public func run(
        beside: @escaping @Sendable (GatewayLink) async -> Void = { _ in },
        _ make: @Sendable (GatewayLink) -> Outbox
    ) async {
        await withTaskGroup { group in
            var ends: [GatewayLinkID: WakeSignal] = [:]
            while !Task.isCancelled {
                let links = all
                for link in links where ends[link.id] == nil {
                    let end = WakeSignal()
                    ends[link.id] = end
                    let outbox = make(link)
                    note(outbox, of: link.id)
                    group.addTask {
                        await Self.run(outbox, until: end) { await beside(link) }
                    }
                }
                for (id, end) in ends where !links.contains(where: { $0.id == id }) {
                    ends[id] = nil
                    note(nil, of: id)
                    end.notify()
                }
                if state.withLock(\.isStale) {
                    // Safe: cancelled, the loop ends.
                    try? await Task.sleep(for: Self.pause)
                    await reload()
                } else {
                    await wakeSignal.wait()
                }
            }
            group.cancelAll()
        }
    }

    private static func run(
        _ outbox: Outbox, until end: WakeSignal, beside work: @escaping @Sendable () async -> Void
    ) async {
        await withTaskGroup { group in
            group.addTask { await outbox.run(beside: work) }
            group.addTask { await end.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    private func note(_ outbox: Outbox?, of link: GatewayLinkID) {
        state.withLock { $0.outboxes[OutboxID(link.value)] = outbox }
    }
}
