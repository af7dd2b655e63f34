import DeskModel

extension Problem {
    /// Refuses a principal that a route is not for: who may do it, and what helps whoever asked.
    ///
    /// Pages show the sentence to people as it is.
    static func missingPermission(for right: Right, _ principal: Principal) -> Problem {
        let (mayDo, isOwners): (String, Bool) =
            switch right {
            case .owner: ("Only a signed-in owner of a business may do this", true)
            case .keeper, .role(.owner):
                ("Only a signed-in owner of this business may do this", true)
            case .role(.agent): ("Only a signed-in member of this business may do this", false)
            case .agent: ("Only a person who is signed in may do this", false)
            case .sandbox: ("Only members of the sandbox's business may do this", false)
            case .anyone, .member, .integration, .staff, .conversation, .customer, .visitor:
                ("Only people who are signed in and API keys may do this", false)
            }
        let refused: String =
            switch principal {
            case .agent where isOwners: "You are an agent here: ask an owner."
            case .agent: "You are not one: ask an owner of it."
            case .key: "An API key may not."
            case .sandbox: "The sandbox may not."
            case .customer: "A customer may not."
            }
        return Problem(.forbidden, "\(mayDo). \(refused)")
    }
}
