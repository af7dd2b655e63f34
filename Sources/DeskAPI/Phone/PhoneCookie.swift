import DeskHTTP
import DeskModel

/// The cookie that a phone is known by, one for each business.
enum PhoneCookie {
    /// Its name; the path, not a prefix, keeps businesses apart.
    static let name = "fdc"

    /// Hands a token to the phone with an answer.
    static func hand(
        _ token: Token, to business: BusinessID, by response: inout Response, for call: Call
    ) {
        let cookie = set(
            token, for: business, isSecure: call.services.isSecure(call.request),
            limits: call.services.limits)
        response.headers.append("Set-Cookie", cookie.text)
    }

    /// The cookie's line.
    private static func set(
        _ token: Token, for business: BusinessID, isSecure: Bool, limits: APILimits
    ) -> SetCookie {
        var cookie = SetCookie(
            name: name, value: token.text, maxAgeSeconds: limits.customerSessionDays * 86_400,
            isSecure: isSecure, sameSite: .lax)
        cookie.path = "/api/phone/\(business.text)"
        return cookie
    }
}
