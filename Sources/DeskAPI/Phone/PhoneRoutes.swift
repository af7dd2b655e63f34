import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
public import DeskWeb

/// The routes of a customer's phone.
public struct PhoneRoutes: Sendable {
    /// What this run's join codes are made with.
    let codeKey: [UInt8]

    /// The routes, with the key of their codes.
    public init(codeKey: [UInt8]) { self.codeKey = codeKey }

    /// Adds the routes.
    public func add(to table: inout RouteTable, limits: APILimits) {
        addCodes(to: &table)
        addLive(to: &table)
        addDevice(to: &table, limits: limits)
        addPush(to: &table)
        let path = "/api/phone/{business}"
        table.add(
            .get, path, operation: "getPhone", permission: .startConversation, business: .session,
            needsHead: true
        ) { context throws(Problem) in
            try await Self.describe(context)
        }
        table.add(
            .post, path + "/messages", operation: "sendPhoneMessage",
            permission: .startConversation, business: .session,
            bodyLimit: limits.customerBodyBytes, rate: .write
        ) { context throws(Problem) in try await Self.say(context) }
        table.add(
            .get, path + "/messages", operation: "listPhoneMessages",
            permission: .useOwnConversation,
            business: .session, needsHead: true,
            query: .known(PageParameters.names, older: PageParameters.older)
        ) { context throws(Problem) in try await Self.list(context) }
        table.add(
            .get, path + "/messages/{message}", operation: "getPhoneMessage",
            permission: .useOwnConversation, business: .session
        ) { context throws(Problem) in try await Self.find(context) }
        table.add(
            .post, path + "/choices", operation: "sendPhoneChoice", permission: .useOwnConversation,
            business: .session,
            bodyLimit: limits.customerBodyBytes + 4_096, rate: .write
        ) { context throws(Problem) in try await Self.choose(context) }
        table.add(
            .post, path + "/typing", operation: "signalPhoneTyping",
            permission: .useOwnConversation, business: .session,
            bodyLimit: 1_024, goesOnWhenFull: true
        ) { context throws(Problem) in try await Self.type(context) }
        table.add(
            .post, path + "/mute", operation: "mutePhone", permission: .useOwnConversation,
            business: .session, bodyLimit: 1_024,
            rate: .settings
        ) { context throws(Problem) in try await Self.mute(context) }
        table.add(
            .delete, path + "/conversation", operation: "deletePhoneConversation",
            permission: .useOwnConversation, business: .session, rate: .settings
        ) { context throws(Problem) in
            let phone = try context.requireCustomer()
            _ = try await context.services.brokering { broker throws(BrokerError) in
                try await broker.change(
                    phone.conversation, .leave, by: .customer(device: phone.device))
            }
            try await context.services.asking { store throws(StoreError) in
                try await store.removePushSubscriptions(
                    in: phone.conversation, author: .customer(device: phone.device))
            }
            return Response(status: .noContent)
        }
    }

    // MARK: Reading

    private static func describe(_ context: RequestContext) async throws(Problem) -> Response {
        let business = try await requireBusiness(context)
        let head = context.requireHead().text
        // What another device of a widget's identified customer has begun, or this browser's own before signing in.
        let begun = try await context.services.beginFound(
            for: context.request, beside: context.conversation, in: business.id)
        let conversation = begun?.conversation ?? context.conversation
        let body = JSONWriter.object { text in
            text.member("business") { $0.phoneBusiness(business) }
            text.member("customer") { text in
                guard let conversation else { return text.null() }
                text.object { $0.member("id", conversation.customer.id.text) }
            }
            text.member("conversation") { text in
                guard let conversation else { return text.null() }
                text.object {
                    $0.member("id", conversation.id.text)
                    $0.member("left", conversation.hasLeft)
                    $0.member("muted", conversation.isMuted)
                    $0.member("head", head)
                }
            }
        }
        var response = Response.json(body)
        if let begun {
            PhoneCookie.hand(
                begun.token, to: business.id, by: &response, for: context.request, context.services)
        } else if conversation != nil {
            renewCookie(in: &response, context)
        }
        return response
    }

    /// Sends the cookie again: its days count from the last visit, as those of the session do.
    private static func renewCookie(in response: inout Response, _ context: RequestContext) {
        guard case .customer(let phone) = context.principal, phone.renewal == nil,
            let token = PhoneCookie.shown(in: context.request, context.services)
        else { return }
        PhoneCookie.hand(
            token, to: phone.business, by: &response, for: context.request, context.services)
    }

    private static func list(_ context: RequestContext) async throws(Problem) -> Response {
        let query = context.request.query
        let asked = try query.threadRange()
        let size = try query.pageSize(context.services.limits.web)
        let head = context.requireHead().text
        let conversation = try context.requireConversation()
        let deletedUpTo = conversation.deletedUpTo
        let range: ThreadRange =
            if case .after(let after) = asked { .after(max(after, deletedUpTo)) } else { asked }
        let page = try await context.services.asking { store throws(StoreError) in
            try await store.messages(in: conversation.id, range, limit: size)
        }
        let messages = page.elements.filter { $0.sequence > deletedUpTo }
        let isCut = messages.count < page.elements.count
        let damaged = page.damaged.filter { $0 > deletedUpTo }
        // Before the first message that is shown there is nothing.
        let shown: ThreadRange =
            if case .after(let after) = range, after == deletedUpTo { .after(.start) } else {
                range
            }
        let body = JSONWriter.object(capacity: 4_096) { text in
            text.member("data") { text in
                text.array { text in for message in messages { text.customerMessage(message) } }
            }
            text.threadPage(
                shown, hasMore: page.hasMore && !isCut, numbers: messages.map(\.sequence) + damaged)
            text.damaged(damaged)
            text.member("head", head)
        }
        return .json(body)
    }

    private static func find(_ context: RequestContext) async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        guard let id = context.request.parameters["message"].flatMap({ MessageID($0) })
        else { throw .notFound }
        let found = try await context.services.asking { store throws(StoreError) in
            try await store.findMessage(id, in: conversation.id)
        }
        guard let found, found.sequence > conversation.deletedUpTo else { throw .notFound }
        var text = JSONWriter()
        text.customerMessage(found)
        return .json(text.bytes)
    }

    // MARK: Sending

    private static func choose(_ context: RequestContext) async throws(Problem) -> Response {
        let phone = try context.requireCustomer()
        let bytes = try await context.jsonBytes()
        do {
            _ = try JSONDocument(parsing: bytes)
        } catch {
            throw Problem(error)
        }
        let choice: PostedChoice
        do throws(ReplyError) {
            choice = try PostedChoice(json: bytes)
        } catch {
            throw Problem(error)
        }
        let conversation = try context.requireConversation()
        let end = CustomerSide(
            services: context.services, business: try await requireBusiness(context),
            author: .customer(device: phone.device), origin: .phone)
        let answered = try await end.choose(choice, posted: bytes, in: conversation)
        return answer(answered.acceptance, redirect: answered.redirect)
    }

    private static func type(_ context: RequestContext) async throws(Problem) -> Response {
        let phone = try context.requireCustomer()
        var fields = try Fields(try await context.jsonBytes())
        let word = fields.requireText("state", bytes: 1...8)
        if word != "start", word != "end" {
            fields.note("state", "start or end", "Send one of these words.")
        }
        try fields.finish()
        let end = CustomerSide(
            services: context.services, business: try await requireBusiness(context),
            author: .customer(device: phone.device), origin: .phone)
        end.signalTyping(word == "start" ? .start : .end, in: phone.conversation)
        return Response(status: .noContent)
    }

    private static func mute(_ context: RequestContext) async throws(Problem) -> Response {
        let phone = try context.requireCustomer()
        var fields = try Fields(try await context.jsonBytes())
        let value = fields.requireValue("muted")
        if let value, value.bool == nil {
            fields.note(.type, value, "true or false", "Send a truth value.")
        }
        try fields.finish()
        let isMuted = value?.bool == true
        _ = try await context.services.brokering { broker throws(BrokerError) in
            try await broker.change(
                phone.conversation, .mute(isMuted), by: .customer(device: phone.device))
        }
        return Response(status: .noContent)
    }

    // MARK: Parts

    static func answer(_ acceptance: Acceptance, redirect: String? = nil) -> Response {
        let body = JSONWriter.object(capacity: 1_024) { text in
            text.member("message") { $0.customerMessage(acceptance.message) }
            if let redirect { text.member("redirect", redirect) }
        }
        var response = Response.json(body, status: .created)
        if acceptance.isRepeat { response.headers.append("Idempotency-Replayed", "true") }
        return response
    }

    static func requireBusiness(_ context: RequestContext) async throws(Problem) -> Business {
        let id = try context.requireBusinessID()
        let found = try await context.services.asking { store throws(StoreError) in
            try await store.findBusiness(id)
        }
        guard let found else { throw .notFound }
        return found
    }
}

extension JSONWriter {
    /// Writes a business as its customers see it.
    mutating func phoneBusiness(_ business: Business) {
        object {
            $0.member("id", business.id.text)
            $0.member("name", business.name)
            $0.member("colour", business.colour)
            $0.member(
                "picture",
                business.picture.map { "/b/\(business.id.text)/picture?v=\($0.text.prefix(12))" })
            $0.member("mode", business.mode.rawValue)
        }
    }
}
