/// What exactly is wrong with a token.
public enum TokenFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The parts of a token.
    public enum Part: String, Sendable {
        /// The first: how it is signed.
        case header
        /// The second: the claims.
        case claims
        /// The third.
        case signature
    }

    /// More bytes than are read.
    case tooLong(bytes: Int)
    /// Another number of parts than three.
    case parts(Int)
    /// A part that is not base64url without padding.
    case encoding(Part)
    /// A part that is no JSON object.
    case notJSON(Part)
    /// Another algorithm than HS256, or none named.
    case algorithm(String?)
    /// A header that demands extensions be understood.
    case critical
    /// Not signed with this secret.
    case signature
    /// Signed with the secret's base64 text as key.
    case signedWithSecretText
    /// A claim whose value is of the wrong kind.
    case claim(String, found: String)
    /// No `iss`.
    case issuerMissing
    /// An `iss` that is not the one expected.
    case issuerOther(String)
    /// No `aud`.
    case audienceMissing
    /// An `aud` without the one expected.
    case audienceOther([String])
    /// No `iat`.
    case issuedAtMissing
    /// An `iat` further back than the window.
    case issuedTooLongAgo(Duration)
    /// An `iat` further ahead than the window.
    case issuedInTheFuture(Duration)
    /// Past its `exp`.
    case expired(Duration)
    /// Before its `nbf`.
    case notYetValid(Duration)

    /// The word a program can test, fit for a log.
    public var code: String {
        switch self {
        case .tooLong: "token_too_long"
        case .parts: "token_parts"
        case .encoding(let part): "token_encoding_\(part.rawValue)"
        case .notJSON(let part): "token_json_\(part.rawValue)"
        case .algorithm: "token_algorithm"
        case .critical: "token_critical"
        case .signature: "token_signature"
        case .signedWithSecretText: "token_secret_text"
        case .claim(let name, _): "token_claim_\(name)"
        case .issuerMissing: "token_issuer_missing"
        case .issuerOther: "token_issuer"
        case .audienceMissing: "token_audience_missing"
        case .audienceOther: "token_audience"
        case .issuedAtMissing: "token_issued_at_missing"
        case .issuedTooLongAgo: "token_too_old"
        case .issuedInTheFuture: "token_from_the_future"
        case .expired: "token_expired"
        case .notYetValid: "token_not_yet_valid"
        }
    }

    /// What was found, what is allowed and how to fix it, in plain words for the token's maker.
    ///
    /// May quote names the token carries, shortened; never the token or the secret.
    public var sentence: String {
        switch self {
        case .tooLong(let bytes):
            "the token has \(bytes) bytes; at most \(JSONWebToken.maximumBytes) are read"
        case .parts(let count):
            "the token has \(count) part\(count == 1 ? "" : "s") between dots; "
                + "a signed token has three"
        case .encoding(let part):
            "the token's \(part.rawValue) is not base64url without padding (RFC 7515, section 2)"
        case .notJSON(let part): "the token's \(part.rawValue) is not a JSON object"
        case .algorithm(let found):
            (found.map { "the token's algorithm is \(quoted($0))" }
                ?? "the token's header names no algorithm") + "; only \"HS256\" is accepted"
        case .critical: "the token's header has \"crit\"; no extension is understood"
        case .signature:
            "the signature is wrong: the token was signed with another secret, or changed"
        case .signedWithSecretText:
            "signed with the secret's text instead of its base64-decoded bytes"
        case .claim(let name, let found): "\"\(name)\" is a \(found), not \(wanted(name))"
        case .issuerMissing: "\"iss\" is missing; it has to be the MSP id"
        case .issuerOther(let found): "\"iss\" is \(quoted(found)), which is not the MSP id"
        case .audienceMissing: "\"aud\" is missing; it has to be the MSP id"
        case .audienceOther(let found):
            "\"aud\" is \(quoted(found.joined(separator: ", "))), which is not the MSP id"
        case .issuedAtMissing:
            "\"iat\" is missing; it has to be the time of signing in seconds since 1970"
        case .issuedTooLongAgo(let age):
            "\"iat\" is \(age.components.seconds) s ago, which is too old; sign each request anew"
        case .issuedInTheFuture(let ahead):
            "\"iat\" is \(ahead.components.seconds) s in the future; it is in seconds, and clocks "
                + "have to agree"
        case .expired(let past): "the token expired \(past.components.seconds) s ago (\"exp\")"
        case .notYetValid(let early):
            "the token holds in \(early.components.seconds) s only (\"nbf\")"
        }
    }

    /// The code alone, fit for a log.
    public var description: String { "TokenFault(\(code))" }

    private func wanted(_ name: String) -> String {
        switch name {
        case "iss": "a string"
        case "aud": "a string or an array of strings"
        default: "a number of seconds since 1970"
        }
    }

    /// At most 64 scalars of an untrusted text, without control characters.
    private func quoted(_ text: String) -> String {
        var short = ""
        for scalar in text.unicodeScalars.prefix(64) {
            let isControl = scalar.properties.generalCategory == .control
            short.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
        }
        return "\"\(short)\(text.unicodeScalars.count > 64 ? "…" : "")\""
    }
}
