public import DeskModel

extension NewMessage: WriteStep {
    /// Accepts the message, or finds that it is stored already.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Acceptance {
        try decision.accept(self)
    }

    /// The one that it goes to.
    public var neededConversation: ConversationID? { submission.conversation }
}

extension OpenConversation {
    /// Opens the conversation, or finds the customer's.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> OpenedConversation {
        try decision.open(self)
    }
}

extension RequireRevision {
    /// Answers with the conversation as it is.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Conversation {
        try decision.require(self)
    }
}

extension ChangeConversation {
    /// Answers with the conversation as it is then.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Conversation {
        try decision.change(self)
    }

    /// The one that is changed.
    public var neededConversation: ConversationID? { conversation }
}

extension AddNote {
    /// Answers with the note.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Note {
        try decision.add(self)
    }
}

extension ChangeNote {
    /// Answers with the note as it is then.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Note {
        try decision.change(self)
    }
}

extension AppendEvent {
    /// Answers with the event's name.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> EventID {
        try decision.append(self)
    }
}

extension Template: WriteStep {
    /// Publishes the next version and answers with it.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Template {
        try decision.publish(self)
    }
}

extension MemberChange: WriteStep {
    /// Answers with the keys whose grants for the business ended.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> [KeyID] {
        try decision.change(self)
    }
}

extension Write: WriteStep {
    /// Decides the step; its result stays in the decision.
    public func decide(by decision: inout GroupDecision) throws(Undecided) {
        switch self {
        case .message(let message): _ = try decision.accept(message)
        case .open(let step): _ = try decision.open(step)
        case .require(let step): _ = try decision.require(step)
        case .requireAssignee(let agent, let conversation):
            try decision.requireAssignee(agent, of: conversation)
        case .requireTeam(let team, let conversation):
            try decision.requireTeam(team, of: conversation)
        case .requireMember(let agent, let business, let roles):
            try decision.requireMember(agent, of: business, in: roles)
        case .requireControl(let author, let conversation):
            try decision.requireControl(author, of: conversation)
        case .requireRetention(let choice): try decision.requireRetention(choice)
        case .change(let step): _ = try decision.change(step)
        case .note(let step): _ = try decision.add(step)
        case .event(let step): _ = try decision.append(step)
        case .template(let template): _ = try decision.publish(template)
        case .member(let change): _ = try decision.change(change)
        case .session(let session): try decision.begin(session)
        case .settle(let request, let conversation, let answer):
            try decision.settle(request, in: conversation, by: answer)
        case .redeem(let link, let conversation, let time):
            try decision.redeem(link, for: conversation, at: time)
        case .bind(let conversation, let link, let end):
            try decision.bind(conversation, to: link, freeFormUntil: end)
        case .schedule(let work): try decision.schedule(work)
        case .recount(let conversation, let time):
            try decision.recount(conversation, at: time)
        case .finish(let work): try decision.finish(work)
        case .refuse(let work, let failure): try decision.refuse(work, as: failure)
        case .act(let act): try decision.note(act)
        case .removeDraft(let draft): decision.remove(draft)
        case .settleSuggestion(let step): _ = try decision.settle(step)
        case .keepObjects(let ids): decision.keepObjects(ids)
        }
    }
}
