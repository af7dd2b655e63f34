/// A text in units of two or four bytes.
struct WideText {
    /// 2 or 4.
    let unitBytes: Int
    /// The encoding's name, for a sentence.
    let name: String
    /// The text as UTF-8; nil when it is cut off within a unit or a pair.
    let utf8: [UInt8]?

    /// Recognises a byte order mark, or zeros where a JSON text of such units has them.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        let isLittle: Bool
        let mark: Int
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0xFF, 0xFE, 0, 0): (unitBytes, isLittle, mark) = (4, true, 4)
        case (0, 0, 0xFE, 0xFF): (unitBytes, isLittle, mark) = (4, false, 4)
        case (0xFF, 0xFE, _, _): (unitBytes, isLittle, mark) = (2, true, 2)
        case (0xFE, 0xFF, _, _): (unitBytes, isLittle, mark) = (2, false, 2)
        // A JSON text begins with ASCII, and so its first unit has zeros.
        case (let first, 0, 0, 0) where Self.begins(first):
            (unitBytes, isLittle, mark) = (4, true, 0)
        case (0, 0, 0, let first) where Self.begins(first):
            (unitBytes, isLittle, mark) = (4, false, 0)
        case (let first, 0, _, _) where Self.begins(first):
            (unitBytes, isLittle, mark) = (2, true, 0)
        case (0, let first, _, _) where Self.begins(first):
            (unitBytes, isLittle, mark) = (2, false, 0)
        default: return nil
        }
        name =
            "UTF-\(unitBytes * 8), \(isLittle ? "little" : "big")-endian, "
            + (mark > 0 ? "with a byte order mark" : "without a byte order mark")
        utf8 = Self.decode(bytes[mark...], unitBytes, isLittle)
    }

    /// Whether a text that is worth a look begins with this letter.
    private static func begins(_ letter: UInt8) -> Bool {
        "{[\"'".utf8.contains(letter) || Doctor.isSpace(letter)
    }

    private static func decode(
        _ bytes: ArraySlice<UInt8>, _ unitBytes: Int, _ isLittle: Bool
    ) -> [UInt8]? {
        var bytes = bytes
        // A line end that a tool for single bytes has added.
        if bytes.count % unitBytes == 1, let last = bytes.last, last == 0x0A || last == 0 {
            bytes = bytes.dropLast()
        }
        guard bytes.count.isMultiple(of: unitBytes) else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var high: UInt32?
        var place = bytes.startIndex
        while place < bytes.endIndex {
            var value: UInt32 = 0
            for index in 0..<unitBytes {
                let shift = UInt32(isLittle ? index : unitBytes - 1 - index) * 8
                value |= UInt32(bytes[place + index]) << shift
            }
            place += unitBytes
            let scalar: Unicode.Scalar?
            if unitBytes == 2, let first = high {
                guard value & 0xFC00 == 0xDC00 else { return nil }
                high = nil
                scalar = Unicode.Scalar(0x10000 + ((first & 0x3FF) << 10 | value & 0x3FF))
            } else if unitBytes == 2, value & 0xFC00 == 0xD800 {
                high = value
                continue
            } else {
                scalar = Unicode.Scalar(value)
            }
            guard let scalar else { return nil }
            UTF8.encode(scalar)?.forEach { out.append($0) }
        }
        return high == nil ? out : nil
    }
}
