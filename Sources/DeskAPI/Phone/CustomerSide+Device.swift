import DeskBroker
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

extension CustomerSide {
    /// Asks the merchant what the sheet's change costs; nothing is stored.
    func ask(
        _ call: PaymentCall, about request: MessageID, in conversation: Conversation
    ) async throws(Problem) -> PaymentCallResult {
        let request = try await requireRequest(request, in: conversation)
        guard request.facts.kind == .payment else { throw .nothingOffered }
        return await carryOut(try offered(call, by: request), for: request, in: conversation)
    }

    /// A sign-in request as the device reads it, and what keeps it from being carried out.
    func examineSignIn(
        _ request: MessageID, in conversation: Conversation
    ) async throws(Problem) -> (request: SignInRequest, problems: [SignInProblem], isOver: Bool) {
        let message = try await requireRequest(request, in: conversation)
        let asked = try requireSignIn(message)
        let isOver = try await isSettled(message, except: nil)
        return (asked, services.device?.problems(of: asked, in: business.mode) ?? [], isOver)
    }

    // MARK: The device's part of an answer

    /// What the device does before the answer can be written.
    ///
    /// An answer that is stored already is only repeated: the merchant is not asked a second time.
    /// - Throws: `payment_refused` with the status that the merchant answered; before it is asked,
    ///   what keeps the request from being paid so.
    func complete(
        _ choice: PostedChoice, as id: MessageID, to request: StoredMessage,
        in conversation: Conversation
    ) async throws(Problem) -> (choice: Choice, redirect: String?) {
        switch choice.choice {
        case .payment(.success, _, _, let shipping, let billing, let card):
            guard request.facts.kind == .payment,
                try await findMessage(id, in: conversation) == nil
            else { return (choice.choice, nil) }
            let token = PaymentToken(
                card: card, billingContact: billing, shippingContact: shipping,
                transaction: id.text)
            let call = try offered(.pay(token), by: request)
            let result = await carryOut(call, for: request, in: conversation)
            if let problem = Self.refusal(result) { throw problem }
            return (choice.choice, nil)
        case .signIn(let signIn):
            let signedIn = try signedIn(signIn, to: request)
            return (.signIn(signedIn.signIn), signedIn.redirect)
        case .payment, .picked, .app, .form, .invitation:
            return (choice.choice, nil)
        }
    }

    /// Reports to the merchant that a payment has ended well, where it asked for that.
    func follow(
        _ choice: PostedChoice, to request: StoredMessage, in conversation: Conversation
    ) async {
        guard case .payment(.success, _, _, _, _, _) = choice.choice else { return }
        // The wire log has its result: the payment is stored.
        _ = await carryOut(.track, for: request, in: conversation)
    }

    // MARK: Parts

    private func signedIn(
        _ signIn: SignIn, to request: StoredMessage
    ) throws(Problem) -> SignedIn {
        let asked = try requireSignIn(request)
        guard let device = services.device else { return SignedIn(signIn) }
        return device.signIn(signIn, to: asked, of: business)
    }

    private func requireSignIn(_ message: StoredMessage) throws(Problem) -> SignInRequest {
        guard message.facts.kind == .authentication,
            let asked = SignInRequest(message.payload.carriedBytes ?? [])
        else { throw .nothingOffered }
        // The sandbox vouches for no real customer's identity.
        guard business.mode == .test else {
            throw Problem(.notOffered, "Only test businesses have a page to sign in at.")
        }
        return asked
    }

    private func offered(
        _ call: PaymentCall, by request: StoredMessage
    ) throws(Problem) -> PaymentCall {
        do throws(ReplyError) {
            return try call.offered(by: request.payload.carriedBytes ?? [])
        } catch {
            throw Problem(error)
        }
    }

    private func carryOut(
        _ call: PaymentCall, for request: StoredMessage, in conversation: Conversation
    ) async -> PaymentCallResult {
        await services.device?.call(
            call, for: request, of: business, in: conversation.id) ?? .notAsked
    }

    private static func refusal(_ result: PaymentCallResult) -> Problem? {
        switch result {
        case .notAsked: return nil
        case .failed(let fault):
            return Problem(.paymentRefused, "The merchant refused it: \(fault.sentence)")
        case .answered:
            let status = result.status ?? "STATUS_FAILURE"
            guard status != "STATUS_SUCCESS" else { return nil }
            var problem = Problem(.paymentRefused, "The merchant answered \(status).")
            problem.paymentStatus = status
            return problem
        }
    }

    /// Finds a message of the conversation by its sender's id.
    func findMessage(
        _ id: MessageID, in conversation: Conversation
    ) async throws(Problem) -> StoredMessage? {
        try await services.asking { store throws(StoreError) in
            try await store.findMessage(id, in: conversation.id)
        }
    }
}
