import DeskModel

extension GroupDecision {
    /// Has work done at a moment to come.
    ///
    /// Refused as `idempotencyConflict` where other work has its name.
    mutating func schedule(_ work: DueWork) throws(Undecided) {
        guard let found = rows.due[work.name] else { throw .needs(.due(work.name)) }
        guard found == nil else { throw .refused(.idempotencyConflict) }
        put(work)
    }

    /// Removes work, because it is done with this group or shall not be done.
    ///
    /// Refused as `notFound` where it is not there any more, or is other work of its name: of a group
    /// that does it and one that withdraws it exactly one is stored.
    mutating func finish(_ work: DueWork) throws(Undecided) {
        try require(work)
        changes.append(.removeDueWork(work.name))
        rows.due.updateValue(nil, forKey: work.name)
    }

    /// Leaves work undone, to be looked at by its author; refused as `finish` is.
    mutating func refuse(_ work: DueWork, as failure: DueWork.Failure) throws(Undecided) {
        try require(work)
        put(work.refused(as: failure))
    }

    /// Keeps the waking of a conversation as its row has it.
    mutating func scheduleWake(
        of conversation: Conversation, before: Timestamp?, by author: Author, at time: Timestamp
    ) {
        guard conversation.snoozedUntil != before else { return }
        let name = DueWork.Name(.wake, in: conversation.id)
        guard let due = conversation.snoozedUntil else {
            changes.append(.removeDueWork(name))
            rows.due.updateValue(nil, forKey: name)
            return
        }
        put(
            DueWork(
                name, of: conversation.business, dueAt: due, madeAt: time, author: author))
    }

    /// Adds work, or replaces that of its name.
    mutating func put(_ work: DueWork) {
        changes.append(.putDueWork(work))
        rows.due.updateValue(work, forKey: work.name)
    }

    private func require(_ work: DueWork) throws(Undecided) {
        guard let found = rows.due[work.name] else { throw .needs(.due(work.name)) }
        guard let found, found.dueAt == work.dueAt, found.madeAt == work.madeAt else {
            throw .refused(.notFound)
        }
    }
}
