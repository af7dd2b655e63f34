import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// What a sign-in through the provider was begun with.
struct SignOnState: Sendable {
    /// How long a person may need at the provider.
    static let life = Duration.seconds(600)
    /// Most bytes of the page that is returned to.
    static let pageBytes = 512

    /// What the provider sends back; 256 random bits.
    var state: String
    /// What the ID token must say; 256 random bits.
    var nonce: String
    /// What is sent with the code; 256 random bits.
    var verifier: CodeVerifier
    /// The page of this server that the person wants.
    var page: String
    /// From when on the sign-in is not finished.
    var expires: Timestamp
    /// The token of the invitation that is accepted.
    var invitation: String?
    /// What the browser carried: its cookies do not come with the provider's redirect.
    var browser: BrowserTokens

    /// Begins one.
    init(page: String, invitation: String?, browser: BrowserTokens, at now: Timestamp) {
        state = Token.make().text
        nonce = Token.make().text
        verifier = CodeVerifier(text: Token.make().text)
        self.page = page
        self.invitation = invitation
        self.browser = browser
        expires = now.advanced(by: Self.life)
    }

    /// Whether a text is a path of this server, with a query and a fragment perhaps.
    static func isPage(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        // A browser reads a backslash as a slash, and what follows two of them as a host.
        guard bytes.count <= pageBytes, bytes.first == UInt8(ascii: "/"),
            bytes.count == 1 || bytes[1] != UInt8(ascii: "/")
        else { return false }
        return bytes.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }
    }

    /// The hash by which it is noted that it was finished.
    var digest: Digest { .sha256(Array("sign-on \(state)".utf8)) }
}

/// Encrypts and decrypts states, which the browser carries, so that any node finishes what another began.
struct SignOnStates: Sendable {
    private let carried: CarriedJSON

    /// - Parameter key: 32 bytes that every node knows.
    init(key: [UInt8]) { carried = CarriedJSON(key: key, label: "frontdesk sign-on state 1") }

    /// The value of a cookie.
    func encrypt(_ state: SignOnState) -> String {
        var json: JSON = [
            "state": .string(state.state), "nonce": .string(state.nonce),
            "verifier": .string(state.verifier.text), "page": .string(state.page),
            "expires": .integer(Int(state.expires.milliseconds)),
        ]
        if let invitation = state.invitation { json.add("invitation", .string(invitation)) }
        if let session = state.browser.session {
            json.add("session", .string(Base64.encode(session.bytes, alphabet: .url)))
        }
        if let device = state.browser.device { json.add("device", .string(device.text)) }
        return carried.encrypt(json)
    }

    /// The state of a cookie that was encrypted here and is not too old; nil for any other text.
    func decrypt(_ text: String, at now: Timestamp) -> SignOnState? {
        guard let root = carried.decrypt(text), let state = SignOnState(root), now < state.expires
        else { return nil }
        return state
    }
}

extension SignOnState {
    fileprivate init?(_ root: JSONValue) {
        guard let state = root["state"]?.string, let nonce = root["nonce"]?.string,
            let verifier = root["verifier"]?.string, let page = root["page"]?.string,
            let expires = root["expires"]?.int
        else { return nil }
        self.state = state
        self.nonce = nonce
        self.verifier = CodeVerifier(text: verifier)
        self.page = page
        self.expires = Timestamp(milliseconds: Int64(expires))
        invitation = root["invitation"]?.string
        browser = BrowserTokens(
            session: root["session"]?.string
                .flatMap { Base64.decode($0, alphabet: .url) }
                .flatMap { Digest(bytes: $0) },
            device: root["device"]?.string.flatMap { Token($0) })
    }
}

/// The cookie that carries a state while its person is at the provider.
enum SignOnCookie {
    /// Its name; the prefix makes browsers insist on TLS, the whole host and the whole path.
    static func name(isSecure: Bool) -> String { isSecure ? "__Host-fd_sso" : "fd_sso" }

    /// Lax: it has to come with the provider's redirect.
    static func set(_ value: String, isSecure: Bool) -> SetCookie {
        SetCookie(
            name: name(isSecure: isSecure), value: value,
            maxAgeSeconds: Int(SignOnState.life.components.seconds), isSecure: isSecure,
            sameSite: .lax)
    }

    static func clear(isSecure: Bool) -> SetCookie {
        SetCookie(
            name: name(isSecure: isSecure), value: "", maxAgeSeconds: 0, isSecure: isSecure,
            sameSite: .lax)
    }
}
