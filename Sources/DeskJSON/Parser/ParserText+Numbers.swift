extension ParserText {
    /// Reads the number at the index.
    ///
    /// Limit: reads at most one byte more than a number may have.
    @inline(__always)
    func number(at start: Int, limit: Int) throws(Parser.Fault) -> Found {
        // Most numbers are a few digits.
        var index = start
        while index < end, index &- start < 16, unsafe text[index] &- 0x30 < 10 { index &+= 1 }
        if index > start, index < end, index &- start <= limit, unsafe text[start] != 0x30 {
            let byte = unsafe text[index]
            if byte == 0x2C || byte == 0x7D || byte == 0x5D { return Found(end: index, flags: 0) }
        }
        return try slowNumber(at: start, limit: limit)
    }

    @inline(never)
    private func slowNumber(at start: Int, limit: Int) throws(Parser.Fault) -> Found {
        let stop = limit < end - start ? start + limit + 1 : end
        var index = start
        var flags: UInt32 = 0
        if unsafe text[index] == 0x2D { index += 1 }
        if index < stop, unsafe text[index] == 0x30 {
            index += 1
        } else {
            index = try digits(of: start, from: index, to: stop, limit)
        }
        if index < stop, unsafe text[index] == 0x2E {
            flags = Node.fractionFlag
            index = try digits(of: start, from: index + 1, to: stop, limit)
        }
        if index < stop, unsafe text[index] | 0x20 == 0x65 {
            flags = Node.fractionFlag
            index += 1
            if index < stop, unsafe text[index] == 0x2B || text[index] == 0x2D { index += 1 }
            index = try digits(of: start, from: index, to: stop, limit)
        }
        guard index - start <= limit else { throw Parser.Fault(code: .numberTooLong, at: start) }
        // `01`, `1a` and `1.2.3` are one bad number, not a number and a stray byte.
        if index < end {
            let byte = unsafe text[index]
            guard byte != 0x2E, byte &- 0x30 >= 10, (byte | 0x20) &- 0x61 >= 26 else {
                throw Parser.Fault(code: .badNumber, at: start)
            }
        }
        return Found(end: index, flags: flags)
    }

    /// The index behind one digit or more.
    private func digits(
        of start: Int, from first: Int, to stop: Int, _ limit: Int
    ) throws(Parser.Fault) -> Int {
        var index = first
        while index < stop, unsafe text[index] &- 0x30 < 10 { index += 1 }
        guard index > first else {
            let isLong = index - start > limit
            throw Parser.Fault(code: isLong ? .numberTooLong : .badNumber, at: start)
        }
        return index
    }
}
