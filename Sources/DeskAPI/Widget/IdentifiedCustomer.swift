import DeskBroker
import DeskModel
import DeskStore
import DeskWeb

/// A customer for whom a business's server vouches: the one conversation, the contact, and what was written
/// before without a name.
struct IdentifiedCustomer {
    let ticket: WidgetTicket
    let services: Services
    private var business: BusinessID { ticket.business }

    init(_ ticket: WidgetTicket, _ services: Services) {
        self.ticket = ticket
        self.services = services
    }

    private var id: CustomerID { CustomerID(ofSubject: ticket.identity.subject, in: business) }

    /// The same customer, with another conversation from before without a name.
    func following(_ former: ConversationID) -> IdentifiedCustomer {
        IdentifiedCustomer(ticket.following(former), services)
    }

    /// Whether a conversation is the customer's own, and not one without a name or another customer's.
    func owns(_ conversation: Conversation) -> Bool {
        conversation.customer.id.text.utf8.elementsEqual(id.text.utf8)
    }

    /// The conversation that the customer has on every device; nil before the first message.
    func find() async throws(Problem) -> Conversation? {
        let (customer, business) = (id, business)
        return try await services.asking { store throws(StoreError) in
            try await store.findConversation(of: customer, with: business)
        }
    }

    /// Finds the conversation, or opens it; of two devices at once both get the same.
    func open() async throws(Problem) -> Conversation {
        let customer = Customer(id: id)
        let business = business
        return try await services.brokering { broker throws(BrokerError) in
            try await broker.openConversation(of: customer, with: business)
        }
    }

    /// Begins a session of this browser in the conversation.
    ///
    /// - Parameter token: one that the browser made up, so that a repeat finds the session that it made.
    func begin(
        _ conversation: Conversation, with token: Token = Token.make()
    ) async throws(Problem) -> Token {
        guard try await findHolder(of: token, orNew: conversation) == conversation.id else {
            throw Self.foreignSecret
        }
        return token
    }

    /// Makes the secret of a browser's first words one of the customer's own conversation; where they came first, the
    /// conversation without a name that they began, which is linked.
    ///
    /// Order: of the same words with and without a name the first decides, as one secret is one session: what is still on
    /// its way without a name then comes into the customer's own conversation.
    /// - Throws: `name_taken` for a secret of another kind of session, or of another business.
    func claim(
        _ secret: Token, for own: Conversation
    ) async throws(Problem) -> ConversationID? {
        guard let holder = try await findHolder(of: secret, orNew: own) else {
            throw Self.foreignSecret
        }
        guard holder != own.id else { return nil }
        let services = services
        let begun = try await services.asking { _ throws(StoreError) in
            try await services.conversations.findConversation(holder)
        }
        guard begun?.business == business else { throw Self.foreignSecret }
        try await following(holder).describe(own)
        return holder
    }

    /// Writes what is verified into the contact, and links the contact of what was written before without a name.
    ///
    /// What cannot be, such as a value that its attribute does not allow or a merge of a blocked contact with one
    /// that is not, is left out: the customer writes all the same.
    func describe(_ conversation: Conversation) async throws(Problem) {
        guard let own = try await services.findRootContact(ContactID(conversation.id.value)) else {
            return
        }
        let root = try await joined(own)
        try await save(root)
        try await link(root, of: conversation)
    }

    /// Links the contact of what was written before without a name, and writes nothing: what the identity says was true
    /// when it was made, and a browser may show it for weeks.
    func link(_ conversation: Conversation) async throws(Problem) {
        guard ticket.former != nil,
            let own = try await services.findRootContact(ContactID(conversation.id.value))
        else { return }
        try await link(own, of: conversation)
    }

    private func link(_ root: Contact, of conversation: Conversation) async throws(Problem) {
        guard let former = ticket.former, !ticket.isLinked, former != conversation.id,
            let other = try await services.findRootContact(ContactID(former.value)),
            other.id != root.id,
            other.business == business, !other.isExternalIDVerified
        else { return }
        _ = try await merge(other, into: root)
    }

    // MARK: Parts

    private static var foreignSecret: Problem {
        Problem(.nameTaken, "The secret is another conversation's: make a new one.")
    }

    /// The conversation whose session a token is, after a session in another one was added where there was none; nil
    /// for a session that is no customer's.
    private func findHolder(
        of token: Token, orNew conversation: Conversation
    ) async throws(Problem) -> ConversationID? {
        let session = Session(
            token: token.digest, subject: .customer(conversation.id),
            createdAt: services.time.latest(), expiresAt: services.customerSessions.end)
        let stored = try await services.asking { store throws(StoreError) -> Session? in
            do throws(StoreError) {
                try await store.add(session, author: session.subject.author)
                return session
            } catch {
                guard error.code == .refused else { throw error }
                return try await store.findStoredSession(token.digest)
            }
        }
        guard case .customer(let holder)? = stored?.subject else { return nil }
        return holder
    }

    /// The contact together with the one that the business knows by the same name in its other system: by an API
    /// key, or because an agent wrote it down.
    private func joined(_ root: Contact) async throws(Problem) -> Contact {
        let subject = ticket.identity.subject
        guard root.externalID == nil else { return root }
        let business = business
        let holder = try await services.asking { store throws(StoreError) in
            try await store.findContact(externalID: subject, of: business)
        }
        guard let holder, holder.id != root.id else { return root }
        return holder.isExternalIDVerified
            ? try await merge(root, into: holder) : try await merge(holder, into: root)
    }

    /// The contact that stands for both, or the second as it is where the two cannot be merged.
    private func merge(_ other: Contact, into root: Contact) async throws(Problem) -> Contact {
        let business = business
        do throws(Problem) {
            return try await services.brokering { broker throws(BrokerError) in
                try await broker.merge(other.id, into: root.id, of: business, by: .server)
            }
        } catch {
            guard Self.isRefusal(error) else { throw error }
            return root
        }
    }

    private func save(_ contact: Contact) async throws(Problem) {
        let identity = ticket.identity
        var values = SaveContact.Values()
        let isFree = contact.externalID == nil
        if isFree
            || contact.externalID.map({ $0.utf8.elementsEqual(identity.subject.utf8) }) == true
        {
            values.externalID = identity.subject
            values.isExternalIDVerified = true
        }
        if let name = identity.name { values.name = name }
        values.attributes = try await allowed(identity)
        let (changes, business) = (values, business)
        do throws(Problem) {
            _ = try await services.brokering { broker throws(BrokerError) in
                try await broker.change(contact.id, of: business, changes, by: .server)
            }
        } catch {
            guard Self.isRefusal(error) else { throw error }
        }
    }

    /// The values that the business has defined attributes for; the address of e-mail is one of the key `email`.
    private func allowed(
        _ identity: WidgetIdentity
    ) async throws(Problem) -> [String: AttributeValue?] {
        var stated = identity.attributes
        if let email = identity.email { stated["email"] = .text(email) }
        guard !stated.isEmpty else { return [:] }
        let business = business
        let defined = try await services.asking { store throws(StoreError) in
            try await store.attributes(of: business)
        }
        var values: [String: AttributeValue?] = [:]
        for definition in defined where definition.subject == .contact && !definition.isRetired {
            guard let value = stated[definition.key], definition.allows(value) else { continue }
            values[definition.key] = value
        }
        return values
    }

    private static func isRefusal(_ problem: Problem) -> Bool {
        switch problem.code {
        case .notFound, .invalid, .nameTaken, .alreadyMerged, .notMerged: true
        default: false
        }
    }
}

extension Services {
    /// The contact that stands for one; nil without it.
    func findRootContact(_ id: ContactID) async throws(Problem) -> Contact? {
        try await asking { store throws(StoreError) -> Contact? in
            var found = try await store.findContact(id)
            for _ in 0..<Contact.mostMerged {
                guard let merge = found?.merge else { return found }
                found = try await store.findContact(merge.into)
            }
            return nil
        }
    }
}
