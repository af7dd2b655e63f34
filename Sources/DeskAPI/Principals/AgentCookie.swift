import DeskHTTP

/// The cookie that carries an agent's session.
enum AgentCookie {
    /// Its name; the prefix makes browsers insist on TLS, the whole host and the whole path.
    static func name(isSecure: Bool) -> String { isSecure ? "__Host-fd" : "fd" }

    /// Sends the token to the browser, which keeps it until the browser or the session ends.
    static func set(_ token: Token, isSecure: Bool) -> SetCookie {
        SetCookie(
            name: name(isSecure: isSecure), value: token.text, isSecure: isSecure,
            sameSite: .strict)
    }

    static func clear(isSecure: Bool) -> SetCookie {
        SetCookie(
            name: name(isSecure: isSecure), value: "", maxAgeSeconds: 0, isSecure: isSecure,
            sameSite: .strict)
    }
}
