public import DeskHTTP
import DeskModel
import DeskStore

/// The way in for customers' phones: the cookie that the first message made.
public struct PhoneAuthenticator: Door {
    private let services: Services

    /// Opens the door to the phones of a server.
    public init(services: Services) { self.services = services }

    /// Finds the phone of a living session for the path's business, and keeps the session alive.
    public func findPrincipal(of request: Request) async throws(Problem) -> Principal? {
        guard let business = request.parameters["business"].flatMap({ BusinessID($0) }) else {
            return nil
        }
        let shown = try await services.asking { _ throws(StoreError) in
            try await PhoneCookie.find(in: request, services)
        }
        guard let (token, isOld) = shown else { return nil }
        // Not every browser keeps a cookie that comes with the opening of a WebSocket.
        let keepsAlive = !request.isWebSocketUpgrade
        let sessions = services.customerSessions
        let found = try await services.asking { _ throws(StoreError) in
            try await sessions.find(token, of: business, keepsAlive: keepsAlive)
        }
        guard let found else { return nil }
        return .customer(
            CustomerPrincipal(
                business: business, conversation: found.conversation.id,
                customer: found.conversation.customer.id,
                device: PhoneAuthenticator.device(in: found.conversation.id), session: found.session,
                renewal: found.renewal ?? (isOld ? token : nil)))
    }

    /// A name of the device that outlives its tokens and proves nothing: a conversation has one.
    static func device(in conversation: ConversationID) -> String {
        String(Digest.sha256(Array("device \(conversation.text)".utf8)).text.prefix(12))
    }
}
