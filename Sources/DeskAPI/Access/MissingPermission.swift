import DeskModel
import DeskWeb

extension Problem {
    /// Refuses a principal that a route is not for: who may do it, and what helps the caller.
    ///
    /// Pages show the sentence to people as it is.
    static func missingPermission(
        _ principal: Principal, _ rule: AccessRule, _ table: PermissionTable,
        in business: BusinessID? = nil
    ) -> Problem {
        let mayDo = "Only \(callers(of: rule, table)) may do this"
        let refused: String =
            switch principal {
            case .agent where rule.source == .sandbox: "You are not one: ask an owner of it."
            case .agent(let agent): "\(agent.sentence(in: business)): ask an owner."
            case .key: "An API key may not."
            case .sandbox: "The sandbox may not."
            case .customer: "A customer may not."
            }
        return Problem(.forbidden, "\(mayDo). \(refused)")
    }

    /// Refuses a key none of whose scopes has what a route demands.
    static func missingScope(_ key: KeyPrincipal, _ rule: AccessRule) -> Problem {
        let has = key.scopes.names.joined(separator: ", ")
        let helps = rule.scopes.names.joined(separator: " or ")
        return Problem(
            .missingScope,
            "This needs a key with the scope \(helps); \"\(key.name)\" has \(has.isEmpty ? "none" : has). "
                + "An owner makes one.")
    }

    /// Names those who may call a route.
    private static func callers(of rule: AccessRule, _ table: PermissionTable) -> String {
        let members = table.rows.map(\.role).filter(\.isMembership)
        let named = members.filter { rule.admits($0) }.map(\.name)
        let isAll = named.count == members.count
        switch rule.source {
        case .none: return "a person who is signed in"
        case .session: return "a customer of this business"
        case .sandbox where isAll: return "members of the sandbox's business"
        case .any, .query, .path, .conversation, .sandbox:
            guard !named.isEmpty else { return "an API key" }
            let who = isAll ? "member" : listed(named)
            return switch rule.source {
            case .any, .query: "a signed-in \(who) of a business"
            case .sandbox: "a signed-in \(who) of the sandbox's business"
            case .none, .path, .conversation, .session: "a signed-in \(who) of this business"
            }
        }
    }

    /// Names some roles: `owner`, `owner or agent`, `owner, supervisor or agent`.
    private static func listed(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension AgentPrincipal {
    /// Says what the person is in a business, or in the first of the own ones.
    fileprivate func sentence(in business: BusinessID?) -> String {
        let role =
            business.flatMap { roles[$0] } ?? roles.values.min { $0.name < $1.name } ?? .agent
        let article = "aeiou".contains(role.name.prefix(1)) ? "an" : "a"
        return "You are \(article) \(role.name) here"
    }
}
