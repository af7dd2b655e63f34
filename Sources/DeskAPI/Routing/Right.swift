public import DeskModel

/// What a route demands of whoever calls it; a route without one cannot be made.
public enum Right: Sendable, Equatable {
    /// Nothing: the route is public on purpose.
    case anyone
    /// A signed-in agent, whatever the role.
    case agent
    /// A signed-in agent who owns a business.
    case owner
    /// A signed-in agent with this role (an owner has both) in the business of the path's `{business}`.
    case role(Role)
    /// A signed-in agent who owns the business of the path's `{business}`, or the sandbox of it.
    case keeper
    /// An agent, a key or the sandbox.
    case member
    /// An agent or a key.
    case integration
    /// An agent or a key of the business of the path's `{business}`.
    case staff
    /// An agent, a key or the sandbox, whose business has the path's `{conversation}`.
    case conversation
    /// The sandbox, or a signed-in member of the sandbox's business.
    case sandbox
    /// A customer's phone with a session for the path's `{business}`.
    case customer
    /// A customer's phone for the path's `{business}`, known or new.
    case visitor
}
