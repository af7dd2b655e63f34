import DeskModel

/// How whole conversations and persons are erased, beside their messages and notes.
extension GroupDecision {
    /// Erases what lies beside the messages and notes of a conversation.
    mutating func erase(_ order: ConversationErasing) throws(Undecided) -> Conversation {
        let place = try require(order.conversation)
        var row = row(at: place)
        let before = row.conversation
        try requireNoHold(on: [before.id], of: before.business)
        hasTombstones = true
        row.conversation.satisfaction?.answer?.comment = nil
        eraseMetadata(of: &row, at: place)
        changes.append(.emptiedConversation(place))
        if !before.attributes.isEmpty {
            row.conversation.attributes = [:]
            changes.append(.attributeValues(conversation: place))
            let steps = before.attributes.keys.sorted()
                .map { AttributeStep(key: $0, from: nil, to: nil) }
            append(
                .conversationAttributesChanged, to: &row, at: place,
                body: .conversation(row.conversation.step(by: order.author, .attributes(steps))),
                at: order.time)
        }
        let business = before.business
        changes.append(
            .registry(
                .contents(
                    .eraseConversation(
                        before.id, of: business, isComplete: !order.isBeginning)),
                author: order.author))
        keep(row, at: place, .ofItsRow)
        return row.conversation
    }

    /// Erases what a business knows of a person.
    mutating func erase(_ order: ContactErasing) throws(Undecided) -> Contact {
        let number = try require(order.business)
        var root = try requireRoot(order.id, of: order.business)
        let tree = try tree(of: root.id)
        // Everything is known before the first change.
        var contacts: [Contact] = []
        for id in tree {
            contacts.append(try require(id, of: order.business))
            _ = try require(ConversationID(id.value))
        }
        try requireNoHold(on: tree.map { ConversationID($0.value) }, of: order.business)
        hasTombstones = true
        for contact in contacts {
            let erased = contact.erased
            if let id = contact.externalID { note(nil, as: id, of: contact.business) }
            rows.contacts.updateValue(erased, forKey: erased.id)
            changes.append(.contact(erased))
            if erased.id == root.id { root = erased }
        }
        try show(root, in: tree)
        for id in tree {
            let place = try require(ConversationID(id.value))
            var row = row(at: place)
            row.conversation.customer.erase()
            changes.append(.customerName(conversation: place))
            // What says of the erasure named the person up to here, and so may what was answered to it.
            changes.append(.emptiedEndpointAnswers(conversation: place))
            keep(row, at: place, .ofItsRow)
        }
        changes.append(
            .registry(.contents(.eraseContact(root.id, of: order.business)), author: order.author))
        append(
            .contactSaved, of: order.business, beside: nil,
            .json(ContactText.erased(root, by: order.author)),
            EventPlace(business: number, conversation: nil, note: nil), at: order.time)
        return root
    }

    /// Empties what events said of a person.
    mutating func erase(_ order: ContactEventErasing) throws(Undecided) {
        let number = try require(order.business)
        guard !order.positions.isEmpty else { return }
        try requireNoHold(
            on: order.contacts.map { ConversationID($0.value) }, of: order.business)
        hasTombstones = true
        changes.append(.emptiedContactEvents(order.positions, business: number))
    }
}

extension Contact {
    /// The contact without what is known of the person; that and by whom it was merged stays.
    fileprivate var erased: Contact {
        var erased = self
        erased.name = nil
        erased.externalID = nil
        erased.isExternalIDVerified = false
        erased.notes = ""
        erased.attributes = [:]
        erased.metadata = Metadata()
        erased.merge = merge.map {
            ContactMerge(
                into: $0.into, author: $0.author, time: $0.time, name: nil, externalID: nil,
                notes: "", attributes: [:])
        }
        return erased
    }
}
