import DeskBytes

/// A picture of black and white, one bit a pixel, that can be written as PNG (ISO/IEC 15948).
struct BitPicture {
    let width: Int
    let height: Int
    private let rowBytes: Int
    /// Rows with their filter byte first; a set bit is white.
    private var rows: [UInt8]

    /// Makes a white picture; sides are of our making, at most some thousand pixels.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        rowBytes = (width + 7) / 8 + 1
        rows = [UInt8](repeating: 0xFF, count: rowBytes * height)
        for row in 0..<height { rows[row * rowBytes] = 0 }
    }

    /// Makes a square black.
    mutating func fillBlack(fromColumn column: Int, row: Int, side: Int) {
        for y in row..<min(row + side, height) {
            for x in column..<min(column + side, width) {
                rows[y * rowBytes + 1 + x / 8] &= ~(UInt8(0x80) >> UInt8(x % 8))
            }
        }
    }

    /// The file's bytes; nil when they could not be packed.
    func png() -> [UInt8]? {
        guard let packed = Self.zlib(rows) else { return nil }
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // Bit depth 1, greyscale, the only compression, filter and (no) interlace methods.
        let header = Self.bigEndian(width) + Self.bigEndian(height) + [1, 0, 0, 0, 0]
        Self.append("IHDR", header, to: &file)
        Self.append("IDAT", packed, to: &file)
        Self.append("IEND", [], to: &file)
        return file
    }

    /// RFC 1950 around the deflated part of RFC 1952: PNG needs the one, our packer makes the
    /// other.
    private static func zlib(_ bytes: [UInt8]) -> [UInt8]? {
        let gzip: [UInt8]
        do throws(GzipError) { gzip = try Gzip.compress(bytes, level: 9) } catch { return nil }
        // Our packer writes no optional fields, so header and trailer have 10 and 8 bytes.
        guard gzip.count > 18, gzip[3] == 0 else { return nil }
        return [0x78, 0xDA] + gzip[10..<(gzip.count - 8)] + bigEndian(Int(adler32(bytes)))
    }

    private static func append(_ type: String, _ content: [UInt8], to file: inout [UInt8]) {
        let body = Array(type.utf8) + content
        file += bigEndian(content.count)
        file += body
        file += bigEndian(Int(crc32(body)))
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        let bits = UInt32(truncatingIfNeeded: value)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> UInt32($0)) }
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { remainder, byte in
            remainder >> 8 ^ crcTable[Int((remainder ^ UInt32(byte)) & 0xFF)]
        }
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        }
    }
}
