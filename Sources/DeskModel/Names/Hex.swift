/// Hexadecimal digits, one byte each.
enum Hex {
    /// The value of one digit of either case; nil for any other byte.
    static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The lower-case digit of a value below 16, found without a branch: ids are written often.
    static func digit(_ value: UInt8) -> UInt8 {
        // From ten on the difference is negative and its sign lets the letters' distance through.
        let isLetter = (9 &- Int8(bitPattern: value)) >> 7
        return UInt8(ascii: "0") &+ value &+ UInt8(bitPattern: isLetter & 39)
    }
}
