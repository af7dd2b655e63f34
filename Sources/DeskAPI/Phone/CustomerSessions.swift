import DeskBytes
import DeskCrypto
import DeskModel
import DeskStore
import DeskWeb

/// The sessions of customers' phones: idle 30 days, and a new token every 24 hours.
///
/// A phone that sends a token of more than a day gets the next one with its answer. The old token
/// is valid until the next one is used, and for 20 minutes more. So a customer keeps the
/// conversation after a lost answer, in a second tab, and on a stream that was opened before.
struct CustomerSessions: Sendable {
    /// A session that has not expired, with its conversation.
    struct Found: Sendable {
        let conversation: Conversation
        let session: Digest
        /// The token to send with the answer; nil while the one of the request is new enough.
        var renewal: Token?
    }

    private let store: any Store
    private let conversations: any ConversationViews
    private let time: TimeSource
    private let limits: APILimits
    /// The key that the next tokens are derived with, so that each request with one token gets the
    /// same next token, on whichever node.
    private let key: [UInt8]

    init(
        store: any Store, conversations: any ConversationViews, time: TimeSource,
        limits: APILimits, key: [UInt8]
    ) {
        self.key = key
        self.store = store
        self.conversations = conversations
        self.time = time
        self.limits = limits
    }

    /// A key for another purpose, derived from the one of tokens.
    func key(for purpose: String) -> [UInt8] {
        HMACSHA256.code(for: Array(purpose.utf8), key: key)
    }

    /// When a session ends that is used now.
    var end: Timestamp {
        time.latest().advanced(by: .seconds(limits.customerSessionDays * 86_400))
    }

    /// Finds a session of a business's customer that has not expired; `keepsAlive` counts the
    /// request as use.
    ///
    /// - Parameter renews: whether the session has new tokens. In widgets it has not: a customer with an
    ///   identity has a session on each device, and the end of the tokens before would end all of them.
    func find(
        _ token: Token, of business: BusinessID, keepsAlive: Bool, renews: Bool = true
    ) async throws(StoreError) -> Found? {
        let now = time.latest()
        guard let session = try await store.findLiveSession(token.digest, at: now),
            case .customer(let id) = session.subject,
            let conversation = try await conversations.findConversation(id),
            conversation.business == business
        else { return nil }
        var found = Found(conversation: conversation, session: token.digest)
        guard keepsAlive else { return found }
        do throws(StoreError) {
            let age = now.since(session.createdAt)
            if renews, age >= .seconds(limits.customerSessionHours * 3_600) {
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
            // Another request with the same token came first.
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
        // Use is stored once an hour at most, so that a read rarely causes a write.
        guard isFirst || now.since(session.usedAt) >= .seconds(3_600) else { return }
        try await store.touchSession(
            session.token, at: max(now, session.createdAt), until: end,
            author: session.subject.author)
    }
}
