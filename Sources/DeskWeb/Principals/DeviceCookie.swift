package import DeskHTTP
import DeskModel

/// The cookie by which a browser is known that an agent signed in with before.
///
/// It signs in no person: with it a person's own failures are counted apart from those of others.
package enum DeviceCookie {
    /// Its name; the prefix makes browsers insist on TLS, the whole host and the whole path.
    package static func name(isSecure: Bool) -> String {
        isSecure ? "__Host-fd_device" : "fd_device"
    }

    /// Sends the token to the browser for as long as an unused device is remembered.
    package static func set(_ token: Token, isSecure: Bool, limits: WebLimits) -> SetCookie {
        SetCookie(
            name: name(isSecure: isSecure), value: token.text,
            maxAgeSeconds: limits.deviceDays * 86_400, isSecure: isSecure, sameSite: .strict)
    }
}
