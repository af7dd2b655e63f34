/// The first and the last eight bytes of a text; with its length they are the whole text up to 16.
///
/// Of a text shorter than eight bytes both are all of it, the rest zeros.
struct EdgeWords: Equatable {
    var first: UInt64
    var last: UInt64

    init(first: UInt64, last: UInt64) {
        self.first = first
        self.last = last
    }

    /// The words of a text whose surroundings are not readable.
    init(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count >= 8 {
            unsafe first = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
            unsafe last = UInt64(
                littleEndian: bytes.loadUnaligned(
                    fromByteOffset: bytes.count - 8, as: UInt64.self))
        } else {
            first = 0
            for place in 0..<bytes.count { unsafe first |= UInt64(bytes[place]) << (8 * place) }
            last = first
        }
    }

    /// The words of a text, read without a branch.
    ///
    /// Limit: eight bytes from its start have to be readable, even when the text is shorter.
    // Safe: the caller has checked that `start + 8` is inside the same buffer.
    @inline(__always)
    init(reading start: UnsafePointer<UInt8>, count: Int) {
        let text = unsafe UnsafeRawPointer(start)
        let kept = EdgeWords.mask(count)
        unsafe first = UInt64(littleEndian: text.loadUnaligned(as: UInt64.self)) & kept
        unsafe last =
            UInt64(
                littleEndian: text.loadUnaligned(
                    fromByteOffset: max(count, 8) &- 8, as: UInt64.self)) & kept
    }

    /// The bits of a word that belong to a text of so many bytes.
    @inline(__always)
    static func mask(_ count: Int) -> UInt64 {
        // In two halves, since a word cannot be shifted by all its bits.
        let half = UInt64(truncatingIfNeeded: 4 &* min(count, 8))
        return ((1 &<< half) &<< half) &- 1
    }

    /// A quick hash of the text they belong to, the same for a parsed key and for a schema's name.
    ///
    /// It is not keyed: a table built from it has to bound the cost of equal hashes.
    @inline(__always)
    func hash(count: Int) -> UInt32 {
        var mixed = (first ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= mixed >> 29
        mixed = (mixed ^ last) &* 0xBF58_476D_1CE4_E5B9
        return UInt32(truncatingIfNeeded: mixed >> 32)
    }
}
