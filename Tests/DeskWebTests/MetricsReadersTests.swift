import DeskHTTP
import Testing

@testable import DeskWeb

/// Who may read the metrics.
struct MetricsReadersTests {
    /// A request to a server that trusts the proxies 10.0.0.1 and 127.0.0.1.
    struct Row: Sendable {
        let peer: String
        var forwardedFor: String?
        var isOld = false
        var ranges = ["192.0.2.0/24", "10.0.0.0/8", "127.0.0.0/8"]
        let isAdmitted: Bool
    }

    private static let rows = [
        Row(peer: "192.0.2.7", isAdmitted: true),
        Row(peer: "198.51.100.7", isAdmitted: false),
        Row(peer: "192.0.2.7", ranges: [], isAdmitted: false),
        Row(peer: "127.0.0.1", ranges: [], isAdmitted: true),
        // Through a trusted proxy the client counts, and through another one nothing does.
        Row(peer: "10.0.0.1", forwardedFor: "192.0.2.7", isAdmitted: true),
        Row(peer: "10.0.0.1", forwardedFor: "198.51.100.7", isAdmitted: false),
        Row(peer: "10.0.0.1", forwardedFor: "192.0.2.7, 198.51.100.7", isAdmitted: false),
        Row(peer: "10.0.0.1", forwardedFor: "unknown", isAdmitted: false),
        Row(peer: "10.0.0.2", forwardedFor: "192.0.2.7", isAdmitted: false),
        Row(peer: "127.0.0.1", forwardedFor: "192.0.2.7", isAdmitted: true),
        Row(peer: "127.0.0.1", forwardedFor: "198.51.100.7", isAdmitted: false),
        // nginx as it comes says nothing of its client, and speaks HTTP/1.0.
        Row(peer: "10.0.0.2", isOld: true, isAdmitted: false),
        Row(peer: "127.0.0.1", isOld: true, isAdmitted: false),
        Row(peer: "2001:db8::7", ranges: ["2001:db8::/32"], isAdmitted: true),
    ]

    @Test(arguments: rows)
    func `metrics are for this machine and for the clients of the networks that are named`(
        row: Row
    ) throws {
        let proxies = TrustedProxies(["10.0.0.1", "127.0.0.1"].compactMap { AddressRange($0) })
        var headers: HeaderFields = [:]
        if let client = row.forwardedFor { headers.append("X-Forwarded-For", client) }
        var request = try Request(
            method: .get, target: "/metrics", headers: headers,
            peer: Peer(address: row.peer, isLoopback: row.peer == "127.0.0.1"),
            isHTTP10: row.isOld)
        request.peer = proxies.peer(of: request)
        let readers = MetricsReaders(row.ranges.compactMap { AddressRange($0) })
        #expect(readers.admit(request) == row.isAdmitted)
    }
}
