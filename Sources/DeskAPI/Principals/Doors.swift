public import DeskModel

/// The ways in, one a kind of credential.
///
/// One object, so that each request which looks again by it later costs one count.
public final class Authenticators: Sendable {
    /// Agents, by session cookie.
    public let agent: any Door
    /// Integrations, by key.
    public let key: any Door
    /// The sandbox page.
    public let sandbox: any Door
    /// Customers' phones.
    public let customer: any Door
    /// The business that the sandbox plays with; nil where there is no sandbox.
    let sandboxBusiness: BusinessID?

    /// Opens the doors for agents and keys; the others stay closed unless given.
    public init(
        services: Services, sandbox: any Door = NoAuthenticator(), sandboxBusiness: BusinessID? = nil,
        customer: any Door = NoAuthenticator()
    ) {
        agent = AgentAuthenticator(services: services)
        key = KeyAuthenticator(services: services)
        self.sandbox = sandbox
        self.sandboxBusiness = sandboxBusiness
        self.customer = customer
    }
}
