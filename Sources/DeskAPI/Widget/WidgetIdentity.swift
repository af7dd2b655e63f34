import DeskBytes
import DeskCrypto
import DeskJSON
import DeskModel

/// Who a customer of a shop is, as the shop's server vouches for it, and how that is verified.
///
/// Nothing here knows the clock or the store: the caller says the time and brings the secrets.
struct WidgetIdentity: Equatable {
    /// Longest token in bytes.
    static let maximumBytes = 4_096
    /// How long ago it may have been made.
    static let mostAge = Duration.seconds(300)
    /// How far the clock of the shop's server may be ahead.
    static let leeway = Duration.seconds(60)
    /// Longest address of e-mail in bytes.
    static let emailBytes = 254
    /// Most attributes; of more none is read.
    static let mostAttributes = 30

    /// The customer's name in the shop: `sub`.
    let subject: String
    /// The secret that verified it.
    let secret: UniqueID
    var name: String?
    var email: String?
    /// Values by their keys, which the business may have defined or not.
    var attributes: [String: AttributeValue] = [:]

    /// Why an identity is refused; the words are for the author of the page, and hold nothing of the identity.
    enum Fault: String, Error, CaseIterable {
        case tooLong = "it has more than 4096 bytes"
        case parts = "it has not three parts with a dot between them"
        case encoding = "a part of it is not base64url without padding"
        case header = "its header is not a JSON object"
        case algorithm = "its algorithm is not HS256"
        case critical = "its header has crit, of which nothing is known here"
        case signature = "no secret of the widget made its signature"
        case claims = "its claims are not a JSON object"
        case subject = "sub is missing, or not a text of 1 to 200 bytes"
        case time = "iat is missing, or not a number of seconds"
        case tooOld = "it was made more than five minutes ago"
        case early = "it was made in the future: set the clock of your server"
        case expired = "it has expired: exp has passed"
        case notYet = "it does not hold yet: nbf has not come"
        case audience = "aud names another business"
        case hash = "the hash is not 64 hexadecimal digits in lower case"
    }

    /// Verifies a JWT (RFC 7519) with HS256 and no other algorithm.
    ///
    /// - Throws: the first fault in the order length, parts, header, signature, claims, times.
    static func verify(
        token: String, of business: BusinessID, secrets: [WidgetSecret], at now: Timestamp
    ) throws(Fault) -> WidgetIdentity {
        let bytes = Array(token.utf8)
        guard bytes.count <= maximumBytes else { throw .tooLong }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .parts }
        let header = try object(parts[0], or: .header)
        guard header["alg"]?.equals("HS256") == true else { throw .algorithm }
        guard header["crit"] == nil else { throw .critical }
        guard let code = decode(parts[2]) else { throw .encoding }
        let signed = Array(bytes[..<parts[1].endIndex])
        let secret = try find(code, for: signed, among: secrets)
        let claims = try object(parts[1], or: .claims)
        guard let subject = claims["sub"]?.string, isSubject(subject) else { throw .subject }
        guard let made = seconds(claims["iat"]) else { throw .time }
        try check(made: made, at: now)
        if let end = claims["exp"] {
            guard let end = seconds(end), end > now else { throw .expired }
        }
        if let start = claims["nbf"] {
            guard let start = seconds(start), start <= now.advanced(by: leeway) else {
                throw .notYet
            }
        }
        if let audience = claims["aud"], !isMeant(business, by: audience) { throw .audience }
        var identity = WidgetIdentity(subject: subject, secret: secret)
        identity.read(claims)
        return identity
    }

    /// Verifies the short form: the HMAC-SHA-256 of time, dot and subject, in hexadecimal digits.
    ///
    /// The time comes first, for its digits end at the first dot whatever the subject has.
    static func verify(
        subject: String, time: Int, hash: String, secrets: [WidgetSecret], at now: Timestamp
    ) throws(Fault) -> WidgetIdentity {
        guard isSubject(subject) else { throw .subject }
        guard hash.utf8.count == 64, !hash.utf8.contains(where: { (0x41...0x5A).contains($0) }),
            let code = Hex.decode(hash)
        else { throw .hash }
        let secret = try find(code, for: Array("\(time).\(subject)".utf8), among: secrets)
        guard let made = moment(Double(time)) else { throw .time }
        try check(made: made, at: now)
        return WidgetIdentity(subject: subject, secret: secret)
    }

    // MARK: Parts

    private static func find(
        _ code: [UInt8], for signed: [UInt8], among secrets: [WidgetSecret]
    ) throws(Fault) -> UniqueID {
        var found: UniqueID?
        // All are tried, so that the time says nothing of which one it was.
        for secret in secrets where HMACSHA256.verifies(code, for: signed, key: secret.bytes) {
            found = found ?? secret.id
        }
        guard let found else { throw .signature }
        return found
    }

    private static func check(made: Timestamp, at now: Timestamp) throws(Fault) {
        guard made <= now.advanced(by: leeway) else { throw .early }
        guard made.advanced(by: mostAge) >= now else { throw .tooOld }
    }

    private static func decode(_ part: ArraySlice<UInt8>) -> [UInt8]? {
        Base64.decode(Array(part), alphabet: .url, padding: .forbidden)
    }

    private static func object(
        _ part: ArraySlice<UInt8>, or fault: Fault
    ) throws(Fault) -> JSONValue {
        guard let bytes = decode(part) else { throw .encoding }
        let limits = JSONLimits(depth: 8, nodes: 512, keysPerObject: 64)
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: bytes, limits: limits).root
        } catch {
            throw fault
        }
        guard root.kind == .object else { throw fault }
        return root
    }

    private static func isSubject(_ text: String) -> Bool {
        (1...Contact.maximumExternalIDBytes).contains(text.utf8.count) && !text.utf8.contains(0)
            && !text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }

    private static func seconds(_ value: JSONValue?) -> Timestamp? {
        value?.double.flatMap { moment($0) }
    }

    private static func moment(_ seconds: Double) -> Timestamp? {
        // Up to the year 9999; all that is beyond is no time.
        guard seconds.isFinite, (0...253_402_300_799).contains(seconds) else { return nil }
        return Timestamp(milliseconds: Int64(seconds) * 1_000)
    }

    private static func isMeant(_ business: BusinessID, by audience: JSONValue) -> Bool {
        if audience.kind == .array {
            return audience.elements.contains { $0.equals(business.text) }
        }
        return audience.equals(business.text)
    }

    /// Reads what else is said of the customer; what has no form that is known is left out.
    private mutating func read(_ claims: JSONValue) {
        name = Self.text(claims["name"], bytes: Contact.maximumNameBytes)
        email = Self.text(claims["email"], bytes: Self.emailBytes)
        guard let stated = claims["attributes"], stated.kind == .object,
            stated.count <= Self.mostAttributes
        else { return }
        for member in stated.members where AttributeDefinition.isKey(member.key) {
            if let text = Self.text(member.value, bytes: AttributeValue.maximumBytes) {
                attributes[member.key] = .text(text)
            } else if let number = member.value.double {
                attributes[member.key] = .number(number)
            }
        }
    }

    private static func text(_ value: JSONValue?, bytes: Int) -> String? {
        guard let text = value?.string, (1...bytes).contains(text.utf8.count),
            !text.utf8.contains(0),
            !text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        else { return nil }
        return text
    }
}

extension CustomerID {
    /// The customer whom a business's server calls by a name: the same on every device.
    ///
    /// It follows from the two names alone, so that it is found again after an import, and with whatever
    /// secret vouches for it.
    init(ofSubject subject: String, in business: BusinessID) {
        let text = "widget identity\n\(business.text)\n\(subject)"
        // As many bytes as other customers' names have, so that the text needs no padding.
        let digest = Base64.encode([1] + SHA256.digest(Array(text.utf8)))
        guard let id = CustomerID(Self.prefix + digest) else {
            preconditionFailure("a customer's name of our own making cannot be read")
        }
        self = id
    }
}
