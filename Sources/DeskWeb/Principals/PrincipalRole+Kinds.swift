package import DeskModel

/// The roles that a kind of principal has, whatever the product; those of members come from `Role`.
extension PrincipalRole {
    /// Every caller, with or without a credential.
    public static let anyone = PrincipalRole("anyone")
    /// A signed-in agent, whatever the memberships.
    public static let person = PrincipalRole("person")
    /// An API key with a grant for the business, live or test.
    public static let key = PrincipalRole("key")
    /// A visitor of the sandbox page, in the sandbox's business.
    public static let sandbox = PrincipalRole("sandbox")
    /// A customer's phone with a session for the business.
    public static let customer = PrincipalRole("customer")
}

extension Principal {
    /// The role of this kind of principal, whatever the business.
    package var role: PrincipalRole {
        switch self {
        case .agent: .person
        case .key: .key
        case .sandbox: .sandbox
        case .customer: .customer
        }
    }

    /// The role in a business; nil where it has none.
    package func role(in business: BusinessID) -> PrincipalRole? {
        switch self {
        case .agent(let agent): agent.roles[business]
        case .key(let key): key.belongs(to: business) ? .key : nil
        case .sandbox(let sandbox): sandbox.business == business ? .sandbox : nil
        case .customer(let customer): customer.business == business ? .customer : nil
        }
    }
}
