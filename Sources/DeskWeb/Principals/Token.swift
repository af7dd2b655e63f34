import DeskBytes
import DeskCrypto
public import DeskModel
import DeskStore

/// 256 bits that authenticate a session or open a one-time link; only the hash is kept.
public struct Token: Sendable {
    /// The text that its holder sends: 43 characters of base64url.
    public let text: String
    /// SHA-256 of the bits, which the store finds it by.
    public let digest: Digest

    /// Makes a random one.
    public static func make() -> Token { Token(bytes: RandomBytes.make(32)) }

    /// Derives the one that belongs to a name from a secret key.
    public init(of name: [UInt8], key: [UInt8]) {
        self.init(bytes: HMACSHA256.code(for: name, key: key))
    }

    private init(bytes: [UInt8]) {
        guard let token = Token(Base64.encode(bytes, alphabet: .url)) else {
            preconditionFailure("a token of our own making cannot be read")
        }
        self = token
    }

    /// Reads a received text; nil for anything that cannot be one.
    public init?(_ text: String) {
        guard text.utf8.count == 43, let bytes = Base64.decode(text, alphabet: .url) else {
            return nil
        }
        self.text = text
        digest = .sha256(bytes)
    }
}
