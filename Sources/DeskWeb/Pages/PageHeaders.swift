package import DeskHTTP

/// The headers of every page and file: nothing from elsewhere, nothing inside others.
package enum PageHeaders {
    /// Whether a page is shown inside another page of this server.
    package enum Framing: Sendable {
        /// Alone, and nothing inside it.
        case alone
        /// Also inside a page of this server: the customer's page, which console and sandbox show.
        case framed
        /// Alone, with pages of this server inside it: console and sandbox.
        case framing
        /// Only inside pages of these origins, directly and above them: the frame of a widget.
        case embedded([String])
    }

    /// The policy of pages; all script and style is in files of our own.
    package static func policy(_ framing: Framing = .alone) -> String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
            + "media-src 'self' blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; "
            + "worker-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; "
            + framing.directives + "require-trusted-types-for 'script'"
    }

    /// The policy of untrusted files: nothing that they contain runs.
    package static let untrustedFilePolicy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; "
        + "frame-ancestors 'none'; sandbox"

    private static let permissions =
        "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), "
        + "fullscreen=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), "
        + "payment=(), picture-in-picture=(), publickey-credentials-get=(self), screen-wake-lock=(), "
        + "usb=(), xr-spatial-tracking=()"

    /// Adds them all to a page.
    package static func add<Services>(
        to response: inout Response, for context: RoutedRequest<Services>,
        framing: Framing = .alone
    ) {
        add(
            to: &response, for: context.request, isSecure: context.isSecure, framing: framing)
    }

    /// Adds them all to a page; `isSecure` says whether the browser reached the server over TLS.
    package static func add(
        to response: inout Response, for request: Request, isSecure: Bool,
        framing: Framing = .alone
    ) {
        addCommon(to: &response, for: request, isSecure: isSecure)
        response.headers.set("Content-Security-Policy", policy(framing))
        response.headers.set("Permissions-Policy", permissions)
        switch framing {
        case .alone, .framing: break
        case .framed: response.headers.set("X-Frame-Options", "SAMEORIGIN")
        case .embedded:
            // It cannot name several origins; frame-ancestors does, and stands in its place.
            response.headers.remove("X-Frame-Options")
            // A page that isolates itself embeds nothing that does not say this.
            response.headers.set("Cross-Origin-Resource-Policy", "cross-origin")
        }
    }

    /// Adds those that suit files, scripts and pictures.
    package static func addCommon<Services>(
        to response: inout Response, for context: RoutedRequest<Services>
    ) {
        addCommon(to: &response, for: context.request, isSecure: context.isSecure)
    }

    private static func addCommon(
        to response: inout Response, for request: Request, isSecure: Bool
    ) {
        response.headers.set("X-Frame-Options", "DENY")
        response.headers.set("Referrer-Policy", "no-referrer")
        // Over plain http from another machine browsers ignore it, and log an error each time.
        if isSecure || isLoopback(request) {
            response.headers.set("Cross-Origin-Opener-Policy", "same-origin")
        }
        response.headers.set("Cross-Origin-Embedder-Policy", "require-corp")
        response.headers.set("Cross-Origin-Resource-Policy", "same-origin")
        if isSecure {
            // Two years for this host alone: hosts below it are not this server's to bind.
            response.headers.set("Strict-Transport-Security", "max-age=63072000")
        }
    }

    /// Whether the browser reached this machine by a name that it trusts without TLS.
    private static func isLoopback(_ request: Request) -> Bool {
        PublicURL.host(ofAuthority: request.host).map(PublicURL.isLoopback) ?? false
    }
}

extension PageHeaders.Framing {
    /// The directives of the policy that say what is inside what.
    fileprivate var directives: String {
        switch self {
        case .alone: "frame-ancestors 'none'; "
        case .framed: "frame-ancestors 'self'; "
        case .framing: "frame-src 'self'; frame-ancestors 'none'; "
        case .embedded(let origins):
            "frame-ancestors \(origins.isEmpty ? "'none'" : origins.joined(separator: " ")); "
        }
    }
}
