import DeskAPI
import DeskHTTP
import DeskWeb

/// The cookie that remembers that the sandbox's link was opened.
enum SandboxCookie {
    static func name(isSecure: Bool) -> String { isSecure ? "__Host-fd_sandbox" : "fd_sandbox" }

    /// Hands the token to the browser.
    static func set(_ token: Token, isSecure: Bool) -> SetCookie {
        SetCookie(
            name: name(isSecure: isSecure), value: token.text,
            maxAgeSeconds: Sandbox.sessionHours * 3_600, isSecure: isSecure, sameSite: .strict)
    }
}
