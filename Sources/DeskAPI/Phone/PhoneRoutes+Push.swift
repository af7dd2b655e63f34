import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

/// The routes by which a customer's browser has itself notified of answers.
extension PhoneRoutes {
    func addPush(to table: inout RouteTable) {
        let path = "/api/phone/{business}/push"
        table.add(
            .get, path, operation: "getPhonePush", permission: .useOwnConversation,
            business: .session
        ) { context throws(Problem) in try await Self.describePush(context) }
        table.add(
            .put, path, operation: "putPhonePush", permission: .useOwnConversation,
            business: .session, bodyLimit: PushFields.mostBytes, rate: .settings
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
        return .json(PushAnswer.json(services.pushKey, found))
    }

    private static func putPush(_ context: RequestContext) async throws(Problem) -> Response {
        let phone = try requirePage(context)
        var fields = try Fields(try await context.jsonBytes())
        let browser = PushFields(&fields, of: context.services.pushServices)
        try fields.finish()
        guard let browser else { return Response(status: .noContent) }
        let subscription = PushSubscription(
            id: PushSubscription.id(of: browser.endpoint, in: phone.conversation),
            owner: .customer(phone.conversation, of: phone.business), endpoint: browser.endpoint,
            point: browser.point, secret: browser.secret,
            createdAt: context.services.time.now())
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
                device, of: .customer(phone.conversation, of: phone.business),
                author: .customer(device: phone.device))
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
}
