/// Questions about single bytes, answered for ASCII only and without any locale.
public enum ASCII {
    /// `0` to `9`.
    @inlinable public static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// `A` to `Z` and `a` to `z`.
    @inlinable public static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// A letter or a digit.
    @inlinable public static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte)
    }

    /// Space to tilde: what can be shown and is neither control byte nor beyond ASCII.
    @inlinable public static func isPrintable(_ byte: UInt8) -> Bool { byte &- 0x20 < 0x5F }

    /// The lower-case form of `A` to `Z`; every other byte as it is.
    @inlinable public static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// The value of a hexadecimal digit of either case.
    @inlinable public static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- 0x30 }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }

    /// The lower-case digit of a value from 0 to 15; only the low four bits count.
    @inlinable public static func hexDigit(_ value: UInt8) -> UInt8 {
        let low = value & 15
        return low < 10 ? 0x30 + low : 0x57 + low
    }

    /// The text with `A` to `Z` in lower case and every other byte as it is.
    @inlinable public static func lowercased(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.map { lowercased($0) }
    }

    /// Whether both are the same bytes once `A` to `Z` are in lower case.
    @inlinable public static func equalsIgnoringCase(
        _ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>
    ) -> Bool {
        left.elementsEqual(right) { lowercased($0) == lowercased($1) }
    }
}
