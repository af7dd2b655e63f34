/// A 128-bit UUID without Foundation; compared as bits, written in lower case.
public struct UniqueID: Hashable, Sendable {
    /// The first eight bytes, most significant first.
    public let high: UInt64
    /// The last eight bytes, most significant first.
    public let low: UInt64

    /// Takes the two halves as they are.
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
    public init?(_ text: some StringProtocol) {
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        var place = 0
        for byte in text.utf8 {
            let isDashPlace = place == 8 || place == 13 || place == 18 || place == 23
            place += 1
            if isDashPlace {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard digits < 32, let value = Hex.value(of: byte) else { return nil }
            if digits < 16 {
                halves.0 = halves.0 << 4 | UInt64(value)
            } else {
                halves.1 = halves.1 << 4 | UInt64(value)
            }
            digits += 1
        }
        guard place == 36, digits == 32 else { return nil }
        (high, low) = halves
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

    /// The canonical lower-case text of 36 characters.
    public var text: String {
        unsafe String(unsafeUninitializedCapacity: 36) { buffer in
            var place = 0
            for digit in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                    unsafe buffer[place] = UInt8(ascii: "-")
                    place += 1
                }
                let half = digit < 16 ? high : low
                let nibble = (half >> UInt64(60 - 4 * (digit & 15))) & 15
                unsafe buffer[place] = Hex.digit(UInt8(nibble))
                place += 1
            }
            return 36
        }
    }
}

extension UniqueID: CustomStringConvertible {
    /// The same as `text`; safe to log.
    public var description: String { text }
}
