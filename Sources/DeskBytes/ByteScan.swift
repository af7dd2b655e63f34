/// Searches through runs of bytes, eight at a time; no answer depends on where the run ends.
public enum ByteScan {
    /// Whether one of two bytes occurs.
    public static func contains(
        _ bytes: UnsafeBufferPointer<UInt8>, _ first: UInt8, or second: UInt8
    ) -> Bool {
        let (one, other) = (repeated(first), repeated(second))
        return unsafe any(bytes, filler: filler(first, second)) { word in
            zeros(word ^ one) | zeros(word ^ other)
        }
    }

    /// Whether a JSON string of this content may need an escape: a control byte, `"`, `\` or the
    /// first byte of U+2028.
    public static func mayNeedEscape(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe any(bytes, filler: 0x61) { word in
            zeros(word ^ repeated(0x22)) | zeros(word ^ repeated(0x5C))
                | zeros(word ^ repeated(0xE2)) | below(word, 0x20)
        }
    }

    /// Whether all bytes are printable ASCII but `\`, with no two spaces in a row.
    public static func isTidy(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var previous: UInt64 = 0
        return unsafe !any(bytes, filler: 0x61) { word in
            let spaces = zeros(word ^ repeated(0x20))
            let twice = spaces & (spaces << 8 | previous >> 56)
            previous = spaces
            return twice | zeros(word ^ repeated(0x5C)) | zeros(word ^ repeated(0x7F))
                | below(word, 0x20) | word & repeated(0x80)
        }
    }

    /// Tests the bytes eight at a time, the first byte lowest; the last group is padded.
    private static func any(
        _ bytes: UnsafeBufferPointer<UInt8>, filler: UInt8, _ isHit: (UInt64) -> UInt64
    ) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var found: UInt64 = 0
        var place = 0
        while place &+ 8 <= raw.count {
            let word = unsafe raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            found |= isHit(UInt64(littleEndian: word))
            place &+= 8
        }
        guard place < raw.count else { return found != 0 }
        var last = repeated(filler)
        for index in place..<raw.count {
            let shift = UInt64((index &- place) &* 8)
            let byte = unsafe UInt64(raw[index])
            last = last & ~(0xFF << shift) | byte << shift
        }
        return (found | isHit(last)) != 0
    }

    /// A byte that is neither of two.
    private static func filler(_ first: UInt8, _ second: UInt8) -> UInt8 {
        var byte: UInt8 = 0
        while byte == first || byte == second { byte += 1 }
        return byte
    }

    private static func repeated(_ byte: UInt8) -> UInt64 {
        UInt64(byte) &* 0x0101_0101_0101_0101
    }

    /// The high bit of each byte that is zero, and of no other.
    private static func zeros(_ word: UInt64) -> UInt64 {
        let low = repeated(0x7F)
        return ~((word & low) &+ low | word | low)
    }

    /// The high bit of each byte below a limit of at most 128, and of no other.
    private static func below(_ word: UInt64, _ limit: UInt8) -> UInt64 {
        let low = repeated(0x7F)
        return ~((word & low) &+ repeated(0x80 &- limit) | word) & repeated(0x80)
    }
}
