import DeskModel
public import DeskWeb

extension PrincipalRole {
    /// Every caller, with or without a credential.
    public static let anyone = PrincipalRole("anyone")
    /// A signed-in agent, whatever the memberships.
    public static let person = PrincipalRole("person")
    /// A signed-in agent who owns the business.
    public static let owner = PrincipalRole(.owner)
    /// A signed-in agent who is a member of the business.
    public static let agent = PrincipalRole(.agent)
    /// An API key with a grant for the business, live or test.
    public static let key = PrincipalRole("key")
    /// A visitor of the sandbox page, in the sandbox's business.
    public static let sandbox = PrincipalRole("sandbox")
    /// A customer's phone with a session for the business.
    public static let customer = PrincipalRole("customer")

    /// Whether people have it by a membership in a business.
    var isMembership: Bool {
        ![Self.anyone, .person, .key, .sandbox, .customer].contains(self)
    }
}

extension PermissionTable {
    /// Who may do what on this server.
    ///
    /// A further role of members is a further row here and a case of `Role`.
    public static let product: PermissionTable = {
        let shared: Set<Permission> = [
            .readBusinesses, .readTemplates, .publishTemplates, .readGateway, .readConversations,
            .handleConversations, .sendMessages, .checkMessages, .useAttachments, .followLive,
            .playCustomers,
        ]
        let agent = shared.union([.readMembers, .readEntryLinks, .followEvents, .useSandbox])
        let owner = agent.union([
            .registerBusinesses, .manageBusiness, .manageMembers, .manageKeys, .manageEntryLinks,
            .manageGateway,
        ])
        return PermissionTable([
            Row(.anyone, [.open, .startConversation]),
            Row(.person, [.useOwnSession]),
            Row(.owner, owner),
            Row(.agent, agent),
            Row(.key, shared.union([.readMembers, .followEvents])),
            Row(.sandbox, shared.union([.manageGateway, .useSandbox])),
            Row(.customer, [.startConversation, .useOwnConversation]),
        ])
    }()
}

extension Principal {
    /// The role of this kind of principal, whatever the business.
    var role: PrincipalRole {
        switch self {
        case .agent: .person
        case .key: .key
        case .sandbox: .sandbox
        case .customer: .customer
        }
    }

    /// The role in a business; nil where it has none.
    func role(in business: BusinessID) -> PrincipalRole? {
        switch self {
        case .agent(let agent): agent.roles[business]
        case .key(let key): key.belongs(to: business) ? .key : nil
        case .sandbox(let sandbox): sandbox.business == business ? .sandbox : nil
        case .customer(let customer): customer.business == business ? .customer : nil
        }
    }
}
