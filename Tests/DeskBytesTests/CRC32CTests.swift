import Testing

@testable import DeskBytes

/// What the check sum promises, however it is made.
@Suite struct CRC32CTests {
    // The vectors of RFC 3720, B.4, and the usual check value.
    @Test(
        arguments: [
            ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
            ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
            ([UInt8](0..<32), 0x46DD_794E),
            ([UInt8]("123456789".utf8), 0xE306_9283),
            ([], 0),
        ] as [([UInt8], UInt32)])
    func `the sum is the published one`(bytes: [UInt8], sum: UInt32) {
        #expect(CRC32C.checksum(bytes) == sum)
        var tables = CRC32C()
        tables.updateFromTables(bytes.span)
        #expect(tables.value == sum)
    }

    @Test func `processor and tables agree at every length and cut`() {
        let bytes = (0..<67).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) }
        for count in 0...bytes.count {
            var tables = CRC32C()
            tables.updateFromTables(bytes.span.extracting(first: count))
            for cut in 0...count {
                var pieces = CRC32C()
                pieces.update(Array(bytes[..<cut]))
                pieces.update(Array(bytes[cut..<count]))
                #expect(pieces.value == tables.value, "\(count) bytes cut at \(cut)")
            }
        }
    }

    @Test func `texts and numbers add their bytes`() {
        var pieces = CRC32C()
        pieces.update("h\u{e9}")
        pieces.update(0x0102_0304_0506_0708 as UInt64)
        #expect(pieces.value == CRC32C.checksum([0x68, 0xC3, 0xA9, 1, 2, 3, 4, 5, 6, 7, 8]))
    }
}
