/// One row of the route table.
public struct Route: Sendable, Hashable {
    /// The method answered; GET answers HEAD too.
    public let method: Method
    /// The path with its captures: `/api/conversations/{id}/messages`, or `/files/{path...}` for a catch-all
    /// of one or more segments.
    public let pattern: String
    /// The name this operation has in the OpenAPI file.
    public let operation: String
    /// Largest request body in bytes; one more byte is answered with 413.
    public let bodyLimit: Int
}
