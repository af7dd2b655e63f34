import DeskBytes
import DeskHTTP

/// Keeps other sites from using a browser's cookies: requests that change something, and WebSockets,
/// must come from a page of our own.
struct OriginRule {
    let publicURL: PublicURL

    /// Refuses a request whose `Origin` is not ours.
    ///
    /// Programs with a key need none: nothing adds a key by itself. Nor do programs without any
    /// cookie, which send no `Origin` at all; a browser cannot leave it out, so where one is sent it
    /// counts, at the sign-in and at a customer's first message too.
    func check(_ request: Request, _ principal: Principal?) throws(Problem) {
        guard request.isWebSocketUpgrade || isUnsafe(request.method) else { return }
        let origins = request.headers.values("origin")
        switch principal {
        case .key: return
        case nil where origins.isEmpty: return
        case .sandbox(let sandbox) where origins.isEmpty && !sandbox.hasCookie: return
        case .agent, .customer, .sandbox, nil: break
        }
        guard origins.count == 1, let origin = origins.first, isOurs(origin, request) else {
            throw Problem(.forbidden, "The Origin header does not name this site.")
        }
    }

    /// Whether an `Origin` is the site that the request was sent to, or the public one.
    func isOurs(_ origin: String, _ request: Request) -> Bool {
        // Behind a proxy that ends TLS the browser's page came by https, though the request did not: who
        // says http under this name answers in its place on the network. Loopback has no such network.
        let isLoopback =
            PublicURL.host(ofAuthority: request.host).map(PublicURL.isLoopback) ?? false
        let isSecure = request.isSecure || (publicURL.isSecure && !isLoopback)
        let own = "\(isSecure ? "https" : "http")://\(request.host)"
        return ASCII.equalsIgnoringCase(origin.utf8, own.utf8)
            || ASCII.equalsIgnoringCase(origin.utf8, publicURL.origin.utf8)
    }

    private func isUnsafe(_ method: Method) -> Bool {
        switch method {
        case .get, .head, .options: false
        case .post, .put, .patch, .delete, .trace, .connect, .other: true
        }
    }
}
