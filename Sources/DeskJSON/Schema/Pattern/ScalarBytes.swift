/// Splits ranges of scalars into sequences of byte ranges: their UTF-8 encoding.
enum ScalarBytes {
    /// The sequences of one to four byte ranges that encode exactly the scalars of a range.
    static func sequences(of range: ClosedRange<UInt32>) -> [[ClosedRange<UInt8>]] {
        var found: [[ClosedRange<UInt8>]] = []
        // By length of the encoding, without the surrogates, which no text holds.
        let lengths: [ClosedRange<UInt32>] = [
            0...0x7F, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF, 0x10000...0x10FFFF,
        ]
        for whole in lengths where whole.overlaps(range) {
            let part = range.clamped(to: whole)
            split(part.lowerBound, part.upperBound, &found)
        }
        return found
    }

    /// Splits until all but the first differing byte run over their whole range.
    private static func split(
        _ low: UInt32, _ high: UInt32, _ found: inout [[ClosedRange<UInt8>]]
    ) {
        let first = encoded(low)
        let last = encoded(high)
        for tail in stride(from: 1, to: first.count, by: 1) {
            let mask: UInt32 = (1 << (6 * UInt32(tail))) - 1
            guard low & ~mask != high & ~mask else { continue }
            if low & mask != 0 {
                split(low, low | mask, &found)
                return split((low | mask) + 1, high, &found)
            }
            if high & mask != mask {
                split(low, (high & ~mask) - 1, &found)
                return split(high & ~mask, high, &found)
            }
        }
        found.append(zip(first, last).map { $0...$1 })
    }

    private static func encoded(_ value: UInt32) -> [UInt8] {
        guard let scalar = Unicode.Scalar(value) else { return [] }
        return Array(UTF8.encode(scalar) ?? .init())
    }
}
