import DeskBytes

/// A 128-bit UUID without Foundation; compared as bits, written in lower case.
public struct UniqueID: Hashable, Sendable {
    /// The first eight bytes, most significant first.
    public let high: UInt64
    /// The last eight bytes, most significant first.
    public let low: UInt64

    /// Makes an id of its two halves, unchanged.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes a random (version 4) id from bits of the caller's making.
    public init(using random: inout some RandomNumberGenerator) {
        let first = random.next()
        let second = random.next()
        high = (first & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
        low = (second & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    }

    /// Makes a version 7 id: a moment in milliseconds since 1970, then random bits.
    ///
    /// Order: ids of a later millisecond are larger, so that an index of them grows at its end.
    public init(milliseconds: Int64, using random: inout some RandomNumberGenerator) {
        high = UInt64(bitPattern: milliseconds) << 16 | 0x7000 | (random.next() & 0xFFF)
        low = (random.next() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    }

    /// Reads `8-4-4-4-12` hexadecimal digits of either case; anything else is nil.
    public init?(_ text: some StringProtocol) { self.init(String(text)) }

    /// Reads `8-4-4-4-12` hexadecimal digits of either case; anything else is nil.
    public init?(_ text: String) {
        var text = text
        guard let read = text.withUTF8({ unsafe Self.read($0) }) else { return nil }
        self = read
    }

    /// Looks at the bytes where they lie: each request names an id or two.
    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> UniqueID? {
        guard bytes.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for place in 0..<36 {
            let byte = unsafe bytes[place]
            if place == 8 || place == 13 || place == 18 || place == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let value = ASCII.hexValue(byte) else { return nil }
            if digits < 16 {
                halves.0 = halves.0 << 4 | UInt64(value)
            } else {
                halves.1 = halves.1 << 4 | UInt64(value)
            }
            digits += 1
        }
        return UniqueID(high: halves.0, low: halves.1)
    }

    /// Reads exactly sixteen bytes; another count is nil.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        for place in 0..<8 {
            halves.0 = halves.0 << 8 | UInt64(bytes[place])
            halves.1 = halves.1 << 8 | UInt64(bytes[place + 8])
        }
        (high, low) = halves
    }

    /// Reads the sixteen bytes that `bytes` gives; another count is nil.
    public init?(bytes: some Sequence<UInt8>) {
        var halves: (UInt64, UInt64) = (0, 0)
        var count = 0
        for byte in bytes {
            guard count < 16 else { return nil }
            if count < 8 {
                halves.0 = halves.0 << 8 | UInt64(byte)
            } else {
                halves.1 = halves.1 << 8 | UInt64(byte)
            }
            count += 1
        }
        guard count == 16 else { return nil }
        (high, low) = halves
    }

    /// The sixteen bytes, most significant first.
    public var bytes: [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            for place in 0..<8 {
                let shift = UInt64(56 - 8 * place)
                unsafe buffer[place] = UInt8(truncatingIfNeeded: high >> shift)
                unsafe buffer[place + 8] = UInt8(truncatingIfNeeded: low >> shift)
            }
            count = 16
        }
    }

    /// How many bytes the text has.
    public static let textCount = 36

    /// The canonical lower-case text of 36 characters.
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
        precondition(room.count >= Self.textCount, "an id's text has 36 bytes")
        let second = Hex.digits(UInt32(truncatingIfNeeded: high))
        let third = Hex.digits(UInt32(truncatingIfNeeded: low >> 32))
        unsafe Hex.write(UInt32(truncatingIfNeeded: high >> 32), to: room, at: 0)
        unsafe Hex.writeHalf(second, isFirst: true, to: room, at: 9)
        unsafe Hex.writeHalf(second, isFirst: false, to: room, at: 14)
        unsafe Hex.writeHalf(third, isFirst: true, to: room, at: 19)
        unsafe Hex.writeHalf(third, isFirst: false, to: room, at: 24)
        unsafe Hex.write(UInt32(truncatingIfNeeded: low), to: room, at: 28)
        unsafe room[8] = UInt8(ascii: "-")
        unsafe room[13] = UInt8(ascii: "-")
        unsafe room[18] = UInt8(ascii: "-")
        unsafe room[23] = UInt8(ascii: "-")
    }
}

extension UniqueID: CustomStringConvertible {
    /// The same as `text`; safe to log.
    public var description: String { text }
}
