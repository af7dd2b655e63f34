import DeskJSON

/// Where a provider answers what, as it publishes it (OpenID Connect Discovery 1.0, section 3).
struct ProviderDocument: Sendable {
    /// Where a person is sent to sign in.
    let authorizationEndpoint: String
    /// Where a code is exchanged.
    let tokenEndpoint: String
    /// Where the keys are.
    let keysURL: String
    /// Where a person can sign out there too; nil where the provider has no such page.
    let endSessionEndpoint: String?
    /// Whether the client's secret goes into the body, since the provider does not read it in a header.
    let wantsSecretInBody: Bool

    /// The address of the document of an issuer.
    static func url(of issuer: String) -> String {
        var base = issuer
        while base.hasSuffix("/") { base.removeLast() }
        return base + "/.well-known/openid-configuration"
    }

    /// Reads a document.
    ///
    /// - Throws: what is wrong with it, such as that it is another issuer's, or names an address without
    ///   TLS while the issuer has it.
    init(_ bytes: [UInt8], issuer: String) throws(SignOnFault) {
        guard let root = JSONValue.parsed(bytes), root.kind == .object else {
            throw .wrong("discovery", "not_json")
        }
        guard root["issuer"]?.equals(issuer) == true else { throw .wrong("discovery", "issuer") }
        let isSecure = issuer.hasPrefix("https://")
        func address(_ name: String) throws(SignOnFault) -> String? {
            guard let value = root[name], !value.isNull else { return nil }
            guard let text = value.string, Self.isAddress(text, isSecure: isSecure) else {
                throw .wrong("discovery", name)
            }
            return text
        }
        guard let authorization = try address("authorization_endpoint") else {
            throw .wrong("discovery", "authorization_endpoint")
        }
        guard let token = try address("token_endpoint") else {
            throw .wrong("discovery", "token_endpoint")
        }
        guard let keys = try address("jwks_uri") else { throw .wrong("discovery", "jwks_uri") }
        authorizationEndpoint = authorization
        tokenEndpoint = token
        keysURL = keys
        endSessionEndpoint = try address("end_session_endpoint")
        let methods = root["token_endpoint_auth_methods_supported"]?.elements.compactMap(\.string)
        wantsSecretInBody =
            methods.map {
                $0.contains("client_secret_post") && !$0.contains("client_secret_basic")
            } ?? false
    }

    /// Printable ASCII alone, and no fragment: it goes into a header and gets a query behind it.
    private static func isAddress(_ text: String, isSecure: Bool) -> Bool {
        guard text.utf8.count <= 2_048,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}#".utf8.contains($0) }
            )
        else { return false }
        return text.hasPrefix("https://") || (!isSecure && text.hasPrefix("http://"))
    }
}
