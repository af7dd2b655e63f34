public import DeskModel

extension SaveAttribute {
    /// Answers with the definition as it is then.
    public func decide(
        by decision: inout GroupDecision
    ) throws(Undecided) -> AttributeDefinition {
        try decision.save(self)
    }
}

extension GroupDecision {
    /// Defines an attribute or changes a definition; a change to what it is already has no event.
    mutating func save(_ step: SaveAttribute) throws(Undecided) -> AttributeDefinition {
        let number = try require(step.business)
        var known = try attributes(of: step.business)
        let saved: AttributeDefinition
        switch step.saving {
        case .made(let definition):
            let others = known.filter { $0.subject == definition.subject }
            guard !others.contains(where: { $0.key == definition.key }) else {
                throw .refused(.nameTaken)
            }
            guard others.count < AttributeDefinition.most,
                definition.choices.count <= AttributeDefinition.mostChoices
            else { throw .refused(.unusable) }
            saved = definition
            known.append(saved)
        case .changed(let id, let values):
            guard let place = known.firstIndex(where: { $0.id == id }) else {
                throw .refused(.notFound)
            }
            saved = known[place].changed(by: values)
            guard saved.choices.count <= AttributeDefinition.mostChoices,
                saved.kind == .choice || saved.choices.isEmpty
            else { throw .refused(.unusable) }
            guard saved != known[place] else { return saved }
            known[place] = saved
        }
        rows.attributes[step.business] = known
        changes.append(.attribute(saved))
        changes.append(
            .registry(.contents(.saveAttribute(saved.id, of: saved.business)), author: step.author))
        append(
            .attributeSaved, of: step.business, beside: nil,
            .json(AttributeText.event(saved, by: step.author)),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
        return saved
    }

    /// Goes on only where a change of attributes is possible on a conversation.
    func requireAttributes(
        _ change: ConversationChange, on conversation: Conversation
    ) throws(Undecided) {
        guard case .attribute(let values) = change else { return }
        try requireAttributes(
            values, before: conversation.attributes, of: .conversation, in: conversation.business)
    }

    /// Goes on only where values can be given: what stays as it is and what is removed always can.
    func requireAttributes(
        _ values: [String: AttributeValue?], before: [String: AttributeValue],
        of subject: AttributeDefinition.Subject, in business: BusinessID
    ) throws(Undecided) {
        let given = values.compactMapValues { $0 }.filter { before[$0.key] != $0.value }
        guard !given.isEmpty else { return }
        let known = try attributes(of: business).filter { $0.subject == subject && !$0.isRetired }
        let areAllowed = given.allSatisfy { key, value in
            known.first { $0.key == key }?.allows(value) ?? false
        }
        guard areAllowed else { throw .refused(.unusable) }
    }

    private func attributes(
        of business: BusinessID
    ) throws(Undecided) -> [AttributeDefinition] {
        guard let known = rows.attributes[business] else {
            throw .needs(.attributes(of: business))
        }
        return known
    }
}

extension AttributeDefinition {
    fileprivate func changed(by values: SaveAttribute.Values) -> AttributeDefinition {
        var changed = self
        changed.name = values.name ?? name
        changed.order = values.order ?? order
        changed.isRetired = values.isRetired ?? isRetired
        for choice in values.choices ?? []
        where !changed.choices.contains(where: { $0.utf8.elementsEqual(choice.utf8) }) {
            changed.choices.append(choice)
        }
        return changed
    }
}

extension [String: AttributeValue] {
    /// The values after a change: an inner nil removes one.
    func changed(by values: [String: AttributeValue?]) -> [String: AttributeValue] {
        var changed = self
        for (key, value) in values { changed[key] = value }
        return changed
    }
}
