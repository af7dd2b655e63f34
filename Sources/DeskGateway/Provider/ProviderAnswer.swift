import DeskBroker
import DeskHTTP
import DeskModel

/// Reads what a provider's endpoint answered, and says exactly what is wrong with it.
enum ProviderAnswer {
    /// The result of an attempt; only 2xx counts as accepted (protocol page 1.6).
    static func result(
        of outcome: WireSending.Outcome, from url: String, at now: Timestamp
    ) -> DeliveryResult {
        switch outcome {
        case .failure(let error):
            return .failed(
                status: nil, detail: "no answer from \(host(of: url)): \(error)", retryAfter: nil)
        case .success(let (answer, body)):
            let code = answer.status.code
            if (200...299).contains(code) { return .accepted(status: code, detail: "accepted") }
            return .failed(
                status: code, detail: detail(answer, body, at: url),
                retryAfter: RetryAfter.wait(answer.headers, at: now))
        }
    }

    private static func detail(
        _ answer: OutgoingAnswer, _ body: [UInt8], at url: String
    ) -> String {
        let hint = hint(answer, at: url)
        let said = String(decoding: body.prefix(200), as: UTF8.self).prefix { !$0.isNewline }
        return said.isEmpty ? hint : "\(hint); it said: \(said)"
    }

    private static func hint(_ answer: OutgoingAnswer, at url: String) -> String {
        let code = answer.status.code
        let path = path(of: url)
        let said = "answered \(code) at \(path)"
        switch code {
        case 300...399:
            let place = answer.headers["location"] ?? "nowhere"
            return
                "\(said) and points to \(place): register that address; redirects are not followed"
        case 404 where path.hasSuffix("/message/message"): return "\(said): is the path doubled?"
        case 404:
            return "\(said): /message is appended to the registered address; is there a route?"
        case 400, 415:
            return "\(said): bodies are gzip, as Content-Encoding says; are they unpacked?"
        case 401, 403:
            return "\(said): the token is HS256 with the base64-decoded secret, its aud the MSP id"
        case 405: return "\(said): messages are posted; does the route accept POST?"
        case 413: return "\(said): interactive messages have up to some hundred KiB"
        case 429: return "\(said): it wants fewer messages"
        default: return said
        }
    }

    static func host(of url: String) -> String {
        let rest = url.drop { $0 != "/" }.drop { $0 == "/" }
        return String(rest.prefix { $0 != "/" })
    }

    private static func path(of url: String) -> String {
        let rest = url.drop { $0 != "/" }.drop { $0 == "/" }
        return String(rest.drop { $0 != "/" }.prefix { $0 != "?" })
    }
}
