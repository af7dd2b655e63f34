import DeskBroker
import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

extension PhoneRoutes {
    /// Accepts a customer's words; the first ones make customer, conversation and session.
    static func say(_ context: RequestContext) async throws(Problem) -> Response {
        let business = try await requireBusiness(context)
        let isEmbedded = WidgetCookie.isOwn(context.request)
        let posted = try PostedText(try await context.jsonBytes(), isEmbedded: isEmbedded)
        // Words for a conversation begin no other one.
        let identified =
            posted.conversation == nil
            ? try await context.services.findIdentified(by: context.request, in: business.id) : nil
        guard let conversation = context.conversation else {
            guard posted.conversation == nil else { throw .missingCredential }
            return try await begin(context, posted, with: business, identified)
        }
        let phone = try context.requireCustomer()
        if let stated = posted.conversation, stated != conversation.id { throw .notFound }
        if let identified, !identified.owns(conversation), posted.attachments.isEmpty {
            // The session is one without a name, whose answer came after that of signing in.
            return try await begin(context, posted, with: business, identified)
        }
        if let known = try await findFormer(posted, beside: conversation, identified, context) {
            return answer(known)
        }
        let end = CustomerSide(
            services: context.services, business: business,
            author: .customer(device: phone.device), origin: .phone)
        // A known customer needs no code: an expired one does not keep them from writing.
        let code = try await findLivingCode(posted, business, context)
        let uses = try await requireAttachments(posted, in: conversation.id, context)
        return answer(
            try await end.say(
                posted, in: conversation, attachments: uses,
                dictionaries: uses.map {
                    AttachmentText.dictionary($0, .inbound, context.services.publicURL)
                },
                code: code))
    }

    private static func begin(
        _ context: RequestContext, _ posted: PostedText, with business: Business,
        _ identified: IdentifiedCustomer?
    ) async throws(Problem) -> Response {
        guard posted.attachments.isEmpty else {
            throw Problem(.notFound, "Write first; then files can be sent.")
        }
        if let identified {
            return try await begin(as: identified, context, posted, with: business)
        }
        if let response = try await beginAgain(context, posted, with: business) { return response }
        let code = try await findLivingCode(posted, business, context)
        if posted.entry.code != nil, code == nil {
            // The same first message came twice at once, and the other request used the code.
            guard let response = try await beginAgain(context, posted, with: business) else {
                throw .deadCode
            }
            return response
        }
        let services = context.services
        let token = posted.secret ?? Token.make()
        let now = services.time.latest()
        let conversation = ConversationID(services.broker.makeID())
        let name = CustomerID.prefix + Base64.encode(RandomBytes.make(33))
        guard let id = CustomerID(name) else { throw .notFound }
        let session = Session(
            token: token.digest, subject: .customer(conversation), createdAt: now,
            expiresAt: services.customerSessions.end)
        let end = CustomerSide(
            services: services, business: business,
            author: .customer(device: PhoneAuthenticator.device(in: conversation)), origin: .phone)
        do {
            let acceptance = try await end.begin(
                posted, as: Customer(id: id), conversation, session: session, code: code)
            return handing(token, to: context, for: business, answer(acceptance))
        } catch {
            // The same first message came twice at once, and the other request began the session.
            guard error.code == .nameTaken,
                let response = try await beginAgain(context, posted, with: business)
            else { throw error }
            return response
        }
    }

    /// Repeats a first message whose answer was lost: its customer exists already, so the message
    /// is that customer's, and the phone gets its cookie again.
    private static func beginAgain(
        _ context: RequestContext, _ posted: PostedText, with business: Business
    ) async throws(Problem) -> Response? {
        guard let token = posted.secret else { return nil }
        let services = context.services
        let now = services.time.latest()
        let found = try await services.asking { store throws(StoreError) -> Conversation? in
            guard let session = try await store.findLiveSession(token.digest, at: now),
                case .customer(let id) = session.subject,
                let conversation = try await services.conversations.findConversation(id),
                conversation.business == business.id
            else { return nil }
            return conversation
        }
        guard let conversation = found else { return nil }
        let end = CustomerSide(
            services: services, business: business,
            author: .customer(device: PhoneAuthenticator.device(in: conversation.id)),
            origin: .phone)
        let acceptance = try await end.say(
            posted, in: conversation, attachments: [], dictionaries: [], code: nil)
        return handing(token, to: context, for: business, answer(acceptance))
    }

    static func handing(
        _ token: Token, to context: RequestContext, for business: Business, _ response: Response
    ) -> Response {
        var response = response
        PhoneCookie.hand(
            token, to: business.id, by: &response, for: context.request, context.services)
        return response
    }

    private static func findLivingCode(
        _ posted: PostedText, _ business: Business, _ context: RequestContext
    ) async throws(Problem) -> JoinCode? {
        guard let text = posted.entry.code, let code = try await findCode(text, context),
            code.business == business.id
        else { return nil }
        return code
    }

    /// The attachments as the conversation holds them; the files of a message go with it where it is erased.
    private static func requireAttachments(
        _ posted: PostedText, in conversation: ConversationID, _ context: RequestContext
    ) async throws(Problem) -> [AttachmentUse] {
        var uses: [AttachmentUse] = []
        for id in posted.attachments {
            let found = try await context.services.asking { store throws(StoreError) in
                try await store.findAttachment(id, heldBy: .conversation(conversation))
            }
            guard let found else {
                let known = try await context.services.asking { store throws(StoreError) in
                    try await store.findMessage(posted.id, in: conversation)
                }
                throw known?.erasedAt == nil ? Problem.notFound : Problem(Refusal.messageErased)
            }
            uses.append(found)
        }
        return uses
    }
}
