import DeskBroker
import DeskJSON
import DeskModel
import DeskStore

/// One rule and one event.
struct RuleRun {
    private let reader: RuleReader
    private let program: RuleProgram
    private let event: Event
    private let conversation: ConversationID
    private let mark: RuleMark?
    private let hours: [StoredHours]

    private var rule: TeamRule { program.rule }
    private var root: Position { mark?.root ?? event.id.position }

    init(
        _ reader: RuleReader, _ program: RuleProgram, _ event: Event,
        in conversation: ConversationID, after mark: RuleMark?, hours: [StoredHours]
    ) {
        self.reader = reader
        self.program = program
        self.event = event
        self.conversation = conversation
        self.mark = mark
        self.hours = hours
    }

    /// Acts if all is so, and says whether anything was noted.
    func carryOut() async throws(StoreError) -> Bool {
        for attempt in 1...RuleReader.tries {
            guard let found = try await find(),
                let reason = RuleSubject(
                    event, found, hours: reader.host.openingTimes(of: found.team, hours)
                ).found(for: program.conditions)
            else { return false }
            switch try await permission {
            case .granted: break
            case .refused(let outcome): return try await note(outcome, reason)
            case .ended: return false
            }
            do throws(RuleFailure) {
                try await act(on: found, reason)
                return true
            } catch {
                switch error {
                case .store(let failure):
                    guard failure.code == .damaged else { throw failure }
                    return try await note(.refused, reason, "damaged", failure.detail)
                case .refused(let code, let detail):
                    // It acted on the event before the process ended.
                    if code == Refusal.idempotencyConflict.code { return true }
                    if code == Refusal.preconditionFailed.code, attempt < RuleReader.tries {
                        await rest(after: attempt)
                        continue
                    }
                    return try await note(.refused, reason, code, detail)
                }
            }
        }
        return false
    }

    /// Leaves the conversation to those who change it faster than a rule can judge it.
    private func rest(after attempt: Int) async {
        guard attempt >= RuleReader.quickTries else { return }
        // Safe: sleeping fails only when cancelled, which the store's answers show.
        try? await Task.sleep(
            for: .milliseconds(min(5 * (attempt - RuleReader.quickTries + 1), 100)))
    }

    /// The conversation as it is; nil for one that cannot be read.
    private func find() async throws(StoreError) -> Conversation? {
        do {
            return try await reader.store.findConversation(conversation)
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }

    /// Whether the rule may act, whatever its conditions say.
    private enum Permission {
        case granted
        /// It may not, which is noted.
        case refused(RuleAct.Outcome)
        /// It may not, which was noted once for all.
        case ended
    }

    private var permission: Permission {
        get async throws(StoreError) {
            let entries = try await reader.store.countRuleActs(of: root)
            guard entries < RuleAct.mostOfRoot else {
                return entries == RuleAct.mostOfRoot ? .refused(.tooMany) : .ended
            }
            let isEnd = (mark?.chain.count ?? 0) >= RuleMark.longestChain
            return isEnd ? .refused(.chainEnded) : .granted
        }
    }

    private func act(
        on conversation: Conversation, _ reason: [String]
    ) async throws(RuleFailure) {
        let author = Author.rule(
            RuleMark(id: rule.id, name: rule.name, causes: mark?.chain ?? [], root: root))
        let now = reader.broker.now()
        let plan = try await ActionPlan(
            program.actions, for: conversation, by: author, caller: nil,
            handling: reader.host.handlingRoles, at: now,
            makeID: { reader.broker.makeID() }
        ) { name, values throws(RuleFailure) in
            try await reader.host.submission(
                of: name, values: values, to: conversation, by: author)
        }
        let outcome: RuleAct.Outcome =
            plan.results.contains(where: \.isChange) ? .done : .unchanged
        let act = act(
            outcome, at: now, data: data(reason, results: plan.results.map(\.isChange)))
        let first: [Write] = [
            .act(act),
            .require(
                RequireRevision(of: conversation.id, in: [conversation.revision])),
        ]
        do throws(BrokerError) {
            _ = try await reader.broker.perform(first + plan.steps, on: conversation.id)
        } catch {
            switch error {
            case .store(let failure): throw .store(failure)
            case .refused(let refusal):
                throw .refused(code: refusal.code, detail: reader.host.words(for: refusal))
            }
        }
    }

    /// Notes why nothing was done.
    private func note(
        _ outcome: RuleAct.Outcome, _ reason: [String], _ code: String? = nil,
        _ detail: String? = nil
    ) async throws(StoreError) -> Bool {
        let act = act(
            outcome, at: reader.broker.now(),
            data: data(reason, code: code, detail: detail))
        do throws(BrokerError) {
            try await reader.broker.note(act)
        } catch {
            // Refused: it is noted already.
            if case .store(let failure) = error { throw failure }
        }
        return true
    }

    private func act(_ outcome: RuleAct.Outcome, at time: Timestamp, data: [UInt8]) -> RuleAct {
        RuleAct(
            RuleAct.Name(rule.id, on: event.id.position), of: rule.business, named: rule.name,
            in: conversation, trigger: rule.trigger, root: root, at: time, outcome, data: data)
    }

    private func data(
        _ reason: [String], results: [Bool]? = nil, code: String? = nil, detail: String? = nil
    ) -> [UInt8] {
        JSONWriter.object { text in
            text.member("if", raw: rule.conditions)
            text.member("found") { text in
                text.array { text in for one in reason { text.string(one) } }
            }
            text.member("then", raw: rule.actions)
            text.member("results") { text in
                guard let results else { return text.null() }
                text.array { text in
                    for isChange in results { text.string(isChange ? "done" : "unchanged") }
                }
            }
            text.member("code", code)
            text.member("detail", detail)
        }
    }
}
