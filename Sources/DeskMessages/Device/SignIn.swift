import DeskJSON
import DeskModel

/// How a customer left the page of the OAuth provider.
public enum SignInOutcome: String, Sendable, CaseIterable {
    /// Signed in, and agreed.
    case granted
    /// Did not agree.
    case refused
    /// Something went wrong on the way.
    case failed
    /// Closed the page.
    case canceled
}

/// What a device says went wrong with a sign-in: `data.authenticate.errors` (protocol page 2.4).
public struct SignInFault: Hashable, Sendable {
    /// Number within the domain.
    public let code: Int
    /// Where it comes from.
    public let domain: String
    /// In words.
    public let message: String

    /// No token came: the customer did not agree.
    ///
    /// As captured from devices.
    public static let noToken = SignInFault(
        code: 0, domain: "com.apple.icloud.messages.business.authentication.error",
        message: "Missing access token from response")
    /// The device could not sign in.
    ///
    /// As captured from devices.
    public static let noCredentials = SignInFault(
        code: 0, domain: "com.apple.icloud.messages.business.internalAuthentication",
        message: "Unable to access credentials")
    /// The `responseEncryptionKey` is no key.
    ///
    /// As captured from devices.
    public static let noKey = SignInFault(
        code: 2, domain: "com.apple.icloud.messages.business.cryptor",
        message: "Failed creating key")
    /// The customer closed the page.
    ///
    /// Ours: no capture of it is public.
    public static let canceled = SignInFault(
        code: 1, domain: "com.apple.AuthenticationServices.WebAuthenticationSession",
        message: "The customer closed the sign-in page")
}

/// A sign-in as the customer ends it, and what the device makes of it.
public struct SignIn: Hashable, Sendable {
    /// Longest name of a person in bytes; one more is refused with 422.
    public static let maximumNameBytes = 100

    /// How the page was left.
    public var outcome: SignInOutcome
    /// Who signs in; may be empty.
    public var name: String
    /// The access token, sealed for the business, when version 1 is granted: the device's part.
    public var sealedToken: String?
    /// What went wrong, nil for what the outcome means: the device's part.
    public var fault: SignInFault?

    /// Describes how the page was left.
    public init(_ outcome: SignInOutcome, name: String = "") {
        self.outcome = outcome
        self.name = name
    }

    /// Reads `{"outcome", "name"?}`.
    init(_ node: JSONValue) throws(ReplyError) {
        guard let outcome = node["outcome"]?.string.flatMap({ SignInOutcome(rawValue: $0) }) else {
            let words = SignInOutcome.allCases.map(\.rawValue).joined(separator: ", ")
            throw ReplyError(.badChoice, "signIn.outcome is one of \(words)")
        }
        let name = node["name"].map { $0.string ?? "\u{0}" } ?? ""
        guard name.utf8.count <= Self.maximumNameBytes, !name.utf8.contains(where: { $0 < 0x20 })
        else {
            throw ReplyError(
                .badChoice, "signIn.name is one line of at most \(Self.maximumNameBytes) bytes")
        }
        self.init(outcome, name: name)
    }

    /// What the reply says went wrong; nil when nothing did.
    var statedFault: SignInFault? {
        if let fault { return fault }
        switch outcome {
        case .granted: return nil
        case .refused: return .noToken
        case .failed: return .noCredentials
        case .canceled: return .canceled
        }
    }
}

extension Request {
    /// The answer to a sign-in request: `authenticated`, in version 1 with the sealed token, or
    /// `failed` with what went wrong (protocol page 2.4).
    func answerSignIn(_ signIn: SignIn) throws(ReplyError) -> Reply {
        _ = try require("authenticate")
        let fault = signIn.statedFault
        // Protocol page 13.17.
        let title = fault == nil ? askedTitle : language.authenticationFailed
        let bubble = ReplyBubble(title: title, spoken: title, style: "icon")
        return reply(.authentication, bubble: bubble, feature: "authenticate") { text in
            text.object { text in
                text.member("status", fault == nil ? "authenticated" : "failed")
                guard let fault else {
                    if let token = signIn.sealedToken { text.member("token", token) }
                    return
                }
                text.key("errors")
                text.array { text in
                    text.object { text in
                        text.key("code")
                        text.integer(fault.code)
                        text.member("domain", fault.domain)
                        text.member("message", fault.message)
                    }
                }
            }
        }
    }
}

/// A sign-in with the device's part done.
public struct SignedIn: Hashable, Sendable {
    /// What the reply is made of.
    public var signIn: SignIn
    /// Where the browser goes next: the business's page of version 2, with code and state or the
    /// error; nil where only the reply says it.
    public var redirect: String?

    /// Puts the two together.
    public init(_ signIn: SignIn, redirect: String? = nil) {
        self.signIn = signIn
        self.redirect = redirect
    }
}
