import DeskAPI
import DeskBroker
import DeskCommandLine
import DeskModel
import DeskStore

extension AdminCommands {
    /// Longest transcript of a command in bytes; the API has no such bound.
    private static let longestTranscript = 960 * 1_024

    /// Prints the report of a business.
    func printReport(_ parsed: Parsed) async throws(StoreError) -> Result {
        let all = try await store.businesses()
        guard parsed.arguments.count == 1 else {
            return .failed("name one business; there are:\n\(Self.list(all))")
        }
        let business: Business
        switch Self.find(parsed.arguments[0], in: all) {
        case .failure(let failed): return failed.result
        case .success(let found): business = found
        }
        let values = Dictionary(
            uniqueKeysWithValues: ["from", "to", "zone", "by"].compactMap { name in
                parsed[name].map { (name, $0) }
            })
        switch try await PrintedReport.read(
            of: business.id, values, isCSV: parsed["csv"] == "on", in: store, now: time.now())
        {
        case .success(let text): return .done(text)
        case .failure(let refusal): return .failed(refusal.sentence)
        }
    }

    /// Prints the transcript of a conversation.
    func printTranscript(_ parsed: Parsed) async throws(StoreError) -> Result {
        guard parsed.arguments.count == 1, let id = ConversationID(parsed.arguments[0]),
            let conversation = try await store.findConversation(id)
        else { return .failed("name one conversation by its id, as the console's address has it") }
        let text = try await PrintedTranscript.read(
            of: conversation, as: parsed["format"] ?? "text", withNotes: parsed["notes"] == "on",
            in: store, now: time.now(), atMost: Self.longestTranscript)
        switch text {
        case .success(let text): return .done(text)
        case .failure(let refusal): return .failed(refusal.sentence)
        }
    }

    /// Blocks a customer's contact, or lets it write again.
    func blockCustomer(_ parsed: Parsed, isBlocked: Bool) async throws(StoreError) -> Result {
        guard parsed.arguments.count == 1, let id = ConversationID(parsed.arguments[0]),
            let conversation = try await store.findConversation(id)
        else {
            return .failed(
                "name the customer by the id of the conversation, as the console's address has it")
        }
        let contact = conversation.contact
        guard let found = try await store.findContact(contact) else {
            return .failed("the contact of the conversation \(id.text) cannot be found")
        }
        guard (found.blockedAt != nil) != isBlocked else {
            return .done("The customer is \(isBlocked ? "blocked" : "not blocked") already.")
        }
        if let refused = try await brokering({ broker throws(BrokerError) in
            try await broker.block(
                contact, of: conversation.business, isBlocked, by: .command)
        }) {
            return refused
        }
        return .done(
            isBlocked
                ? "The customer is blocked: nothing that the customer sends is stored from now on."
                : "The customer may write again.")
    }

    /// Lists the members of a business with their roles.
    func listMembers(_ parsed: Parsed) async throws(StoreError) -> Result {
        var businesses = try await store.businesses()
        if let word = parsed["business"] {
            switch Self.find(word, in: businesses) {
            case .failure(let failed): return failed.result
            case .success(let found): businesses = [found]
            }
        }
        var rows: [String] = []
        for business in businesses {
            for agent in try await store.agents(of: business.id) {
                let role = try await store.memberships(of: agent.id)
                    .first { $0.business == business.id }?.role
                let chosen = try await store.availability(of: agent.id).state
                rows.append(
                    "\(agent.id.text)  \(role?.name ?? "")  \(chosen.rawValue)  \(agent.name)  "
                        + "<\(agent.email)>  (\(business.name))")
            }
        }
        return .done(rows.isEmpty ? "There are no members." : rows.joined(separator: "\n"))
    }
}
