/// The ways in, one a kind of credential.
public struct Doors: Sendable {
    /// Agents, by session cookie.
    public var agent: any Door
    /// Integrations, by key.
    public var key: any Door
    /// The sandbox page.
    public var sandbox: any Door
    /// Customers' phones.
    public var customer: any Door

    /// Opens the doors for agents and keys; the others stay closed unless given.
    public init(
        services: Services, sandbox: any Door = ClosedDoor(), customer: any Door = ClosedDoor()
    ) {
        agent = AgentDoor(services: services)
        key = KeyDoor(services: services)
        self.sandbox = sandbox
        self.customer = customer
    }
}
