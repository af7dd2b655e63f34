/// A SHA-256 value, kept without a heap allocation.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    /// The thirty-two bytes as four words, most significant byte first.
    public let words: DigestWords

    /// Takes four words as they are.
    public init(words: DigestWords) { self.words = words }

    /// Takes exactly thirty-two bytes; another count is nil.
    public init?(bytes: some Sequence<UInt8>) {
        var words = DigestWords()
        var count = 0
        for byte in bytes {
            guard count < 32 else { return nil }
            words[count >> 3] = words[count >> 3] << 8 | UInt64(byte)
            count += 1
        }
        guard count == 32 else { return nil }
        self.words = words
    }

    /// Takes sixty-four hexadecimal digits in lower case; anything else is nil.
    public init?(_ text: some StringProtocol) {
        var words = DigestWords()
        var count = 0
        for byte in text.utf8 {
            guard count < 64, !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte),
                let value = Hex.value(of: byte)
            else { return nil }
            words[count >> 4] = words[count >> 4] << 4 | UInt64(value)
            count += 1
        }
        guard count == 64 else { return nil }
        self.words = words
    }

    /// The thirty-two bytes.
    public var bytes: [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: words[$0 >> 3] >> UInt64(56 - 8 * ($0 & 7))) }
    }

    /// Sixty-four lower-case hexadecimal digits.
    public var text: String {
        unsafe String(unsafeUninitializedCapacity: 64) { buffer in
            for digit in 0..<64 {
                let nibble = (words[digit >> 4] >> UInt64(60 - 4 * (digit & 15))) & 15
                unsafe buffer[digit] = Hex.digit(UInt8(nibble))
            }
            return 64
        }
    }

    /// The same as `text`.
    public var description: String { text }
}

/// Names an attachment by the SHA-256 of its bytes.
public struct AttachmentID: Hashable, Sendable, CustomStringConvertible {
    /// The SHA-256 of the attachment's bytes.
    public let digest: Digest

    /// Names the attachment with this digest.
    public init(_ digest: Digest) { self.digest = digest }

    /// Takes sixty-four lower-case hexadecimal digits; anything else is nil.
    public init?(_ text: some StringProtocol) {
        guard let digest = Digest(text) else { return nil }
        self.digest = digest
    }

    /// Sixty-four lower-case hexadecimal digits.
    public var text: String { digest.text }

    /// The same as `text`.
    public var description: String { digest.text }
}
