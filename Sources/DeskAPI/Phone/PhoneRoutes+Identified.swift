import DeskBroker
import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

extension PhoneRoutes {
    /// Accepts the first words in this browser of a customer for whom the business's server vouches.
    ///
    /// Words that were stored without a name stay there: the answer says where, and the customer's own conversation is
    /// opened beside it, so that agents see both as one contact and answer where the customer reads.
    static func begin(
        as customer: IdentifiedCustomer, _ context: RequestContext, _ posted: PostedText,
        with business: Business
    ) async throws(Problem) -> Response {
        let services = context.services
        let conversation = try await customer.open()
        guard conversation.blockedAt == nil else { throw Problem(.customerBlocked) }
        try await customer.describe(conversation)
        let current = context.conversation.flatMap { $0.id == conversation.id ? nil : $0.id }
        if let current { try await customer.following(current).describe(conversation) }
        let secret = posted.secret ?? Token.make()
        let begun = try await customer.claim(secret, for: conversation)
        let token = begun == nil ? secret : try await customer.begin(conversation)
        let certain = [begun, current, customer.ticket.former]
        if let known = try await findFormer(
            posted, beside: conversation, among: certain, context)
        {
            return handing(token, to: context, for: business, answer(known))
        }
        let end = CustomerSide(
            services: services, business: business,
            author: .customer(device: PhoneAuthenticator.device(in: conversation.id)),
            origin: .phone)
        let acceptance = try await end.say(posted, in: conversation)
        return handing(token, to: context, for: business, answer(acceptance))
    }

    /// The message where it was stored before its customer signed in, which the answer did not say: it stays there.
    static func findFormer(
        _ posted: PostedText, beside own: Conversation, _ customer: IdentifiedCustomer?,
        _ context: RequestContext
    ) async throws(Problem) -> Acceptance? {
        guard posted.former != nil || posted.secret != nil else { return nil }
        var certain: [ConversationID?] = []
        if let customer, customer.owns(own) {
            certain.append(customer.ticket.former)
            let phone = try context.requireCustomer()
            if let secret = posted.secret, secret.digest != phone.session {
                certain.append(try await customer.claim(secret, for: own))
            }
        }
        return try await findFormer(posted, beside: own, among: certain, context)
    }

    /// Looks where this browser has written for certain, and in the conversation that it states.
    ///
    /// The stated one must be one that signing in has linked to the customer's own.
    private static func findFormer(
        _ posted: PostedText, beside own: Conversation, among certain: [ConversationID?],
        _ context: RequestContext
    ) async throws(Problem) -> Acceptance? {
        let services = context.services
        for case .some(let former) in certain where former != own.id {
            let known = try await findMessage(posted.id, sentIn: former, services)
            if let known { return known }
        }
        guard let stated = posted.former, stated != own.id, !certain.contains(stated),
            let root = try await services.findRootContact(ContactID(own.id.value)),
            let other = try await services.findRootContact(ContactID(stated.value)),
            root.id == other.id, root.business == own.business
        else { return nil }
        return try await findMessage(posted.id, sentIn: stated, services)
    }

    private static func findMessage(
        _ id: MessageID, sentIn former: ConversationID, _ services: Services
    ) async throws(Problem) -> Acceptance? {
        let found = try await services.asking { store throws(StoreError) in
            try await store.findMessage(id, in: former)
        }
        guard let found, found.facts.direction == .inbound else { return nil }
        return Acceptance(message: found, isRepeat: true)
    }
}
