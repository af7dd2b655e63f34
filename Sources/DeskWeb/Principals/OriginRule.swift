import DeskBytes
package import DeskHTTP

/// Keeps other sites from using a browser's cookies: requests that change something, and WebSockets,
/// must come from a page of our own.
package struct OriginRule {
    private let publicURL: PublicURL

    /// Makes the rule for a server with this address.
    package init(publicURL: PublicURL) { self.publicURL = publicURL }

    /// Refuses a request whose `Origin` is not ours.
    ///
    /// A request with an API key needs no `Origin`: a browser never adds a key by itself. A program
    /// without a cookie needs none either. A browser always sends the field, so it is checked
    /// wherever it is sent, also at the sign-in and at a customer's first message.
    package func check(_ request: Request, _ principal: Principal?) throws(Problem) {
        guard request.isWebSocketUpgrade || isUnsafe(request.method) else { return }
        let origins = request.headers.values("origin")
        switch principal {
        case .key: return
        case nil where origins.isEmpty: return
        case .sandbox(let sandbox) where origins.isEmpty && !sandbox.hasCookie: return
        case .agent, .customer, .sandbox, nil: break
        }
        guard origins.count == 1, let origin = origins.first, isOurs(origin, request) else {
            throw Problem(
                .forbidden,
                origins.isEmpty
                    ? "This request needs the header Origin with the server's address, such as "
                        + "\(publicURL.origin)."
                    : "The Origin header does not name this site, whose address is "
                        + "\(publicURL.origin).")
        }
    }

    /// Whether an `Origin` is the site that the request was sent to, or the public one.
    package func isOurs(_ origin: String, _ request: Request) -> Bool {
        // Behind a proxy that terminates TLS the browser loaded the page by https, and this request
        // came without TLS. An http origin of our name is then an attacker on the network. Loopback
        // has none.
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
