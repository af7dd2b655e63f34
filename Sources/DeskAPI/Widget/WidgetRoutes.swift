import DeskBroker
import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the widget of a business: how it looks and where it may be, its secrets, and what pages ask of it.
    public mutating func addWidget(limits: APILimits) {
        let path = "/api/businesses/{business}/widget"
        add(.get, path, operation: "getWidget", permission: .manageBusiness, business: .path) {
            context async throws(Problem) in try await WidgetRoutes(context).get()
        }
        add(
            .put, path, operation: "setWidget", permission: .manageBusiness, business: .path,
            bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await WidgetRoutes(context).set() }
        add(
            .post, path + "/secrets", operation: "makeWidgetSecret", permission: .manageBusiness,
            business: .path, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await WidgetRoutes(context).makeSecret() }
        add(
            .delete, path + "/secrets/{secret}", operation: "removeWidgetSecret",
            permission: .manageBusiness, business: .path, rate: .write
        ) { context async throws(Problem) in try await WidgetRoutes(context).removeSecret() }
        addLauncher()
    }
}

/// Answers the routes of `addWidget` by which a business sets its widget.
struct WidgetRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func get() async throws(Problem) -> Response { try await answer() }

    func set() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let document: JSONDocument
        let bytes = try await context.jsonBytes()
        do throws(JSONError) {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw Problem(error)
        }
        let chosen = try WidgetSettings(document.root)
        let author = try context.requirePrincipal().author
        if try await services.storedWidget(of: business).settings != chosen.json {
            try await services.asking { store throws(StoreError) in
                try await store.saveWidget(settings: chosen.json, of: business, author: author)
            }
            context.log.info("widget_saved", ["business": .text(business.text)])
        }
        return try await answer()
    }

    func makeSecret() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        try await context.requireApproval(of: .makeWidgetSecret, in: [business])
        let author = try context.requirePrincipal().author
        let text = "fdws_" + Base64.encode(RandomBytes.make(32), alphabet: .url)
        let secret = WidgetSecret(
            id: services.broker.makeID(), bytes: Array(text.utf8), madeAt: services.time.now())
        try await services.asking { store throws(StoreError) in
            try await store.addWidgetSecret(secret, of: business, author: author)
        }
        context.log.info(
            "widget_secret_made",
            ["business": .text(business.text), "secret": .text(secret.id.text)])
        let body = JSONWriter.object { body in
            body.member("id", secret.id.text)
            body.member("madeAt", secret.madeAt)
            body.member("secret", text)
        }
        return .json(body, status: .created)
    }

    func removeSecret() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let author = try context.requirePrincipal().author
        guard let id = context.request.parameters["secret"].flatMap({ UniqueID($0) }) else {
            throw .notFound
        }
        let wasThere = try await services.asking { store throws(StoreError) in
            try await store.removeWidgetSecret(id, of: business, author: author)
        }
        guard wasThere else { throw .notFound }
        context.log.info(
            "widget_secret_removed",
            ["business": .text(business.text), "secret": .text(id.text)])
        return Response(status: .noContent)
    }

    private func answer() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let widget = try await services.storedWidget(of: business)
        let settings = WidgetSettings(stored: widget)
        let origin = services.publicURL.origin
        let body = JSONWriter.object { text in
            settings.write(to: &text)
            text.member("secrets") { text in
                text.array { text in
                    for secret in widget.secrets {
                        text.object {
                            $0.member("id", secret.id.text)
                            $0.member("madeAt", secret.madeAt)
                        }
                    }
                }
            }
            text.member("areSecretsReadable", !widget.areSecretsUnreadable)
            text.member(
                "snippet",
                "<script src=\"\(origin)/widget.js\" data-business=\"\(business.text)\" async>"
                    + "</script>")
        }
        return .json(body)
    }
}
