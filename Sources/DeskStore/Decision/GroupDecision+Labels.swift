public import DeskModel

extension SaveLabel {
    /// Answers with the label as it is then.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Label {
        try decision.save(self)
    }
}

extension GroupDecision {
    /// Makes or changes a label; a change to what it is already has no event.
    mutating func save(_ step: SaveLabel) throws(Undecided) -> Label {
        let number = try require(step.business)
        var labels = try labels(of: step.business)
        let place = labels.firstIndex { $0.id == step.id }
        guard (place == nil) == step.isNew else { throw .refused(.notFound) }
        guard place != nil || labels.count < Label.most else { throw .refused(.unusable) }
        let before = place.map { labels[$0] }
        var label =
            before
            ?? Label(
                id: step.id, business: step.business, name: step.values.name ?? "",
                colour: step.values.colour ?? "")
        label.name = step.values.name ?? label.name
        label.colour = step.values.colour ?? label.colour
        label.order = step.values.order ?? label.order
        label.isRetired = step.values.isRetired ?? label.isRetired
        guard label != before else { return label }
        let key = label.key
        guard !labels.contains(where: { $0.id != label.id && $0.key == key }) else {
            throw .refused(.nameTaken)
        }
        if let place { labels[place] = label } else { labels.append(label) }
        rows.labels[step.business] = labels
        changes.append(.label(label))
        changes.append(
            .registry(.contents(.saveLabel(label.id, of: label.business)), author: step.author))
        append(
            .labelSaved, of: step.business, beside: nil,
            .json(LabelText.event(label, by: step.author)),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
        return label
    }

    /// Goes on only where a change of labels is possible on a conversation that has some.
    func requireLabels(
        _ change: ConversationChange, on conversation: Conversation
    ) throws(Undecided) {
        guard case .label(let add, let remove) = change else { return }
        let kept = conversation.labels.filter { !remove.contains($0) }
        let added = Set(add).subtracting(kept)
        guard !added.isEmpty else { return }
        let known = try labels(of: conversation.business)
        let isUsable = added.allSatisfy { id in
            known.contains { $0.id == id && !$0.isRetired } || conversation.labels.contains(id)
        }
        guard isUsable, kept.count + added.count <= Label.mostOfConversation else {
            throw .refused(.unusable)
        }
    }

    private func labels(of business: BusinessID) throws(Undecided) -> [Label] {
        guard let labels = rows.labels[business] else { throw .needs(.labels(of: business)) }
        return labels
    }
}
