/// Where a request says which business it is about; the permission is checked for that business.
public enum BusinessSource: Sendable, Equatable {
    /// Nowhere: the route is public, or about the signed-in person alone.
    case none
    /// Nowhere: every business in which the caller has the permission; 403 when there is none.
    case any
    /// The query parameter `business`; without it every business in which the caller has the
    /// permission. A person who is no member of any business gets empty lists.
    case query
    /// The path's `{business}`.
    case path
    /// The path's `{conversation}`, which the pipeline loads.
    case conversation
    /// The path's `{business}`, together with the customer's session for it.
    case session
    /// The server's configuration: the business of the sandbox.
    case sandbox
}
