public import DeskAPI
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
public import DeskWeb

/// The built-in test merchant: its session, and the endpoints that payment requests name.
public struct PaymentRoutes: Sendable {
    private static let bodyBytes = 64 * 1_024

    /// The routes keep nothing.
    public init() {}

    /// Adds the routes.
    public func add(to table: inout RouteTable) {
        table.add(
            .post, "/api/merchant-sessions", operation: "createMerchantSession",
            permission: .playCustomers, business: .query,
            bodyLimit: Self.bodyBytes, rate: .write, goesOnWhenFull: true
        ) { context throws(Problem) in
            try await Self.makeSession(context)
        }
        table.add(
            .post, "/paymentservices/paymentSession", operation: "requestMerchantSession",
            permission: .open, query: .ignored, bodyLimit: Self.bodyBytes, rate: .write
        ) { context throws(Problem) in
            try await Self.answerSessionCall(context)
        }
        // What a device asks while the sheet is open. The server keeps the totals that were sent.
        let updates = [
            ("method", "updatePaymentMethod", "payment-method-update-request"),
            ("contact", "updateShippingContact", "shipping-contact-update-request"),
            ("shipping", "updateShippingMethod", "shipping-method-update-request"),
            ("tracking", "trackOrder", "order-tracking-request"),
        ]
        for (name, operation, schema) in updates {
            add(name, operation, schema, to: &table) { _ in [:] }
        }
        add(
            "gateway", "processPayment", "payment-gateway-request", to: &table,
            answer: TestMerchant.gatewayAnswer)
    }

    private func add(
        _ name: String, _ operation: String, _ schema: String, to table: inout RouteTable,
        answer: @escaping @Sendable (JSONValue) -> JSON
    ) {
        table.add(
            .post, "/pay/{business}/\(name)", operation: operation, permission: .open,
            query: .ignored, bodyLimit: Self.bodyBytes, rate: .write, goesOnWhenFull: true
        ) { context throws(Problem) in
            let business = try await Self.requireBusiness(context)
            let body = try Self.requireCall(
                try await context.jsonBytes(), "callback/\(schema)", of: business, context.services)
            return Response(type: "application/json", answer(body.root).bytes())
        }
    }

    /// A device's call, as the schema of its kind has it: whatever else is posted is no call.
    private static func requireCall(
        _ posted: [UInt8], _ schema: String, of business: Business, _ services: Services
    ) throws(Problem) -> JSONDocument {
        let judging = JudgementContext(
            direction: .outbound, now: services.time.now(), profile: .lenient,
            mode: business.mode)
        guard let judgement = services.rulebook.judge(posted, asDocument: schema, judging) else {
            throw Problem(.unavailable, "The schema of this call is missing.")
        }
        guard !judgement.isRefused, let document = judgement.document else {
            throw Problem(judgement)
        }
        return document
    }

    private static func makeSession(_ context: RequestContext) async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let business = fields.requireText("business")
        let identifier = fields.requireText("merchantIdentifier", bytes: 1...128)
        let name = fields.requireText("displayName", bytes: 1...TestMerchant.maximumNameBytes)
        let domain = fields.text("domainName", bytes: 1...253)
        try fields.finish()
        guard let id = business.flatMap({ BusinessID($0) }),
            context.isPermitted(in: id), let identifier, let name
        else { throw .notFound }
        let merchant = TestMerchant(
            origin: context.services.publicURL.origin, business: id.text)
        let order = TestMerchant.Order(
            merchantIdentifier: identifier, displayName: name,
            domainName: domain ?? context.services.publicURL.host,
            initiativeContext: merchant.gateway)
        let session = TestMerchant.session(
            order, epochMilliseconds: context.services.time.now().milliseconds)
        let answer: JSON = ["merchantSession": session, "endpoints": merchant.endpoints]
        return Response(type: "application/json", answer.bytes())
    }

    /// Answers the channel's own call, under the path it has there.
    ///
    /// A merchant's software changes its base address alone. The answer is the session itself.
    private static func answerSessionCall(_ context: RequestContext) async throws(Problem)
        -> Response
    {
        let services = context.services
        let posted = try await context.jsonBytes()
        let judgement = services.rulebook.judge(
            posted, asDocument: "callback/merchant-session-request",
            JudgementContext(
                direction: .inbound, now: services.time.now(), profile: .lenient, mode: .test))
        guard let judgement, !judgement.isRefused, let root = judgement.document?.root,
            let identifier = root["merchantIdentifier"]?.string,
            let name = root["displayName"]?.string,
            let initiative = root["initiativeContext"]?.string
        else {
            throw judgement.map { Problem($0) } ?? .notFound
        }
        let order = TestMerchant.Order(
            merchantIdentifier: identifier, displayName: name,
            domainName: root["domainName"]?.string, initiativeContext: initiative)
        let session = TestMerchant.session(
            order, epochMilliseconds: services.time.now().milliseconds)
        return Response(type: "application/json", session.bytes())
    }

    private static func requireBusiness(_ context: RequestContext) async throws(Problem) -> Business
    {
        let id = try context.requireBusinessID()
        let found = try await context.services.asking { store throws(StoreError) in
            try await store.findBusiness(id)
        }
        guard let found else { throw .notFound }
        return found
    }
}
