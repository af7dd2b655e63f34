import DeskModel
import DeskStore

extension LogSession {
    /// What came of writing a group's rows.
    enum Writing {
        /// All are written.
        case done
        /// A message's id is known: its row is not written, and neither are those after it.
        case idIsKnown
    }

    /// Writes the rows of a decided group, in order; `count` says how many are written.
    func write(
        _ decision: inout GroupDecision, counting count: inout Int
    ) throws(StoreError) -> Writing {
        for place in decision.changes.indices {
            switch decision.changes[place] {
            case .message(let message):
                guard try insert(decision.messages[message], of: decision) else {
                    return .idIsKnown
                }
            case .event(let event, let place):
                try insert(event: event, at: place, of: decision)
            case .openConversation(let place):
                decision.found(
                    number: try insert(decision.conversations[place].row), at: place)
            case .control(let control):
                try Controls.put(control, on: sql)
                found.note(control)
            case let other:
                if other.mayBeSetting { found.forget() }
                try write(other, of: decision)
            }
            count += 1
        }
        return .done
    }

    private func insert(
        _ message: MessageRow, of decision: borrowing GroupDecision
    ) throws(StoreError) -> Bool {
        try insert(
            message.message, posted: message.posted,
            ofConversation: decision.conversations[message.conversation].row.number,
            after: message.previous)
    }

    /// Adds the row of the event at a place of `GroupDecision.events`.
    ///
    /// An event is long, so its parts are read where they lie.
    private func insert(
        event: Int, at place: EventPlace, of decision: borrowing GroupDecision
    ) throws(StoreError) {
        let body: EventRowBody =
            switch decision.events[event].body {
            case .message, .note: .none
            case .conversation(let step): .step(step)
            case .json(let bytes): .json(bytes)
            }
        try insertEvent(
            decision.events[event].type, at: decision.events[event].id.position.value,
            time: decision.events[event].time, business: place.business,
            conversation: place.conversation.map { decision.conversations[$0].row.number },
            subject: subject(of: place),
            revision: decision.events[event].conversation?.revision, body: body)
    }

    /// The number of the note that an event is about.
    private func subject(of place: EventPlace) -> Int64? {
        switch place.note {
        case .added: addedNote
        case .known(let number): number
        case nil: nil
        }
    }

    private func mention(_ note: Note, in row: ConversationRow) throws(StoreError) {
        try Mentions.replace(
            of: note, in: row.conversation.id, of: row.conversation.business, on: sql)
    }

    private func write(
        _ change: RowChange, of decision: borrowing GroupDecision
    ) throws(StoreError) {
        switch change {
        case .message, .event, .openConversation, .control:
            preconditionFailure("written by the caller")
        case .note(let note, let place):
            let row = decision.conversations[place].row
            let number = try insert(note, ofConversation: row.number)
            try mention(note, in: row)
            addedNote = number
        case .changedNote(let note, let number, let place):
            let row = decision.conversations[place].row
            try overwrite(note, ofConversation: row.number, number: number)
            try mention(note, in: row)
        case .customerName(let place):
            let row = decision.conversations[place].row
            try CustomerWords.remove(of: row.number, on: sql)
            try CustomerWords.add(
                SearchedNames(of: row.conversation), of: row.number, in: row.business,
                on: sql)
        case .attributeValues(let place):
            try AttributeRows.replace(of: decision.conversations[place].row, on: sql)
        case .conversationMetadata(let place):
            let row = decision.conversations[place].row
            try ConversationMetadata.replace(row.conversation.metadata, of: row.number, on: sql)
        case .hold(let file, let holder, let time):
            try Holds.add(file, by: holder, at: time, on: sql)
        case .tombstone(let message, let place, let limit):
            try write(
                message, ofConversation: decision.conversations[place].row.number,
                olderThan: limit)
        case .emptiedCopies(let messages, let place, let limit):
            try emptyCopies(
                of: messages, in: decision.conversations[place].row, olderThan: limit)
        case .emptiedNoteCopies(let place):
            try emptyEndpointAnswers(toNotesOf: decision.conversations[place].row.number)
        case .emptiedEndpointAnswers(let place):
            try emptyEndpointAnswers(of: decision.conversations[place].row)
        case .emptiedConversation(let place):
            try emptyConversation(decision.conversations[place].row)
        case .emptiedContactEvents(let positions, let business):
            try emptyContactEvents(at: positions, of: business)
        case .release(let file, let uploads, let conversation, let business, let time):
            try Holds.release(
                file, and: uploads, of: conversation, business: business, at: time, on: sql)
        case .endedObjects(let ids, let business, let time):
            for id in ids { try GatewayRows.endObject(id, of: business, at: time, on: sql) }
        case .settle(let request, let place, let answer):
            try Settlements.add(
                request, in: decision.conversations[place].row.number, by: answer, on: sql)
        case .answer(let answer): try Answers.add(answer, on: sql)
        case .template(let template): try Templates.add(template, on: sql)
        case .label(let label): try Labels.save(label, on: sql)
        case .team(let team): try Teams.save(team, on: sql)
        case .automaticAnswers(let answers, let business):
            try AutomaticAnswerRows.put(answers, of: business, on: sql)
        case .assignment(let stored, let business, let team):
            try AssignmentRows.put(stored, of: business, for: team, on: sql)
        case .assignmentTurn(let agent, let business, let position):
            try AssignmentRows.putTurn(agent, of: business, position, on: sql)
        case .hours(let data, let business, let team):
            try Hours.put(data, of: business, for: team, on: sql)
        case .rule(let rule): try Rules.save(rule, on: sql)
        case .removeRule(let id): try Rules.remove(id, on: sql)
        case .ruleAct(let act): try Rules.add(act, on: sql)
        case .disabledWebhook(let id, let disabled):
            _ = try Webhooks.disable(id, as: disabled, on: sql)
        case .serviceLevels(let data, let business):
            try ServiceLevelRows.put(data, of: business, on: sql)
        case .satisfaction(let chosen, let business):
            try SatisfactionRows.put(chosen, of: business, on: sql)
        case .savedView(let view): try SavedViews.put(view, on: sql)
        case .removedView(let id): try SavedViews.remove(id, on: sql)
        case .legalHold(let hold): try LegalHolds.put(hold, on: sql)
        case .releasedLegalHold(let subject): try LegalHolds.remove(on: subject, on: sql)
        case .libraryFile(let file): try LibraryRows.add(file, on: sql)
        case .renamedLibraryFile(let file): try LibraryRows.rename(file, on: sql)
        case .removedLibraryFile(let file, let end):
            try LibraryRows.remove(file, keptUntil: end, on: sql)
        case .attribute(let one): try Attributes.save(one, on: sql)
        case .contactLink(let link): try ContactLinks.put(link, on: sql)
        case .contact(let contact): try Contacts.save(contact, on: sql)
        case .session(let session): try Sessions.add(session, on: sql)
        case .redeem(let link, let conversation):
            try JoinCodes.use(link, for: conversation, on: sql)
        case .bind(let conversation, let link, let end):
            try GatewayRows.bind(conversation, to: link, freeFormUntil: end, on: sql)
        case .putDueWork(let work): try DueWorks.put(work, on: sql)
        case .removeDueWork(let name): try DueWorks.remove(name, on: sql)
        case .removeDraft(let draft): try Drafts.remove(draft, on: sql)
        case .bot(let bot): try Bots.save(bot, on: sql)
        case .suggestion(let one): try Suggestions.add(one, on: sql)
        case .removedSuggestion(let id): try Suggestions.remove(id, on: sql)
        case .keepObjects(let ids):
            for id in ids { try GatewayRows.keepObject(id, on: sql) }
        case .endGrants(let agent, let business):
            try Keys.endGrants(by: agent, for: business, on: sql)
        case .withdrawInvitations(let agent, let business):
            try Invitations.withdraw(by: agent, for: business, on: sql)
        case .role(let role?, let agent, let business):
            try Agents.setRole(role, of: agent, in: business, on: sql)
        case .role(nil, let agent, let business):
            try Agents.endMembership(of: agent, in: business, on: sql)
        case .registry(let change, let author):
            entries.append(try recorder.record(change, by: author, on: sql))
        }
    }
}
