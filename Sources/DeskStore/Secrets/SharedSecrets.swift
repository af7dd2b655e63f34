public import DeskModel

/// A secret of the server's own that every node and every later start must know.
public enum SecretName: String, Sendable, CaseIterable {
    /// Signs the addresses that files are uploaded to and downloaded from.
    case fileAddresses = "file-addresses"
    /// Derives the token that follows a customer's token.
    case customerTokens = "customer-tokens"
    /// Derives join codes, and digests their typed forms.
    case joinCodes = "join-codes"
    /// Signs the codes and tokens of the OAuth provider that the sandbox plays.
    case signInCodes = "sign-in-codes"
    /// Encrypts what a sign-in through the identity provider was begun with.
    case signOnStates = "sign-on-states"
    /// Signs the challenges that passkeys answer.
    case passkeyChallenges = "passkey-challenges"
    /// The private key by which push services know this installation.
    case pushKey = "push-key"
}

/// The server's own secrets, read once at the start; each has `byteCount` bytes.
public struct SharedSecrets: Sendable {
    /// Bytes of a secret.
    public static let byteCount = 32

    /// Signs the addresses that files are uploaded to and downloaded from.
    public let fileAddresses: [UInt8]
    /// Derives the token that follows a customer's token.
    public let customerTokens: [UInt8]
    /// Derives join codes, and digests their typed forms.
    public let joinCodes: [UInt8]
    /// Signs the codes and tokens of the OAuth provider that the sandbox plays.
    public let signInCodes: [UInt8]
    /// Encrypts what a sign-in through the identity provider was begun with.
    public let signOnStates: [UInt8]
    /// Signs the challenges that passkeys answer.
    public let passkeyChallenges: [UInt8]
    /// What the private key is made of by which push services know this installation.
    public let pushKey: [UInt8]

    /// Finds the secrets of a store, or makes and stores them: of several callers all get the same.
    public init(of store: any SecretRegistry) async throws(StoreError) {
        fileAddresses = try await store.requireSecret(.fileAddresses)
        customerTokens = try await store.requireSecret(.customerTokens)
        joinCodes = try await store.requireSecret(.joinCodes)
        signInCodes = try await store.requireSecret(.signInCodes)
        signOnStates = try await store.requireSecret(.signOnStates)
        passkeyChallenges = try await store.requireSecret(.passkeyChallenges)
        pushKey = try await store.requireSecret(.pushKey)
    }
}

/// The secrets that are stored encrypted, and the codes that are used once.
public protocol SecretRegistry: Sendable {
    /// What encrypts the secrets: the current key first.
    var encryptionKeys: EncryptionKeys { get }

    /// Finds a secret, or makes one of `SharedSecrets.byteCount` bytes and stores it encrypted.
    ///
    /// Order: of several callers, on whichever node, all get the same. Durable: on return.
    func requireSecret(_ name: SecretName) async throws(StoreError) -> [UInt8]

    /// How many stored secrets each encryption key encrypts.
    func countSecrets() async throws(StoreError) -> [EncryptionKeyID: Int]

    /// Encrypts with the first of these keys whatever another one of them encrypts, in one commit.
    ///
    /// - Throws: `keyMissing` when a secret's key is not among them; nothing changed then.
    func encryptAllSecrets(with keys: EncryptionKeys) async throws(StoreError)

    /// Notes that a signed code is used until it expires; false when it was used before.
    ///
    /// Order: of several callers, on whichever node, exactly one gets true.
    func useCode(_ code: Digest, until end: Timestamp) async throws(StoreError) -> Bool

    /// Forgets the codes that expired before a moment.
    func pruneUsedCodes(before time: Timestamp) async throws(StoreError)
}
