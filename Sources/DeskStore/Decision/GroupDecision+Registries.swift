import DeskJSON
import DeskModel

extension GroupDecision {
    /// Publishes a template's next version, or removes it by one; a removal of none is refused.
    mutating func publish(_ template: Template) throws(Undecided) -> Template {
        let number = try require(template.business)
        guard try areHeld(template.attachments) else { throw .refused(.notFound) }
        let key = FoundRows.TemplateKey(name: template.name, business: template.business)
        guard let newest = rows.templates[key] else {
            throw .needs(.template(template.name, of: template.business))
        }
        guard newest > 0 || !template.isRemoval else { throw .refused(.notFound) }
        let published = template.numbered(newest + 1)
        rows.templates[key] = published.version
        rows.newestTemplates.updateValue(published, forKey: key)
        changes.append(.template(published))
        changes.append(
            .registry(
                .contents(
                    template.isRemoval
                        ? .removeTemplate(template.name, of: template.business)
                        : .publishTemplate(template.name, of: template.business)),
                author: template.author))
        for attachment in template.attachments {
            hold(attachment, by: .business(template.business), at: template.publishedAt)
        }
        let data = JSONWriter.object {
            $0.member("name", template.name.text)
            $0.member("version", published.version)
        }
        append(
            template.isRemoval ? .templateRemoved : .templatePublished, of: template.business,
            beside: nil, .json(data),
            EventPlace(business: number, conversation: nil, note: nil),
            at: template.publishedAt)
        return published
    }

    /// Publishes the next version unless the newest one says the same.
    mutating func publish(_ step: ImportTemplate) throws(Undecided) -> ImportOutcome {
        let template = step.template
        let key = FoundRows.TemplateKey(name: template.name, business: template.business)
        guard let newest = rows.newestTemplates[key] else {
            throw .needs(.newestTemplate(template.name, of: template.business))
        }
        if let newest, newest.saysTheSame(as: template) { return .known }
        _ = try publish(template)
        return newest.map { !$0.isRemoval } ?? false ? .updated : .added
    }

    /// Begins a session, unless its token is known: then an earlier request began it.
    mutating func begin(_ session: Session) throws(Undecided) {
        guard let isThere = rows.sessions[session.token] else {
            throw .needs(.session(session.token))
        }
        guard !isThere else { throw .refused(.nameTaken) }
        rows.sessions[session.token] = true
        changes.append(.session(session))
        changes.append(
            .registry(
                .credentials(.addSession(of: session.subject)), author: session.subject.author))
    }

    /// Uses a join code once for a conversation of its business.
    mutating func redeem(
        _ link: Digest, for conversation: ConversationID, at time: Timestamp
    ) throws(Undecided) {
        let business = conversations[try require(conversation)].row.conversation.business
        guard let found = rows.joinCodes[link] else { throw .needs(.joinCode(link)) }
        guard var code = found, code.business == business, code.usesLeft > 0,
            code.expiresAt > time
        else { throw .refused(.notFound) }
        code.usesLeft -= 1
        rows.joinCodes[link] = code
        changes.append(.redeem(link: link, for: conversation))
        changes.append(
            .registry(.credentials(.useJoinCode(for: conversation)), author: .customer(device: "")))
    }

    /// Notes over which link a conversation's customer is reached, and until when at most.
    ///
    /// Messages come in any order: of the moments the latest counts.
    mutating func bind(
        _ conversation: ConversationID, to link: GatewayLinkID, freeFormUntil end: Timestamp?
    ) throws(Undecided) {
        var latest = end
        if let place = try find(conversation) {
            var bound = row(at: place)
            let known = bound.conversation.freeFormUntil
            latest = end.map { end in known.map { max($0, end) } ?? end }
            if latest != known {
                bound.conversation.freeFormUntil = latest
                keep(bound, at: place, .ofItsRow)
            }
        }
        changes.append(.bind(conversation, to: link, freeFormUntil: latest))
        changes.append(.registry(.links(.bindUpstream(conversation, to: link)), author: .server))
    }

    /// Removes a draft that was sent.
    mutating func remove(_ draft: SentDraft) {
        changes.append(.removeDraft(draft))
        changes.append(
            .registry(
                .contents(.removeDraft(of: draft.agent, in: draft.conversation)),
                author: .agent(draft.agent)))
    }

    /// Keeps objects of the gateway from now on.
    mutating func keepObjects(_ ids: [String]) {
        changes.append(.keepObjects(ids))
        changes.append(.registry(.links(.keepObjects(ids)), author: .server))
    }

    /// Changes a member's role with all that hangs on it; returns the keys whose grants ended.
    mutating func change(_ change: MemberChange) throws(Undecided) -> [KeyID] {
        let (agent, business) = (change.agent, change.business)
        let key = FoundRows.MemberKey(agent: agent, business: business)
        guard var member = rows.members[key] else { throw .needs(.member(agent, of: business)) }
        guard let held = member.role else { throw .refused(.notFound) }
        guard held != change.role else { return [] }
        guard var owners = rows.owners[business] else { throw .needs(.owners(of: business)) }
        owners.remove(agent)
        guard !OwnerRules.isLastOwner(held, besides: owners) else { throw .refused(.lastOwner) }
        try requirePermission(for: change, of: held)
        let (ended, left) = try holdings(of: key, after: change)
        if !change.keepsWork {
            try removeFromTeams(agent, of: business, by: change.author, at: change.time)
        }
        if change.role == .owner, member.canSignIn { owners.insert(agent) }
        if !OwnerRules.keepsWhatWasMade(in: change.role) {
            changes.append(.endGrants(by: agent, for: business))
            changes.append(.withdrawInvitations(by: agent, for: business))
            rows.grants[key] = []
        }
        changes.append(.role(change.role, of: agent, in: business))
        for key in ended {
            changes.append(
                .registry(
                    .credentials(.removeGrant(of: key, for: business)), author: change.author))
        }
        changes.append(
            .registry(
                .people(.changeMember(agent, of: business, to: change.role)), author: change.author)
        )
        member.role = change.role
        rows.members[key] = member
        rows.owners[business] = owners
        for id in left {
            _ = try self.change(
                ChangeConversation(id, .assign(nil), by: change.author, at: change.time))
        }
        return ended
    }

    /// Asks again, in the transaction, whether an agent may make a change: the role may be gone by now.
    private func requirePermission(
        for change: MemberChange, of held: Role
    ) throws(Undecided) {
        if case .key = change.author {
            // A key removes an owner, and changes or makes none.
            guard change.role == nil || (held != .owner && change.role != .owner) else {
                throw .refused(.onlyOwners)
            }
        }
        guard case .agent(let author) = change.author else { return }
        let key = FoundRows.MemberKey(agent: author, business: change.business)
        guard let member = rows.members[key] else {
            throw .needs(.member(author, of: change.business))
        }
        guard let own = member.role, change.permitted.contains(own) else {
            throw .refused(.notPermitted)
        }
        guard OwnerRules.mayChange(held, to: change.role, in: own) else {
            throw .refused(.onlyOwners)
        }
    }

    /// The keys whose grants end with a change, and the conversations that are given back by it.
    private func holdings(
        of key: FoundRows.MemberKey, after change: MemberChange
    ) throws(Undecided) -> (ended: [KeyID], left: [ConversationID]) {
        var grants: [KeyID] = []
        if !OwnerRules.keepsWhatWasMade(in: change.role) {
            guard let made = rows.grants[key] else {
                throw .needs(.grants(by: key.agent, for: key.business))
            }
            grants = made
        }
        guard !change.keepsWork else { return (grants, []) }
        guard let assigned = rows.assigned[key] else {
            throw .needs(.assigned(to: key.agent, in: key.business))
        }
        return (grants, assigned)
    }
}
