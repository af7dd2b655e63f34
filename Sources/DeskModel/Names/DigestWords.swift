/// Four 64-bit words, the most significant first.
///
/// Not a SIMD vector: its 32-byte alignment in an asynchronous function's frame makes compiled code
/// free task memory in the wrong order (Swift 6.3), which ends the process.
public struct DigestWords: Hashable, Sendable {
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private var fourth: UInt64 = 0

    /// Four zeros.
    public static let zero = DigestWords()

    /// Four zeros.
    public init() {}

    /// The word at 0 to 3.
    public subscript(place: Int) -> UInt64 {
        get {
            switch place {
            case 0: first
            case 1: second
            case 2: third
            default: fourth
            }
        }
        set {
            switch place {
            case 0: first = newValue
            case 1: second = newValue
            case 2: third = newValue
            default: fourth = newValue
            }
        }
    }

    /// The bits in which two differ.
    public static func ^ (left: DigestWords, right: DigestWords) -> DigestWords {
        var result = DigestWords()
        for place in 0..<4 { result[place] = left[place] ^ right[place] }
        return result
    }
}
