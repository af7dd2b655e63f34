import DeskBytes

/// A SHA-256 value, kept without a heap allocation.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    /// The thirty-two bytes as four words, most significant byte first.
    public let words: DigestWords

    /// Makes a digest of four words, unchanged.
    public init(words: DigestWords) { self.words = words }

    /// Accepts exactly thirty-two bytes; another count is nil.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        var words = DigestWords()
        for place in 0..<4 {
            var word: UInt64 = 0
            for byte in place * 8..<place * 8 + 8 { word = word << 8 | UInt64(bytes[byte]) }
            words[place] = word
        }
        self.words = words
    }

    /// Accepts exactly thirty-two bytes; another count is nil.
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

    /// Accepts sixty-four hexadecimal digits in lower case; anything else is nil.
    public init?(_ text: some StringProtocol) {
        var words = DigestWords()
        var count = 0
        for byte in text.utf8 {
            guard count < 64, !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte),
                let value = ASCII.hexValue(byte)
            else { return nil }
            words[count >> 4] = words[count >> 4] << 4 | UInt64(value)
            count += 1
        }
        guard count == 64 else { return nil }
        self.words = words
    }

    /// The thirty-two bytes.
    public var bytes: [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            for place in 0..<4 {
                let word = words[place]
                for byte in 0..<8 {
                    unsafe buffer[place * 8 + byte] = UInt8(
                        truncatingIfNeeded: word >> UInt64(56 - 8 * byte))
                }
            }
            count = 32
        }
    }

    /// How many bytes the text has.
    public static let textCount = 64

    /// Sixty-four lower-case hexadecimal digits.
    public var text: String {
        unsafe String(unsafeUninitializedCapacity: Self.textCount) { buffer in
            unsafe writeText(to: UnsafeMutableRawBufferPointer(buffer))
            return Self.textCount
        }
    }

    /// Writes the text into the caller's buffer, without making a string.
    ///
    /// - Precondition: there is room for `textCount` bytes.
    public func writeText(to room: UnsafeMutableRawBufferPointer) {
        precondition(room.count >= Self.textCount, "a digest's text has 64 bytes")
        for place in 0..<4 {
            let word = words[place]
            unsafe Hex.write(UInt32(truncatingIfNeeded: word >> 32), to: room, at: place * 16)
            unsafe Hex.write(UInt32(truncatingIfNeeded: word), to: room, at: place * 16 + 8)
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

    /// Accepts sixty-four lower-case hexadecimal digits; anything else is nil.
    public init?(_ text: some StringProtocol) {
        guard let digest = Digest(text) else { return nil }
        self.digest = digest
    }

    /// Sixty-four lower-case hexadecimal digits.
    public var text: String { digest.text }

    /// The same as `text`.
    public var description: String { digest.text }
}
