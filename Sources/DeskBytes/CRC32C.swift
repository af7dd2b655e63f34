import CProcessor

/// The CRC-32C (Castagnoli) checksum, by the processor's instruction where there is one, else by tables.
public struct CRC32C: Sendable {
    private var state: UInt32 = ~0
    private let isBuiltIn = Self.hasInstruction

    /// A checksum of no bytes.
    public init() {}

    /// The sum of all bytes so far.
    public var value: UInt32 { ~state }

    /// The sum of these bytes.
    public static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = CRC32C()
        sum.update(bytes)
        return sum.value
    }

    /// Adds bytes to the sum.
    public mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

    /// Adds a text's UTF-8 to the sum.
    public mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { unsafe update($0.span) }
    }

    /// Adds a number's eight bytes to the sum, the most significant first.
    public mutating func update(_ number: UInt64) {
        let ordered = number.bigEndian
        guard !isBuiltIn else {
            state = frontdesk_crc32c_word(state, ordered)
            return
        }
        unsafe withUnsafeBytes(of: ordered) { bytes in
            updateFromTables(unsafe Span(_unsafeBytes: bytes))
        }
    }

    /// Adds bytes to the sum.
    public mutating func update(_ bytes: Span<UInt8>) {
        guard isBuiltIn else { return updateFromTables(bytes) }
        let before = state
        state = unsafe bytes.withUnsafeBytes {
            unsafe frontdesk_crc32c(before, $0.baseAddress, $0.count)
        }
    }

    private static let hasInstruction = frontdesk_has_crc32c() != 0

    /// Adds bytes to the sum, eight at a time.
    mutating func updateFromTables(_ bytes: Span<UInt8>) {
        let table = CRC32C.tables.span
        var crc = state
        unsafe bytes.withUnsafeBytes { raw in
            var index = 0
            while index + 8 <= raw.count {
                let word = unsafe UInt64(
                    littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let low = UInt32(truncatingIfNeeded: word) ^ crc
                let high = UInt32(truncatingIfNeeded: word >> 32)
                crc = table[1792 + Int(low & 255)] ^ table[1536 + Int(low >> 8 & 255)]
                crc ^= table[1280 + Int(low >> 16 & 255)] ^ table[1024 + Int(low >> 24)]
                crc ^= table[768 + Int(high & 255)] ^ table[512 + Int(high >> 8 & 255)]
                crc ^= table[256 + Int(high >> 16 & 255)] ^ table[Int(high >> 24)]
                index += 8
            }
            while index < raw.count {
                unsafe crc = table[Int(UInt8(truncatingIfNeeded: crc) ^ raw[index])] ^ (crc >> 8)
                index += 1
            }
        }
        state = crc
    }

    /// Eight tables of 256 entries: table n is the effect of a byte followed by n zero bytes.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 2048)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0x82F6_3B78 : crc >> 1 }
            tables[byte] = crc
        }
        for index in 256..<2048 {
            let before = tables[index - 256]
            tables[index] = tables[Int(before & 255)] ^ (before >> 8)
        }
        return tables
    }()
}
