import DeskBroker
import DeskDelivery
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb
import DeskWebhooks

extension RouteTable {
    /// Adds the webhook endpoints of a business, their deliveries and what is tried with them.
    public mutating func addWebhooks(limits: APILimits) {
        let path = "/api/businesses/{business}/webhooks"
        add(
            .get, path, operation: "listWebhooks", permission: .manageWebhooks, business: .path,
            query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await WebhookRoutes(context).list() }
        add(
            .post, path, operation: "makeWebhook", permission: .manageWebhooks, business: .path,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await WebhookRoutes(context).make() }
        let one = path + "/{webhook}"
        add(.get, one, operation: "getWebhook", permission: .manageWebhooks, business: .path) {
            context async throws(Problem) in try await WebhookRoutes(context).get()
        }
        add(
            .patch, one, operation: "changeWebhook", permission: .manageWebhooks, business: .path,
            bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await WebhookRoutes(context).change() }
        add(
            .delete, one, operation: "removeWebhook", permission: .manageWebhooks,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await WebhookRoutes(context).remove() }
        add(
            .post, one + "/secret", operation: "renewWebhookSecret", permission: .manageWebhooks,
            business: .path, bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await WebhookRoutes(context).renewSecret() }
        add(
            .post, one + "/enable", operation: "enableWebhook", permission: .manageWebhooks,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await WebhookRoutes(context).enable() }
        add(
            .post, one + "/test", operation: "testWebhook", permission: .manageWebhooks,
            business: .path, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await WebhookTrialRoutes(context).test() }
        add(
            .post, one + "/handshake", operation: "shakeWebhook", permission: .manageWebhooks,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await WebhookTrialRoutes(context).shake() }
        add(
            .get, one + "/deliveries", operation: "listWebhookDeliveries",
            permission: .manageWebhooks, business: .path,
            query: .known(
                ["filter[state]"] + PageParameters.names, older: ["state": "filter[state]"])
        ) { context async throws(Problem) in try await WebhookDeliveryRoutes(context).list() }
        add(
            .post, one + "/replay", operation: "replayWebhook", permission: .manageWebhooks,
            business: .path, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await WebhookDeliveryRoutes(context).replay() }
    }
}

/// Answers the routes of `addWebhooks` that read and change endpoints.
struct WebhookRoutes {
    /// How long a former secret stays valid, in hours, unless it is said.
    static let overlapHours = 24
    /// The longest that it may.
    static let mostOverlapHours = 168
    /// How often a change is made anew that another one came before.
    private static let mostSaves = 8

    private static let tooMany = Problem(
        .invalid, "There are \(Webhook.most) endpoints already: change or remove one of those.")

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let business = try await context.requireBusiness()
        let found = try await services.asking { store throws(StoreError) in
            try await store.webhooks(of: business.id)
        }
        let page = try context.page(of: found) { $0.id.text }
        let outboxes = page.elements.map(\.outbox)
        let pending = try await services.asking { store throws(StoreError) in
            try await store.countPending(of: outboxes, upTo: Webhook.mostCounted)
        }
        let now = services.time.now()
        return .json(
            JSONWriter.object { text in
                text.list(page) { $0.webhook($1, at: now, pending: pending[$1.outbox] ?? 0) }
            })
    }

    func get() async throws(Problem) -> Response {
        try await answer(try await context.requireWebhook())
    }

    func make() async throws(Problem) -> Response {
        let business = try await context.requireBusiness()
        let bytes = try await context.jsonBytes()
        var fields = try Fields(bytes)
        _ = fields.requireValue("url")
        let signing = fields.word("signing", Webhook.Signing.self) ?? .v1
        var webhook = Webhook(
            id: WebhookID(services.broker.makeID()), business: business.id, url: "",
            signing: signing, secret: Self.newSecret(signing), createdAt: services.time.now())
        try fields.readWebhook(
            into: &webhook, for: business.mode, labels: try await labels(of: business))
        try fields.finish()
        let known = try await services.asking { store throws(StoreError) in
            try await store.webhooks(of: business.id)
        }
        guard known.count < Webhook.most else { throw Self.tooMany }
        try await context.requireApproval(of: .makeWebhook, in: [business.id], body: bytes)
        let author = try context.requirePrincipal().author
        let stored = webhook
        let isAdded = try await services.asking { store throws(StoreError) in
            try await store.add(stored, author: author)
        }
        guard isAdded else { throw Self.tooMany }
        context.log.info("webhook_made", ["webhook": .text(webhook.id.text)])
        if services.webhooks != nil {
            webhook.handshake = try await WebhookTrialRoutes(context).shake(webhook)
        }
        return try await answer(webhook, .created, showsSecret: true)
    }

    func change() async throws(Problem) -> Response {
        let business = try await context.requireBusiness()
        let bytes = try await context.jsonBytes()
        let labels = try await labels(of: business)
        let path = context.request.path.text
        var isDisabled = false
        var formerURL = ""
        let webhook = try await save(as: .changeWebhook, bytes) { webhook throws(Problem) in
            formerURL = webhook.url
            var fields = try Fields(bytes)
            if let state = fields.value("state"), !state.isNull {
                isDisabled = state.equals("disabled")
                if !isDisabled {
                    // What was missed is replayed then, so enabling is no change among others.
                    fields.note("state", "disabled", "Enable it by POST \(path)/enable.")
                }
            }
            if fields.value("signing") != nil {
                fields.note(
                    "signing", "nothing: it is chosen when an endpoint is made",
                    "Make another endpoint, and remove this one.")
            }
            try fields.readWebhook(into: &webhook, for: business.mode, labels: labels)
            try fields.finish()
        }
        if isDisabled {
            let author = try context.requirePrincipal().author
            _ = try await services.brokering { broker throws(BrokerError) in
                try await broker.disable(webhook, by: author)
            }
        }
        if webhook.url != formerURL, services.webhooks != nil {
            // What the former address answered is not known of this one.
            _ = try await WebhookTrialRoutes(context).shake(webhook)
        }
        return try await answer(try await context.requireWebhook())
    }

    private func labels(of business: Business) async throws(Problem) -> [Label] {
        try await services.asking { store throws(StoreError) in
            try await store.labels(of: business.id)
        }
    }

    /// Changes an endpoint and stores it; again where another change came before.
    private func save(
        as operation: GuardedOperation, _ body: [UInt8],
        _ change: (inout Webhook) throws(Problem) -> Void
    ) async throws(Problem) -> Webhook {
        let author = try context.requirePrincipal().author
        var isApproved = false
        for _ in 0..<Self.mostSaves {
            let known = try await context.requireWebhook()
            var webhook = known
            try change(&webhook)
            let changed = webhook
            if changed == known { return known }
            if !isApproved {
                try await context.requireApproval(of: operation, in: [known.business], body: body)
                isApproved = true
            }
            if changed.isSecretUnreadable { throw .secretUnreadable(context.request.path.text) }
            let isSaved = try await services.asking { store throws(StoreError) in
                try await store.save(changed, over: known, author: author)
            }
            if isSaved { return changed }
        }
        throw Problem(.unavailable, "The endpoint is being changed by others. Try again.")
    }

    func remove() async throws(Problem) -> Response {
        let webhook = try await context.requireWebhook()
        let author = try context.requirePrincipal().author
        let now = services.time.now()
        let wasThere = try await services.asking { store throws(StoreError) in
            // None is noted from then on, so that the deliveries can be removed piece by piece.
            _ = try await store.disable(
                webhook.id, as: Webhook.Disabled(.member, at: now), author: author)
            while try await store.removeDeliveries(of: webhook.outbox) > 0 {}
            return try await store.remove(webhook.id, author: author)
        }
        guard wasThere else { throw .notFound }
        context.log.info("webhook_removed", ["webhook": .text(webhook.id.text)])
        return Response(status: .noContent)
    }

    func renewSecret() async throws(Problem) -> Response {
        let bytes = try await context.jsonBytes()
        var fields = try Fields(bytes)
        let hours =
            fields.number("overlapHours", 0...Self.mostOverlapHours) ?? Self.overlapHours
        try fields.finish()
        let until = services.time.now().advanced(by: .seconds(hours * 3_600))
        let webhook = try await save(as: .renewWebhookSecret, bytes) { webhook throws(Problem) in
            webhook.formerSecret =
                hours == 0 || webhook.isSecretUnreadable
                ? nil : Webhook.FormerSecret(bytes: webhook.secret, until: until)
            webhook.secret = Self.newSecret(webhook.signing)
        }
        context.log.info("webhook_secret_renewed", ["webhook": .text(webhook.id.text)])
        return try await answer(webhook, showsSecret: true)
    }

    func enable() async throws(Problem) -> Response {
        let webhook = try await context.requireWebhook()
        try await context.requireApproval(of: .enableWebhook, in: [webhook.business])
        let author = try context.requirePrincipal().author
        let now = services.time.now()
        let wasDisabled = try await services.asking { store throws(StoreError) in
            try await store.enable(webhook.id, at: now, author: author)
        }
        if wasDisabled {
            await services.announcing(context.log) { broker throws(BrokerError) in
                try await broker.publishEnabled(webhook, by: author)
            }
        }
        return try await answer(try await context.requireWebhook())
    }

    private static func newSecret(_ signing: Webhook.Signing) -> [UInt8] {
        switch signing {
        case .v1: WebhookSecret.make().bytes
        case .v1a: WebhookSigningKey.make().seed
        }
    }

    private func answer(
        _ webhook: Webhook, _ status: Status = .ok, showsSecret: Bool = false
    ) async throws(Problem) -> Response {
        let counts = try await services.asking { store throws(StoreError) in
            try await store.countDeliveries(of: webhook.outbox)
        }
        let now = services.time.now()
        var text = JSONWriter()
        text.webhook(
            webhook, at: now, pending: counts[.pending] ?? 0, counts, showsSecret: showsSecret)
        return .json(text.bytes, status: status)
    }
}

extension Problem {
    /// What was chosen of an endpoint is stored beside its secrets, and is kept until those are replaced.
    fileprivate static func secretUnreadable(_ path: String) -> Problem {
        Problem(
            .invalid,
            "The secret of the endpoint cannot be read, so nothing else of it is changed. "
                + "Make another secret first: POST \(path)/secret.")
    }
}

extension RequestContext {
    /// The endpoint of the path, which must be its business's.
    func requireWebhook() async throws(Problem) -> Webhook {
        let business = try await requireBusiness()
        guard let id = request.parameters["webhook"].flatMap({ WebhookID($0) }) else {
            throw .notFound
        }
        let found = try await services.asking { store throws(StoreError) in
            try await store.findWebhook(id)
        }
        guard let found, found.business == business.id else { throw .notFound }
        return found
    }
}
