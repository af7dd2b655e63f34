package import DeskHTTP

/// The cookie that carries an agent's session.
package enum AgentCookie {
    /// Its name; the prefix makes browsers insist on TLS, the whole host and the whole path.
    package static func name(isSecure: Bool) -> String { isSecure ? "__Host-fd" : "fd" }

    /// Sends the token to the browser, which keeps it until the browser or the session ends.
    package static func set(_ token: Token, isSecure: Bool) -> SetCookie {
        SetCookie(
            name: name(isSecure: isSecure), value: token.text, isSecure: isSecure,
            sameSite: .strict)
    }

    package static func clear(isSecure: Bool) -> SetCookie {
        SetCookie(
            name: name(isSecure: isSecure), value: "", maxAgeSeconds: 0, isSecure: isSecure,
            sameSite: .strict)
    }
}
