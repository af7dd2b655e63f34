import CQREncode

/// A QR code as a square of dark and light modules; drawn as SVG, PNG or for a terminal.
public struct QRCode: Sendable, Equatable {
    /// Longest text in bytes that is made into a code; links of ours stay far below.
    public static let maximumBytes = 2_200

    /// Light modules around the code that ISO/IEC 18004 requires.
    static let quietModules = 4

    /// Modules on one side, without the quiet zone.
    public let side: Int
    /// Row by row, true for dark.
    private let modules: [Bool]

    /// Encodes text with error correction level M; nil for empty or too long text.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...Self.maximumBytes).contains(bytes.count) else { return nil }
        // Safe: the library copies the bytes; what it returns is freed here and nowhere else.
        let code = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe QRcode_encodeData(
                Int32(buffer.count), buffer.baseAddress, 0, QR_ECLEVEL_M)
        }
        guard let code = unsafe code else { return nil }
        defer { unsafe QRcode_free(code) }
        let side = Int(unsafe code.pointee.width)
        guard side > 0, let data = unsafe code.pointee.data else { return nil }
        self.side = side
        // The lowest bit of a module says dark; the others speak of the library's own work.
        modules = (0..<side * side).map { unsafe data[$0] & 1 == 1 }
    }

    /// Whether the module is dark; everything outside is light.
    public func isDark(_ column: Int, _ row: Int) -> Bool {
        guard (0..<side).contains(column), (0..<side).contains(row) else { return false }
        return modules[row * side + column]
    }
}
