/// The text being parsed: questions about it that change nothing.
// Safe: the bytes are lent by `Tape.parse` for the whole parse; every read is guarded by `end`.
@safe struct ParserText {
    /// A scalar or a key that was read.
    struct Found {
        /// The index behind its last byte.
        var end: Int
        /// Flags and perhaps the kind of its entry.
        var flags: UInt32
    }

    let text: UnsafePointer<UInt8>
    let end: Int

    /// The byte at the index; 0 at the end, which no rule of the grammar accepts.
    @inline(__always)
    func peek(_ index: Int) -> UInt8 { index < end ? unsafe text[index] : 0 }

    /// The first index from here on that holds no space.
    @inline(__always)
    func behindSpace(_ start: Int) -> Int {
        guard start < end, unsafe text[start] <= 0x20, unsafe isSpace(text[start]) else {
            return start
        }
        return behindMoreSpace(start)
    }

    @inline(never)
    private func behindMoreSpace(_ start: Int) -> Int {
        var index = start + 1
        // Indented texts: a line end, then many spaces.
        while index + 8 <= end {
            let word = unsafe UnsafeRawPointer(text + index).loadUnaligned(as: UInt64.self)
            guard word == 0x2020_2020_2020_2020 else { break }
            index += 8
        }
        while index < end, unsafe isSpace(text[index]) { index += 1 }
        return index
    }

    @inline(__always)
    private func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// The error for a byte that the grammar does not allow here.
    @inline(never)
    func unexpected(_ index: Int) -> Parser.Fault {
        Parser.Fault(code: index < end ? .unexpectedByte : .unexpectedEnd, at: index)
    }

    /// The hash of the decoded bytes of a key.
    @inline(__always)
    func hash(of key: Found, at start: Int) -> UInt32 {
        let count = key.end &- start &- 2
        guard key.flags & Node.escapeFlag == 0, start &+ 9 <= end else {
            return slowHash(start + 1, count)
        }
        return unsafe EdgeWords(reading: text + start + 1, count: count).hash(count: count)
    }

    /// The same for a key with escapes, or one right at the end of the text.
    @inline(never)
    private func slowHash(_ start: Int, _ count: Int) -> UInt32 {
        let raw = unsafe UnsafeBufferPointer(start: text + start, count: count)
        let bytes = unsafe Escape.decoded(Array(raw)[...])
        return unsafe bytes.withUnsafeBytes { unsafe EdgeWords($0) }.hash(count: bytes.count)
    }

    /// Reads `true`, `false` or `null`.
    @inline(never)
    func word(at start: Int, isFirst: Bool) throws(Parser.Fault) -> Found {
        guard start + 4 <= end else { throw badWord(start, isFirst) }
        let letters = unsafe UInt32(
            littleEndian: UnsafeRawPointer(text + start).loadUnaligned(as: UInt32.self))
        let found: Found
        if letters == 0x6575_7274 {
            found = Found(end: start + 4, flags: Node.Kind.yes)
        } else if letters == 0x6C6C_756E {
            found = Found(end: start + 4, flags: Node.Kind.null)
        } else if letters == 0x736C_6166, peek(start + 4) == 0x65 {
            found = Found(end: start + 5, flags: Node.Kind.no)
        } else {
            throw badWord(start, isFirst)
        }
        // `nullx` is one bad word, not a word and a stray letter.
        guard (peek(found.end) | 0x20) &- 0x61 >= 26 else {
            throw Parser.Fault(code: .badLiteral, at: start)
        }
        return found
    }

    private func badWord(_ start: Int, _ isFirst: Bool) -> Parser.Fault {
        guard start < end else {
            return Parser.Fault(code: isFirst ? .emptyText : .unexpectedEnd, at: start)
        }
        let isLetter = unsafe (text[start] | 0x20) &- 0x61 < 26
        return Parser.Fault(code: isLetter ? .badLiteral : .unexpectedByte, at: start)
    }
}
