extension Machine {
    /// Judges a number by a folded block.
    @inline(__always)
    mutating func allowsNumber(
        _ quick: QuickBlock, _ block: Int32, _ node: Int, _ entry: Node
    ) -> Bool {
        guard quick.least != .min || quick.most != .max else { return true }
        guard !entry.hasFraction, let value = smallInteger(entry) else {
            return allowsStepByStep(block, node, entry, Compiler.numberKind)
        }
        return value >= quick.least && value <= quick.most
    }

    /// A whole number of at most 18 digits.
    @inline(__always)
    private mutating func smallInteger(_ entry: Node) -> Int64? {
        var index = Int(entry.start)
        let end = Int(entry.end)
        guard end - index <= 18 else { return nil }
        let isNegative = unsafe text[index] == 0x2D
        if isNegative { index += 1 }
        var value: Int64 = 0
        while index < end {
            value = unsafe value &* 10 &+ Int64(text[index] &- 0x30)
            index += 1
        }
        return isNegative ? -value : value
    }

    mutating func isWhole(_ entry: Node) -> Bool {
        !entry.hasFraction || decimal(entry).isWhole
    }

    /// The number as it is written, exactly.
    func decimal(_ entry: Node) -> Decimal {
        Decimal(tape.bytes[Int(entry.start)..<Int(entry.end)])
    }

    /// Less than 0, 0 or more than 0, as the number is below, at or above a limit of the program.
    mutating func compare(_ entry: Node, to limit: Int32) -> Int {
        let bound = unsafe rules.integers[Int(limit)]
        if bound != .min, let order = quickCompare(entry, to: bound) { return order }
        return decimal(entry).compared(to: program.decimals[Int(limit)])
    }

    mutating func isMultiple(_ entry: Node, of limit: Int32) -> Bool {
        let divisor = unsafe rules.integers[Int(limit)]
        if divisor != .min, !entry.hasFraction, let value = smallInteger(entry) {
            return value % divisor == 0
        }
        return decimal(entry).isMultiple(of: program.decimals[Int(limit)])
    }

    /// The order against a whole limit, for numbers without exponent and of at most 18 digits
    /// before the point; nil for others.
    private mutating func quickCompare(_ entry: Node, to bound: Int64) -> Int? {
        var index = Int(entry.start)
        let end = Int(entry.end)
        var isNegative = false
        if unsafe text[index] == 0x2D {
            isNegative = true
            index += 1
        }
        let first = index
        var value: Int64 = 0
        while index < end, unsafe text[index] &- 0x30 < 10 {
            guard index - first < 18 else { return nil }
            value = unsafe value * 10 + Int64(text[index] - 0x30)
            index += 1
        }
        var hasRest = false
        if index < end {
            guard unsafe text[index] == 0x2E else { return nil }
            index += 1
            while index < end {
                let byte = unsafe text[index]
                guard byte &- 0x30 < 10 else { return nil }
                if byte != 0x30 { hasRest = true }
                index += 1
            }
        }
        let whole = isNegative ? -value : value
        guard whole == bound else { return whole < bound ? -1 : 1 }
        return hasRest ? (isNegative ? -1 : 1) : 0
    }
}
