import DeskEventJSON
import DeskJSON
import DeskModel

extension JSONWriter {
    /// Writes a request for approval; without `showsAddresses` of addresses only the host.
    mutating func approval(_ one: Approval, _ names: AuthorNames, showsAddresses: Bool = true) {
        object { text in
            text.member("id", one.id.text)
            text.member("business", one.business.text)
            text.member("area", one.area.rawValue)
            text.member("operation", one.operation)
            text.member(
                "details", raw: showsAddresses ? one.details : Self.hidingPaths(one.details))
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

    /// Details whose addresses are without path and query.
    private static func hidingPaths(_ details: [UInt8]) -> [UInt8] {
        guard let root = try? JSONDocument(parsing: details).root else { return Array("{}".utf8) }
        return JSONWriter.object { text in
            for member in root.members {
                text.key(text: member.key)
                if let address = member.value.string, address.contains("://") {
                    text.string(address.split(separator: "/").prefix(2).joined(separator: "//"))
                } else {
                    text.raw(member.value.rawBytes)
                }
            }
        }
    }
}
