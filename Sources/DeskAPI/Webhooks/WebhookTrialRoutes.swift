import DeskBroker
import DeskDelivery
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// Answers the routes that post test events.
struct WebhookTrialRoutes {
    /// Most bytes of a test event's data.
    static let mostDataBytes = 32 * 1_024

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func test() async throws(Problem) -> Response {
        let webhook = try await context.requireWebhook()
        var fields = try Fields(try await context.jsonBytes())
        let type = fields.testEventType()
        let data = fields.value("data")
        if let data, data.kind != .object || data.rawBytes.count > Self.mostDataBytes {
            fields.note(
                "data", "an object of up to \(Self.mostDataBytes) bytes", "Send a smaller object.")
        }
        try fields.finish()
        let poster = try requirePoster()
        let outcome = await poster.test(
            webhook, type: type, data: data.map { Array($0.rawBytes) } ?? Array("{}".utf8),
            id: services.broker.makeID())
        let attempt = outcome.attempt(at: services.time.now())
        return .json(
            JSONWriter.object { text in
                text.member("isDelivered", outcome.isAccepted)
                text.member("last") { $0.webhookAttempt(attempt) }
            })
    }

    func shake() async throws(Problem) -> Response {
        let handshake = try await shake(try await context.requireWebhook())
        var text = JSONWriter()
        text.webhookHandshake(handshake)
        return .json(text.bytes)
    }

    /// Finds out whether an endpoint verifies signatures, and stores the result.
    func shake(_ webhook: Webhook) async throws(Problem) -> WebhookHandshake {
        let poster = try requirePoster()
        let broker = services.broker
        let handshake = await poster.shake(webhook, ids: (broker.makeID(), broker.makeID()))
        let author = try context.requirePrincipal().author
        _ = try await services.asking { store throws(StoreError) in
            try await store.note(handshake, of: webhook.id, author: author)
        }
        return handshake
    }

    private func requirePoster() throws(Problem) -> WebhookPoster {
        guard let poster = services.webhooks else {
            throw Problem(.unavailable, "This server sends nothing to other servers.")
        }
        return poster
    }
}
