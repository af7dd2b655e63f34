/// What an identity provider keeps of a member of a business (SCIM 2.0, RFC 7643, section 4.1).
///
/// Whether the person is a member is a matter of the membership alone: without one the provider reads
/// that the person is not active.
public struct ProvisionedPerson: Hashable, Sendable {
    /// Most bytes of the name and of the id that the provider has for a person or a team.
    public static let nameBytes = 254
    /// Most people of a business whom a provider keeps.
    public static let mostOfBusiness = 10_000

    /// The account.
    public var agent: AgentID
    /// The business.
    public let business: BusinessID
    /// The provider's name of the person, of which no two in a business differ in case alone.
    public var userName: String
    /// The provider's id of the person.
    public var externalID: String?
    /// The given name.
    public var givenName: String?
    /// The family name.
    public var familyName: String?
    /// The role that the provider gave last: the one that the person has when active again.
    public var role: Role
    /// When the provider named the person first.
    public let createdAt: Timestamp
    /// When the provider changed something last.
    public var changedAt: Timestamp

    /// Describes a person.
    public init(
        agent: AgentID, business: BusinessID, userName: String, externalID: String? = nil,
        givenName: String? = nil, familyName: String? = nil, role: Role, createdAt: Timestamp,
        changedAt: Timestamp
    ) {
        self.agent = agent
        self.business = business
        self.userName = userName
        self.externalID = externalID
        self.givenName = givenName
        self.familyName = familyName
        self.role = role
        self.createdAt = createdAt
        self.changedAt = changedAt
    }
}

/// A person whom an identity provider adds to a business.
public struct NewlyProvisioned: Hashable, Sendable {
    /// What is kept; its account is used where the address has none.
    public let person: ProvisionedPerson
    /// What a new account is called.
    public let name: String
    /// The address, as accounts have it.
    public let email: String
    /// The hash of a password that no person knows, for a new account; nil where none was expected.
    public let password: String?
    /// Whether the person is a member from now on.
    public let isActive: Bool

    /// Describes a person who is added.
    public init(
        _ person: ProvisionedPerson, name: String, email: String, password: String?, isActive: Bool
    ) {
        self.person = person
        self.name = name
        self.email = email
        self.password = password
        self.isActive = isActive
    }
}

/// What came of adding a person.
public enum ProvisionOutcome: Hashable, Sendable {
    /// The account of the person.
    case added(AgentID)
    /// Another person of the business has this name, or this one has another.
    case nameTaken
    /// The business has as many as it may.
    case tooMany
    /// More than one account has the address, so that it does not say whose it is.
    case severalAccounts
    /// The account of the address is no member, and is linked to no identity provider: another person may have made it.
    case unverifiedAccount
    /// There is no account of the address, and no password came for a new one.
    case noAccount
}

/// What an identity provider keeps of a team (SCIM 2.0, RFC 7643, section 4.2).
public struct ProvisionedTeam: Hashable, Sendable {
    /// The team.
    public let team: TeamID
    /// Its business.
    public let business: BusinessID
    /// The provider's id of it.
    public var externalID: String?
    /// When the provider named it first.
    public let createdAt: Timestamp
    /// When the provider changed something last.
    public var changedAt: Timestamp

    /// Describes a team.
    public init(
        team: TeamID, business: BusinessID, externalID: String?, createdAt: Timestamp,
        changedAt: Timestamp
    ) {
        self.team = team
        self.business = business
        self.externalID = externalID
        self.createdAt = createdAt
        self.changedAt = changedAt
    }
}
