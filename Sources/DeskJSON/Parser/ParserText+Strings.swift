import DeskBytes

extension ParserText {
    /// Reads the string whose opening quote is at the index.
    ///
    /// Limit: a string of more bytes than the limit may end early; the caller measures it.
    @inline(__always)
    func string(at start: Int, limit: Int = .max) throws(Parser.Fault) -> Found {
        let index = plainRun(from: start &+ 1, limit: limit)
        if index < end, unsafe text[index] == 0x22 { return Found(end: index &+ 1, flags: 0) }
        return try slowString(from: index, start: start, limit: limit)
    }

    @inline(never)
    private func slowString(from first: Int, start: Int, limit: Int) throws(Parser.Fault) -> Found {
        var index = first
        var flags: UInt32 = 0
        while true {
            // Far too long already: what follows is of no interest.
            if index - start - 1 > limit { return Found(end: index + 1, flags: flags) }
            guard index < end else { throw Parser.Fault(code: .unexpectedEnd, at: end) }
            let byte = unsafe text[index]
            if byte == 0x22 { return Found(end: index + 1, flags: flags) }
            if byte == 0x5C {
                flags |= Node.escapeFlag
                index = try escape(at: index)
            } else if byte < 0x20 {
                throw Parser.Fault(code: .controlByte, at: index)
            } else if byte >= 0x80 {
                flags |= Node.wideFlag
                let stop = limit < end - start ? start + limit + 2 : end
                index = try wideRun(from: index, to: stop)
            }
            index = plainRun(from: index, limit: limit)
        }
    }

    /// The index behind a run of sequences of two to four bytes, or somewhere behind `stop`.
    @inline(never)
    private func wideRun(from start: Int, to stop: Int) throws(Parser.Fault) -> Int {
        var index = start
        let bytes = unsafe UnsafeBufferPointer(start: text, count: end)
        while index < stop, unsafe text[index] >= 0x80 {
            let span = unsafe bytes.span
            let length = UTF8Text.sequenceLength(in: span, at: index)
            guard length > 0 else { throw Parser.Fault(code: .badUTF8, at: index) }
            index += length
        }
        return index
    }

    /// The index of the first quote, backslash, control byte or byte beyond ASCII; or some index
    /// behind the limit.
    @inline(__always)
    private func plainRun(from start: Int, limit: Int) -> Int {
        var index = start
        while index &+ 16 <= end {
            let words = unsafe UnsafeRawPointer(text + index)
            let first = unsafe ParserText.hits(words.loadUnaligned(as: UInt64.self))
            let second = unsafe ParserText.hits(
                words.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            if first | second != 0 {
                // Both at once, since most strings end within 16 bytes and the place is hard to predict.
                let hit = first != 0 ? first : second
                return index &+ hit.trailingZeroBitCount >> 3 &+ (first != 0 ? 0 : 8)
            }
            index &+= 16
            if index &- start >= 64 { return longRun(from: index, limit: limit) }
        }
        return tailRun(from: index)
    }

    /// The same for the last few bytes of the text.
    @inline(never)
    private func tailRun(from start: Int) -> Int {
        var index = start
        while index < end {
            let byte = unsafe text[index]
            guard byte >= 0x20, byte < 0x80, byte != 0x22, byte != 0x5C else { return index }
            index += 1
        }
        return index
    }

    /// The same for long strings (pictures as base64), 32 bytes a step.
    @inline(never)
    private func longRun(from start: Int, limit: Int) -> Int {
        var index = start
        let last = limit < end - start ? start + limit : end
        while index + 32 <= end {
            guard index <= last else { return index }
            let words = unsafe UnsafeRawPointer(text + index)
            let first = unsafe words.loadUnaligned(as: UInt64.self)
            let second = unsafe words.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            let third = unsafe words.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
            let fourth = unsafe words.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
            let hit = ParserText.hits(first) | ParserText.hits(second) | ParserText.hits(third)
            guard hit | ParserText.hits(fourth) == 0 else { break }
            index += 32
        }
        return tailRun(from: index)
    }

    /// The top bit of each byte that ends a plain run; the lowest bit set is exact, a borrow can
    /// only raise false bits above it.
    @inline(__always)
    private static func hits(_ word: UInt64) -> UInt64 {
        let word = UInt64(littleEndian: word)
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let slash = word ^ (ones &* 0x5C)
        let low = (word &- ones &* 0x20) & ~word
        return (low | ((quote &- ones) & ~quote) | ((slash &- ones) & ~slash) | word)
            & 0x8080_8080_8080_8080
    }

    /// Judges the escape at the index and returns the index after it.
    private func escape(at index: Int) throws(Parser.Fault) -> Int {
        guard index + 1 < end else { throw Parser.Fault(code: .unexpectedEnd, at: end) }
        switch unsafe text[index + 1] {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return index + 2
        case 0x75: break
        default: throw Parser.Fault(code: .badEscape, at: index)
        }
        let unit = try codeUnit(at: index)
        guard unit & 0xF800 == 0xD800 else { return index + 6 }
        guard unit & 0xFC00 == 0xD800, index + 7 < end, unsafe text[index + 6] == 0x5C,
            unsafe text[index + 7] == 0x75
        else { throw Parser.Fault(code: .loneSurrogate, at: index) }
        let second = try codeUnit(at: index + 6)
        guard second & 0xFC00 == 0xDC00 else { throw Parser.Fault(code: .loneSurrogate, at: index) }
        return index + 12
    }

    /// The number of the `\uXXXX` at the index.
    private func codeUnit(at index: Int) throws(Parser.Fault) -> UInt32 {
        var value: UInt32 = 0
        for offset in 2..<6 {
            guard index + offset < end else { throw Parser.Fault(code: .unexpectedEnd, at: end) }
            guard let digit = unsafe ASCII.hexValue(text[index + offset]) else {
                throw Parser.Fault(code: .badEscape, at: index)
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
