import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

/// The cookie of a phone's session, one for each business; in the frame of a widget another one.
enum PhoneCookie {
    /// Its name; over TLS the prefix makes browsers accept it over TLS alone.
    ///
    /// The path separates the businesses, so the prefix `__Host-` cannot be used.
    static func name(isSecure: Bool) -> String { isSecure ? "__Secure-fdc" : plainName }

    /// Its name without TLS, and the name of cookies over TLS from before there was a prefix.
    private static let plainName = "fdc"

    /// When cookies over TLS began to have a prefix here, in milliseconds as text.
    static let prefixedSetting = "customer_cookies_prefixed"

    /// The token of a request, and whether it came under the old name.
    ///
    /// A host on the network path could have set a cookie without the prefix, so the old name is
    /// accepted for older sessions only, and only until their phone has the new cookie.
    static func find(
        in request: Request, _ services: Services
    ) async throws(StoreError) -> (token: Token, isOld: Bool)? {
        let isSecure = services.isSecure(request)
        if WidgetCookie.isOwn(request) {
            return request.cookies[WidgetCookie.name(isSecure: isSecure)].flatMap { Token($0) }
                .map { ($0, false) }
        }
        if let text = request.cookies[name(isSecure: isSecure)] {
            return Token(text).map { ($0, false) }
        }
        guard isSecure, let token = request.cookies[plainName].flatMap({ Token($0) }),
            let since = try await services.store.findSetting(prefixedSetting).flatMap({
                Int64(String(decoding: $0, as: UTF8.self))
            }), let session = try await services.store.findSession(token.digest),
            session.createdAt.milliseconds < since
        else { return nil }
        return (token, true)
    }

    /// The token of a request under the name of today.
    static func shown(in request: Request, _ services: Services) -> Token? {
        let isSecure = services.isSecure(request)
        let name =
            WidgetCookie.isOwn(request)
            ? WidgetCookie.name(isSecure: isSecure) : name(isSecure: isSecure)
        return request.cookies[name].flatMap { Token($0) }
    }

    /// Gives a token to the phone with an answer, and clears one of the old name.
    static func hand(
        _ token: Token, to business: BusinessID, by response: inout Response,
        for request: Request, _ services: Services
    ) {
        let isSecure = services.isSecure(request)
        let life = services.limits.customerSessionDays * 86_400
        if WidgetCookie.isOwn(request) {
            return WidgetCookie.add(
                WidgetCookie.name(isSecure: isSecure), token.text, lasting: life, of: business,
                to: &response)
        }
        func add(_ name: String, _ value: String, lasting seconds: Int) {
            var cookie = SetCookie(
                name: name, value: value, maxAgeSeconds: seconds, isSecure: isSecure,
                sameSite: .lax)
            cookie.path = "/api/phone/\(business.text)"
            response.headers.append("Set-Cookie", cookie.text)
        }
        add(name(isSecure: isSecure), token.text, lasting: life)
        if isSecure, request.cookies[plainName] != nil { add(plainName, "", lasting: 0) }
    }
}
