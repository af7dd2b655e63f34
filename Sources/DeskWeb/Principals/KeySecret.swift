import DeskBytes
import DeskCrypto
public import DeskModel
import DeskStore

/// An API key as text: `fd_live_` or `fd_test_`, the public part, 256 secret bits.
public struct KeySecret: Sendable {
    /// The public part.
    public let id: KeyID
    /// SHA-256 of the secret part.
    public let digest: Digest
    /// The mode that the prefix names.
    public let mode: Mode

    /// Characters of the public part: 128 bits in base64url.
    private static let idLength = 22
    /// Characters of the secret part: 256 bits in base64url.
    private static let secretLength = 43

    /// Makes a random key, and its text, which is shown once.
    public static func make(mode: Mode) -> (secret: KeySecret, text: String) {
        // The public part has the form of a UUID, so that it looks the same on every page.
        var random = SystemRandomNumberGenerator()
        let id = UniqueID(using: &random)
        let text =
            prefix(mode) + Base64.encode(id.bytes, alphabet: .url)
            + Base64.encode(RandomBytes.make(32), alphabet: .url)
        guard let secret = KeySecret(text) else {
            preconditionFailure("a key of our own making cannot be read")
        }
        return (secret, text)
    }

    /// Reads a key's text; nil for anything that cannot be one.
    public init?(_ text: some StringProtocol) { self.init(bytes: Array(text.utf8)[...]) }

    /// Reads a key's text in place; nil for anything that cannot be one.
    package init?(bytes: ArraySlice<UInt8>) {
        guard let mode = Mode.allCases.first(where: { bytes.starts(with: Self.prefix($0).utf8) })
        else { return nil }
        let all = bytes.span
        let rest = all.extracting(Self.prefix(mode).utf8.count..<all.count)
        guard rest.count == Self.idLength + Self.secretLength,
            let id = Base64.decode(rest.extracting(first: Self.idLength), alphabet: .url),
            let name = UniqueID(bytes: id),
            let secret = Base64.decode(rest.extracting(last: Self.secretLength), alphabet: .url)
        else { return nil }
        self.id = KeyID(name)
        digest = .sha256(secret)
        self.mode = mode
    }

    /// What is stored of the secret of a key with some limits.
    ///
    /// Narrow limits are hashed with it: a program that knows none finds no such key, and one who can
    /// write the row but does not know the secret cannot widen them.
    public func digest(within limits: KeyLimits) -> Digest {
        guard limits.areNarrow else { return digest }
        let lines = [limits.scopes, limits.addresses].map { $0.joined(separator: " ") }
        return .sha256(digest.bytes + Array(lines.joined(separator: "\n").utf8))
    }

    private static func prefix(_ mode: Mode) -> String {
        switch mode {
        case .live: "fd_live_"
        case .test: "fd_test_"
        }
    }
}
