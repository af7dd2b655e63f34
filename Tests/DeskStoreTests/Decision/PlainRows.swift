import DeskModel
import DeskStore
import TestSupport

/// Rows in dictionaries: looks up what a decision asks for and keeps what it writes, and knows no
/// rule itself.
struct PlainRows {
    struct MessageKey: Hashable { let id: MessageID, conversation: ConversationID }

    /// A group that was not refused.
    struct Decided<Answer> {
        let answer: Answer
        let decision: GroupDecision
    }

    var epoch = Epoch(0xE)
    var newest: Int64 = 0
    var businesses: [BusinessID: Int64] = [:]
    var conversations: [ConversationID: ConversationRow] = [:]
    var messages: [MessageKey: KnownMessage] = [:]
    var settlements: [MessageKey: MessageID] = [:]
    var files: Set<AttachmentID> = []
    var templates: [Template] = []
    var sessions: [Session] = []
    var joinCodes: [Digest: KnownJoinCode] = [:]
    var roles: [AgentID: Role] = [:]
    var withoutPassword: Set<AgentID> = []
    var grants: [AgentID: [KeyID]] = [:]
    var assignsOnReply = true
    var assignments: [StoredAssignment] = []
    var turns: [AgentID: Int64] = [:]
    var automaticAnswers = AutomaticAnswers()
    var rules: [TeamRule] = []
    var ruleActs: [RuleAct] = []
    var enabledWebhooks: Set<WebhookID> = []
    var labels: [Label] = []
    var teams: [Team] = []
    var hasServiceLevels = false
    var satisfaction: StoredSatisfaction?
    var library: [LibraryFile] = []
    var suggestions: [Suggestion] = []
    var bots: [Bot] = []
    var controls: [ConversationID: Control] = [:]
    var savedViews: [SavedViewID: SavedView] = [:]
    var legalHolds: [LegalHold.Subject: LegalHold] = [:]
    var contacts: [ContactID: Contact] = [:]
    var attributes: [AttributeDefinition] = []
    var links: [ContactLink] = []
    var notes: [KnownNote] = []
    var dueWork: [DueWork.Name: DueWork] = [:]
    var answers: [RememberedAnswer] = []
    var events: [Event] = []
    /// Every lookup so far.
    var lookups: [Lookup] = []

    /// Business 1 and as many of its conversations as asked for.
    init(conversations count: UInt64 = 0) throws {
        businesses[business(1)] = 1
        for number in 0..<count {
            let id = conversation(number + 1)
            _ = try apply(
                OpenConversation(
                    id, business: business(1), customer: try customer(number + 1), at: dawn)
            ).get()
        }
    }

    /// Decides a group of steps and keeps its rows, all or none.
    @discardableResult
    mutating func apply(_ group: [Write]) throws -> Result<Decided<Void>, Refusal> {
        guard let last = group.last else { throw Unexpected("a group has no step") }
        return try apply(last, after: group.dropLast())
    }

    /// Decides a group, looking for repeats, and keeps its rows, all or none.
    mutating func apply<Last: WriteStep>(
        _ last: Last, after first: ArraySlice<Write> = []
    ) throws -> Result<Decided<Last.Answer>, Refusal> {
        var decision = GroupDecision(after: newest, in: epoch, lookingForRepeats: true)
        do {
            for step in first { try decide(step, by: &decision) }
            let answer = try decide(last, by: &decision)
            try keep(decision)
            return .success(Decided(answer: answer, decision: decision))
        } catch let refusal as Refusal {
            return .failure(refusal)
        }
    }

    private mutating func decide<Step: WriteStep>(
        _ step: Step, by decision: inout GroupDecision
    ) throws -> Step.Answer {
        while true {
            do throws(Undecided) {
                return try step.decide(by: &decision)
            } catch {
                switch error {
                case .needs(let lookup): try answer(lookup, to: &decision)
                case .refused(let refusal): throw refusal
                case .failed(let error): throw error
                }
            }
        }
    }

    mutating func answer(_ lookup: Lookup, to decision: inout GroupDecision) throws {
        guard lookups.count < 100_000 else { throw Unexpected("the decision asks for ever") }
        lookups.append(lookup)
        switch lookup {
        case .conversation(let id): decision.found(conversations[id], as: id)
        case .conversationOf(let customer, let business):
            let row = conversations.values.first {
                $0.conversation.customer.id == customer && $0.conversation.business == business
            }
            decision.found(row, of: customer, with: business)
        case .business(let id): decision.found(businesses[id], as: id)
        case .message(let id, let conversation):
            decision.found(
                messages[.init(id: id, conversation: conversation)], as: id, in: conversation)
        case .erased(let ids, let conversation):
            decision.found(
                areErased: ids.contains {
                    messages[.init(id: $0, conversation: conversation)]?.message.erasedAt != nil
                }, among: ids, in: conversation)
        case .settlement(let request, let conversation):
            decision.found(
                settlement: settlements[.init(id: request, conversation: conversation)],
                of: request, in: conversation)
        case .note(let id, let conversation):
            decision.found(notes.first { $0.note.id == id }, as: id, in: conversation)
        case .due(let name): decision.found(dueWork[name], as: name)
        case .rules(let business): decision.found(rules: rules, of: business)
        case .webhook(let id): decision.found(isEnabled: enabledWebhooks.contains(id), as: id)
        case .ruleAct(let name):
            decision.found(ruleActs.contains { $0.name == name }, as: name)
        case .automaticAnswers(let business):
            decision.found(automaticAnswers: automaticAnswers, of: business)
        case .assignment(let business):
            decision.found(assignment: AssignmentSettings(assignments), of: business)
        case .workload(let business):
            var open: [AgentID: Int] = [:]
            for row in conversations.values where row.conversation.state == .open {
                if let agent = row.conversation.assignee { open[agent, default: 0] += 1 }
            }
            decision.found(
                workload: Workload(roles: roles, open: open, turns: turns), of: business)
        case .earlierCare(let id): decision.found(earlierCare: EarlierCare(), of: id)
        case .closing(let id):
            let closing = events.last {
                $0.conversation?.id == id && $0.type == .conversationClosed
            }
            var waiting: EndedWaiting?
            if case .conversation(let step)? = closing?.body, case .waiting(let one)? = step.change
            {
                waiting = one
            }
            decision.found(
                closing: closing.map { KnownClosing(time: $0.time, waiting: waiting) }, of: id)
        case .answered(let id, let seen, let author):
            let isAnswered = messages.values.map(\.message).contains {
                $0.conversation == id && $0.sequence > seen
                    && $0.facts.direction == .outbound && $0.facts.author != author
                    && $0.facts.author != .server
            }
            decision.found(isAnswered: isAnswered, in: id, after: seen, beside: author)
        case .answer(let scope):
            decision.found(answers.first { $0.scope == scope }, as: scope)
        case .session(let token):
            decision.found(sessions.contains { $0.token == token }, as: token)
        case .chain(let id):
            // Only what was accepted here; files are left to the stores.
            let links = messages.values.map(\.message).filter { $0.conversation == id }
                .sorted { $0.sequence < $1.sequence }
                .map {
                    KnownChain.Link(
                        position: $0.position, digest: $0.digest, checksum: $0.checksum,
                        attachments: $0.facts.attachments, isErased: $0.erasedAt != nil)
                }
            decision.found(KnownChain(links: links), of: id)
        case .file(let id): decision.found(files.contains(id), as: id)
        case .template(let name, let business):
            let versions = templates.filter { $0.name == name && $0.business == business }
            decision.found(versions.map(\.version).max() ?? 0, as: name, of: business)
        case .newestTemplate(let name, let business):
            let versions = templates.filter { $0.name == name && $0.business == business }
            decision.found(
                newest: versions.max { $0.version < $1.version }, as: name, of: business)
        case .joinCode(let link): decision.found(joinCodes[link], as: link)
        case .member(let agent, let business):
            decision.found(
                KnownMember(role: roles[agent], canSignIn: !withoutPassword.contains(agent)),
                as: agent, of: business)
        case .owners(let business):
            let owners = roles.filter { $0.value == .owner && !withoutPassword.contains($0.key) }
            decision.found(owners: Array(owners.keys), of: business)
        case .labels(let business):
            decision.found(labels: labels.filter { $0.business == business }, of: business)
        case .teams(let business):
            decision.found(teams: teams.filter { $0.business == business }, of: business)
        case .serviceLevels(let business):
            decision.found(hasServiceLevels: hasServiceLevels, of: business)
        case .satisfactionPlan(let business):
            decision.found(satisfaction?.plan, of: business)
        case .retention(let business): decision.found(nil as Retention?, of: business)
        case .legalHold(let subject): decision.found(legalHolds[subject], on: subject)
        case .legalHoldCount(let business):
            decision.found(legalHoldCount: legalHolds.count, of: business)
        case .savedView(let id): decision.found(savedViews[id], as: id)
        case .contactLinks(let contact):
            decision.found(
                links: links.filter { $0.one == contact || $0.other == contact }, of: contact)
        case .library(let business): decision.found(library: library, of: business)
        case .bots(let business):
            decision.found(bots: bots.map { KnownBot(bot: $0) }, of: business)
        case .control(let conversation):
            decision.found(controls[conversation], of: conversation)
        case .suggestions(let conversation):
            decision.found(
                suggestions: suggestions.filter { $0.conversation == conversation },
                in: conversation)
        case .viewCount(let scope):
            decision.found(
                viewCount: savedViews.values.count { $0.scope == scope }, on: scope)
        case .attributes(let business):
            decision.found(
                attributes: attributes.filter { $0.business == business }, of: business)
        case .contactTree(let id):
            var tree = [id]
            while let next = contacts.values.first(where: { contact in
                contact.merge.map { tree.contains($0.into) } ?? false
                    && !tree.contains(contact.id)
            }) {
                tree.append(next.id)
            }
            decision.found(tree: tree, of: id)
        case .contact(let id): decision.found(contacts[id], as: id)
        case .contactOf(let externalID, let business):
            let contact = contacts.values.first {
                $0.business == business && $0.externalID.map { Array($0.utf8) } == externalID
            }
            decision.found(contact?.id, as: externalID, of: business)
        case .assignsOnReply(let business):
            decision.found(assignsOnReply: assignsOnReply, of: business)
        case .grants(let agent, let business):
            decision.found(grants: grants[agent] ?? [], by: agent, for: business)
        case .assigned(let agent, let business):
            let rows = conversations.values.filter { $0.conversation.assignee == agent }
                .sorted { $0.conversation.activity < $1.conversation.activity }
            decision.found(assigned: rows, to: agent, in: business)
        }
    }

    mutating func keep(_ decision: GroupDecision) throws {
        var decision = decision
        for change in decision.changes {
            switch change {
            case .openConversation(let place):
                decision.found(number: Int64(conversations.count + 1 + place), at: place)
            case .message(let place):
                let row = decision.messages[place]
                let key = MessageKey(id: row.message.id, conversation: row.message.conversation)
                let known = KnownMessage(
                    message: row.message, posted: row.posted ?? row.message.digest)
                guard messages.updateValue(known, forKey: key) == nil else {
                    throw Unexpected("\(row.message.id) is written twice")
                }
            case .serviceLevels(let data, _): hasServiceLevels = data != nil
            case .satisfaction(let chosen, _): satisfaction = chosen
            case .savedView(let view): savedViews[view.id] = view
            case .removedView(let id): savedViews[id] = nil
            case .legalHold(let hold): legalHolds[hold.subject] = hold
            case .releasedLegalHold(let subject): legalHolds[subject] = nil
            case .libraryFile(let file), .renamedLibraryFile(let file):
                library.removeAll { $0.id == file.id }
                library.insert(file, at: 0)
            case .contactLink(let link):
                links.removeAll { $0.one == link.one && $0.other == link.other }
                links.append(link)
            case .removedLibraryFile(let file, _): library.removeAll { $0.id == file.id }
            case .bot(let bot):
                bots.removeAll { $0.id == bot.id }
                bots.append(bot)
            case .control(let control): controls[control.conversation] = control
            case .suggestion(let one): suggestions.append(one)
            case .removedSuggestion(let id): suggestions.removeAll { $0.id == id }
            case .event, .customerName, .attributeValues, .conversationMetadata, .hours, .bind,
                .keepObjects,
                .withdrawInvitations,
                .removeDraft, .emptiedCopies, .emptiedNoteCopies, .emptiedEndpointAnswers,
                .emptiedConversation, .emptiedContactEvents,
                .endedObjects,
                .registry:
                break
            case .automaticAnswers(let answers, _): automaticAnswers = answers
            case .rule(let rule):
                rules.removeAll { $0.id == rule.id }
                rules.append(rule)
            case .removeRule(let id): rules.removeAll { $0.id == id }
            case .ruleAct(let act): ruleActs.append(act)
            case .disabledWebhook(let id, _): enabledWebhooks.remove(id)
            case .assignment(let stored, _, let team):
                assignments.removeAll { $0.team == team }
                if let stored { assignments.append(stored) }
            case .assignmentTurn(let agent, _, let position): turns[agent] = position
            case .putDueWork(let work): dueWork[work.name] = work
            case .removeDueWork(let name): dueWork[name] = nil
            case .note(let note, _):
                notes.append(KnownNote(number: Int64(notes.count + 1), note: note))
            case .changedNote(let note, let number, _):
                notes[Int(number) - 1] = KnownNote(number: number, note: note)
            case .hold(let file, _, _): files.insert(file.id)
            case .settle(let request, let place, let answer):
                let conversation = decision.conversations[place].row.conversation.id
                settlements[.init(id: request, conversation: conversation)] = answer
            case .tombstone(let message, _, _):
                messages[.init(id: message.id, conversation: message.conversation)] =
                    KnownMessage(message: message, posted: message.digest)
            case .release(let file, _, _, _, _): files.remove(file)
            case .answer(let answer): answers.append(answer)
            case .template(let template): templates.append(template)
            case .label(let label):
                labels.removeAll { $0.id == label.id }
                labels.append(label)
            case .team(let team):
                teams.removeAll { $0.id == team.id }
                teams.append(team)
            case .contact(let contact): contacts[contact.id] = contact
            case .attribute(let attribute):
                attributes.removeAll { $0.id == attribute.id }
                attributes.append(attribute)
            case .session(let session): sessions.append(session)
            case .redeem(let link, _): joinCodes[link]?.usesLeft -= 1
            case .endGrants(let agent, _): grants[agent] = nil
            case .role(let role, let agent, _): roles[agent] = role
            }
        }
        for one in decision.conversations where one.change > .nothing {
            conversations[one.row.conversation.id] = one.row
        }
        events += decision.events
        newest = decision.newest
    }
}
