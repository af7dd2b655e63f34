extension Hex {
    /// The eight lower-case digits of a number, the first in the lowest byte: ids are written often,
    /// so all digits are made at once.
    @inlinable package static func digits(_ value: UInt32) -> UInt64 {
        var spread = UInt64(value.byteSwapped)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread >> 4 | spread << 8) & 0x0F0F_0F0F_0F0F_0F0F
        // Six more than ten carries into the upper half of a byte, and only then.
        let isLetter = (spread &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return spread &+ 0x3030_3030_3030_3030 &+ isLetter &* 39
    }

    /// Writes the eight digits of a number.
    @inlinable package static func write(
        _ value: UInt32, to room: UnsafeMutableRawBufferPointer, at place: Int
    ) {
        unsafe room.storeBytes(
            of: digits(value).littleEndian, toByteOffset: place, as: UInt64.self)
    }

    /// Writes four of the eight digits of a number: the first ones, or the last.
    @inlinable package static func writeHalf(
        _ digits: UInt64, isFirst: Bool, to room: UnsafeMutableRawBufferPointer, at place: Int
    ) {
        let four = UInt32(truncatingIfNeeded: isFirst ? digits : digits >> 32)
        unsafe room.storeBytes(of: four.littleEndian, toByteOffset: place, as: UInt32.self)
    }
}
