/// A decimal number, exact: sign, digits without zeros at either end, power of ten.
struct Decimal: Sendable, Equatable {
    /// Exponents beyond this are held here; only ludicrous numbers reach it.
    private static let mostExponent = 1 << 40

    private(set) var isNegative = false
    /// Values 0 to 9, first and last not 0; empty for zero.
    private(set) var digits: [UInt8] = []
    /// The number is 0.digits times ten to this power.
    private(set) var exponent = 0

    /// The number of a text that follows JSON's grammar.
    init(_ text: some Sequence<UInt8>) {
        var pointAt: Int?
        var read = 0
        var scale = 0
        var isScaleNegative = false
        var inScale = false
        for byte in text {
            switch byte {
            case 0x2D: if inScale { isScaleNegative = true } else { isNegative = true }
            case 0x2E: pointAt = read
            case 0x65, 0x45: inScale = true
            case 0x30...0x39:
                if inScale {
                    scale = min(scale * 10 + Int(byte - 0x30), Decimal.mostExponent)
                } else {
                    digits.append(byte - 0x30)
                    read += 1
                }
            default: break
            }
        }
        exponent = (pointAt ?? read) + (isScaleNegative ? -scale : scale)
        let zeros = digits.prefix { $0 == 0 }.count
        digits.removeFirst(zeros)
        exponent -= zeros
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty {
            isNegative = false
            exponent = 0
        }
    }

    /// Whether it is a whole number.
    var isWhole: Bool { digits.count <= exponent || digits.isEmpty }

    /// It as an integer, when it is whole and fits.
    var int: Int? {
        guard isWhole else { return nil }
        guard exponent <= 19 else { return nil }
        var value = 0
        for place in 0..<max(exponent, 0) {
            let digit = place < digits.count ? Int(digits[place]) : 0
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
            // Downwards, since the smallest integer has no positive counterpart.
            let (next, under) = shifted.subtractingReportingOverflow(digit)
            guard !overflow, !under else { return nil }
            value = next
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// Less than 0, 0 or more than 0, as this is below, equal to or above the other.
    func compared(to other: Decimal) -> Int {
        guard isNegative == other.isNegative else { return isNegative ? -1 : 1 }
        let size = magnitude(comparedTo: other)
        return isNegative ? -size : size
    }

    private func magnitude(comparedTo other: Decimal) -> Int {
        if digits.isEmpty || other.digits.isEmpty {
            return digits.count - other.digits.count
        }
        guard exponent == other.exponent else { return exponent < other.exponent ? -1 : 1 }
        for (left, right) in zip(digits, other.digits) where left != right {
            return left < right ? -1 : 1
        }
        return digits.count - other.digits.count
    }

    /// Whether dividing by the other leaves a whole number; the other is positive and has at most
    /// 18 digits (the schema compiler sees to that).
    func isMultiple(of divisor: Decimal) -> Bool {
        guard !digits.isEmpty else { return true }
        guard !divisor.digits.isEmpty, divisor.digits.count <= 18 else { return false }
        // Both as an integer times a power of ten, the integers not ending in 0.
        let shift = (exponent - digits.count) - (divisor.exponent - divisor.digits.count)
        guard shift >= 0 else { return false }
        var modulus: UInt64 = 0
        for digit in divisor.digits { modulus = modulus * 10 + UInt64(digit) }
        var rest: UInt64 = 0
        for digit in digits { rest = (rest * 10 % modulus + UInt64(digit)) % modulus }
        return Decimal.product(rest, Decimal.power(10, shift, modulus), modulus) == 0
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
