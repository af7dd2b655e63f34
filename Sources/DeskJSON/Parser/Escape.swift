import DeskBytes

/// Undoes the backslashes of a string that the parser has accepted.
enum Escape {
    /// Up to four bytes of UTF-8, the first one lowest.
    struct Bytes {
        var packed: UInt32
        var count: Int
    }

    /// The decoded bytes between the quotes.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        unsafe text.withUnsafeBufferPointer { source in
            unsafe [UInt8](unsafeUninitializedCapacity: source.count) { target, count in
                unsafe count = decode(source, into: target)
            }
        }
    }

    /// Writes the decoded bytes and returns how many; never more than the source has.
    // Safe: the target is at least as long as the source, and every escape shrinks.
    static func decode(
        _ source: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var from = 0
        var to = 0
        while from < source.count {
            let bytes = unsafe next(source, &from)
            for place in 0..<bytes.count {
                unsafe target[to] = UInt8(truncatingIfNeeded: bytes.packed >> (8 * place))
                to += 1
            }
        }
        return to
    }

    /// Reads one byte or one escape and moves past it.
    @inline(__always)
    static func next(_ source: UnsafeBufferPointer<UInt8>, _ from: inout Int) -> Bytes {
        let byte = unsafe source[from]
        guard byte == 0x5C, from + 1 < source.count else {
            from += 1
            return Bytes(packed: UInt32(byte), count: 1)
        }
        let letter = unsafe source[from + 1]
        guard letter == 0x75 else {
            from += 2
            return Bytes(packed: UInt32(plain(letter)), count: 1)
        }
        return unsafe scalar(source, &from)
    }

    private static func scalar(
        _ source: UnsafeBufferPointer<UInt8>, _ from: inout Int
    ) -> Bytes {
        var scalar = unsafe unit(source, from + 2)
        from = min(from + 6, source.count)
        if scalar & 0xFC00 == 0xD800, from + 6 <= source.count {
            scalar = unsafe 0x10000 + (scalar & 0x3FF) << 10 + unit(source, from + 2) & 0x3FF
            from += 6
        }
        return encoded(scalar)
    }

    /// The four hexadecimal digits at the index as a number; 0 for anything else.
    static func unit(_ source: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt32 {
        guard index + 4 <= source.count else { return 0 }
        var value: UInt32 = 0
        for offset in 0..<4 {
            value = unsafe value << 4 | UInt32(ASCII.hexValue(source[index + offset]) ?? 0)
        }
        return value
    }

    private static func plain(_ letter: UInt8) -> UInt8 {
        switch letter {
        case 0x62: 0x08
        case 0x66: 0x0C
        case 0x6E: 0x0A
        case 0x72: 0x0D
        case 0x74: 0x09
        default: letter
        }
    }

    private static func encoded(_ scalar: UInt32) -> Bytes {
        if scalar < 0x80 { return Bytes(packed: scalar, count: 1) }
        let last = 0x80 | scalar & 0x3F
        if scalar < 0x800 { return Bytes(packed: 0xC0 | scalar >> 6 | last << 8, count: 2) }
        let middle = 0x80 | scalar >> 6 & 0x3F
        if scalar < 0x10000 {
            return Bytes(packed: 0xE0 | scalar >> 12 | middle << 8 | last << 16, count: 3)
        }
        let upper = 0x80 | scalar >> 12 & 0x3F
        return Bytes(
            packed: 0xF0 | scalar >> 18 | upper << 8 | middle << 16 | last << 24, count: 4)
    }
}

/// The decoded bytes between a string's quotes, one at a time.
// Safe: the source is lent by a caller that ends after the last call of `next`.
@safe struct DecodedBytes {
    private let source: UnsafeBufferPointer<UInt8>
    private var from = 0
    private var waiting = Escape.Bytes(packed: 0, count: 0)

    init(_ source: UnsafeBufferPointer<UInt8>) { unsafe self.source = unsafe source }

    @inline(__always)
    mutating func next() -> UInt8? {
        if waiting.count == 0 {
            guard unsafe from < source.count else { return nil }
            waiting = unsafe Escape.next(source, &from)
        }
        defer {
            waiting.packed >>= 8
            waiting.count -= 1
        }
        return UInt8(truncatingIfNeeded: waiting.packed)
    }
}
