import DeskBytes
import DeskJSON

/// An ID token (OpenID Connect Core 1.0, section 2) cut into its parts, of which nothing is believed yet.
///
/// `SigningKeys.verify` judges its signature, and `IDTokenRules.check` its claims.
struct IDToken: Sendable {
    /// Longest token that is read, in bytes.
    static let maximumBytes = 16_384

    /// How it may be signed: with a key that the provider publishes, and never with a shared secret.
    enum Algorithm: String, Sendable, CaseIterable {
        case rs256 = "RS256"
        case es256 = "ES256"
        case edDSA = "EdDSA"
    }

    /// How it says that it is signed.
    let algorithm: Algorithm
    /// Which of the provider's keys it names: `kid`.
    let keyID: String?
    /// Header, dot and claims as they came.
    let signed: [UInt8]
    /// The signature's bytes.
    let signature: [UInt8]
    /// What it says.
    let claims: IDClaims

    /// Reads a token.
    ///
    /// Limit: ``maximumBytes``, 1,024 values.
    /// - Throws: the first thing that is wrong, in the order length, parts, header, signature, claims.
    init(_ text: String) throws(IDTokenFault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumBytes else { throw .tooLong }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .parts }
        let header = try Self.object(parts[0])
        guard let name = header["alg"]?.string,
            let algorithm = Algorithm.allCases.first(where: {
                $0.rawValue.utf8.elementsEqual(name.utf8)
            })
        else { throw .algorithm }
        guard header["crit"] == nil else { throw .critical }
        guard let signature = Base64.decode(Array(parts[2]), alphabet: .url) else {
            throw .encoding
        }
        self.algorithm = algorithm
        keyID = header["kid"]?.string
        signed = Array(bytes[..<parts[1].endIndex])
        self.signature = signature
        claims = try IDClaims(Self.object(parts[1]))
    }

    private static func object(_ part: ArraySlice<UInt8>) throws(IDTokenFault) -> JSONValue {
        guard let bytes = Base64.decode(Array(part), alphabet: .url) else { throw .encoding }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: bytes, limits: parsing).root
        } catch {
            throw .notJSON
        }
        guard root.kind == .object else { throw .notJSON }
        return root
    }

    private static let parsing = JSONLimits(depth: 16, nodes: 1_024, keysPerObject: 256)
}

/// What an ID token says of the person who signed in.
struct IDClaims: Hashable, Sendable {
    /// Who made it: `iss`.
    var issuer: String?
    /// Who the person is there: `sub`.
    var subject: String?
    /// For whom it was made: `aud`.
    var audiences: [String] = []
    /// To whom it was given: `azp`.
    var authorizedClient: String?
    /// Until when it holds: `exp`, in seconds since 1970, rounded down.
    var expires: Int64?
    /// When it was made: `iat`.
    var issuedAt: Int64?
    /// From when on it holds: `nbf`.
    var notBefore: Int64?
    /// Which sign-in it was made for.
    var nonce: String?
    /// The person's address.
    var email: String?
    /// Whether the provider says that the address is the person's.
    var isEmailVerified = false
    /// What the person is called.
    var name: String?

    /// Puts claims together, none of which has to be there.
    init() {}

    init(_ root: JSONValue) throws(IDTokenFault) {
        issuer = try Self.text("iss", of: root)
        subject = try Self.text("sub", of: root)
        audiences = try Self.audiences(of: root)
        authorizedClient = try Self.text("azp", of: root)
        expires = try Self.seconds("exp", of: root)
        issuedAt = try Self.seconds("iat", of: root)
        notBefore = try Self.seconds("nbf", of: root)
        nonce = try Self.text("nonce", of: root)
        email = try Self.text("email", of: root)
        isEmailVerified = try Self.isVerified(root)
        // A name of another type keeps no person out.
        name = root["name"]?.string
    }

    private static func text(_ name: String, of root: JSONValue) throws(IDTokenFault) -> String? {
        guard let value = root[name], !value.isNull else { return nil }
        guard let text = value.string else { throw .claimType }
        return text
    }

    private static func audiences(of root: JSONValue) throws(IDTokenFault) -> [String] {
        guard let value = root["aud"] else { return [] }
        if let text = value.string { return [text] }
        guard value.kind == .array else { throw .claimType }
        var all: [String] = []
        for element in value.elements {
            guard let text = element.string else { throw .claimType }
            all.append(text)
        }
        return all
    }

    private static func seconds(
        _ name: String, of root: JSONValue
    ) throws(IDTokenFault) -> Int64? {
        guard let value = root[name] else { return nil }
        // A year beyond 30,000 is milliseconds, or nonsense.
        guard let number = value.double, number.magnitude < 1e12 else { throw .claimType }
        return Int64(number.rounded(.down))
    }

    /// `email_verified`; where it is missing `xms_edov`, by which Microsoft Entra says the same.
    private static func isVerified(_ root: JSONValue) throws(IDTokenFault) -> Bool {
        if let value = root["email_verified"], !value.isNull {
            guard let claim = value.bool else { throw .claimType }
            return claim
        }
        guard let value = root["xms_edov"] else { return false }
        return value.bool ?? (value.int == 1 || value.equals("1") || value.equals("true"))
    }
}
