import DeskJSON
public import DeskModel

/// What a token says of itself (RFC 7519, section 4.1; protocol page 1.4).
///
/// A provider signs `iss` and `iat`, the gateway signs `aud` and `iat`; times are seconds since 1970.
public struct TokenClaims: Hashable, Sendable {
    /// How far the clocks of both ends may be apart where a token names its own end or beginning.
    public static let leeway = Duration.seconds(60)

    /// Who made it: `iss`.
    public var issuer: String?
    /// For whom it was made: `aud`, which is one string or a list on the wire.
    public var audiences: [String]
    /// When it was made: `iat`, rounded down.
    public var issuedAt: Int64?
    /// From when on it no longer holds: `exp`, rounded down.
    public var expires: Int64?
    /// Before when it does not hold yet: `nbf`, rounded down.
    public var notBefore: Int64?

    /// Puts claims together, none of which has to be there.
    public init(
        issuer: String? = nil, audiences: [String] = [], issuedAt: Int64? = nil,
        expires: Int64? = nil, notBefore: Int64? = nil
    ) {
        self.issuer = issuer
        self.audiences = audiences
        self.issuedAt = issuedAt
        self.expires = expires
        self.notBefore = notBefore
    }

    /// Judges whether the token is meant for this end, now.
    ///
    /// `issuer` and `audience` are asked for when they are given. `iat` has to be there and within
    /// `freshness` of now to either side; `exp` and `nbf` hold with a leeway of 60 s.
    /// - Throws: the first thing that is wrong.
    public func check(
        issuer: String? = nil, audience: String? = nil, now: Timestamp, freshness: Duration
    ) throws(TokenFault) {
        if let issuer {
            guard let found = self.issuer else { throw .issuerMissing }
            guard found.utf8.elementsEqual(issuer.utf8) else { throw .issuerOther(found) }
        }
        if let audience {
            guard !audiences.isEmpty else { throw .audienceMissing }
            guard audiences.contains(where: { $0.utf8.elementsEqual(audience.utf8) }) else {
                throw .audienceOther(audiences)
            }
        }
        guard let issuedAt else { throw .issuedAtMissing }
        let age = now.since(Timestamp(seconds: issuedAt))
        guard age <= freshness else { throw .issuedTooLongAgo(age) }
        guard age >= .zero - freshness else { throw .issuedInTheFuture(.zero - age) }
        if let expires {
            let past = now.since(Timestamp(seconds: expires))
            guard past < TokenClaims.leeway else { throw .expired(past) }
        }
        if let notBefore {
            let early = Timestamp(seconds: notBefore).since(now)
            guard early <= TokenClaims.leeway else { throw .notYetValid(early) }
        }
    }

    /// The claims as they are signed: those that are there, in the order of RFC 7519.
    var json: JSON {
        var json: JSON = .object([])
        if let issuer { json.add("iss", .string(issuer)) }
        switch audiences.count {
        case 0: break
        case 1: json.add("aud", .string(audiences[0]))
        default: json.add("aud", .array(audiences.map { .string($0) }))
        }
        if let expires { json.add("exp", .integer(Int(expires))) }
        if let notBefore { json.add("nbf", .integer(Int(notBefore))) }
        if let issuedAt { json.add("iat", .integer(Int(issuedAt))) }
        return json
    }

    init(reading root: JSONValue) throws(TokenFault) {
        issuer = try TokenClaims.text("iss", of: root)
        audiences = try TokenClaims.audiences(of: root)
        issuedAt = try TokenClaims.seconds("iat", of: root)
        expires = try TokenClaims.seconds("exp", of: root)
        notBefore = try TokenClaims.seconds("nbf", of: root)
    }

    private static func text(_ name: String, of root: JSONValue) throws(TokenFault) -> String? {
        guard let value = root[name] else { return nil }
        guard let text = value.string else { throw .claim(name, found: value.kind.rawValue) }
        return text
    }

    private static func audiences(of root: JSONValue) throws(TokenFault) -> [String] {
        guard let value = root["aud"] else { return [] }
        if let text = value.string { return [text] }
        guard value.kind == .array else { throw .claim("aud", found: value.kind.rawValue) }
        var all: [String] = []
        for element in value.elements {
            guard let text = element.string else {
                throw .claim("aud", found: "array with \(element.kind.rawValue)")
            }
            all.append(text)
        }
        return all
    }

    private static func seconds(_ name: String, of root: JSONValue) throws(TokenFault) -> Int64? {
        guard let value = root[name] else { return nil }
        guard let number = value.double else { throw .claim(name, found: value.kind.rawValue) }
        // RFC 7519 section 2 allows fractions; a year beyond 30,000 is milliseconds, or nonsense.
        guard number.magnitude < 1e12 else {
            throw .claim(name, found: "number too large for seconds")
        }
        return Int64(number.rounded(.down))
    }
}
