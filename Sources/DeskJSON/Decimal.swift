/// A decimal number, exact: a view of its text that makes no copy of the digits.
struct Decimal: Sendable, Equatable {
    /// Exponents beyond this are held here; only ludicrous numbers reach it.
    private static let mostExponent = 1 << 40

    /// The original text, in JSON's grammar.
    private let text: ArraySlice<UInt8>
    /// The offset of the first significant digit.
    private var first = 0
    private(set) var isNegative = false
    /// How many digits count: no zeros at either end; 0 for zero.
    private(set) var digitCount = 0
    /// The number is 0.digits times ten to this power.
    private(set) var exponent = 0

    /// The number of a text that follows JSON's grammar.
    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        var whole = 0
        var digits = 0
        var zerosBefore = 0
        var hasPoint = false
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte == 0x2D {
                isNegative = true
            } else if byte == 0x2E {
                hasPoint = true
            } else if byte | 0x20 == 0x65 {
                break
            } else {
                if !hasPoint { whole += 1 }
                if digits == 0, byte == 0x30 {
                    zerosBefore += 1
                } else {
                    if digits == 0 { first = index }
                    digits += 1
                    if byte != 0x30 { digitCount = digits }
                }
            }
            index += 1
        }
        guard digitCount > 0 else {
            isNegative = false
            return
        }
        exponent = whole - zerosBefore + Decimal.scale(text, after: index)
    }

    /// Whether it is a whole number.
    var isWhole: Bool { digitCount <= exponent || digitCount == 0 }

    /// It as an integer, when it is whole and fits.
    var int: Int? {
        guard isWhole, exponent <= 19 else { return nil }
        var value = 0
        var digits = self.digits
        for _ in 0..<max(exponent, 0) {
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
            // Downwards, since the smallest integer has no positive counterpart.
            let (next, under) = shifted.subtractingReportingOverflow(Int(digits.next() ?? 0))
            guard !overflow, !under else { return nil }
            value = next
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// Equal as numbers, however they are written.
    static func == (left: Decimal, right: Decimal) -> Bool { left.compared(to: right) == 0 }

    /// Less than 0, 0 or more than 0, as this is below, equal to or above the other.
    func compared(to other: Decimal) -> Int {
        guard isNegative == other.isNegative else { return isNegative ? -1 : 1 }
        let size = magnitude(comparedTo: other)
        return isNegative ? -size : size
    }

    private func magnitude(comparedTo other: Decimal) -> Int {
        if digitCount == 0 || other.digitCount == 0 { return digitCount - other.digitCount }
        guard exponent == other.exponent else { return exponent < other.exponent ? -1 : 1 }
        var left = digits
        var right = other.digits
        while let one = left.next() {
            guard let another = right.next() else { return 1 }
            if one != another { return one < another ? -1 : 1 }
        }
        return right.next() == nil ? 0 : -1
    }

    /// The same for numbers that are equal.
    func hash(into hasher: inout Hasher) {
        hasher.combine(isNegative)
        hasher.combine(exponent)
        var digits = self.digits
        while let digit = digits.next() { hasher.combine(digit) }
    }

    /// Whether dividing by the other leaves a whole number; the other is positive and has at most
    /// 18 digits (the schema compiler sees to that).
    func isMultiple(of divisor: Decimal) -> Bool {
        guard digitCount > 0 else { return true }
        guard divisor.digitCount > 0, divisor.digitCount <= 18 else { return false }
        // Both as an integer times a power of ten, the integers not ending in 0.
        let shift = (exponent - digitCount) - (divisor.exponent - divisor.digitCount)
        guard shift >= 0 else { return false }
        var modulus: UInt64 = 0
        var digits = divisor.digits
        while let digit = digits.next() { modulus = modulus * 10 + UInt64(digit) }
        var rest: UInt64 = 0
        digits = self.digits
        while let digit = digits.next() { rest = (rest * 10 % modulus + UInt64(digit)) % modulus }
        return Decimal.product(rest, Decimal.power(10, shift, modulus), modulus) == 0
    }

    private var digits: Digits { Digits(text: text, at: first, left: digitCount) }

    /// The power of ten behind the `e` at the index, if there is one.
    private static func scale(_ text: ArraySlice<UInt8>, after start: Int) -> Int {
        var value = 0
        var isNegative = false
        var index = start + 1
        while index < text.endIndex {
            let byte = text[index]
            if byte == 0x2D { isNegative = true }
            if byte &- 0x30 < 10 { value = min(value * 10 + Int(byte - 0x30), mostExponent) }
            index += 1
        }
        return isNegative ? -value : value
    }

    private static func power(_ base: UInt64, _ exponent: Int, _ modulus: UInt64) -> UInt64 {
        var result = 1 % modulus
        var square = base % modulus
        var left = exponent
        while left > 0 {
            if left & 1 == 1 { result = product(result, square, modulus) }
            square = product(square, square, modulus)
            left >>= 1
        }
        return result
    }

    private static func product(_ left: UInt64, _ right: UInt64, _ modulus: UInt64) -> UInt64 {
        let wide = left.multipliedFullWidth(by: right)
        return modulus.dividingFullWidth((wide.high % modulus, wide.low)).remainder
    }
}

/// The digits of a number that count, as values 0 to 9.
private struct Digits {
    let text: ArraySlice<UInt8>
    var at: Int
    var left: Int

    mutating func next() -> UInt8? {
        guard left > 0 else { return nil }
        if text[at] == 0x2E { at += 1 }
        defer {
            at += 1
            left -= 1
        }
        return text[at] - 0x30
    }
}
