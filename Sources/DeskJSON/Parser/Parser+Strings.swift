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
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        while index + 8 <= end {
            let word = unsafe UInt64(
                littleEndian: UnsafeRawPointer(text + index).loadUnaligned(as: UInt64.self))
            let quote = word ^ (ones &* 0x22)
            let slash = word ^ (ones &* 0x5C)
            // The lowest set bit is exact; a borrow can only raise false bits above it.
            let low = (word &- ones &* 0x20) & ~word
            let hit =
                (low | ((quote &- ones) & ~quote) | ((slash &- ones) & ~slash) | word) & tops
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
            let block = unsafe UnsafeRawPointer(text + index).loadUnaligned(
                as: SIMD32<UInt8>.self)
            let quotes = block .== 0x22
            let slashes = block .== 0x5C
            // Below 0x20 or above 0x7F, in one signed comparison.
            let odd = SIMD32<Int8>(truncatingIfNeeded: block) .< 0x20
            guard !any(quotes .| slashes .| odd) else { break }
            index += 32
        }
        while index < end {
            let byte = unsafe text[index]
            guard byte >= 0x20, byte < 0x80, byte != 0x22, byte != 0x5C else { return index }
            index += 1
        }
        return index
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
