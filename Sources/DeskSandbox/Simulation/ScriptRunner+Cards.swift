import DeskAPI
import DeskBroker
import DeskHTTP
import DeskMessages
import DeskModel
import DeskScript
import DeskStore
import DeskWeb

/// Answers to cards, done as a device does them.
extension ScriptRunner {
    mutating func fill(
        _ answers: [ScriptStep.PageAnswer], _ step: ScriptStep
    ) async throws(Problem) {
        let (choice, card) = try await requireOffer(step, "to fill in") { message in
            FormFilling(message)?.choice(of: answers)
        }
        try await choose(choice, card, step)
        note(
            step,
            "fills in "
                + answers.map { answer in
                    "\(answer.page): " + answer.values.map(Quoted.text).joined(separator: ", ")
                }.joined(separator: "; "))
    }

    mutating func pay(_ status: String?, _ step: ScriptStep) async throws(Problem) {
        let card = try await requirePayment(step)
        let isPaid = status == nil || status == "STATUS_SUCCESS"
        let contacts = PaymentOffer(card.payload.carriedBytes ?? [])?.inventedContacts
        try await choose(
            .payment(
                isPaid ? .success : .failure, status: status ?? "STATUS_SUCCESS",
                shippingMethod: CardOffer(card)?.firstShippingMethod,
                shippingContact: contacts?.shipping, billingContact: contacts?.billing), card, step)
        note(step, status.map { "pays and gets \($0)" } ?? "pays")
    }

    func requirePayment(_ step: ScriptStep) async throws(Problem) -> StoredMessage {
        try await requireOffer(step, "to pay") { message in
            message.facts.kind == .payment ? .success(()) : nil
        }.card
    }

    /// The newest message that offers what is wanted, waited for as long as a step waits.
    ///
    /// `choose` gives nil for a message that offers nothing of the sort, and a problem for one that
    /// does but not this.
    func requireOffer<Value: Sendable>(
        _ step: ScriptStep, _ what: String,
        _ choose: @escaping @Sendable (StoredMessage) -> Result<Value, Problem>?
    ) async throws(Problem) -> (value: Value, card: StoredMessage) {
        let surroundings = surroundings
        let scope = EventScope.conversation(people[step.person].conversation)
        let found = try await surroundings.wait(for: surroundings.time.patience, in: scope) {
            () async throws(Problem) -> (value: Value, card: StoredMessage)? in
            for message in try await surroundings.sent(in: scope, after: .start).reversed() {
                if case .success(let value) = choose(message) { return (value, message) }
            }
            return nil
        }
        if let found { return found }
        for message in try await surroundings.sent(in: scope, after: .start).reversed() {
            if case .failure(let problem) = choose(message) { throw problem }
        }
        var unmet = Unmet(
            patience: surroundings.time.patience, misses: [], missCount: 0,
            deliveries: try await surroundings.deliveries(),
            refusals: try await surroundings.refusals(in: scope),
            isTried: surroundings.time.isTried)
        unmet.wanted = "nothing \(what)"
        throw Problem(.notOffered, unmet.sentence)
    }

    @discardableResult
    mutating func choose(
        _ choice: Choice, _ card: StoredMessage, _ step: ScriptStep
    ) async throws(Problem) -> CustomerSide.Answered {
        guard let conversation = try await findConversation(step) else { throw .notFound }
        let id = people[step.person].makeMessageID(at: now).text
        let posted = PostedChoice(id: id, inReplyTo: card.id.text, choice: choice)
        return try await end(step).choose(posted, posted: Array(id.utf8), in: conversation)
    }

    mutating func signIn(
        _ outcome: SignInOutcome, _ name: String, _ step: ScriptStep
    ) async throws(Problem) {
        let card = try await requireOffer(step, "to sign in with") { message in
            message.facts.kind == .authentication ? .success(()) : nil
        }.card
        let answered = try await choose(.signIn(SignIn(outcome, name: name)), card, step)
        let end =
            switch outcome {
            case .granted: name.isEmpty ? "signs in" : "signs in as \(Quoted.text(name))"
            case .refused: "refuses to sign in"
            case .canceled: "cancels the sign-in"
            case .failed: "fails to sign in"
            }
        note(step, end)
        if let page = answered.redirect { try await visit(page, step) }
    }

    /// Opens the business's page that a sign-in leads to, as the device's browser does.
    private mutating func visit(_ page: String, _ step: ScriptStep) async throws(Problem) {
        // The query of the page is between it and the browser.
        let shown = String(page.prefix { $0 != "?" })
        guard let client = surroundings.client else {
            throw Problem(.unavailable, "The page \(shown) cannot be opened from here.")
        }
        do throws(OutgoingError) {
            let answer = try await client.send(
                OutgoingRequest(.get, page, headers: ["Accept": "text/html"]))
            note(step, "is sent to \(shown), which answers \(answer.status.code)")
        } catch {
            throw Problem(.unavailable, "The page \(shown) does not answer: \(error).")
        }
    }
}
