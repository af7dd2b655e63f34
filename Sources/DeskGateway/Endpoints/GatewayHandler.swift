public import DeskHTTP
import DeskLog
import DeskModel
import DeskStore

/// The gateway's HTTP side: the endpoints that a provider expects below one base URL, `/v1`
/// (protocol page 1.2), where an upstream gateway brings us our customers, `/msp`, where WhatsApp does,
/// `/whatsapp`, and what other modules add.
public struct GatewayHandler: Handler {
    typealias Action = GatewayEndpoint.Action

    /// First segments of the paths that are the gateway's.
    package let roots: Set<String>

    private var router: Router
    private let parts: GatewayParts

    /// Puts the endpoints together; `others` are served beside the gateway's own.
    package init(_ parts: GatewayParts, adding others: [GatewayEndpoint] = []) {
        self.parts = parts
        roots = Set(
            ["v1", "msp", "whatsapp"] + others.map { String($0.pattern.split(separator: "/")[0]) })
        router = Router { request, status, _ in
            let refusal = GatewayRefusal(status, Self.sentence(status, of: request))
            let trace = parts.watch.begin(request)
            var response = refusal.response
            trace.addHeaders(to: &response)
            parts.watch.end(
                trace, operation: "none", status, refusal: refusal, by: nil, lasting: .zero)
            return response
        }
        add(.post, "/v1/message", "gatewayMessage") { context async throws(GatewayRefusal) in
            try await context.acceptMessage(.message)
        }
        add(.post, "/v1/authenticate", "gatewayAuthenticate") {
            context async throws(GatewayRefusal) in try await context.acceptMessage(.authenticate)
        }
        addFiles()
        add(.post, "/msp/{link}/message", "upstreamMessage") {
            context async throws(GatewayRefusal) in
            try await context.acceptInbound()
        }
        add(.get, "/whatsapp/{link}", "whatsappVerify", .reads, bodyLimit: 0) {
            context async throws(GatewayRefusal) in
            try context.verifyWhatsApp()
        }
        add(.post, "/whatsapp/{link}", "whatsappWebhook") {
            context async throws(GatewayRefusal) in
            try await context.acceptWhatsApp()
        }
        add(
            .post, "/v1/decodePayload", "gatewayDecodePayload", .works,
            bodyLimit: LargeReference.maximumPackedBytes
        ) {
            context async throws(GatewayRefusal) in try await context.decodePayload()
        }
        add(.post, "/v1/encodePayload", "gatewayEncodePayload", .works) {
            context async throws(GatewayRefusal) in try await context.encodePayload()
        }
        add(.post, "/v1/constructPayload", "gatewayConstructPayload") {
            context async throws(GatewayRefusal) in try await context.constructPayload()
        }
        for other in others {
            add(
                other.method, other.pattern, other.operation, other.demand,
                bodyLimit: other.bodyLimit, action: other.action)
        }
    }

    private mutating func addFiles() {
        add(.get, "/v1/preUpload", "gatewayPreUpload", bodyLimit: 0) {
            context async throws(GatewayRefusal) in try await context.reserveUpload()
        }
        add(
            .post, "/v1/mmcs/upload/{token}", "gatewayUpload",
            bodyLimit: Int(MediaObjectStore.maximumBytes)
        ) { context async throws(GatewayRefusal) in try await context.acceptUpload() }
        add(.get, "/v1/preDownload", "gatewayPreDownload", .reads, bodyLimit: 0) {
            context async throws(GatewayRefusal) in try await context.prepareDownload()
        }
        add(.get, "/v1/mmcs/download/{token}", "gatewayDownload", .reads, bodyLimit: 0) {
            context async throws(GatewayRefusal) in try await context.sendDownload()
        }
    }

    /// Gives the response of the endpoint that fits.
    public func respond(to request: Request) async -> Response {
        var response = await router.respond(to: request)
        response.headers.set("X-Content-Type-Options", "nosniff")
        response.headers.set("Cache-Control", "no-store")
        return response
    }

    mutating func add(
        _ method: Method, _ pattern: String, _ operation: String, _ demand: RouteDemand = .stores,
        bodyLimit: Int = GatewayContext.maximumBodyBytes, action: @escaping Action
    ) {
        let parts = parts
        router.add(method, pattern, operation: operation, bodyLimit: bodyLimit) { request in
            await Self.answer(request, operation, demand, parts, action)
        }
    }

    private static func answer(
        _ request: Request, _ operation: String, _ demand: RouteDemand, _ parts: GatewayParts,
        _ action: Action
    ) async -> Response {
        let trace = parts.watch.begin(request)
        var context = GatewayContext(request, parts, demand, trace)
        var response: Response
        var refusal: GatewayRefusal?
        do throws(GatewayRefusal) {
            response = try await action(&context)
        } catch {
            refusal = error
            response = error.response
        }
        trace.addHeaders(to: &response)
        parts.watch.end(
            trace, operation: operation, response.status, refusal: refusal,
            by: context.isAuthenticated ? context.link?.id : nil,
            lasting: context.begin.duration(to: parts.time.instant()))
        await parts.note(context.exchange(answered: response))
        return context.isCut ? Response(status: response.status, body: .cut) : response
    }

    /// Why the router refuses a request by itself.
    private static func sentence(_ status: Status, of request: Request) -> String {
        switch status.code {
        case 405: "this endpoint has another method, which Allow names"
        case 413: "the body has more than the \(request.body.limit) bytes that this endpoint reads"
        default: "there is no such endpoint here"
        }
    }
}

extension GatewayParts {
    /// Keeps an exchange, where there is a link to keep it for.
    ///
    /// An accepted message is never refused for want of its wire log. Nothing is kept while the
    /// disk is full: the log would use space that more urgent writes need.
    func note(_ exchange: WireExchange?) async {
        guard let exchange, !watch.isFull else { return }
        do throws(StoreError) {
            _ = try await store.note(exchange)
        } catch {
            log.warning("wire_log_failed", ["code": .text(error.code.rawValue)])
        }
    }
}
