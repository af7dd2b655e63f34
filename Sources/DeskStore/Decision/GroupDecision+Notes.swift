import DeskModel

extension GroupDecision {
    /// Adds a note for colleagues.
    mutating func add(_ step: AddNote) throws(Undecided) -> Note {
        let place = try require(step.conversation)
        var row = row(at: place)
        let mentions = try mentioned(
            step.mentions, of: row.conversation.business, by: step.author, before: [])
        let note = Note(
            id: step.id, time: step.time, author: step.author, text: step.text,
            afterSequence: row.conversation.newest, mentions: mentions, teams: step.mentions.teams)
        row.conversation.join(note.participants)
        changes.append(.note(note, conversation: place))
        row.conversation.activity = Position(newest + 1)
        append(.noteAdded, to: &row, at: place, body: .note(note), note: .added, at: step.time)
        keep(row, at: place, .ofItsRow)
        return note
    }

    /// Changes the text of a note, or with nil empties it for good; its author alone may.
    ///
    /// The note stays in its place, and says when it was changed. Refused as `notAuthor` for others, as `noteDeleted` for
    /// a text in place of one that was deleted, and as `onHold` while what it says is kept.
    mutating func change(_ step: ChangeNote) throws(Undecided) -> Note {
        let place = try require(step.conversation)
        let key = FoundRows.NoteKey(id: step.id, conversation: step.conversation)
        guard let found = rows.notes[key] else {
            throw .needs(.note(step.id, in: step.conversation))
        }
        guard let known = found else { throw .refused(.notFound) }
        var note = known.note
        guard note.author == step.author else { throw .refused(.notAuthor) }
        let business = conversations[place].row.conversation.business
        if let text = step.text {
            guard note.deletedAt == nil else { throw .refused(.noteDeleted) }
            let mentions = try mentioned(
                step.mentions, of: business, by: step.author, before: note.mentions)
            guard
                note.text != text || note.mentions != mentions || note.teams != step.mentions.teams
            else { return note }
            try requireNoHold(on: [step.conversation], of: business)
            note.text = text
            note.mention(mentions, at: step.time)
            note.teams = step.mentions.teams
            note.editedAt = step.time
        } else {
            guard note.deletedAt == nil else { return note }
            try requireNoHold(on: [step.conversation], of: business)
            note.empty(at: step.time)
        }
        var row = row(at: place)
        let participants = row.conversation.participants.count
        if note.deletedAt == nil { row.conversation.join(note.participants) }
        let hasJoined = row.conversation.participants.count != participants
        changes.append(.changedNote(note, number: known.number, conversation: place))
        if note.deletedAt != nil { changes.append(.emptiedNoteCopies(conversation: place)) }
        append(
            note.deletedAt == nil ? .noteEdited : .noteDeleted, to: &row, at: place,
            body: .note(note), note: .known(known.number), at: step.time)
        keep(row, at: place, hasJoined ? .ofItsRow : .inItsEvents)
        rows.notes.updateValue(KnownNote(number: known.number, note: note), forKey: key)
        return note
    }

    /// Empties notes that others than their authors may have emptied, each with its event.
    mutating func erase(_ order: NoteErasing) throws(Undecided) -> [NoteID] {
        guard order.notes.count <= NoteErasing.mostAtOnce else { throw .refused(.unusable) }
        let place = try require(order.conversation)
        for id in order.notes
        where rows.notes[.init(id: id, conversation: order.conversation)] == nil {
            throw .needs(.note(id, in: order.conversation))
        }
        var erased: [KnownNote] = []
        for id in order.notes where !erased.contains(where: { $0.note.id == id }) {
            let key = FoundRows.NoteKey(id: id, conversation: order.conversation)
            guard var known = rows.notes[key].flatMap(\.self) else { throw .refused(.notFound) }
            guard known.note.deletedAt == nil else { continue }
            known.note.empty(at: order.time)
            erased.append(known)
        }
        guard !erased.isEmpty else { return [] }
        try requireNoHold(
            on: [order.conversation], of: conversations[place].row.conversation.business)
        hasTombstones = true
        var row = row(at: place)
        for known in erased {
            changes.append(.changedNote(known.note, number: known.number, conversation: place))
            append(
                .noteDeleted, to: &row, at: place, body: .note(known.note),
                note: .known(known.number), at: order.time)
            rows.notes.updateValue(
                known, forKey: .init(id: known.note.id, conversation: order.conversation))
        }
        changes.append(.emptiedNoteCopies(conversation: place))
        keep(row, at: place, .inItsEvents)
        return erased.map(\.note.id)
    }

    /// Whom a note mentions, each once: those it names, and the members of the teams it names, but its author.
    ///
    /// Who was mentioned before stays so, also after leaving the business.
    private func mentioned(
        _ named: Mentioned, of business: BusinessID, by author: Author, before: [AgentID]
    ) throws(Undecided) -> [AgentID] {
        for agent in named.agents where !before.contains(agent) {
            try requireMember(agent, of: business, in: named.permitted)
        }
        guard !named.teams.isEmpty else { return named.agents }
        let known = try teams(of: business)
        var mentions = named.agents
        for id in named.teams {
            guard let team = known.first(where: { $0.id == id }), !team.isRetired else {
                throw .refused(.unusable)
            }
            for agent in team.members where author != .agent(agent) && !mentions.contains(agent) {
                mentions.append(agent)
            }
        }
        guard mentions.count <= MentionBounds.withTeams else { throw .refused(.unusable) }
        return mentions
    }
}

extension Note {
    /// Mentions these agents from now on: those whom it did not mention before, since a time.
    fileprivate mutating func mention(_ agents: [AgentID], at time: Timestamp) {
        for agent in mentions where !agents.contains(agent) {
            laterMentions.removeValue(forKey: agent)
        }
        for agent in agents where !mentions.contains(agent) && time != self.time {
            laterMentions[agent] = time
        }
        mentions = agents
    }

    /// Leaves its place, and nothing of its text.
    fileprivate mutating func empty(at time: Timestamp) {
        text = ""
        mentions = []
        laterMentions = [:]
        teams = []
        deletedAt = time
    }

    /// Its participants: its author, and whom it mentions.
    fileprivate var participants: [AgentID] {
        guard case .agent(let agent) = author else { return mentions }
        return [agent] + mentions
    }
}
