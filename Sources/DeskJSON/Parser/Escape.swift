import DeskBytes

/// Undoes the backslashes of a string that the parser has accepted.
enum Escape {
    /// The decoded bytes of what stands between the quotes.
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
            let byte = unsafe source[from]
            guard byte == 0x5C, from + 1 < source.count else {
                unsafe target[to] = byte
                from += 1
                to += 1
                continue
            }
            let letter = unsafe source[from + 1]
            guard letter == 0x75 else {
                unsafe target[to] = plain(letter)
                from += 2
                to += 1
                continue
            }
            var scalar = unsafe unit(source, from + 2)
            from += 6
            if scalar & 0xFC00 == 0xD800, from + 6 <= source.count {
                scalar = unsafe 0x10000 + (scalar & 0x3FF) << 10 + unit(source, from + 2) & 0x3FF
                from += 6
            }
            unsafe to += encode(scalar, into: target, at: to)
        }
        return to
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

    private static func encode(
        _ scalar: UInt32, into target: UnsafeMutableBufferPointer<UInt8>, at index: Int
    ) -> Int {
        func put(_ offset: Int, _ value: UInt32) {
            unsafe target[index + offset] = UInt8(truncatingIfNeeded: value)
        }
        if scalar < 0x80 {
            put(0, scalar)
            return 1
        }
        if scalar < 0x800 {
            put(0, 0xC0 | scalar >> 6)
            put(1, 0x80 | scalar & 0x3F)
            return 2
        }
        if scalar < 0x10000 {
            put(0, 0xE0 | scalar >> 12)
            put(1, 0x80 | scalar >> 6 & 0x3F)
            put(2, 0x80 | scalar & 0x3F)
            return 3
        }
        put(0, 0xF0 | scalar >> 18)
        put(1, 0x80 | scalar >> 12 & 0x3F)
        put(2, 0x80 | scalar >> 6 & 0x3F)
        put(3, 0x80 | scalar & 0x3F)
        return 4
    }
}
