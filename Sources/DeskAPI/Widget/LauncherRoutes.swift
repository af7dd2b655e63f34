import DeskBytes
import DeskHTTP
import DeskJSON
import DeskLog
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

extension RouteTable {
    /// Adds what `widget.js` asks from pages of other origins.
    mutating func addLauncher() {
        let path = "/api/widget/{business}"
        add(
            .get, path, operation: "getWidgetLauncher", permission: .startConversation,
            business: .session, query: .known(["locale", "after"]), origins: .ofBusiness
        ) { context async throws(Problem) in
            try await LauncherRoutes(context).answering { routes throws(Problem) in
                try await routes.get()
            }
        }
        // Open, and not the session's: a blocked customer signs out too.
        add(
            .post, path + "/identity", operation: "identifyWidgetCustomer", permission: .open,
            bodyLimit: 8_192, rate: .write, origins: .ofBusiness
        ) { context async throws(Problem) in
            try await LauncherRoutes(context).answering { routes throws(Problem) in
                try await routes.identify()
            }
        }
        add(
            .delete, path + "/identity", operation: "forgetWidgetCustomer", permission: .open,
            rate: .write, origins: .ofBusiness
        ) { context async throws(Problem) in
            try await LauncherRoutes(context).answering { routes throws(Problem) in
                try await routes.forget()
            }
        }
        add(
            .options, path + "/identity", operation: "allowWidgetIdentity", permission: .open,
            origins: .ofBusiness
        ) { context async throws(Problem) in
            try await LauncherRoutes(context).answering { _ throws(Problem) in
                var response = Response(status: .noContent)
                response.headers.append("Access-Control-Allow-Methods", "POST, DELETE")
                response.headers.append("Access-Control-Allow-Headers", "content-type")
                response.headers.append("Access-Control-Max-Age", "600")
                return response
            }
        }
    }
}

/// Answers pages of the origins that a business lists, and no others.
struct LauncherRoutes {
    /// How many of the newest messages are looked at to count those that are not read.
    static let mostUnread = 50

    private let context: RequestContext
    private let business: BusinessID
    private let widget: StoredWidget
    private let settings: WidgetSettings
    private var services: Services { context.services }

    /// Loads the widget of the path's business.
    ///
    /// - Throws: `not_found` where it is off or there is none.
    init(_ context: RequestContext) async throws(Problem) {
        guard let business = context.request.parameters["business"].flatMap({ BusinessID($0) })
        else { throw .notFound }
        self.context = context
        self.business = business
        widget = try await context.services.storedWidget(of: business)
        settings = WidgetSettings(stored: widget)
        guard settings.isOn else { throw .notFound }
    }

    /// Refuses pages of other origins, and lets those of the list read the answer, refusals too.
    ///
    /// A request without `Origin` is a program's, or a page's of this server: it is answered as any is.
    func answering(
        _ action: (LauncherRoutes) async throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        let origins = context.request.headers.values("origin")
        let isRead = context.request.method == .get || context.request.method == .head
        if origins.isEmpty, isRead { return try await action(self) }
        guard origins.count == 1, let origin = origins.first,
            settings.origins.contains(where: { $0.utf8.elementsEqual(origin.utf8) })
        else {
            throw Problem(.forbidden, "The widget is not set to be in pages of this origin.")
        }
        var response: Response
        do throws(Problem) {
            response = try await action(self)
        } catch {
            response = error.response
        }
        response.headers.set("Access-Control-Allow-Origin", origin)
        response.headers.set("Access-Control-Allow-Credentials", "true")
        response.headers.append("Vary", "Origin")
        return response
    }

    // MARK: The launcher

    func get() async throws(Problem) -> Response {
        let query = context.request.query
        let after = try query.number("after", allowed: "the number of a message") ?? 0
        let found = try await services.asking { store throws(StoreError) in
            try await store.findBusiness(business)
        }
        guard let found else { throw .notFound }
        let language = Language(locale: query["locale"])
        let begun = try await services.beginFound(
            for: context.request, beside: context.conversation, in: business)
        let conversation = begun?.conversation ?? context.conversation
        let unread = try await countUnread(in: conversation, after: after)
        let ticket = services.widgetTicket(of: context.request, in: business, widget)
        let stored = try await sessionEnd(of: context.principal) ?? ticket?.expiresAt
        let end = begun == nil ? stored : services.customerSessions.end
        let body = JSONWriter.object { text in
            text.member("business") { text in
                text.object {
                    $0.member("id", found.id.text)
                    $0.member("name", found.name)
                }
            }
            text.member("launcher") { text in
                text.object {
                    $0.member("position", settings.position.rawValue)
                    $0.member("colour", settings.colour ?? found.colour)
                    $0.member("label", settings.label(in: language))
                }
            }
            text.member("greetings") { text in
                text.array { text in
                    for greeting in settings.greetings {
                        text.object {
                            $0.member("path", greeting.path)
                            $0.member("seconds", greeting.seconds)
                            $0.member("text", WidgetSettings.text(of: greeting, in: language))
                        }
                    }
                }
            }
            text.state(
                user: ticket?.identity.subject, of: business, unread: unread,
                hasConversation: conversation.map { !$0.hasLeft } ?? false, expiresAt: end)
        }
        var response = Response.json(body)
        if let begun {
            PhoneCookie.hand(
                begun.token, to: business, by: &response, for: context.request, services)
        }
        return response
    }

    /// When the session of a customer ends, as this request's use of it has set it; nil without one.
    private func sessionEnd(of principal: Principal?) async throws(Problem) -> Timestamp? {
        guard case .customer(let phone) = principal else { return nil }
        return try await services.asking { store throws(StoreError) in
            try await store.findSession(phone.session)?.expiresAt
        }
    }

    /// How many messages of the business there are that the customer has neither seen nor answered, among the
    /// newest 50; none while the customer has muted the conversation.
    private func countUnread(
        in conversation: Conversation?, after seen: Int64
    ) async throws(Problem) -> Int {
        guard let conversation, !conversation.isMuted, !conversation.hasLeft,
            conversation.newest.value > seen
        else { return 0 }
        let page = try await services.asking { store throws(StoreError) in
            try await store.messages(in: conversation.id, .newest, limit: Self.mostUnread)
        }
        let shown = page.elements.filter {
            $0.sequence > conversation.deletedUpTo && $0.sequence.value > seen
        }
        let rest = shown.lastIndex { $0.facts.direction == .inbound }.map { shown[($0 + 1)...] }
        return (rest ?? shown[...]).count { $0.erasedAt == nil }
    }

    // MARK: Identity

    func identify() async throws(Problem) -> Response {
        let posted = try PostedIdentity(try await context.jsonBytes())
        let identity: WidgetIdentity
        do throws(WidgetIdentity.Fault) {
            identity = try posted.verify(
                for: business, secrets: widget.secrets, at: services.time.now())
        } catch {
            context.log.info(
                "widget_identity_refused",
                ["business": .text(business.text), "fault": .text("\(error)")])
            throw Problem(.identityRefused, "The identity is refused: \(error.rawValue).")
        }
        let request = context.request
        let now = try await PhoneAuthenticator(services: services).authenticate(request)
        let before = services.widgetTicket(of: request, in: business, widget)
        let isSame = before?.identity.subject.utf8.elementsEqual(identity.subject.utf8) ?? false
        var ticket = WidgetTicket(
            identity, of: business, former: isSame ? before?.former : nil,
            expiresAt: services.customerSessions.end)
        ticket.isLinked = isSame && before?.isLinked == true
        // What was written before or meanwhile without a name is this customer's; what another customer wrote is not.
        let own = CustomerID(ofSubject: identity.subject, in: business)
        if before == nil || isSame, let current = now?.conversation,
            !current.customer.id.text.utf8.elementsEqual(own.text.utf8)
        {
            ticket = ticket.following(current.id)
        }
        let customer = IdentifiedCustomer(ticket, services)
        var response: Response
        if let known = try await customer.find() {
            try await customer.describe(known)
            ticket.isLinked = true
            let unread = try await countUnread(in: known, after: Int64(posted.after))
            let isOpen = now?.conversation?.id == known.id
            response = answer(
                ticket, unread: unread, hasConversation: !known.hasLeft,
                until: isOpen ? try await sessionEnd(of: now?.principal) : nil)
            if !isOpen {
                try await end(now)
                let token = try await customer.begin(known)
                PhoneCookie.hand(token, to: business, by: &response, for: request, services)
            }
        } else {
            try await end(now)
            response = answer(ticket, unread: 0, hasConversation: false)
            if now != nil { clearSession(in: &response) }
        }
        services.hand(ticket, of: business, to: &response, for: request)
        return response
    }

    func forget() async throws(Problem) -> Response {
        try await end(
            try await PhoneAuthenticator(services: services).authenticate(context.request))
        var response = Response(status: .noContent)
        clearSession(in: &response)
        services.hand(nil, of: business, to: &response, for: context.request)
        return response
    }

    /// Ends the session that the browser had in this shop.
    private func end(_ found: Authenticated?) async throws(Problem) {
        guard case .customer(let phone) = found?.principal else { return }
        _ = try await services.asking { store throws(StoreError) in
            try await store.takeSession(
                phone.session, author: .customer(device: phone.device))
        }
    }

    private func clearSession(in response: inout Response) {
        WidgetCookie.add(
            WidgetCookie.name(isSecure: services.isSecure(context.request)), "", lasting: 0,
            of: business, to: &response)
    }

    private func answer(
        _ ticket: WidgetTicket, unread: Int, hasConversation: Bool, until end: Timestamp? = nil
    ) -> Response {
        .json(
            JSONWriter.object {
                $0.state(
                    user: ticket.identity.subject, of: business, unread: unread,
                    hasConversation: hasConversation, expiresAt: end ?? ticket.expiresAt)
            })
    }
}

extension JSONWriter {
    /// Writes what a launcher shows of the customer; the user by a name that says nothing to other pages.
    fileprivate mutating func state(
        user: String?, of business: BusinessID, unread: Int, hasConversation: Bool,
        expiresAt: Timestamp?
    ) {
        member(
            "user",
            user.map { subject in
                let id = CustomerID(ofSubject: subject, in: business)
                return String(Digest.sha256(Array(id.text.utf8)).text.prefix(12))
            })
        member("hasConversation", hasConversation)
        member("unread", unread)
        member("expiresAt", expiresAt)
    }
}

/// An identity as a page posts it: `{"token"}`, or `{"user","time","hash"}`; each with `"after"?`.
private struct PostedIdentity {
    /// The number of the newest message that this browser has seen; what came later is counted.
    let after: Int
    private let token: String?
    private let user: String
    private let time: Int
    private let hash: String

    init(_ bytes: [UInt8]) throws(Problem) {
        var fields = try Fields(bytes)
        after = fields.number("after", 0...999_999_999_999_999) ?? 0
        // A token that is too long is refused as one that is, in words for who made it.
        token = fields.text("token", bytes: 1...8_192)
        if token == nil {
            user = fields.requireText("user", bytes: 1...Contact.maximumExternalIDBytes) ?? ""
            _ = fields.requireValue("time")
            time = fields.number("time", 0...253_402_300_799) ?? 0
            hash = fields.requireText("hash", bytes: 1...128) ?? ""
        } else {
            user = ""
            time = 0
            hash = ""
        }
        try fields.finish()
    }

    func verify(
        for business: BusinessID, secrets: [WidgetSecret], at now: Timestamp
    ) throws(WidgetIdentity.Fault) -> WidgetIdentity {
        if let token {
            return try WidgetIdentity.verify(
                token: token, of: business, secrets: secrets, at: now)
        }
        return try WidgetIdentity.verify(
            subject: user, time: time, hash: hash, secrets: secrets, at: now)
    }
}
