import DeskHTTP
import DeskModel
import DeskWeb

/// What a browser carries from a sign-in before: a session that a new one ends, and its device.
struct BrowserTokens: Sendable {
    /// The session, by its token's hash.
    var session: Digest?
    /// The device.
    var device: Token?

    /// What a request's cookies carry.
    init(of request: Request, _ services: Services) {
        let isSecure = services.isSecure(request)
        session = request.cookies[AgentCookie.name(isSecure: isSecure)]
            .flatMap { Token($0)?.digest }
        device = request.cookies[DeviceCookie.name(isSecure: isSecure)].flatMap { Token($0) }
    }

    /// What was carried when a sign-in began.
    init(session: Digest?, device: Token?) {
        self.session = session
        self.device = device
    }
}
