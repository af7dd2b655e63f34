import DeskBytes
import DeskCrypto
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// A verified identity on its way to the customer's first message, kept in a cookie of the widget's frame.
///
/// A customer who only looks at a shop makes no row: what was verified lies in the browser, with a code of the
/// server's over it, until there is a message.
struct WidgetTicket: Equatable {
    var identity: WidgetIdentity
    let business: BusinessID
    /// The conversation that the customer had without a name in this browser, whose contact is linked.
    var former: ConversationID?
    /// Whether the contact of `former` was linked: an owner's undoing of it lasts, and messages are still looked for
    /// there.
    var isLinked = false
    let expiresAt: Timestamp

    /// The value of its cookie; what it says is the customer's own, and is no secret from the customer.
    func text(key: [UInt8]) -> String {
        let json = JSONWriter.object { text in
            text.member("b", business.text)
            text.member("k", identity.secret.text)
            text.member("s", identity.subject)
            text.member("n", identity.name)
            text.member("e", identity.email)
            text.member("a") { $0.attributes(identity.attributes) }
            text.member("f", former?.text)
            text.member("l", isLinked)
            text.member("x", Int(expiresAt.milliseconds))
        }
        let code = HMACSHA256.code(for: json, key: key)
        return Base64.encode(json, alphabet: .url) + "." + Base64.encode(code, alphabet: .url)
    }

    /// Reads a cookie's value; nil for what the server did not write, for another business, and after its end.
    init?(_ text: String, of business: BusinessID, key: [UInt8], at now: Timestamp) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maximumBytes, parts.count == 2,
            let json = Base64.decode(String(parts[0]), alphabet: .url),
            let code = Base64.decode(String(parts[1]), alphabet: .url),
            HMACSHA256.verifies(code, for: json, key: key), let value = JSONValue.parsed(json),
            value["b"]?.equals(business.text) == true,
            let secret = value["k"]?.string.flatMap({ UniqueID($0) }),
            let subject = value["s"]?.string, let end = value["x"]?.int
        else { return nil }
        expiresAt = Timestamp(milliseconds: Int64(end))
        guard expiresAt > now else { return nil }
        self.business = business
        identity = WidgetIdentity(subject: subject, secret: secret)
        identity.name = value["n"]?.string
        identity.email = value["e"]?.string
        guard let stated = value["a"] else { return nil }
        for member in stated.members {
            if let text = member.value.string {
                identity.attributes[member.key] = .text(text)
            } else if let number = member.value.double {
                identity.attributes[member.key] = .number(number)
            }
        }
        former = value["f"]?.string.flatMap { ConversationID($0) }
        isLinked = value["l"]?.bool == true
    }

    init(
        _ identity: WidgetIdentity, of business: BusinessID, former: ConversationID?,
        expiresAt: Timestamp
    ) {
        self.identity = identity
        self.business = business
        self.former = former
        self.expiresAt = expiresAt
    }

    /// Longest value in bytes, which browsers keep with the cookie's name and attributes; a longer one loses its
    /// attributes, and then its e-mail address.
    static let maximumBytes = 3_600

    /// The same, with another conversation that the customer had without a name, which is not linked yet.
    func following(_ former: ConversationID) -> WidgetTicket {
        var ticket = self
        ticket.former = former
        ticket.isLinked = false
        return ticket
    }

    /// The same, as short as a cookie has to be.
    func fitting(key: [UInt8]) -> String {
        var ticket = self
        for shorten in [{ $0.identity.attributes = [:] }, { $0.identity.email = nil }]
            as [(inout WidgetTicket) -> Void]
        {
            let text = ticket.text(key: key)
            if text.utf8.count <= Self.maximumBytes { return text }
            shorten(&ticket)
        }
        return ticket.text(key: key)
    }
}

/// The cookies of a widget's frame: partitioned, so that a browser keeps others for each shop that embeds it,
/// and sent to nothing but the widget's own addresses.
enum WidgetCookie {
    /// Whether a request came by an address of the widget, and not of the customer's own page.
    static func isOwn(_ request: Request) -> Bool {
        let path = request.sentPath.segments
        return path.count > 2 && path[0] == "api" && path[1] == "widget"
    }

    /// The name of the session's cookie; over TLS the prefix makes browsers accept it over TLS alone.
    static func name(isSecure: Bool) -> String { isSecure ? "__Secure-fdw" : "fdw" }

    /// The name of the ticket's cookie.
    static func ticketName(isSecure: Bool) -> String { isSecure ? "__Secure-fdi" : "fdi" }

    static func add(
        _ name: String, _ value: String, lasting seconds: Int, of business: BusinessID,
        to response: inout Response
    ) {
        // Always Secure, as Partitioned asks for it: browsers trust this machine's own names without TLS, and on
        // any other plain page there is no widget.
        var cookie = SetCookie(
            name: name, value: value, maxAgeSeconds: seconds, isSecure: true, sameSite: .none)
        cookie.isPartitioned = true
        cookie.path = "/api/widget/\(business.text)"
        response.headers.append("Set-Cookie", cookie.text)
    }
}

extension Services {
    /// What tickets are authenticated with.
    private var ticketKey: [UInt8] { customerSessions.key(for: "widget ticket") }

    /// The identity that a browser has shown before, while the secret that verified it is one of the widget's.
    func widgetTicket(
        of request: Request, in business: BusinessID, _ widget: StoredWidget
    ) -> WidgetTicket? {
        let name = WidgetCookie.ticketName(isSecure: isSecure(request))
        guard
            let ticket = request.cookies[name].flatMap({
                WidgetTicket($0, of: business, key: ticketKey, at: time.latest())
            }), widget.secrets.contains(where: { $0.id == ticket.identity.secret })
        else { return nil }
        return ticket
    }

    /// The customer for whom the shop's page vouched in this browser; nil for all others, and on the customer's own page.
    func findIdentified(
        by request: Request, in business: BusinessID
    ) async throws(Problem) -> IdentifiedCustomer? {
        let name = WidgetCookie.ticketName(isSecure: isSecure(request))
        guard WidgetCookie.isOwn(request), request.cookies[name] != nil else { return nil }
        let widget = try await storedWidget(of: business)
        guard let ticket = widgetTicket(of: request, in: business, widget) else { return nil }
        return IdentifiedCustomer(ticket, self)
    }

    /// The conversation that an identified customer has begun on another device, with a session of this browser in
    /// it; nil where there is no ticket, or no conversation yet.
    ///
    /// A session without a name beside a ticket is one whose answer came after that of signing in: its conversation
    /// is linked, and the customer's own one goes on. Nil with a session that has ended: a request from before a
    /// sign-out does not undo it.
    /// Limit: one session for each ticket and conversation, however often it is asked for.
    ///
    /// - Parameter current: the conversation of the request's session.
    func beginFound(
        for request: Request, beside current: Conversation?, in business: BusinessID
    ) async throws(Problem) -> (conversation: Conversation, token: Token)? {
        guard current != nil || PhoneCookie.shown(in: request, self) == nil,
            let identified = try await findIdentified(by: request, in: business),
            current.map({ !identified.owns($0) }) ?? true
        else { return nil }
        let customer = current.map { identified.following($0.id) } ?? identified
        let ticket = identified.ticket
        do throws(Problem) {
            let found =
                current == nil ? try await customer.find() : try await customer.open()
            guard let known = found else { return nil }
            let words = "session \(ticket.text(key: ticketKey)) \(known.id.text)"
            let code = HMACSHA256.code(for: Array(words.utf8), key: ticketKey)
            guard let token = Token(Base64.encode(code, alphabet: .url)) else { return nil }
            try await customer.link(known)
            return (known, try await customer.begin(known, with: token))
        } catch {
            // On a full disk the widget is shown without the conversation.
            guard error.code == .storageFull else { throw error }
            return nil
        }
    }

    /// Gives a ticket to the browser, or with nil removes it there.
    func hand(
        _ ticket: WidgetTicket?, of business: BusinessID, to response: inout Response,
        for request: Request
    ) {
        WidgetCookie.add(
            WidgetCookie.ticketName(isSecure: isSecure(request)),
            ticket?.fitting(key: ticketKey) ?? "",
            lasting: ticket == nil ? 0 : limits.customerSessionDays * 86_400, of: business,
            to: &response)
    }
}
