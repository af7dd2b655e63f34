import DeskBytes
import DeskCrypto
import DeskJSON
import DeskModel

/// What is wrong with a passkey's answer.
enum PasskeyFault: String, Error, CaseIterable {
    /// What the browser says of it is not read as the standard has it.
    case clientData = "client data"
    /// It was made for another use.
    case type
    /// It answers no challenge of ours, or one that is too old.
    case challenge
    /// It was made in a page of another site, or in a frame of one.
    case origin
    /// What the authenticator says is not read as the standard has it.
    case authenticatorData = "authenticator data"
    /// It was made for another host.
    case host
    /// The authenticator did not see that its person is there.
    case presence
    /// The authenticator did not make sure who is there.
    case verification
    /// It has no key, another one than it says, or one that cannot be used.
    case key
    /// The signature is not that of the key.
    case signature
}

/// What a browser says that an authenticator signed (Web Authentication, section 5.8.1), of which nothing is believed yet.
struct PasskeyClientData: Sendable {
    /// Most bytes of it.
    static let mostBytes = 4_096

    /// What an authenticator was asked for.
    enum Kind: String {
        case addition = "webauthn.create"
        case signIn = "webauthn.get"
    }

    /// The bytes as they came, whose hash is signed.
    let bytes: [UInt8]
    /// The challenge that it answers.
    let challenge: [UInt8]

    /// Reads it, and checks everything but the challenge.
    ///
    /// - Throws: the first thing that is wrong, in the order form, type, challenge's form, origin.
    init(_ bytes: [UInt8], _ kind: Kind, at site: PasskeySite) throws(PasskeyFault) {
        guard bytes.count <= Self.mostBytes, let root = JSONValue.parsed(bytes),
            root.kind == .object
        else { throw .clientData }
        guard root["type"]?.equals(kind.rawValue) == true else { throw .type }
        guard let text = root["challenge"]?.string,
            let challenge = Base64.decode(text, alphabet: .url)
        else { throw .challenge }
        guard root["origin"]?.equals(site.origin) == true, root["crossOrigin"]?.bool != true,
            root["topOrigin"] == nil
        else { throw .origin }
        self.bytes = bytes
        self.challenge = challenge
    }
}

/// What an authenticator says of itself and of its person (Web Authentication, section 6.1).
struct AuthenticatorData: Sendable {
    /// Most bytes of it: a name of 1,023 and a key.
    static let mostBytes = 4_096

    /// The bytes as they came, which are signed.
    let bytes: [UInt8]
    /// How often the key signed, where the authenticator counts.
    let counter: Int64
    /// The name of a key that was made.
    let credential: [UInt8]?

    private static let head = SHA256.byteCount + 5
    private static let modelBytes = 16

    /// Reads it, and checks that it was made for the site, with its person there and verified.
    ///
    /// - Throws: the first thing that is wrong, in the order form, host, presence, verification.
    init(_ bytes: [UInt8], at site: PasskeySite) throws(PasskeyFault) {
        guard (Self.head...Self.mostBytes).contains(bytes.count) else { throw .authenticatorData }
        let flags = bytes[SHA256.byteCount]
        func has(_ bit: UInt8) -> Bool { flags & 1 << bit != 0 }
        // A key cannot be kept elsewhere that may not be.
        if has(4), !has(3) { throw .authenticatorData }
        var credential: [UInt8]?
        if has(6) {
            let length = Self.head + Self.modelBytes
            guard bytes.count >= length + 2 else { throw .authenticatorData }
            let count = Int(bytes[length]) << 8 | Int(bytes[length + 1])
            guard bytes.count > length + 2 + count else { throw .authenticatorData }
            credential = Array(bytes[(length + 2)..<(length + 2 + count)])
        } else if !has(7), bytes.count > Self.head {
            throw .authenticatorData
        }
        guard bytes.prefix(SHA256.byteCount).elementsEqual(SHA256.digest(Array(site.host.utf8)))
        else { throw .host }
        guard has(0) else { throw .presence }
        guard has(2) else { throw .verification }
        self.bytes = bytes
        self.credential = credential
        counter = bytes[(SHA256.byteCount + 1)..<Self.head].reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Whether the signature of a sign-in is the key's.
    func isSigned(
        _ signature: [UInt8], _ client: PasskeyClientData, by passkey: Passkey
    ) -> Bool {
        guard let algorithm = AuthenticatorSignature.Algorithm(rawValue: passkey.algorithm) else {
            return false
        }
        return AuthenticatorSignature.verifies(
            signature, for: bytes + SHA256.digest(client.bytes), by: passkey.publicKey, algorithm)
    }
}
