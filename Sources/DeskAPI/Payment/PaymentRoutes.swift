import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore

/// The built-in test merchant: its session, and the endpoints that payment requests name.
public struct PaymentRoutes: Sendable {
    private static let bodyBytes = 64 * 1_024

    /// The routes keep nothing.
    public init() {}

    /// Adds the routes.
    public func add(to table: inout RouteTable) {
        table.add(
            .post, "/api/merchant-sessions", operation: "createMerchantSession", right: .member,
            bodyLimit: Self.bodyBytes, pace: .write
        ) { call throws(Problem) in
            try await Self.makeSession(call)
        }
        // What a device asks while the sheet is open. The house keeps the totals that were sent.
        let updates = [
            ("method", "updatePaymentMethod"), ("contact", "updateShippingContact"),
            ("shipping", "updateShippingMethod"), ("tracking", "trackOrder"),
        ]
        for (name, operation) in updates {
            add(name, operation, to: &table) { _ in [:] }
        }
        add("gateway", "processPayment", to: &table, answer: TestMerchant.gatewayAnswer)
        table.add(
            .get, "/pay/{business}/fallback", operation: "openPaymentFallback", right: .anyone,
            query: .ignored
        ) { call throws(Problem) in
            _ = try await Self.requireBusiness(call)
            return Response(
                text: "This device cannot pay here. Frontdesk's test merchant takes no money.\n")
        }
    }

    private func add(
        _ name: String, _ operation: String, to table: inout RouteTable,
        answer: @escaping @Sendable (JSONValue) -> JSON
    ) {
        table.add(
            .post, "/pay/{business}/\(name)", operation: operation, right: .anyone, query: .ignored,
            bodyLimit: Self.bodyBytes, pace: .write
        ) { call throws(Problem) in
            _ = try await Self.requireBusiness(call)
            let body: JSONDocument
            do {
                body = try JSONDocument(parsing: try await call.jsonBytes())
            } catch let error as JSONError {
                throw Problem(error)
            } catch {
                throw error as? Problem ?? .notFound
            }
            return Response(type: "application/json", answer(body.root).bytes())
        }
    }

    private static func makeSession(_ call: Call) async throws(Problem) -> Response {
        var fields = try Fields(try await call.jsonBytes())
        let business = fields.requireText("business")
        let identifier = fields.requireText("merchantIdentifier", bytes: 1...128)
        let name = fields.requireText("displayName", bytes: 1...TestMerchant.maximumNameBytes)
        let domain = fields.text("domainName", bytes: 1...253)
        try fields.finish()
        guard let id = business.flatMap({ BusinessID($0) }),
            try call.requirePrincipal().belongs(to: id), let identifier, let name
        else { throw .notFound }
        let order = TestMerchant.Order(
            merchantIdentifier: identifier, displayName: name,
            domainName: domain ?? call.services.publicURL.host)
        let merchant = TestMerchant(
            origin: call.services.publicURL.origin, business: id.text)
        let session = merchant.session(
            order, epochMilliseconds: call.services.time.now().milliseconds)
        let answer: JSON = ["merchantSession": session, "endpoints": merchant.endpoints]
        return Response(type: "application/json", answer.bytes())
    }

    private static func requireBusiness(_ call: Call) async throws(Problem) -> Business {
        let id = try call.requireBusinessID()
        let found = try await call.services.asking { store throws(StoreError) in
            try await store.findBusiness(id)
        }
        guard let found else { throw .notFound }
        return found
    }
}
