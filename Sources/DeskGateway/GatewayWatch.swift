public import DeskHTTP
public import DeskModel

/// What the gateway uses of the whole server: request names, log lines, counts, the state of the
/// disk.
public protocol GatewayWatch: Sendable {
    /// Whether nothing more is to be stored (promise P11).
    var isFull: Bool { get }

    /// Gives a request its name.
    func begin(_ request: Request) -> RequestTrace

    /// Notes and counts how a request was answered, and for which link once that is authenticated.
    func end(
        _ trace: RequestTrace, operation: String, _ status: Status, refusal: GatewayRefusal?,
        by link: GatewayLinkID?, lasting span: Duration)

    /// Counts a write that was refused because the disk is full.
    func noteRefused()

    /// Records that a write failed for want of room.
    func noteFull()
}

/// What a route of the gateway asks of the server.
package enum RouteDemand: Sendable {
    /// Nothing: it hands out what is there.
    case reads
    /// Work, which counts against the budget of its link.
    case works
    /// Work and room on the disk.
    case stores
}
