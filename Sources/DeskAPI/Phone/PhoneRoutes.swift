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
        let path = "/api/phone/{business}"
        table.add(
            .get, path, operation: "getPhone", permission: .startConversation, business: .session,
            needsHead: true
        ) { call throws(Problem) in
            try await Self.describe(call)
        }
        table.add(
            .post, path + "/messages", operation: "sendPhoneMessage",
            permission: .startConversation, business: .session,
            bodyLimit: limits.customerBodyBytes, rate: .write
        ) { call throws(Problem) in try await Self.say(call) }
        table.add(
            .get, path + "/messages", operation: "listPhoneMessages",
            permission: .useOwnConversation,
            business: .session, needsHead: true,
            query: .known(["before", "after", "page[size]"])
        ) { call throws(Problem) in try await Self.list(call) }
        table.add(
            .get, path + "/messages/{message}", operation: "getPhoneMessage",
            permission: .useOwnConversation, business: .session
        ) { call throws(Problem) in try await Self.find(call) }
        table.add(
            .post, path + "/choices", operation: "sendPhoneChoice", permission: .useOwnConversation,
            business: .session,
            bodyLimit: limits.customerBodyBytes + 4_096, rate: .write
        ) { call throws(Problem) in try await Self.choose(call) }
        table.add(
            .post, path + "/typing", operation: "signalPhoneTyping",
            permission: .useOwnConversation, business: .session,
            bodyLimit: 1_024, goesOnWhenFull: true
        ) { call throws(Problem) in try await Self.type(call) }
        table.add(
            .post, path + "/mute", operation: "mutePhone", permission: .useOwnConversation,
            business: .session, bodyLimit: 1_024,
            rate: .settings
        ) { call throws(Problem) in try await Self.mute(call) }
        table.add(
            .delete, path + "/conversation", operation: "deletePhoneConversation",
            permission: .useOwnConversation, business: .session, rate: .settings
        ) { call throws(Problem) in
            let phone = try call.requireCustomer()
            _ = try await call.services.brokering { broker throws(BrokerError) in
                try await broker.change(
                    phone.conversation, .leave, by: .customer(device: phone.device))
            }
            return Response(status: .noContent)
        }
    }

    // MARK: Reading

    private static func describe(_ call: RequestContext) async throws(Problem) -> Response {
        let business = try await requireBusiness(call)
        let head = call.requireHead().text
        let conversation = call.conversation
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
        if conversation != nil { renewCookie(in: &response, call) }
        return response
    }

    /// Sends the cookie again: its days count from the last visit, as those of the session do.
    private static func renewCookie(in response: inout Response, _ call: RequestContext) {
        guard case .customer(let phone) = call.principal, phone.renewal == nil,
            let token = call.request.cookies[
                PhoneCookie.name(isSecure: call.services.isSecure(call.request))
            ].flatMap({ Token($0) })
        else { return }
        PhoneCookie.hand(
            token, to: phone.business, by: &response, for: call.request, call.services)
    }

    private static func list(_ call: RequestContext) async throws(Problem) -> Response {
        let query = call.request.query
        let asked = try query.threadRange()
        let size = try PageQuery(query, limits: call.services.limits.web).size
        let head = call.requireHead().text
        let conversation = try call.requireConversation()
        let deletedUpTo = conversation.deletedUpTo
        let range: ThreadRange =
            if case .after(let after) = asked { .after(max(after, deletedUpTo)) } else { asked }
        let page = try await call.services.asking { store throws(StoreError) in
            try await store.messages(in: conversation.id, range, limit: size)
        }
        let messages = page.elements.filter { $0.sequence > deletedUpTo }
        let isCut = messages.count < page.elements.count
        let body = JSONWriter.object(capacity: 4_096) { text in
            text.member("data") { text in
                text.array { text in for message in messages { text.customerMessage(message) } }
            }
            text.member("hasMore", page.hasMore && !isCut)
            text.damaged(page.damaged.filter { $0 > deletedUpTo })
            text.member("head", head)
        }
        return .json(body)
    }

    private static func find(_ call: RequestContext) async throws(Problem) -> Response {
        let conversation = try call.requireConversation()
        guard let id = call.request.parameters["message"].flatMap({ MessageID($0) })
        else { throw .notFound }
        let found = try await call.services.asking { store throws(StoreError) in
            try await store.findMessage(id, in: conversation.id)
        }
        guard let found, found.sequence > conversation.deletedUpTo else { throw .notFound }
        var text = JSONWriter()
        text.customerMessage(found)
        return .json(text.bytes)
    }

    // MARK: Sending

    private static func choose(_ call: RequestContext) async throws(Problem) -> Response {
        let phone = try call.requireCustomer()
        let bytes = try await call.jsonBytes()
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
        let conversation = try call.requireConversation()
        let end = CustomerSide(
            services: call.services, business: try await requireBusiness(call),
            author: .customer(device: phone.device), origin: .phone)
        let answered = try await end.choose(choice, posted: bytes, in: conversation)
        return answer(answered.acceptance, redirect: answered.redirect)
    }

    private static func type(_ call: RequestContext) async throws(Problem) -> Response {
        let phone = try call.requireCustomer()
        var fields = try Fields(try await call.jsonBytes())
        let word = fields.requireText("state", bytes: 1...8)
        if word != "start", word != "end" {
            fields.note("state", "start or end", "Send one of these words.")
        }
        try fields.finish()
        let end = CustomerSide(
            services: call.services, business: try await requireBusiness(call),
            author: .customer(device: phone.device), origin: .phone)
        end.signalTyping(word == "start" ? .start : .end, in: phone.conversation)
        return Response(status: .noContent)
    }

    private static func mute(_ call: RequestContext) async throws(Problem) -> Response {
        let phone = try call.requireCustomer()
        var fields = try Fields(try await call.jsonBytes())
        let value = fields.requireValue("muted")
        if let value, value.bool == nil {
            fields.note(.type, value, "true or false", "Send a truth value.")
        }
        try fields.finish()
        let isMuted = value?.bool == true
        _ = try await call.services.brokering { broker throws(BrokerError) in
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

    static func requireBusiness(_ call: RequestContext) async throws(Problem) -> Business {
        let id = try call.requireBusinessID()
        let found = try await call.services.asking { store throws(StoreError) in
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
