public import DeskHTTP
import DeskModel
import DeskStore
public import DeskWeb

/// Authenticates customers' phones by the cookie that the first message made.
public struct PhoneAuthenticator: Authenticator {
    private let services: Services

    /// Authenticates against the sessions of a server.
    public init(services: Services) { self.services = services }

    /// Finds the phone of a session for the path's business that has not expired, with its
    /// conversation, and extends the session.
    public func authenticate(_ request: Request) async throws(Problem) -> Authenticated? {
        guard let business = request.parameters["business"].flatMap({ BusinessID($0) }) else {
            return nil
        }
        let shown = try await services.asking { _ throws(StoreError) in
            try await PhoneCookie.find(in: request, services)
        }
        guard let (token, isOld) = shown else { return nil }
        // Some browsers do not store a cookie that comes with the opening of a WebSocket.
        let keepsAlive = !request.isWebSocketUpgrade
        let sessions = services.customerSessions
        let found = try await services.asking { _ throws(StoreError) in
            try await sessions.find(
                token, of: business, keepsAlive: keepsAlive,
                renews: !WidgetCookie.isOwn(request))
        }
        guard let found else { return nil }
        let phone = CustomerPrincipal(
            business: business, conversation: found.conversation.id,
            customer: found.conversation.customer.id,
            device: Self.device(in: found.conversation.id), session: found.session,
            renewal: found.renewal ?? (isOld ? token : nil))
        return Authenticated(.customer(phone), conversation: found.conversation)
    }

    /// A name of the device that stays when its tokens change, and is no credential: a conversation
    /// has one.
    static func device(in conversation: ConversationID) -> String {
        String(Digest.sha256(Array("device \(conversation.text)".utf8)).text.prefix(12))
    }
}
