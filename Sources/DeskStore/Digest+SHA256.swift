import DeskCrypto
public import DeskModel

extension Digest {
    /// The SHA-256 of some bytes.
    public static func sha256(_ bytes: [UInt8]) -> Digest {
        unsafe sha256(bytes.span.bytes)
    }

    /// The SHA-256 of some bytes.
    public static func sha256(_ bytes: RawSpan) -> Digest {
        let found = SHA256.words(bytes)
        var words = DigestWords()
        words[0] = found.0
        words[1] = found.1
        words[2] = found.2
        words[3] = found.3
        return Digest(words: words)
    }
}
