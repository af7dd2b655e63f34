import DeskBytes
import DeskCrypto
import DeskJSON
import DeskModel
import DeskStore

/// The OAuth provider that the sandbox plays.
///
/// Its codes and access tokens say what they are good for and are signed with a key that all nodes have.
///
/// Stored are only the digests of the codes that were used, so that each is used once.
package struct TestProvider: Sendable {
    /// What a person has agreed to.
    struct Grant: Hashable, Sendable {
        var business: BusinessID
        /// Who signed in; may be empty.
        var name: String
        var scope: [String]
        /// Where the code went; nil in version 1.
        var redirectURI: String?
        var expires: Timestamp
    }

    /// What a text is good for.
    enum Purpose: String, Sendable {
        /// To be exchanged for an access token, once.
        case code = "test-code"
        /// To ask who signed in.
        case access = "test-access"
    }

    /// Seconds that a code is good for.
    static let codeSeconds: Int64 = 120
    /// Seconds that an access token is good for.
    static let accessSeconds: Int64 = 3_600

    private let key: [UInt8]

    /// Signs with a key.
    package init(key: [UInt8]) { self.key = key }

    /// Writes a grant as a text that only this provider can make; two of the same grant differ.
    func text(of grant: Grant, for purpose: Purpose) -> String {
        let members: JSON = [
            "business": .string(grant.business.text), "name": .string(grant.name),
            "scope": .array(grant.scope.map { .string($0) }),
            "redirect": .optional(grant.redirectURI),
            "expires": .integer(Int(grant.expires.milliseconds)),
            "once": .string(Hex.encode(RandomBytes.make(8))),
        ]
        let body = Base64.encode(members.bytes(), alphabet: .url)
        return "\(purpose.rawValue).\(body).\(code(purpose, body))"
    }

    /// Reads a text of ours; nil for any other, and for one that has run out.
    func grant(in text: String, for purpose: Purpose, now: Timestamp) -> Grant? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.elementsEqual(purpose.rawValue.utf8) else {
            return nil
        }
        let body = String(parts[1])
        guard
            constantTimeEquals(Array(parts[2].utf8), Array(code(purpose, body).utf8)),
            let bytes = Base64.decode(body, alphabet: .url),
            // Safe: what we signed was JSON.
            let root = try? JSONDocument(parsing: bytes).root,
            let business = root["business"]?.string.flatMap({ BusinessID($0) }),
            let expires = root["expires"]?.int
        else { return nil }
        let grant = Grant(
            business: business, name: root["name"]?.string ?? "",
            scope: (root["scope"]?.elements).map { $0.compactMap(\.string) } ?? [],
            redirectURI: root["redirect"]?.string,
            expires: Timestamp(milliseconds: Int64(expires)))
        return now < grant.expires ? grant : nil
    }

    /// Notes in the store that a code is used; false when it was used before, on whichever node.
    func use(
        _ code: String, until expires: Timestamp, in store: any SecretRegistry
    ) async throws(StoreError) -> Bool {
        try await store.useCode(.sha256(Array(code.utf8)), until: expires)
    }

    private func code(_ purpose: Purpose, _ body: String) -> String {
        Base64.encode(
            HMACSHA256.code(for: Array("\(purpose.rawValue) \(body)".utf8), key: key),
            alphabet: .url)
    }
}
