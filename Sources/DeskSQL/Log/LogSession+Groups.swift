package import DeskModel
package import DeskStore

extension LogSession {
    /// Why a group failed: by itself, or with all of its transaction.
    package enum GroupFailure: Error {
        case group(StoreError)
        case transaction(StoreError)
    }

    /// Decides a group and writes its rows, all or none.
    ///
    /// Every id is assumed new at first, for most are: a row of the same id fails the insert, and
    /// then the group is decided again with what is known.
    @_specialize(where Last == NewMessage)
    package func apply<Last: WriteStep>(
        _ group: WriteGroup<Last>
    ) throws(GroupFailure) -> Result<Last.Answer, Refusal> {
        defer { decision.forget() }
        for looksForRepeats in [self.looksForRepeats, true] {
            decision.begin(after: newest, lookingForRepeats: looksForRepeats)
            let answer: Last.Answer
            do {
                for step in group.first { try decide(step, by: &decision) }
                answer = try decide(group.last, by: &decision)
            } catch {
                // Nothing is written yet.
                switch error {
                case .refused(let refusal):
                    if refusal.saysStored { restOnStored() }
                    return .failure(refusal)
                case .failed(let error):
                    throw Self.isOfGroup(error) ? .group(error) : .transaction(error)
                }
            }
            // A tombstone is several rows: they are written all or none.
            let isNested = !group.first.isEmpty || decision.hasTombstones
            switch try write(&decision, isNested: isNested) {
            case .idIsKnown: decision.forget()
            case .done:
                if decision.hasTombstones { hasErased = true }
                // A repeat, or a change that finds everything as it is to be, writes nothing.
                restOnStored()
                adopt()
                return .success(answer)
            }
        }
        throw .group(StoreError(.damaged, "a message's id is known and not found"))
    }

    /// Why a step was not applied.
    private enum StepFailure: Error {
        case refused(Refusal)
        case failed(StoreError)
    }

    /// Decides a step with what is looked up for it.
    private func decide<Step: WriteStep>(
        _ step: Step, by decision: inout GroupDecision
    ) throws(StepFailure) -> Step.Answer {
        while true {
            do {
                return try step.decide(by: &decision)
            } catch {
                switch error {
                case .needs(let lookup):
                    do {
                        try self.answer(lookup, to: &decision)
                    } catch {
                        throw .failed(error)
                    }
                case .refused(let refusal): throw .refused(refusal)
                case .failed(let error): throw .failed(error)
                }
            }
        }
    }

    /// Writes a group's rows; unless the outcome is `done`, none of them stays.
    private func write(
        _ decision: inout GroupDecision, isNested: Bool
    ) throws(GroupFailure) -> Writing {
        var count = 0
        let recorded = entries.count
        do {
            if isNested { try sql.statement(literal: "SAVEPOINT step").run() }
            let writing = try write(&decision, counting: &count)
            switch writing {
            case .done:
                if isNested { try sql.statement(literal: "RELEASE step").run() }
            case .idIsKnown: try takeBack(count, recorded, isNested: isNested)
            }
            return writing
        } catch {
            // Rows that were sent ahead may be another group's, and one that is refused may have an id that is known.
            guard Self.isOfGroup(error), answersAtOnce || error.code != .refused,
                isNested || count == 0 && outlivesFailures
            else { throw .transaction(error) }
            do {
                try takeBack(count, recorded, isNested: isNested)
            } catch {
                throw .transaction(error)
            }
            throw .group(error)
        }
    }

    private func takeBack(
        _ count: Int, _ recorded: Int, isNested: Bool
    ) throws(StoreError) {
        entries.removeLast(entries.count - recorded)
        guard isNested else {
            precondition(count == 0, "\(count) rows of a group of one are written")
            return
        }
        found.forget()
        try sql.statement(literal: "ROLLBACK TO step").run()
        try sql.statement(literal: "RELEASE step").run()
        ranges.removeAll()
    }

    /// Whether an error is about the group's rows and leaves the connection as it is.
    private static func isOfGroup(_ error: StoreError) -> Bool {
        error.code == .damaged || error.code == .refused
    }

    // MARK: Registries

    /// Runs a registry's write in a savepoint; its own failure leaves the transaction as it was.
    package func perform<Value>(
        _ body: (any SQLSession, inout [RegistryEntry]) throws(StoreError) -> Value
    ) throws(StoreError) -> Result<Value, StoreError> {
        found.forget()
        defer { found.forget() }
        try sql.statement(literal: "SAVEPOINT registry").run()
        let result: Result<Value, StoreError>
        do {
            var entries: [RegistryEntry] = []
            result = .success(try body(sql, &entries))
            self.entries += entries
            noteWriting()
        } catch {
            let leavesTransaction: [StoreError.Code] = [.refused, .damaged, .superseded]
            guard leavesTransaction.contains(error.code) else { throw error }
            try sql.statement(literal: "ROLLBACK TO registry").run()
            result = .failure(error)
        }
        try sql.statement(literal: "RELEASE registry").run()
        return result
    }
}
