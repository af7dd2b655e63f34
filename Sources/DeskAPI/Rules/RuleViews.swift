import DeskJSON
import DeskModel
import DeskTeam
import DeskWeb

/// Something that a rule names and that is not there any more.
struct RuleWarning {
    /// Where the rule names it.
    let pointer: String
    /// What may stand there instead.
    let allowed: String

    /// Everything that is wrong with a rule by now.
    static func all(of rule: TeamRule, _ check: ActionCheck) async throws(Problem) -> [RuleWarning]
    {
        guard let program = RuleProgram(rule) else {
            return [RuleWarning(pointer: "", allowed: "a rule that this version can carry out")]
        }
        let conditions = check.faults(of: program.conditions).map { place, fault in
            RuleWarning(pointer: "/if/\(place)", allowed: fault.allowed)
        }
        let actions = try await check.faults(of: program.actions).map { place, fault in
            RuleWarning(pointer: "/then/\(place)", allowed: fault.allowed)
        }
        return conditions + actions
    }
}

extension JSONWriter {
    /// Writes a rule.
    mutating func rule(_ rule: TeamRule, _ warnings: [RuleWarning]) {
        object { text in
            text.member("id", rule.id.text)
            text.member("business", rule.business.text)
            text.member("name", rule.name)
            text.member("on", rule.isOn)
            text.member("order", rule.order)
            text.member("when", rule.trigger.rawValue)
            text.member("if", raw: rule.conditions)
            text.member("then", raw: rule.actions)
            text.member("warnings") { text in
                text.array { text in
                    for warning in warnings {
                        text.object {
                            $0.member("pointer", warning.pointer)
                            $0.member("allowed", warning.allowed)
                        }
                    }
                }
            }
        }
    }

    /// Writes a conversation of which a rule made something; nil for one that cannot be read.
    mutating func ruleConversation(_ id: ConversationID, _ conversation: Conversation?) {
        object {
            $0.member("id", id.text)
            $0.member("name", conversation?.contactName ?? conversation?.customer.name)
            $0.member("customer", conversation?.customer.id.text)
        }
    }
}
