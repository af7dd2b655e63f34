import COpenSSL

/// AES-256 in counter mode (NIST SP 800-38A, 6.5): encrypts and decrypts a byte stream.
///
/// The counter is all 128 bits of the block, big-endian, and begins with the start value. A stream is
/// given piece by piece, or entered at any byte; both ways give the same bytes. It does not
/// detect changes; a key and start value serve one text only.
public struct AESCounter: Sendable {
    /// Bytes of a key.
    public static let keyBytes = 32
    /// Bytes of the start value.
    public static let startBytes = 16

    private let key: [UInt8]
    private let start: [UInt8]

    /// The byte of the stream that the next piece begins with; set it to go elsewhere.
    ///
    /// A number below 0 is a programming error.
    public var offset: Int64 {
        willSet { precondition(newValue >= 0, "offset \(newValue) is before the stream") }
    }

    /// Begins at a byte of the stream, with the protocol's start value of zero unless another is given.
    ///
    /// - Throws: when the key is not of 32 bytes or the start value not of 16.
    public init(
        key: [UInt8], start: [UInt8] = [UInt8](repeating: 0, count: startBytes), offset: Int64 = 0
    ) throws(CryptoError) {
        guard key.count == AESCounter.keyBytes, start.count == AESCounter.startBytes, offset >= 0
        else { throw CryptoError("AES-256-CTR set-up") }
        self.key = key
        self.start = start
        self.offset = offset
    }

    /// Encrypts, or decrypts, the next piece of the stream.
    ///
    /// Limit: pieces have any size; 64 KiB and more are fastest.
    public mutating func apply(_ piece: [UInt8]) -> [UInt8] {
        guard !piece.isEmpty else { return [] }
        // The bytes of the first block that were used before.
        let used = Int(offset & 15)
        var bytes = [UInt8](repeating: 0, count: used)
        bytes.reserveCapacity(used + piece.count)
        bytes.append(contentsOf: piece)
        let context = CipherContext()
        let isDone = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe context.begin(EVP_aes_256_ctr(), encrypts: true, key: key, nonce: block)
                && context.update($0)
        }
        precondition(isDone, "AES-256-CTR refused a key and a block of the right sizes")
        offset += Int64(piece.count)
        if used > 0 { bytes.removeFirst(used) }
        return bytes
    }

    /// The counter at the offset's block.
    private var block: [UInt8] {
        var block = start
        var carry = UInt64(offset >> 4)
        for place in block.indices.reversed() {
            let sum = UInt64(block[place]) + (carry & 0xFF)
            block[place] = UInt8(truncatingIfNeeded: sum)
            carry = (carry >> 8) + (sum >> 8)
        }
        return block
    }
}
