import DeskEventJSON
import DeskJSON
import DeskModel

extension JSONWriter {
    /// Writes a request for approval.
    mutating func approval(_ one: Approval, _ names: AuthorNames) {
        object { text in
            text.member("id", one.id.text)
            text.member("business", one.business.text)
            text.member("area", one.area.rawValue)
            text.member("operation", one.operation)
            text.member("details", raw: one.details)
            text.member("author") { $0.author(one.author, names) }
            text.member("person", one.person?.text)
            text.member("reason", one.reason.isEmpty ? nil : one.reason)
            text.member("state", one.state.rawValue)
            text.member("madeAt", one.madeAt)
            text.member("expiresAt", one.expiresAt)
            text.member("decider") { text in
                guard let decider = one.decider else { return text.null() }
                text.author(.agent(decider), names)
            }
            text.member("decidedAt", one.decidedAt)
            text.member("comment", one.comment.isEmpty ? nil : one.comment)
            text.member("usedAt", one.usedAt)
        }
    }

    /// Writes what a business chose to have approved.
    mutating func approvalRules(_ rules: ApprovalRules?, waiting: Int) {
        object { text in
            text.member("areas") { text in
                text.array { text in
                    for area in ApprovalArea.choices where rules?.areas.contains(area) == true {
                        text.string(area.rawValue)
                    }
                }
            }
            text.member("changedAt", rules?.changedAt)
            text.member("waiting", waiting)
        }
    }
}
