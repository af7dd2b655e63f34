import DeskBytes
import Testing

/// Searches eight bytes at a time find what looking at one after the other finds.
@Suite struct ByteScanTests {
    @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17, 30])
    func `every byte is found at every place, and no other`(count: Int) {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<max(count, 1) {
                var bytes = (0..<count).map { $0 % 3 == 0 ? UInt8(0x20) : 0x61 }
                if count > 0 { bytes[place] = byte }
                unsafe bytes.withUnsafeBufferPointer { run in
                    #expect(
                        unsafe ByteScan.contains(run, 0x5C, or: 0x7F)
                            == bytes.contains { $0 == 0x5C || $0 == 0x7F })
                    #expect(
                        unsafe ByteScan.contains(run, 0xEF, or: 0)
                            == bytes.contains { $0 == 0xEF || $0 == 0 })
                    #expect(unsafe ByteScan.mayNeedEscape(run) == Self.mayNeedEscape(bytes))
                    #expect(unsafe ByteScan.isTidy(run) == Self.isTidy(bytes))
                }
            }
        }
    }

    private static func mayNeedEscape(_ bytes: [UInt8]) -> Bool {
        bytes.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0xE2 }
    }

    private static func isTidy(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x5C }
            && !zip(bytes, bytes.dropFirst()).contains { $0 == 0x20 && $1 == 0x20 }
    }
}
