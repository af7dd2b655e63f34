/// An amount of money as the protocol writes it, kept exactly in ten-thousandths.
struct DecimalAmount: Hashable, Comparable {
    /// The amount times 10,000.
    let tenThousandths: Int64

    /// Reads `-12.50`: at most 12 digits before the point and 4 after it.
    init?(_ text: some Collection<UInt8>) {
        var digits = text[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        var value: Int64 = 0
        var before = 0
        var after = -1
        for byte in digits {
            if byte == UInt8(ascii: "."), after < 0, before > 0 {
                after = 0
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            if after < 0 { before += 1 } else { after += 1 }
            guard before <= 12, after <= 4 else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        guard before > 0, after != 0 else { return nil }
        for _ in max(after, 0)..<4 { value *= 10 }
        tenThousandths = isNegative ? -value : value
    }

    private init(tenThousandths: Int64) { self.tenThousandths = tenThousandths }

    static let zero = DecimalAmount(tenThousandths: 0)

    static func < (left: DecimalAmount, right: DecimalAmount) -> Bool {
        left.tenThousandths < right.tenThousandths
    }

    // 1,000 lines of 10^16 stay far below the end of Int64 in count that a payload can hold,
    // but not in value: a sum that would pass it is nil.
    static func + (left: DecimalAmount, right: DecimalAmount) -> DecimalAmount? {
        let (sum, isTooLarge) = left.tenThousandths.addingReportingOverflow(right.tenThousandths)
        return isTooLarge ? nil : DecimalAmount(tenThousandths: sum)
    }

    /// How many places after the point it needs: zeros at the end are none.
    var decimals: Int {
        let part = tenThousandths.magnitude % 10_000
        return part == 0 ? 0 : part % 1_000 == 0 ? 1 : part % 100 == 0 ? 2 : part % 10 == 0 ? 3 : 4
    }

    /// The amount with at least two places after the point.
    var text: String {
        let magnitude = tenThousandths.magnitude
        var places = String(magnitude % 10_000 + 10_000).dropFirst()
        while places.count > 2, places.last == "0" { places = places.dropLast() }
        return "\(tenThousandths < 0 ? "-" : "")\(magnitude / 10_000).\(places)"
    }
}
