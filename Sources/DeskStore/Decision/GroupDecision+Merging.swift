public import DeskModel

extension MergeContacts {
    /// Answers with the contact that stands for both.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Contact {
        try decision.merge(self)
    }
}

extension UnmergeContact {
    /// Answers with the contact that stands for itself again.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Contact {
        try decision.unmerge(self)
    }
}

extension BlockContact {
    /// Answers with the contact as it is then.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Contact {
        try decision.block(self)
    }
}

extension GroupDecision {
    /// Merges a contact into another.
    mutating func merge(_ step: MergeContacts) throws(Undecided) -> Contact {
        let number = try require(step.business)
        guard step.root != step.other else { throw .refused(.unusable) }
        var root = try requireRoot(step.root, of: step.business)
        var other = try requireRoot(step.other, of: step.business)
        let (trees, all) = (try tree(of: root.id), try tree(of: other.id))
        guard trees.count + all.count <= Contact.mostMerged,
            (root.blockedAt == nil) == (other.blockedAt == nil)
        else { throw .refused(.unusable) }
        // Everything is known before the first change.
        for id in trees + all { _ = try require(ConversationID(id.value)) }
        let before = root.name
        let notes = [root.notes, other.notes].filter { !$0.isEmpty }.joined(separator: "\n\n")
        guard notes.utf8.count <= Contact.maximumNotesBytes else { throw .refused(.unusable) }
        let moved = other.attributes.filter { root.attributes[$0.key] == nil }
        other.merge = ContactMerge(
            into: root.id, author: step.author, time: step.time,
            name: root.name == nil ? other.name : nil,
            externalID: root.externalID == nil ? other.externalID : nil, notes: other.notes,
            attributes: moved)
        root.name = root.name ?? other.name
        root.notes = notes
        root.attributes.merge(moved) { own, _ in own }
        if let id = other.merge?.externalID {
            root.externalID = id
            root.isExternalIDVerified = other.isExternalIDVerified
            other.externalID = nil
            other.isExternalIDVerified = false
            note(root.id, as: id, of: root.business)
        }
        if root.name != before { try show(root, in: trees) }
        try show(root, in: all)
        rows.contactTrees[root.id] = trees + all
        // The other first: of two rows with an external id the one that gives it up.
        for contact in [other, root] { keep(contact) }
        changes.append(
            .registry(.contents(.mergeContact(other.id, of: step.business)), author: step.author))
        append(
            .contactMerged, of: step.business, beside: nil,
            .json(ContactText.merged(other, root, all, by: step.author)),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
        return root
    }

    /// Undoes the merge of a contact.
    mutating func unmerge(_ step: UnmergeContact) throws(Undecided) -> Contact {
        let number = try require(step.business)
        var other = try require(step.id, of: step.business)
        guard let merge = other.merge else { throw .refused(.notMerged) }
        var root = try requireRoot(merge.into, of: step.business)
        let before = root.name
        let (trees, all) = (try tree(of: root.id), try tree(of: other.id))
        for id in trees { _ = try require(ConversationID(id.value)) }
        // What was changed since the merge stays.
        if let name = merge.name, root.name == name { root.name = nil }
        if let id = merge.externalID, root.externalID == id {
            other.isExternalIDVerified = root.isExternalIDVerified
            root.isExternalIDVerified = false
            root.externalID = nil
            other.externalID = id
            note(other.id, as: id, of: root.business)
        }
        for (key, value) in merge.attributes where root.attributes[key] == value {
            root.attributes[key] = nil
        }
        if !merge.notes.isEmpty {
            let joined = "\n\n" + merge.notes
            if root.notes == merge.notes {
                root.notes = ""
            } else if root.notes.hasSuffix(joined) {
                root.notes = String(root.notes.dropLast(joined.count))
            }
        }
        other.merge = nil
        other.blockedAt = root.blockedAt
        let rest = trees.filter { !all.contains($0) }
        if root.name != before { try show(root, in: rest) }
        try show(other, in: all)
        rows.contactTrees[root.id] = rest
        for contact in [root, other] { keep(contact) }
        changes.append(
            .registry(.contents(.unmergeContact(other.id, of: step.business)), author: step.author)
        )
        append(
            .contactUnmerged, of: step.business, beside: nil,
            .json(ContactText.merged(other, root, all, by: step.author)),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
        return other
    }

    /// Blocks the customers of a contact, or no longer; what is so already has no event.
    mutating func block(_ step: BlockContact) throws(Undecided) -> Contact {
        _ = try require(step.business)
        var contact = try requireRoot(step.id, of: step.business)
        guard (contact.blockedAt != nil) != step.isBlocked else { return contact }
        contact.blockedAt = step.isBlocked ? step.time : nil
        let all = try tree(of: contact.id)
        // Everything is known before the first change.
        for id in all { _ = try require(ConversationID(id.value)) }
        for id in all {
            _ = try change(
                ChangeConversation(
                    ConversationID(id.value), .block(contact.blockedAt), by: step.author,
                    at: step.time))
        }
        keep(contact)
        changes.append(
            .registry(
                .contents(.blockContact(contact.id, of: step.business, step.isBlocked)),
                author: step.author))
        return contact
    }

    /// A contact that stands for itself.
    func requireRoot(
        _ id: ContactID, of business: BusinessID
    ) throws(Undecided) -> Contact {
        let contact = try require(id, of: business)
        guard contact.merge == nil else { throw .refused(.alreadyMerged) }
        return contact
    }

    /// The contacts that were merged into one, itself among them.
    func tree(of root: ContactID) throws(Undecided) -> [ContactID] {
        guard let tree = rows.contactTrees[root] else { throw .needs(.contactTree(root)) }
        return tree
    }

    /// Has the conversations of contacts show one of them; they are all known before the first changes.
    mutating func show(_ contact: Contact, in tree: [ContactID]) throws(Undecided) {
        for id in tree { _ = try require(ConversationID(id.value)) }
        for id in tree {
            let place = try require(ConversationID(id.value))
            var row = row(at: place)
            row.conversation.mergedContact = id == contact.id ? nil : contact.id
            row.conversation.contactName = contact.name
            changes.append(.customerName(conversation: place))
            keep(row, at: place, .ofItsRow)
        }
    }

    private mutating func keep(_ contact: Contact) {
        rows.contacts.updateValue(contact, forKey: contact.id)
        changes.append(.contact(contact))
    }
}
