import DeskModel
import DeskStore
import DeskWeb

/// What is stored of a line.
enum ImportStep: Sendable {
    case customer(OpenConversation, ImportCustomer, values: SaveContact.Values)
    case state(OpenConversation, ImportState)
    case message(OpenConversation, NewMessage, customer: CustomerID)
    case note(OpenConversation, ImportNote, customer: CustomerID)

    /// Why a line was not stored, in the words of an import.
    func problem(_ refusal: Refusal) -> Problem {
        switch (self, refusal) {
        case (.message, .preconditionFailed): ImportStep.isLate
        case (.customer, .nameTaken):
            Problem(.nameTaken, "Another contact of the business has this externalId already.")
        case (.message, .notFound), (.note, .notFound), (.state, .notFound):
            Problem(.notFound, "The customer's conversation could not be opened.")
        default: Problem(refusal)
        }
    }

    /// The refusal of a message that is older than what the conversation has.
    static let isLate = Problem(
        .preconditionFailed,
        """
        The conversation has a later message already, and the log is only appended to: send the messages \
        of a customer in the order of their time, before the customer writes here.
        """)
}

extension ImportRun {
    /// Stores steps of one kind in one commit.
    func store(_ steps: [ImportStep]) async throws(Problem) -> [Result<ImportOutcome, Refusal>] {
        var customers: [WriteGroup<ImportCustomer>] = []
        var states: [WriteGroup<ImportState>] = []
        var messages: [WriteGroup<NewMessage>] = []
        var notes: [WriteGroup<ImportNote>] = []
        for step in steps {
            switch step {
            case .customer(let opening, let step, _):
                customers.append(WriteGroup(step, after: [.open(opening)]))
            case .state(let opening, let step):
                states.append(WriteGroup(step, after: [.open(opening)]))
            case .message(let opening, let message, _):
                messages.append(WriteGroup(message, after: [.open(opening)]))
            case .note(let opening, let step, _):
                notes.append(WriteGroup(step, after: [.open(opening)]))
            }
        }
        let (ofCustomers, ofStates) = (customers, states)
        let (ofMessages, ofNotes) = (messages, notes)
        return try await services.asking { store throws(StoreError) in
            if !ofCustomers.isEmpty {
                return try await store.append(ofCustomers).map { $0.map(\.outcome) }
            }
            if !ofStates.isEmpty {
                return try await store.append(ofStates).map { $0.map(\.outcome) }
            }
            if !ofMessages.isEmpty {
                return try await store.append(ofMessages).map { result in
                    result.map { $0.isRepeat ? ImportOutcome.known : .added }
                }
            }
            return try await store.append(ofNotes)
        }
    }

    /// What a step would come to, by what is stored and by the lines of this request before it.
    mutating func foresee(_ step: ImportStep) async throws(Problem) -> ImportOutcome {
        switch step {
        case .customer(_, let step, let values):
            return try await foresee(values, of: step.customer)
        case .state(let opening, let step):
            var found: Conversation?
            if let target = conversations[opening.customerID], target.isThere {
                found = try await services.findConversation(target.conversation)
            }
            return step.changes(found ?? opening.beginning) ? .updated : .known
        case .message(_, let message, let customer):
            guard var target = conversations[customer] else { return .added }
            let submission = message.submission
            let name = "message \(customer.text) \(submission.id.text)"
            guard !foreseen.contains(name) else { return .known }
            if target.isThere {
                let known = try await services.asking { store throws(StoreError) in
                    try await store.findMessage(submission.id, in: submission.conversation)
                }
                if let known {
                    guard known.erasedAt == nil || message.erasedAt != nil else {
                        throw Problem(Refusal.messageErased)
                    }
                    return .known
                }
            }
            if let last = target.last, message.time < last { throw ImportStep.isLate }
            target.last = message.time
            conversations[customer] = target
            foreseen.insert(name)
            return .added
        case .note(_, let step, let customer):
            guard foreseen.insert("note \(customer.text) \(step.note.text)").inserted else {
                return .known
            }
            guard let target = conversations[customer], target.isThere else { return .added }
            let isThere = try await services.asking { store throws(StoreError) in
                try await store.hasNote(step.note, in: target.conversation)
            }
            return isThere ? .known : .added
        }
    }

    private mutating func foresee(
        _ values: SaveContact.Values, of customer: CustomerID
    ) async throws(Problem) -> ImportOutcome {
        let target = conversations[customer]
        if let id = values.externalID ?? nil {
            let business = names.business
            let holder = try await services.asking { store throws(StoreError) in
                try await store.findContact(externalID: id, of: business)
            }
            let name = "externalId \(Digest.sha256(Array(id.utf8)).text)"
            let isForeseen = foreseen.contains(name)
            let isOther = holder.map { $0.id != target?.contact } ?? false
            guard !isOther, !isForeseen || foreseen.contains("\(name) of \(customer.text)") else {
                throw Problem(
                    .nameTaken, "Another contact of the business has this externalId already.")
            }
            foreseen.formUnion([name, "\(name) of \(customer.text)"])
        }
        guard let target, let contact = target.contact else { return .added }
        let found = try await services.asking { store throws(StoreError) in
            try await store.findContact(contact)
        }
        return found.map { values.change($0) } ?? true ? .updated : .known
    }
}
