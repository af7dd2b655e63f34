import DeskBytes

extension Parser {
    /// Reads the string whose opening quote is at the index; returns its flags.
    @inline(__always)
    mutating func string(from start: Int) throws(Fault) -> UInt32 {
        var index = plainRun(from: start + 1)
        if index < end, unsafe text[index] == 0x22 {
            at = index + 1
            return 0
        }
        return try slowString(from: &index, start: start)
    }

    private mutating func slowString(from index: inout Int, start: Int) throws(Fault) -> UInt32 {
        var flags: UInt32 = 0
        while true {
            guard index < end else { throw Fault(code: .unexpectedEnd, at: end) }
            let byte = unsafe text[index]
            if byte == 0x22 {
                at = index + 1
                return flags
            }
            if byte == 0x5C {
                flags |= Node.escapeFlag
                index = try escape(at: index)
            } else if byte < 0x20 {
                throw Fault(code: .controlByte, at: index)
            } else {
                flags |= Node.wideFlag
                let bytes = unsafe UnsafeBufferPointer(start: text, count: end)
                while index < end, unsafe text[index] >= 0x80 {
                    let span = unsafe bytes.span
                    let length = UTF8Text.sequenceLength(in: span, at: index)
                    guard length > 0 else { throw Fault(code: .badUTF8, at: index) }
                    index += length
                }
            }
            index = plainRun(from: index)
        }
    }

    /// The index of the first quote, backslash, control byte or byte beyond ASCII.
    @inline(__always)
    private func plainRun(from start: Int) -> Int {
        var index = start
        while index + 8 <= end {
            let word = unsafe UInt64(
                littleEndian: UnsafeRawPointer(text + index).loadUnaligned(as: UInt64.self))
            let hit = Parser.hits(word)
            guard hit == 0 else { return index + hit.trailingZeroBitCount >> 3 }
            index += 8
            if index - start >= 64 { return longRun(from: index) }
        }
        while index < end {
            let byte = unsafe text[index]
            guard byte >= 0x20, byte < 0x80, byte != 0x22, byte != 0x5C else { return index }
            index += 1
        }
        return index
    }

    /// The same for long strings (pictures as base64), 32 bytes a step.
    private func longRun(from start: Int) -> Int {
        var index = start
        while index + 32 <= end {
            let words = unsafe UnsafeRawPointer(text + index)
            let first = unsafe words.loadUnaligned(as: UInt64.self)
            let second = unsafe words.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            let third = unsafe words.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
            let fourth = unsafe words.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
            let hit = Parser.hits(first) | Parser.hits(second) | Parser.hits(third)
            guard hit | Parser.hits(fourth) == 0 else { break }
            index += 32
        }
        while index < end {
            let byte = unsafe text[index]
            guard byte >= 0x20, byte < 0x80, byte != 0x22, byte != 0x5C else { return index }
            index += 1
        }
        return index
    }

    /// The top bit of each byte that ends a plain run; the lowest bit set is exact, a borrow can
    /// only raise false bits above it.
    @inline(__always)
    private static func hits(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let slash = word ^ (ones &* 0x5C)
        let low = (word &- ones &* 0x20) & ~word
        return (low | ((quote &- ones) & ~quote) | ((slash &- ones) & ~slash) | word)
            & 0x8080_8080_8080_8080
    }

    /// Judges the escape at the index and returns the index after it.
    private func escape(at index: Int) throws(Fault) -> Int {
        guard index + 1 < end else { throw Fault(code: .unexpectedEnd, at: end) }
        switch unsafe text[index + 1] {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return index + 2
        case 0x75: break
        default: throw Fault(code: .badEscape, at: index)
        }
        let unit = try codeUnit(at: index)
        guard unit & 0xF800 == 0xD800 else { return index + 6 }
        guard unit & 0xFC00 == 0xD800, index + 7 < end, unsafe text[index + 6] == 0x5C,
            unsafe text[index + 7] == 0x75
        else { throw Fault(code: .loneSurrogate, at: index) }
        let second = try codeUnit(at: index + 6)
        guard second & 0xFC00 == 0xDC00 else { throw Fault(code: .loneSurrogate, at: index) }
        return index + 12
    }

    /// The number of the `\uXXXX` at the index.
    private func codeUnit(at index: Int) throws(Fault) -> UInt32 {
        var value: UInt32 = 0
        for offset in 2..<6 {
            guard index + offset < end else { throw Fault(code: .unexpectedEnd, at: end) }
            guard let digit = unsafe ASCII.hexValue(text[index + offset]) else {
                throw Fault(code: .badEscape, at: index)
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
