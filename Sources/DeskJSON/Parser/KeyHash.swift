/// A quick hash of a key's decoded bytes, the same for a parsed key and for a schema's name.
///
/// It is not keyed: whoever builds a table from it bounds what equal hashes can cost.
enum KeyHash {
    static func of(_ bytes: [UInt8]) -> UInt32 {
        unsafe bytes.withUnsafeBytes { unsafe of($0) }
    }

    @inline(__always)
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        let length = bytes.count
        var first: UInt64 = 0
        var last: UInt64 = 0
        if length >= 8 {
            unsafe first = bytes.loadUnaligned(as: UInt64.self)
            unsafe last = bytes.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self)
        } else if length >= 4 {
            unsafe first = UInt64(bytes.loadUnaligned(as: UInt32.self))
            unsafe last = UInt64(
                bytes.loadUnaligned(fromByteOffset: length - 4, as: UInt32.self))
        } else if length > 0 {
            unsafe first = UInt64(bytes[0]) | UInt64(bytes[length / 2]) << 8
            unsafe last = UInt64(bytes[length - 1])
        }
        var mixed = (first ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= mixed >> 29
        mixed = (mixed ^ last) &* 0xBF58_476D_1CE4_E5B9
        return UInt32(truncatingIfNeeded: mixed >> 32)
    }
}
