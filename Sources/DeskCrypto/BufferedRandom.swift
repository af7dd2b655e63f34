/// Random bits for ids, made by libcrypto's generator in batches, so that an id costs no system call.
///
/// Not for secrets: bits wait in memory until they are used. A value with one owner, which guards it.
public struct BufferedRandom: RandomNumberGenerator, Sendable {
    /// Bytes made at a time.
    private static let pieceBytes = 1_024

    private var bytes: [UInt8] = []
    private var used = 0

    /// Makes a generator with an empty buffer.
    public init() {}

    /// Sixty-four fresh bits.
    public mutating func next() -> UInt64 {
        if used == bytes.count {
            bytes = RandomBytes.make(Self.pieceBytes)
            used = 0
        }
        var word: UInt64 = 0
        for place in used..<used + 8 { word = word << 8 | UInt64(bytes[place]) }
        used += 8
        return word
    }
}
