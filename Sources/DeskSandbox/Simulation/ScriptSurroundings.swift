import DeskAPI
import DeskBroker
import DeskHTTP
import DeskLinks
import DeskModel
import DeskScript
import DeskStore
import DeskWeb

/// What a script is played in: the business that its customers write to, and how time passes.
struct ScriptSurroundings: Sendable {
    /// Most refused posts of the provider's that are reported.
    private static let maximumRefusals = 3
    /// How long a delivery that is under way is waited for, in real time.
    private static let settling = Duration.seconds(15)
    /// How soon it is looked again whether deliveries are under way; each time twice as long.
    private static let look = Duration.milliseconds(5)
    private static let slowestLook = Duration.milliseconds(100)

    let services: Services
    let business: Business
    let files: BlobFiles
    /// Opens the pages that a sign-in leads to; nil where there is no outside.
    let client: (any OutgoingClient)?
    let time: any ScriptTime
    /// Whether this process is still the one that plays; a node that stood still may have lost that.
    var isPlayedHere: @Sendable () async -> Bool = { true }

    /// Lets time pass; what falls due is tried before this returns.
    ///
    /// False when a part was skipped. A jump lets each waiting delivery be tried once; its next wait begins after the jump.
    func pass(_ span: Duration) async throws(Problem) -> Bool {
        try await settle()
        let isWhole = await time.pass(span)
        try await settle()
        return isWhole
    }

    /// Waits until everything that happened was brought to the provider, or waits for its next try.
    ///
    /// Limit: `settling` of real time; then it continues.
    func settle() async throws(Problem) {
        let end = services.time.instant() + Self.settling
        var pause = Self.look
        while try await isUnderWay(), services.time.instant() < end, !Task.isCancelled {
            // Safe: a sleep that was cut short is looked at above.
            try? await services.time.sleep(pause)
            pause = min(pause * 2, Self.slowestLook)
        }
    }

    private func isUnderWay() async throws(Problem) -> Bool {
        guard let outbox = services.links.find(.provider, of: business.id)?.outbox else {
            return false
        }
        let newest = services.broker.head.position
        let now = time.now
        return try await services.asking { store throws(StoreError) in
            guard let cursor = try await store.findCursor(of: outbox) else { return true }
            guard cursor >= newest else { return true }
            let next = try await store.nextDeliveries(of: outbox, limit: 1)
            return next.first.map { $0.due <= now } ?? false
        }
    }

    /// The newest of the provider's posts that the gateway refused, as it answered them; of a conversation those to its
    /// customer, and to none that there is.
    func refusals(in scope: EventScope) async throws(Problem) -> [String] {
        let (business, begin) = (business.id, time.start)
        let refused = try await services.asking { store throws(StoreError) in
            let newest = try await store.exchanges(
                of: business, in: .everything, at: .start, limit: 50
            ).elements.filter {
                $0.course == .received && ($0.status ?? 0) >= 400 && $0.time >= begin
            }
            guard case .conversation(let conversation) = scope else { return newest }
            var own: [WireExchange] = []
            for exchange in newest where own.count < Self.maximumRefusals {
                let fields = exchange.request.headers
                let named = fields.first { $0.name.lowercased() == "destination-id" }?.value
                let found =
                    if let customer = named.flatMap({ CustomerID($0) }) {
                        try await store.findConversation(of: customer, with: business)
                    } else {
                        nil as Conversation?
                    }
                if found == nil || found?.id == conversation { own.append(exchange) }
            }
            return own
        }
        return refused.prefix(Self.maximumRefusals).map { exchange in
            Quoted.cut(String(decoding: exchange.answer.body.prefix(600), as: UTF8.self))
        }
    }

    /// The events that the provider has not received yet.
    func deliveries() async throws(Problem) -> WaitingDeliveries {
        guard let outbox = services.links.find(.provider, of: business.id)?.outbox else {
            return WaitingDeliveries()
        }
        return try await services.asking { store throws(StoreError) in
            let counts = try await store.countDeliveries(of: outbox)
            let next = try await store.nextDeliveries(of: outbox, limit: 1).first
            return WaitingDeliveries(
                waiting: counts[.pending] ?? 0, dead: counts[.dead] ?? 0, next: next?.due,
                detail: next?.last?.detail)
        }
    }
}
