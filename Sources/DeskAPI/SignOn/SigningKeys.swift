import DeskBytes
import DeskCrypto
import DeskJSON

/// The keys that a provider publishes for its signatures (RFC 7517).
struct SigningKeys: Sendable {
    /// Most keys that are read; those behind them are ignored.
    static let most = 64

    private let keys: [Key]

    private struct Key: Sendable {
        enum Material: Sendable {
            case rsa(modulus: [UInt8], exponent: [UInt8])
            case p256(x: [UInt8], y: [UInt8])
            case ed25519([UInt8])
        }

        let id: String?
        let algorithm: IDToken.Algorithm
        let material: Material
    }

    /// Reads a key set, without keys of other kinds and for other uses; nil for what is none.
    init?(_ bytes: [UInt8]) {
        guard let root = JSONValue.parsed(bytes), let list = root["keys"], list.kind == .array
        else { return nil }
        keys = list.elements.lazy.prefix(Self.most).compactMap(Self.key)
    }

    /// Verifies a token's signature with the key that it names; without a name with each that fits.
    ///
    /// - Throws: `unknownKey`, for which a newer set may have one, or `signature`.
    func verify(_ token: IDToken) throws(IDTokenFault) {
        let fitting = keys.filter { key in
            guard key.algorithm == token.algorithm else { return false }
            guard let wanted = token.keyID else { return true }
            return key.id.map { $0.utf8.elementsEqual(wanted.utf8) } ?? false
        }
        guard !fitting.isEmpty else { throw .unknownKey }
        guard fitting.contains(where: { Self.isSigned(token, by: $0) }) else { throw .signature }
    }

    private static func isSigned(_ token: IDToken, by key: Key) -> Bool {
        switch key.material {
        case .rsa(let modulus, let exponent):
            RSASignature.verifies(
                token.signature, for: token.signed, modulus: modulus, exponent: exponent)
        case .p256(let x, let y):
            P256Signature.verifies(token.signature, for: token.signed, x: x, y: y)
        case .ed25519(let point):
            Ed25519.verifies(token.signature, for: token.signed, publicKey: point)
        }
    }

    private static func key(_ value: JSONValue) -> Key? {
        if let use = value["use"], !use.equals("sig") { return nil }
        let found: (algorithm: IDToken.Algorithm, material: Key.Material)
        switch value["kty"]?.string {
        case "RSA":
            guard let n = bytes("n", of: value), let e = bytes("e", of: value) else { return nil }
            found = (.rs256, .rsa(modulus: n, exponent: e))
        case "EC":
            guard value["crv"]?.equals("P-256") == true, let x = bytes("x", of: value),
                let y = bytes("y", of: value)
            else { return nil }
            found = (.es256, .p256(x: x, y: y))
        case "OKP":
            guard value["crv"]?.equals("Ed25519") == true, let x = bytes("x", of: value) else {
                return nil
            }
            found = (.edDSA, .ed25519(x))
        default: return nil
        }
        if let stated = value["alg"], !stated.equals(found.algorithm.rawValue) { return nil }
        return Key(
            id: value["kid"]?.string, algorithm: found.algorithm, material: found.material)
    }

    private static func bytes(_ name: String, of value: JSONValue) -> [UInt8]? {
        value[name]?.string.flatMap { Base64.decode($0, alphabet: .url) }
    }
}
