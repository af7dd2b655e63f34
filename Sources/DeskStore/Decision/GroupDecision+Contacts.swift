public import DeskModel

extension SaveContact {
    /// Answers with the contact as it is then.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Contact {
        try decision.save(self)
    }
}

extension GroupDecision {
    /// Adds the contact that begins with a conversation.
    mutating func begin(_ contact: Contact) {
        rows.contacts.updateValue(contact, forKey: contact.id)
        rows.contactTrees[contact.id] = [contact.id]
        changes.append(.contact(contact))
    }

    /// Changes a contact, and the name in the rows of its conversations; a change to what it is already has no
    /// event.
    mutating func save(_ step: SaveContact) throws(Undecided) -> Contact {
        let number = try require(step.business)
        let before = try requireRoot(step.id, of: step.business)
        var contact = before
        if let name = step.values.name { contact.name = name }
        if let externalID = step.values.externalID {
            contact.note(
                externalID, by: step.author, isVerified: step.values.isExternalIDVerified)
        }
        contact.notes = step.values.notes ?? contact.notes
        contact.attributes = contact.attributes.changed(by: step.values.attributes)
        contact.metadata = contact.metadata.changed(by: step.values.metadata)
        guard contact != before else { return before }
        guard contact.metadata.isAllowed else { throw .refused(.unusable) }
        if !before.notes.isEmpty, !contact.notes.contains(before.notes) {
            // No event has what stood there.
            let tree = try tree(of: contact.id).map { ConversationID($0.value) }
            try requireNoHold(on: tree, of: step.business)
        }
        try requireFree(contact.externalID, for: contact)
        try requireAttributes(
            step.values.attributes, before: before.attributes, of: .contact, in: step.business)
        if contact.name != before.name { try show(contact, in: try tree(of: contact.id)) }
        if let id = before.externalID { note(nil, as: id, of: contact.business) }
        if let id = contact.externalID { note(contact.id, as: id, of: contact.business) }
        rows.contacts.updateValue(contact, forKey: contact.id)
        changes.append(.contact(contact))
        changes.append(
            .registry(.contents(.saveContact(contact.id, of: step.business)), author: step.author))
        append(
            .contactSaved, of: step.business, beside: nil,
            .json(
                ContactText.saved(
                    contact, since: before, concerned: concerned(by: contact), by: step.author,
                    isImported: step.isImported)),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
        return contact
    }

    /// Those who are concerned by what happens to the conversations that the group looked at of a contact.
    private func concerned(by contact: Contact) -> [AgentID] {
        var all: [AgentID] = []
        for place in conversations.indices {
            let conversation = conversations[place].row.conversation
            guard conversation.contact == contact.id else { continue }
            for agent in conversation.concerned where !all.contains(agent) { all.append(agent) }
        }
        return all
    }

    /// A contact of a business.
    ///
    /// - Throws: `notFound` as a refusal.
    func require(_ id: ContactID, of business: BusinessID) throws(Undecided) -> Contact {
        guard let found = rows.contacts[id] else { throw .needs(.contact(id)) }
        guard let contact = found, contact.business == business else { throw .refused(.notFound) }
        return contact
    }

    /// Goes on only where no other contact of the business has an external id.
    private func requireFree(_ id: String?, for contact: Contact) throws(Undecided) {
        guard let id else { return }
        let key = FoundRows.ExternalKey(id: Array(id.utf8), business: contact.business)
        guard let found = rows.externalIDs[key] else {
            throw .needs(.contactOf(externalID: key.id, contact.business))
        }
        guard found == nil || found == contact.id else { throw .refused(.nameTaken) }
    }

    /// Notes which contact has an external id from here on.
    mutating func note(
        _ contact: ContactID?, as externalID: String, of business: BusinessID
    ) {
        rows.externalIDs.updateValue(
            contact, forKey: .init(id: Array(externalID.utf8), business: business))
    }
}

extension Contact {
    /// Gives it an external id; only that of an API key is verified, and one that the business's own server
    /// vouches for; what a person types is not.
    fileprivate mutating func note(_ id: String?, by author: Author, isVerified: Bool) {
        if case .key = author {
            isExternalIDVerified = id != nil
        } else if isVerified {
            isExternalIDVerified = id != nil
        } else if id != externalID {
            isExternalIDVerified = false
        }
        externalID = id
    }
}
