package import DeskHTTP

/// Distinguishes requests of programs on this machine from those that only seem to be.
///
/// The `Host` is compared because a foreign page can make a browser here ask under its own name
/// (DNS rebinding), and a proxy on this machine makes every client look like this machine.
package enum LocalCaller {
    /// Fields that proxies add for their clients.
    private static let proxyFields = [
        "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via",
    ]

    /// Whether a program of this machine made a request, and not on behalf of another client.
    package static func made(_ request: Request) -> Bool {
        guard request.peer.isLoopback, !isForwarded(request),
            let host = PublicURL.host(ofAuthority: request.host)
        else { return false }
        return PublicURL.isLoopback(host)
    }

    /// Whether a request looks like one that a proxy sent for its client.
    package static func isForwarded(_ request: Request) -> Bool {
        // Some proxies speak HTTP/1.0 unless configured otherwise; nothing else here does.
        request.isHTTP10 || proxyFields.contains { request.headers.contains($0) }
    }
}
