public import DeskModel

/// The authenticated sender of a request.
public enum Principal: Sendable {
    /// A person at the console.
    case agent(AgentPrincipal)
    /// An integration.
    case key(KeyPrincipal)
    /// A visitor of the sandbox page.
    case sandbox(SandboxPrincipal)
    /// A customer's phone.
    case customer(CustomerPrincipal)

    /// The businesses that it acts for; none for a customer.
    public var businesses: Set<BusinessID> {
        switch self {
        case .agent(let agent): Set(agent.roles.keys)
        case .key(let key): key.businesses
        case .sandbox(let sandbox): [sandbox.business]
        case .customer: []
        }
    }

    /// Whether it is an agent or an API key of a business, and not the sandbox or a customer.
    public var isMember: Bool {
        switch self {
        case .agent, .key: true
        case .sandbox, .customer: false
        }
    }

    /// Whether it may act for this business.
    public func belongs(to business: BusinessID) -> Bool {
        switch self {
        case .agent(let agent): agent.roles[business] != nil
        case .key(let key): key.belongs(to: business)
        case .sandbox(let sandbox): sandbox.business == business
        case .customer: false
        }
    }

    /// The author of its changes in the log.
    public var author: Author {
        switch self {
        case .agent(let agent): .agent(agent.agent.id)
        case .key(let key): .key(key.id)
        case .sandbox: .script("sandbox")
        case .customer(let customer): .customer(device: customer.device)
        }
    }

    /// Where its messages enter the server.
    public var origin: Origin {
        switch self {
        case .agent: .console
        case .key: .api
        case .sandbox: .sandbox
        case .customer: .phone
        }
    }

    /// A name of the credential that is no secret; rates and idempotency keys are scoped to it.
    public var credential: String {
        switch self {
        case .agent(let agent): "agent:\(agent.agent.id.text)"
        case .key(let key): "key:\(key.id.text)"
        case .sandbox(let sandbox): "sandbox:\(sandbox.business.text)"
        case .customer(let customer): "customer:\(customer.conversation.text)"
        }
    }
}

/// An agent with a session that has not expired.
public struct AgentPrincipal: Sendable {
    /// The person.
    public let agent: Agent
    /// The person's role in each business.
    public let roles: [BusinessID: PrincipalRole]
    /// The hash of the session's token.
    public let session: Digest
    /// Whether the session was begun with a passkey.
    public let isByPasskey: Bool
    /// The businesses of which the person is a member, and which require a second factor that is missing.
    public let waiting: Set<BusinessID>

    /// Describes a signed-in agent.
    public init(
        agent: Agent, roles: [BusinessID: PrincipalRole], session: Digest,
        isByPasskey: Bool = false, waiting: Set<BusinessID> = []
    ) {
        self.agent = agent
        self.roles = roles
        self.session = session
        self.isByPasskey = isByPasskey
        self.waiting = waiting
    }
}

/// An integration with a valid key.
public struct KeyPrincipal: Sendable {
    /// The key's public part.
    public let id: KeyID
    /// The name that people gave it.
    public let name: String
    /// The mode of its businesses.
    public let mode: Mode
    /// What it may do.
    public let scopes: KeyScopes
    // As the store returned it: making a set for each request would cost more than searching.
    private let list: [BusinessID]

    /// The businesses it may act for.
    public var businesses: Set<BusinessID> { Set(list) }

    /// Describes an authenticated key.
    public init(
        id: KeyID, name: String, mode: Mode, businesses: [BusinessID],
        scopes: KeyScopes = .unnamed
    ) {
        self.id = id
        self.name = name
        self.mode = mode
        self.scopes = scopes
        list = businesses
    }

    /// Whether it may act for this business.
    public func belongs(to business: BusinessID) -> Bool { list.contains(business) }
}

/// A visitor of the sandbox page.
public struct SandboxPrincipal: Sendable {
    /// The test business of the sandbox.
    public let business: BusinessID
    /// Whether it came by a cookie; without one the listener is open on loopback.
    public let hasCookie: Bool

    /// Describes a visitor.
    public init(business: BusinessID, hasCookie: Bool) {
        self.business = business
        self.hasCookie = hasCookie
    }
}

/// A customer's phone with a session that has not expired.
public struct CustomerPrincipal: Sendable {
    /// The business it writes to.
    public let business: BusinessID
    /// The one conversation it has there.
    public let conversation: ConversationID
    /// The customer's name in the protocol.
    public let customer: CustomerID
    /// A name of the device.
    public let device: String
    /// The hash of the session's token.
    public let session: Digest
    /// The token that the answer sends; nil while the one of the request is new enough.
    public let renewal: Token?

    /// Describes a phone.
    public init(
        business: BusinessID, conversation: ConversationID, customer: CustomerID, device: String,
        session: Digest, renewal: Token? = nil
    ) {
        self.renewal = renewal
        self.business = business
        self.conversation = conversation
        self.customer = customer
        self.device = device
        self.session = session
    }
}
