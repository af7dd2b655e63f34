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
        let (id, bytes) = (services.broker.makeID(), data.map { Array($0.rawBytes) })
        let outcome = await poster.trying(of: webhook.business) {
            await poster.test(webhook, type: type, data: bytes ?? Array("{}".utf8), id: id)
        }
        guard let outcome else { throw Self.tooManyTrials }
        let attempt = outcome.attempt(at: services.time.now())
        return .json(
            JSONWriter.object { text in
                text.member("isDelivered", outcome.isAccepted)
                text.member("last") { $0.webhookAttempt(attempt) }
            })
    }

    func shake() async throws(Problem) -> Response {
        guard let handshake = try await shake(try await context.requireWebhook()) else {
            throw Self.tooManyTrials
        }
        var text = JSONWriter()
        text.webhookHandshake(handshake)
        return .json(text.bytes)
    }

    private static var tooManyTrials: Problem {
        var problem = Problem(
            .rateLimited,
            "Test events of this business, or of many others, are still waited for. Send it again in a moment."
        )
        problem.retryAfterSeconds = 5
        return problem
    }

    /// Finds out whether an endpoint verifies signatures, and stores the result; nil where too many people wait for
    /// such a result.
    func shake(_ webhook: Webhook) async throws(Problem) -> WebhookHandshake? {
        let poster = try requirePoster()
        let ids = (services.broker.makeID(), services.broker.makeID())
        let handshake = await poster.trying(of: webhook.business) {
            await poster.shake(webhook, ids: ids)
        }
        guard let handshake else { return nil }
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
