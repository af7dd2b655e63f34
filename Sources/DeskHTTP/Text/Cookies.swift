/// The cookies of one request (RFC 6265 5.4), names compared as bytes.
public struct Cookies: Sendable {
    private let pairs: [Query.Item]

    init(_ headers: HeaderFields) {
        pairs = headers.values("cookie").flatMap { line in
            line.utf8.split(separator: UInt8(ascii: ";")).compactMap { part in
                let pair = TokenList.trimmed(part)
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                return Query.Item(
                    name: String(Substring(pair[..<equals])),
                    value: String(Substring(pair[pair.index(after: equals)...])))
            }
        }
    }

    /// The value of the first cookie of this name; nil when there is none.
    public subscript(_ name: String) -> String? {
        pairs.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// All cookies, in the order sent.
    public var all: [(name: String, value: String)] { pairs.map { ($0.name, $0.value) } }
}

/// A cookie to set; the cautious attributes are the defaults.
public struct SetCookie: Sendable {
    /// How far a cookie travels with requests from other sites.
    public enum SameSite: String, Sendable {
        case strict = "Strict"
        case lax = "Lax"
        case none = "None"
    }

    /// The name; `__Host-` asks for `isSecure` and `path` "/".
    public var name: String
    /// The value; must be free of spaces, commas, semicolons, quotes and backslashes.
    public var value: String
    /// The path it is sent for.
    public var path = "/"
    /// How long it lives; nil means until the browser ends, zero removes it.
    public var maxAgeSeconds: Int?
    /// Whether it travels over TLS only.
    public var isSecure: Bool
    /// Whether scripts cannot read it.
    public var isHTTPOnly = true
    /// How far it travels with requests from other sites.
    public var sameSite: SameSite
    /// Whether the browser keeps one for each site around the page that it is set in (CHIPS), apart from
    /// all others; it asks for `isSecure`.
    public var isPartitioned = false

    /// Makes a cookie.
    public init(
        name: String, value: String, maxAgeSeconds: Int? = nil, isSecure: Bool,
        sameSite: SameSite = .lax
    ) {
        self.name = name
        self.value = value
        self.maxAgeSeconds = maxAgeSeconds
        self.isSecure = isSecure
        self.sameSite = sameSite
    }

    /// The value of its `Set-Cookie` field.
    public var text: String {
        var text = "\(name)=\(value); Path=\(path); SameSite=\(sameSite.rawValue)"
        if let maxAgeSeconds { text += "; Max-Age=\(maxAgeSeconds)" }
        if isHTTPOnly { text += "; HttpOnly" }
        if isSecure { text += "; Secure" }
        if isPartitioned { text += "; Partitioned" }
        return text
    }
}
