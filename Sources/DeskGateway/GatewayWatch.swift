public import DeskHTTP

/// What stands around the gateway's requests and is the whole server's: names, lines, counts, the disk.
public protocol GatewayWatch: Sendable {
    /// Whether nothing more is to be stored (promise P11).
    var isFull: Bool { get }

    /// Gives a request its name.
    func begin(_ request: Request) -> RequestTrace

    /// Notes and counts how a request was answered.
    func end(
        _ trace: RequestTrace, operation: String, _ status: Status, refusal: GatewayRefusal?)

    /// Counts a write that was refused because the disk is full.
    func noteRefused()

    /// Takes note that a write failed for want of room.
    func noteFull()
}

/// What a route of the gateway asks of the server.
package enum RouteDemand: Sendable {
    /// Nothing: it hands out what is there.
    case reads
    /// Work, which takes from the budget of its link.
    case works
    /// Work and room on the disk.
    case stores
}
