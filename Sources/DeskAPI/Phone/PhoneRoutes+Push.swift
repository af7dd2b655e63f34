import DeskBytes
import DeskCrypto
import DeskDelivery
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// The routes by which a customer's browser has itself notified of answers.
extension PhoneRoutes {
    /// Largest body of a subscription in bytes; one more is answered with 413.
    static let subscriptionBytes = 4_096

    func addPush(to table: inout RouteTable) {
        let path = "/api/phone/{business}/push"
        table.add(
            .get, path, operation: "getPhonePush", permission: .useOwnConversation,
            business: .session
        ) { context throws(Problem) in try await Self.describePush(context) }
        table.add(
            .put, path, operation: "putPhonePush", permission: .useOwnConversation,
            business: .session, bodyLimit: Self.subscriptionBytes, rate: .settings
        ) { context throws(Problem) in try await Self.putPush(context) }
        table.add(
            .delete, path + "/{device}", operation: "removePhonePush",
            permission: .useOwnConversation, business: .session, rate: .settings
        ) { context throws(Problem) in try await Self.removePush(context) }
    }

    private static func describePush(_ context: RequestContext) async throws(Problem) -> Response {
        let phone = try requirePage(context)
        let services = context.services
        let found = try await services.asking { store throws(StoreError) in
            try await store.pushSubscriptions(
                in: [phone.conversation], at: services.time.latest())
        }
        return .json(
            JSONWriter.object { text in
                text.member("key", services.pushKey.publicText)
                text.member("devices") { text in
                    text.array { text in for one in found { text.string(one.id.text) } }
                }
            })
    }

    private static func putPush(_ context: RequestContext) async throws(Problem) -> Response {
        let phone = try requirePage(context)
        var fields = try Fields(try await context.jsonBytes())
        let endpoint = fields.requireText("endpoint", bytes: 1...PushSubscription.endpointBytes)
        if let endpoint, context.services.pushServices.address(of: endpoint) == nil {
            fields.noteSecret(
                "endpoint", found: "an address that is none of a known push service",
                allowed: "https and the host of a push service of a browser",
                fix: "Send what the browser gave; --push-service names further services.")
        }
        let point = requireBytes("point", in: &fields, count: P256.pointBytes)
        if let point, !P256.isPoint(point) {
            fields.noteSecret(
                "point", found: "no point of the curve P-256",
                allowed: "the browser's key p256dh in base64url",
                fix: "Send the key as the browser gave it.")
        }
        let secret = requireBytes("secret", in: &fields, count: PushSubscription.secretBytes)
        try fields.finish()
        guard let endpoint, let point, let secret else { return Response(status: .noContent) }
        let subscription = PushSubscription(
            id: PushSubscription.id(of: endpoint, in: phone.conversation),
            conversation: phone.conversation, business: phone.business, endpoint: endpoint,
            point: point, secret: secret, createdAt: context.services.time.now())
        try await context.services.asking { store throws(StoreError) in
            try await store.save(subscription, author: .customer(device: phone.device))
        }
        return Response(status: .noContent)
    }

    private static func removePush(_ context: RequestContext) async throws(Problem) -> Response {
        let phone = try requirePage(context)
        guard let device = context.request.parameters["device"].flatMap({ Digest($0) })
        else { throw .notFound }
        let isRemoved = try await context.services.asking { store throws(StoreError) in
            try await store.removePushSubscription(
                device, in: phone.conversation, author: .customer(device: phone.device))
        }
        guard isRemoved else { throw .notFound }
        return Response(status: .noContent)
    }

    /// The customer of a page of its own: a page in a widget's frame is notified of answers by the page around it.
    private static func requirePage(
        _ context: RequestContext
    ) throws(Problem) -> CustomerPrincipal {
        guard !WidgetCookie.isOwn(context.request) else { throw .notFound }
        return try context.requireCustomer()
    }

    /// A member of so many bytes in base64url, whose value must not be shown.
    private static func requireBytes(
        _ name: String, in fields: inout Fields, count: Int
    ) -> [UInt8]? {
        let letters = (count * 4 + 2) / 3
        guard let text = fields.requireText(name, bytes: letters...letters) else { return nil }
        guard let bytes = Base64.decode(text, alphabet: .url), bytes.count == count else {
            fields.noteSecret(
                name, found: "no base64url without padding", allowed: "\(count) bytes in base64url",
                fix: "Send \(name) in base64url, as the browser gave it.")
            return nil
        }
        return bytes
    }
}
