import DeskBytes
import DeskCrypto
import DeskModel
import DeskStore

/// The sessions of customers' phones: idle 30 days, and a new token every 24 hours.
///
/// A phone that shows a token of more than a day is handed the next one with its answer. The old one
/// stays good until the next one is used, and 20 minutes more: so a lost answer, a second tab and
/// a stream that was opened before never cost a customer the conversation.
struct CustomerSessions: Sendable {
    /// A living session with where it leads.
    struct Found: Sendable {
        let conversation: Conversation
        let session: Digest
        /// The token to hand over with the answer; nil while the one shown is new enough.
        var renewal: Token?
    }

    private let store: any Store
    private let conversations: any ConversationViews
    private let time: TimeSource
    private let limits: APILimits
    /// What the next tokens are made with, so that all who show the same one are handed the same one.
    private let key = RandomBytes.make(32)

    init(
        store: any Store, conversations: any ConversationViews, time: TimeSource, limits: APILimits
    ) {
        self.store = store
        self.conversations = conversations
        self.time = time
        self.limits = limits
    }

    /// When a session that is used now ends.
    var end: Timestamp {
        time.latest().advanced(by: .seconds(limits.customerSessionDays * 86_400))
    }

    /// Finds a living session of a business's customer; `keepsAlive` counts it as use.
    func find(
        _ token: Token, of business: BusinessID, keepsAlive: Bool
    ) async throws(StoreError) -> Found? {
        let now = time.latest()
        guard let session = try await store.findSession(token.digest),
            case .customer(let id) = session.subject, now < session.expiresAt,
            let conversation = try await conversations.findConversation(id),
            conversation.business == business
        else { return nil }
        var found = Found(conversation: conversation, session: token.digest)
        guard keepsAlive else { return found }
        do throws(StoreError) {
            if now.since(session.createdAt) >= .seconds(limits.customerSessionHours * 3_600) {
                found.renewal = try await renew(token, of: id)
            } else {
                try await use(session, of: id)
            }
        } catch {
            // Reading continues while nothing can be written.
            guard error.code == .full else { throw error }
        }
        return found
    }

    /// Begins the next session, or finds the one that was begun for the same token before.
    private func renew(
        _ token: Token, of conversation: ConversationID
    ) async throws(StoreError) -> Token? {
        let code = HMACSHA256.code(for: Array(token.text.utf8), key: key)
        guard let next = Token(Base64.encode(code, alphabet: .url)) else { return nil }
        guard try await store.findSession(next.digest) == nil else { return next }
        let now = time.latest()
        var session = Session(
            token: next.digest, subject: .customer(conversation), createdAt: now, expiresAt: end)
        // Used before it was made: no request has shown it yet.
        session.usedAt = now.advanced(by: .milliseconds(-1))
        do throws(StoreError) {
            try await store.add(session, author: session.subject.author)
        } catch {
            // Another request with the same token was quicker.
            guard error.code == .refused else { throw error }
        }
        return next
    }

    /// Counts a request as use; with a token's first use those before it come to their end.
    private func use(
        _ session: Session, of conversation: ConversationID
    ) async throws(StoreError) {
        let now = time.latest()
        let isFirst = session.usedAt < session.createdAt
        if isFirst {
            try await store.shortenSessions(
                of: session.subject, except: session.token,
                until: now.advanced(by: .seconds(limits.customerSessionOverlapMinutes * 60)),
                author: session.subject.author)
        }
        // Once an hour is enough to count as use, and keeps reading from becoming writing.
        guard isFirst || now.since(session.usedAt) >= .seconds(3_600) else { return }
        try await store.touchSession(
            session.token, at: max(now, session.createdAt), until: end,
            author: session.subject.author)
    }
}
