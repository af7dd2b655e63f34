import DeskBytes
import DeskCrypto
import DeskJSON

/// Signs and verifies the tokens of the protocol: JWT by HS256 alone (RFC 7515, RFC 7519; page 1.4).
///
/// The key is the base64-decoded secret of a link. Nothing here knows the time or who is meant:
/// `TokenClaims.check` judges that of what `verify` returns.
public enum JSONWebToken {
    /// Longest token that is read, in bytes.
    public static let maximumBytes = 4_096

    private static let header = Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8)
    fileprivate static let parsing = JSONLimits(
        depth: 8, nodes: 256, keysPerObject: 64)

    /// Signs claims; the text is what follows `Bearer `.
    public static func sign(_ claims: TokenClaims, key: [UInt8]) -> String {
        var text = Base64.encodeBytes(header, alphabet: .url)
        text.append(0x2E)
        text.append(contentsOf: Base64.encodeBytes(claims.json.bytes(), alphabet: .url))
        let code = HMACSHA256.code(for: text, key: key)
        text.append(0x2E)
        text.append(contentsOf: Base64.encodeBytes(code, alphabet: .url))
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses a token and verifies its signature, compared in constant time.
    ///
    /// Limit: 4,096 bytes. An empty key verifies nothing.
    /// - Throws: the first thing that is wrong, in the order length, parts, header, signature, claims.
    public static func verify(_ text: String, key: [UInt8]) throws(TokenFault) -> TokenClaims {
        let parts = try Parts(text)
        let header = try parts.object(parts.header, .header)
        let algorithm = header["alg"]?.string
        guard let algorithm, algorithm.utf8.elementsEqual("HS256".utf8) else {
            throw .algorithm(algorithm)
        }
        guard header["crit"] == nil else { throw .critical }
        guard let code = Base64.decode(parts.signature, alphabet: .url) else {
            throw .encoding(.signature)
        }
        guard !key.isEmpty, HMACSHA256.verifies(code, for: parts.signed, key: key) else {
            throw isSignedWithText(of: key, code, parts) ? .signedWithSecretText : .signature
        }
        return try TokenClaims(reading: parts.object(parts.claims, .claims))
    }

    /// The `iss` that a token claims, before anything of it is believed: only to look up the key.
    ///
    /// Limit: as `verify`.
    /// - Throws: what keeps the claims from being read, or `issuerMissing`.
    public static func unverifiedIssuer(_ text: String) throws(TokenFault) -> String {
        let parts = try Parts(text)
        guard let issuer = try parts.object(parts.claims, .claims)["iss"]?.string else {
            throw .issuerMissing
        }
        return issuer
    }

    private static func isSignedWithText(
        of key: [UInt8], _ code: [UInt8], _ parts: Parts
    ) -> Bool {
        guard !key.isEmpty else { return false }
        for padded in [true, false] {
            let text = Base64.encodeBytes(key, padded: padded)
            if HMACSHA256.verifies(code, for: parts.signed, key: text) { return true }
        }
        return false
    }
}

/// A token cut at its dots.
private struct Parts {
    let header: [UInt8]
    let claims: [UInt8]
    let signature: [UInt8]
    /// Header, dot and claims as they came.
    let signed: [UInt8]

    init(_ text: String) throws(TokenFault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= JSONWebToken.maximumBytes else { throw .tooLong(bytes: bytes.count) }
        let parts = bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .parts(parts.count) }
        header = Array(parts[0])
        claims = Array(parts[1])
        signature = Array(parts[2])
        signed = Array(bytes[..<parts[1].endIndex])
    }

    func object(_ part: [UInt8], _ name: TokenFault.Part) throws(TokenFault) -> JSONValue {
        guard let bytes = Base64.decode(part, alphabet: .url) else { throw .encoding(name) }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: bytes, limits: JSONWebToken.parsing).root
        } catch {
            throw .notJSON(name)
        }
        guard root.kind == .object else { throw .notJSON(name) }
        return root
    }
}
