import DeskJSON
import DeskModel

extension GroupDecision {
    /// Makes or changes a rule; a change to what it is already has no event.
    mutating func save(_ step: SaveRule) throws(Undecided) {
        let rule = step.rule
        var rules = try rules(of: rule.business)
        let place = rules.firstIndex { $0.id == rule.id }
        guard (place == nil) == step.isNew else { throw .refused(.notFound) }
        guard place != nil || rules.count < TeamRule.most else { throw .refused(.unusable) }
        if let place {
            guard rules[place] != rule else { return }
            rules[place] = rule
        } else {
            rules.append(rule)
        }
        let number = try require(rule.business)
        rows.rules[rule.business] = rules
        changes.append(.rule(rule))
        changes.append(
            .registry(.contents(.saveRule(rule.id, of: rule.business)), author: step.author))
        publish(rule, isRemoved: false, of: number, by: step.author, at: step.time)
    }

    /// Removes a rule.
    mutating func remove(_ step: RemoveRule) throws(Undecided) {
        var rules = try rules(of: step.business)
        guard let place = rules.firstIndex(where: { $0.id == step.rule }) else {
            throw .refused(.notFound)
        }
        let number = try require(step.business)
        let rule = rules.remove(at: place)
        rows.rules[step.business] = rules
        changes.append(.removeRule(rule.id))
        changes.append(
            .registry(.contents(.removeRule(rule.id, of: rule.business)), author: step.author))
        publish(rule, isRemoved: true, of: number, by: step.author, at: step.time)
    }

    /// Notes what a rule makes of an event.
    ///
    /// Refused as `idempotencyConflict` where it is noted already: with the group of which it is a step
    /// a rule acts on an event once, however often it is asked.
    mutating func note(_ act: RuleAct) throws(Undecided) {
        guard let isThere = rows.ruleActs[act.name] else { throw .needs(.ruleAct(act.name)) }
        guard !isThere else { throw .refused(.idempotencyConflict) }
        rows.ruleActs[act.name] = true
        changes.append(.ruleAct(act))
    }

    private func rules(of business: BusinessID) throws(Undecided) -> [TeamRule] {
        guard let rules = rows.rules[business] else { throw .needs(.rules(of: business)) }
        return rules
    }

    private mutating func publish(
        _ rule: TeamRule, isRemoved: Bool, of number: Int64, by author: Author, at time: Timestamp
    ) {
        let data = JSONWriter.object { text in
            text.member("rule") {
                $0.object {
                    $0.member("id", rule.id.text)
                    $0.member("name", rule.name)
                    $0.member("on", rule.isOn)
                    $0.member("removed", isRemoved)
                }
            }
            text.member("by") {
                $0.object {
                    $0.member("type", author.kind)
                    $0.member("id", author.name)
                }
            }
        }
        append(
            .ruleSaved, of: rule.business, beside: nil, .json(data),
            EventPlace(business: number, conversation: nil, note: nil), at: time)
    }
}
