import DeskModel
import DeskStore

extension LogSession {
    /// Finds what a decision asks for and gives it to the decision.
    func answer(_ lookup: Lookup, to decision: inout GroupDecision) throws(StoreError) {
        switch lookup {
        case .conversation(let id): decision.found(try findRow(id), as: id)
        case .conversationOf(let customer, let business):
            decision.found(
                try findRow(of: customer, with: business), of: customer, with: business)
        case .business(let id):
            decision.found(try Businesses.number(of: id, on: sql), as: id)
        case .message(let id, let conversation):
            decision.found(try findMessage(id, in: conversation), as: id, in: conversation)
        case .erased(let ids, let conversation):
            decision.found(
                areErased: try areErased(among: ids, in: conversation), among: ids,
                in: conversation)
        case .chain(let id): decision.found(try findChain(of: id), of: id)
        case .settlement(let request, let conversation):
            decision.found(
                settlement: try findSettlement(of: request, in: conversation), of: request,
                in: conversation)
        case .answered(let id, let seen, let author):
            let isAnswered = try findRow(id).map { row throws(StoreError) in
                try ThreadRows.isAnswered(
                    after: seen, beside: author, in: row, on: sql)
            }
            decision.found(
                isAnswered: isAnswered ?? false, in: id, after: seen, beside: author)
        case .closing(let id):
            let closing = try findRow(id).flatMap { row throws(StoreError) in
                try CareRows.closing(of: row, on: sql)
            }
            decision.found(closing: closing, of: id)
        case .note(let id, let conversation):
            decision.found(try findNote(id, in: conversation), as: id, in: conversation)
        case .due(let name):
            decision.found(try DueWorks.find(name, on: sql), as: name)
        case .answer(let scope):
            decision.found(try Answers.find(scope, on: sql), as: scope)
        case .session(let token):
            decision.found(try Sessions.find(token, on: sql) != nil, as: token)
        case .file(let id): decision.found(try Holds.has(id, on: sql), as: id)
        case .template(let name, let business):
            decision.found(
                try Templates.newest(name, of: business, on: sql), as: name, of: business
            )
        case .newestTemplate(let name, let business):
            decision.found(
                newest: try Templates.findNewest(name, of: business, on: sql), as: name,
                of: business)
        case .joinCode(let link):
            decision.found(try JoinCodes.rest(of: link, on: sql), as: link)
        case .member(let agent, let business):
            decision.found(
                KnownMember(
                    role: try Agents.role(of: agent, in: business, on: sql),
                    canSignIn: try Agents.canSignIn(agent, on: sql)),
                as: agent, of: business)
        case .owners(let business):
            decision.found(
                owners: try Agents.ownersWhoSignIn(to: business, on: sql), of: business)
        case .labels(let business):
            decision.found(labels: try Labels.all(of: business, on: sql), of: business)
        case .automaticAnswers(let business):
            decision.found(
                automaticAnswers: try found.automaticAnswers(of: business, on: sql),
                of: business)
        case .rules(let business):
            decision.found(rules: try Rules.all(of: business, on: sql), of: business)
        case .webhook(let id):
            decision.found(isEnabled: try Webhooks.isEnabled(id, on: sql), as: id)
        case .ruleAct(let name):
            decision.found(try Rules.has(name, on: sql), as: name)
        case .assignment(let business):
            decision.found(
                assignment: try found.assignment(of: business, on: sql), of: business)
        case .workload(let business):
            try writeChanged()
            decision.found(
                workload: try CareRows.workload(of: business, on: sql), of: business)
        case .earlierCare(let id):
            let care = try findRow(id).map { row throws(StoreError) in
                try CareRows.earlier(of: row, on: sql)
            }
            decision.found(earlierCare: care ?? EarlierCare(), of: id)
        case .teams(let business):
            decision.found(teams: try Teams.all(of: business, on: sql), of: business)
        case .serviceLevels(let business):
            decision.found(
                hasServiceLevels: try found.hasServiceLevels(of: business, on: sql), of: business)
        case .satisfactionPlan(let business):
            decision.found(
                try SatisfactionRows.find(of: business, on: sql)?.plan, of: business)
        case .savedView(let id):
            decision.found(try SavedViews.find(id, on: sql), as: id)
        case .viewCount(let scope):
            decision.found(
                viewCount: try SavedViews.count(on: scope, on: sql), on: scope)
        case .library(let business):
            decision.found(
                library: try LibraryRows.all(of: business, on: sql).map(\.file),
                of: business)
        case .suggestions(let conversation):
            decision.found(
                suggestions: try Suggestions.all(in: conversation, on: sql), in: conversation)
        case .bots(let business):
            decision.found(bots: try found.bots(of: business, on: sql), of: business)
        case .control(let conversation):
            decision.found(
                try found.control(of: conversation, on: sql), of: conversation)
        case .attributes(let business):
            decision.found(
                attributes: try Attributes.all(of: business, on: sql), of: business)
        case .contactTree(let id):
            decision.found(tree: try Contacts.tree(of: id, on: sql), of: id)
        case .contactLinks(let id):
            decision.found(links: try ContactLinks.all(of: id, on: sql), of: id)
        case .contact(let id):
            decision.found(try Contacts.find(id, on: sql), as: id)
        case .contactOf(let externalID, let business):
            decision.found(
                try Contacts.find(externalID: externalID, of: business, on: sql),
                as: externalID, of: business)
        case .assignsOnReply(let business):
            decision.found(
                assignsOnReply: try found.assignsOnReply(business, on: sql),
                of: business)
        case .legalHold(let subject):
            decision.found(try LegalHolds.find(on: subject, on: sql), on: subject)
        case .legalHoldCount(let business):
            decision.found(
                legalHoldCount: try LegalHolds.count(of: business, on: sql), of: business)
        case .retention(let business):
            decision.found(try Retentions.find(of: business, on: sql), of: business)
        case .grants(let agent, let business):
            decision.found(
                grants: try Keys.granted(by: agent, for: business, on: sql), by: agent,
                for: business)
        case .assigned(let agent, let business):
            decision.found(
                assigned: try findAssigned(to: agent, in: business), to: agent, in: business)
        }
    }

    private func findNote(
        _ id: NoteID, in conversation: ConversationID
    ) throws(StoreError) -> KnownNote? {
        guard let one = try findRow(conversation) else { return nil }
        let statement = try sql.statement(NoteRows.byID)
        try statement.bind(one.number)
        try statement.bind(id.value)
        return try statement.first { row throws(StoreError) in
            let number = row.integer()
            return KnownNote(number: number, note: try NoteRows.read(row))
        }
    }

    private func findRow(
        of customer: CustomerID, with business: BusinessID
    ) throws(StoreError) -> ConversationRow? {
        let statement = try sql.statement(
            literal: """
                SELECT c.id FROM businesses b JOIN conversations c ON c.business = b.number \
                WHERE b.id = ? AND c.customer = ?
                """)
        try statement.bind(business.value)
        try statement.bind(customer.text)
        let known = try statement.first { row throws(StoreError) in ConversationID(try row.id()) }
        return try known.flatMap { id throws(StoreError) in try findRow(id) }
    }

    private func findSettlement(
        of request: MessageID, in conversation: ConversationID
    ) throws(StoreError) -> MessageID? {
        guard let one = try findRow(conversation) else { return nil }
        return try Settlements.find(request, in: one.number, on: sql)
    }

    private func findMessage(
        _ id: MessageID, in conversation: ConversationID
    ) throws(StoreError) -> KnownMessage? {
        guard let one = try findRow(conversation) else { return nil }
        let statement = try sql.statement(
            "SELECT \(MessageColumns.whole) FROM messages m WHERE id = ? AND conversation = ?")
        try statement.bind(id.text)
        try statement.bind(one.number)
        let stored = try statement.first { row throws(StoreError) in
            try MessageColumns.read(
                row, in: one.conversation.id, of: one.conversation.business)
        }
        guard let stored else { return nil }
        let posted = try sql.statement(
            literal: "SELECT coalesce(posted, digest) FROM messages WHERE position = ?")
        try posted.bind(stored.position.value)
        let digest = try posted.first { row throws(StoreError) in try row.digest() }
        return digest.map { KnownMessage(message: stored, posted: $0) }
    }

    /// Reads no message whole: each may have hundreds of kilobytes, and the commit waits.
    private func areErased(
        among ids: [MessageID], in conversation: ConversationID
    ) throws(StoreError) -> Bool {
        guard !ids.isEmpty, let one = try findRow(conversation) else { return false }
        let statement = try sql.statement(
            once: """
                SELECT position FROM messages WHERE conversation = ? AND erased_at IS NOT NULL \
                AND id IN (\(Dialect.parameters(ids.count))) LIMIT 1
                """)
        try statement.bind(one.number)
        for id in ids { try statement.bind(id.text) }
        return try statement.first { $0.integer() } != nil
    }

    /// The conversations that rows assign to a person; those that cannot be read accept no change.
    ///
    /// What others of the same transaction assigned is in no row yet; `abandoned` finds it later.
    private func findAssigned(
        to agent: AgentID, in business: BusinessID
    ) throws(StoreError) -> [ConversationRow] {
        let statement = try sql.statement(
            literal: """
                SELECT c.id FROM businesses b JOIN conversations c ON c.business = b.number \
                WHERE b.id = ? AND c.assignee = ? ORDER BY c.activity LIMIT ?
                """)
        try statement.bind(business.value)
        try statement.bind(agent.value)
        try statement.bind(Int64(MemberChange.conversationsAtOnce))
        let ids = try statement.all { row throws(StoreError) in ConversationID(try row.id()) }
        var found: [ConversationRow] = []
        for id in ids {
            do {
                if let row = try findRow(id) { found.append(row) }
            } catch {
                guard error.code == .damaged else { throw error }
            }
        }
        return found
    }
}
