extension Parser {
    /// Reads the number at `at`; returns its flags.
    @inline(__always)
    mutating func number() throws(Fault) -> UInt32 {
        let start = at
        var index = at
        var flags: UInt32 = 0
        if unsafe text[index] == 0x2D { index += 1 }
        guard index < end, isDigit(index) else { throw Fault(code: .badNumber, at: start) }
        if unsafe text[index] == 0x30 {
            index += 1
        } else {
            index = digits(from: index)
        }
        if index < end, unsafe text[index] == 0x2E {
            flags = Node.fractionFlag
            index += 1
            guard index < end, isDigit(index) else { throw Fault(code: .badNumber, at: start) }
            index = digits(from: index)
        }
        if index < end, unsafe text[index] | 0x20 == 0x65 {
            flags = Node.fractionFlag
            index += 1
            if index < end, unsafe text[index] == 0x2B || text[index] == 0x2D { index += 1 }
            guard index < end, isDigit(index) else { throw Fault(code: .badNumber, at: start) }
            index = digits(from: index)
        }
        // `01`, `1a` and `1.2.3` are one bad number, not a number and a stray byte.
        if index < end {
            let byte = unsafe text[index]
            guard byte != 0x2E, !isDigit(index), (byte | 0x20) &- 0x61 >= 26 else {
                throw Fault(code: .badNumber, at: start)
            }
        }
        guard index - start <= limits.numberBytes else {
            throw Fault(code: .numberTooLong, at: start)
        }
        at = index
        return flags
    }

    @inline(__always)
    private func digits(from start: Int) -> Int {
        var index = start
        while index < end, isDigit(index) { index += 1 }
        return index
    }

    @inline(__always)
    private func isDigit(_ index: Int) -> Bool {
        unsafe text[index] &- 0x30 < 10
    }
}
