public import DeskHTTP
import DeskModel
import DeskStore

/// The way in for customers' phones: the cookie that the first message made.
public struct PhoneDoor: Door {
    private let services: Services

    /// Opens the door to the phones of a house.
    public init(services: Services) { self.services = services }

    /// Finds the phone of a living session for the path's business, and keeps the session alive.
    public func findPrincipal(of request: Request) async throws(Problem) -> Principal? {
        guard let business = request.parameters["business"].flatMap({ BusinessID($0) }),
            let token = request.cookies[PhoneCookie.name].flatMap({ Token($0) })
        else { return nil }
        let now = services.time.now()
        let days = services.limits.customerSessionDays
        let found = try await services.asking { store throws(StoreError) -> CustomerPrincipal? in
            guard let session = try await store.findSession(token.digest),
                case .customer(let id) = session.subject, now < session.expiresAt,
                let conversation = try await store.findConversation(id),
                conversation.business == business
            else { return nil }
            // Once an hour is enough to count as use, and keeps reading from becoming writing.
            if now.since(session.usedAt) >= .seconds(3_600) {
                try await store.touchSessionIfRoom(
                    token.digest, at: now, until: now.advanced(by: .seconds(days * 86_400)))
            }
            return CustomerPrincipal(
                business: business, conversation: id, customer: conversation.customer.id,
                device: PhoneDoor.device(of: token), session: token.digest)
        }
        return found.map { .customer($0) }
    }

    /// A name of the device that tells it apart and proves nothing.
    static func device(of token: Token) -> String { String(token.digest.text.prefix(12)) }
}
