public import DeskModel
public import DeskWeb

/// The authenticators of a server, one for each kind of credential.
///
/// One object: a request that authenticates again later holds one reference.
public final class Authenticators: Sendable {
    /// Agents, by session cookie.
    public let agent: any Authenticator
    /// Integrations, by API key.
    public let key: any Authenticator
    /// Visitors of the sandbox page.
    public let sandbox: any Authenticator
    /// Customers' phones, by session cookie.
    public let customer: any Authenticator
    /// The business of the sandbox; nil where there is no sandbox.
    let sandboxBusiness: BusinessID?

    /// Puts the authenticators together; without their own, the sandbox and customers have none.
    public init(
        services: Services, agent: (any Authenticator)? = nil,
        sandbox: any Authenticator = NoAuthenticator(), sandboxBusiness: BusinessID? = nil,
        customer: any Authenticator = NoAuthenticator()
    ) {
        self.agent = agent ?? AgentAuthenticator(services: services)
        key = KeyAuthenticator(services: services)
        self.sandbox = sandbox
        self.sandboxBusiness = sandboxBusiness
        self.customer = customer
    }
}
