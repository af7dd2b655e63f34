package import DeskHTTP

/// Who may read the metrics: programs of this machine, and of the networks that the operator names.
public struct MetricsReaders: Sendable {
    private let ranges: [AddressRange]

    /// Admits these beside this machine.
    public init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

    /// Whether the client of a request may read them.
    ///
    /// A proxy that is not trusted asks for others: it is admitted for none of them, whatever network it is in.
    /// One at this machine's loopback address is judged as ``LocalCaller`` judges it, also where a range has that
    /// address.
    package func admit(_ request: Request) -> Bool {
        if LocalCaller.made(request) { return true }
        let peer = request.peer
        guard !peer.isLoopback, peer.isNamedByProxy || !LocalCaller.isForwarded(request) else {
            return false
        }
        return ranges.contains { $0.contains(peer.address) }
    }
}
