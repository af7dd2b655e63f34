import DeskBytes
import DeskCrypto

/// What only the server that began a sign-in knows of it (PKCE, RFC 7636), so that a code that was read
/// on its way is of no use.
struct CodeVerifier: Sendable, Equatable {
    /// What is sent with the code: 43 characters.
    let text: String

    /// What the provider is sent before: the SHA-256 of the text, `S256`.
    var challenge: String { Base64.encode(SHA256.digest(text), alphabet: .url) }
}
