import DeskJSON
public import DeskModel

/// Which generation of sign-in a request is of (protocol page 3.7).
public enum SignInVersion: Int, Sendable, CaseIterable {
    /// `AUTH`: the token comes back encrypted in the message.
    case first = 1
    /// `AUTH2`: a code goes to the business's own page.
    case second = 2
}

/// Why a sign-in request cannot be carried out, although its shape is right.
public enum SignInProblem: String, Sendable, CaseIterable {
    /// Version 1 without a `responseEncryptionKey`.
    case keyMissing = "key_missing"
    /// The `responseEncryptionKey` is no point of P-384.
    case keyNotAPoint = "key_not_a_point"
    /// Version 2 without a `redirectURI`.
    case redirectMissing = "redirect_missing"
    /// The `redirectURI` is no https address (on loopback, in a test business, plain http will do), or
    /// has a fragment (RFC 6749, 3.1.2).
    case redirectNotUsable = "redirect_not_usable"
    /// Version 2 with another `responseType` than `code`.
    case responseTypeNotCode = "response_type_not_code"
    /// `responseType` is neither `code` nor `token`.
    case responseTypeUnknown = "response_type_unknown"
    /// No `scope`.
    case scopeMissing = "scope_missing"
    /// No `state`.
    case stateMissing = "state_missing"
}

/// A sign-in request as a device reads it (protocol page 3.7).
public struct SignInRequest: Hashable, Sendable {
    /// Its generation: the second when there is a `redirectURI` or `data.version` is "2.0".
    public let version: SignInVersion
    /// `code` or `token`.
    public let responseType: String
    /// What the business asks to see.
    public let scope: [String]
    /// What comes back with the code.
    public let state: String
    /// For whom a token is sealed, as sent.
    public let responseEncryptionKey: String?
    /// Where the code goes.
    public let redirectURI: String?

    /// Reads a message's payload; nil when it is no sign-in request.
    public init?(_ payload: [UInt8]) {
        guard let data = JSONValue.parsed(payload)?["interactiveData"]?["data"],
            let asked = data["authenticate"]?["oauth2"]
        else { return nil }
        redirectURI = asked["redirectURI"]?.string
        version = redirectURI != nil || data["version"]?.equals("2.0") == true ? .second : .first
        responseType = asked["responseType"]?.string ?? ""
        scope = asked["scope"]?.list.compactMap(\.string) ?? []
        state = asked["state"]?.string ?? ""
        responseEncryptionKey = asked["responseEncryptionKey"]?.string
    }

    /// Whether an address is plain http on this computer.
    private static func isHere(_ address: String) -> Bool {
        let bytes = Array(address.utf8)
        return bytes.starts(with: "http://".utf8) && HostOfAddress(bytes)?.isLoopback == true
    }

    /// What is wrong with it in a business of that mode.
    ///
    /// - Parameters:
    ///   - origin: this server's own, whose pages a test business may name without TLS.
    ///   - isPoint: says whether a text is the base64 of a point of P-384.
    public func problems(
        in mode: Mode, origin: String? = nil, isPoint: (String) -> Bool
    ) -> [SignInProblem] {
        var problems: [SignInProblem] = []
        switch version {
        case .first:
            if let responseEncryptionKey {
                if !isPoint(responseEncryptionKey) { problems.append(.keyNotAPoint) }
            } else {
                problems.append(.keyMissing)
            }
            if responseType != "code", responseType != "token" {
                problems.append(.responseTypeUnknown)
            }
        case .second:
            if let redirectURI {
                let isOurs = origin.map { redirectURI.utf8.starts(with: "\($0)/".utf8) } ?? false
                let isSafe =
                    redirectURI.utf8.starts(with: "https://".utf8)
                    || mode == .test && (isOurs || Self.isHere(redirectURI))
                if !isSafe || redirectURI.utf8.contains(UInt8(ascii: "#")) {
                    problems.append(.redirectNotUsable)
                }
            } else {
                problems.append(.redirectMissing)
            }
            if responseType != "code" { problems.append(.responseTypeNotCode) }
        }
        if scope.isEmpty { problems.append(.scopeMissing) }
        if state.isEmpty { problems.append(.stateMissing) }
        return problems
    }
}
