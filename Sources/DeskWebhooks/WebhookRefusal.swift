/// Why a webhook is not accepted; safe to log.
public enum WebhookRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// A header field is not there or empty.
    case missing(field: String)
    /// `webhook-id` is no id: empty, longer than 256 bytes, or with a full stop, a space or a control byte.
    case invalidID
    /// `webhook-timestamp` is not seconds since 1970 in decimal digits.
    case invalidTimestamp
    /// It was signed too long ago: replayed, or the clocks differ.
    case tooOld(bySeconds: Int64)
    /// It was signed in the future: the clocks differ.
    case tooNew(bySeconds: Int64)
    /// There are more signatures than are looked at.
    case tooManySignatures
    /// No signature belongs to this content and one of the keys.
    case noMatch

    /// The reason as one word, as the verifiers of docs/webhooks/ name it.
    public var code: String {
        switch self {
        case .missing: "missing"
        case .invalidID: "invalid-id"
        case .invalidTimestamp: "invalid-timestamp"
        case .tooOld: "too-old"
        case .tooNew: "too-new"
        case .tooManySignatures: "too-many-signatures"
        case .noMatch: "no-match"
        }
    }

    /// What was found and what to look at.
    public var description: String {
        switch self {
        case .missing(let field): "the header field \(field) is missing"
        case .invalidID: "webhook-id is not 1 to 256 visible ASCII characters without a full stop"
        case .invalidTimestamp: "webhook-timestamp is not a number of seconds since 1970"
        case .tooOld(let seconds):
            "webhook-timestamp is \(seconds) s in the past, at most "
                + "\(WebhookVerifier.toleranceSeconds) are allowed; was it replayed, or is a clock wrong?"
        case .tooNew(let seconds):
            "webhook-timestamp is \(seconds) s in the future, at most "
                + "\(WebhookVerifier.toleranceSeconds) are allowed; is a clock wrong?"
        case .tooManySignatures:
            "webhook-signature has more than \(WebhookVerifier.maximumSignatures) signatures"
        case .noMatch:
            "no signature matches; is the secret this endpoint's, and is the body verified as it was "
                + "received, before it is parsed?"
        }
    }
}
