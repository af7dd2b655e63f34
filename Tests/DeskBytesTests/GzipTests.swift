import DeskBytes
import TestSupport
import Testing

struct GzipTests {
    private let text = Array(String(repeating: "All work and no play. ", count: 9000).utf8)

    @Test func `packing makes it smaller and unpacking gives it back`() throws {
        let packed = try Gzip.compress(text)
        #expect(Gzip.isGzip(packed))
        #expect(packed.count < text.count / 20)
        #expect(try Gzip.decompress(packed, limitBytes: text.count) == text)
    }

    @Test func `one byte above the ceiling is refused`() throws {
        let packed = try Gzip.compress(text)
        #expect(throws: GzipError.tooLarge) {
            try Gzip.decompress(packed, limitBytes: text.count - 1)
        }
    }

    @Test func `several members are one text`() throws {
        let packed = try Gzip.compress([1, 2]) + Gzip.compress([3])
        #expect(try Gzip.decompress(packed, limitBytes: 3) == [1, 2, 3])
    }

    @Test func `every cut is truncated and every foreign tail is damage`() throws {
        let packed = try Gzip.compress(Array("short text".utf8))
        for length in 0..<packed.count {
            #expect(throws: GzipError.truncated) {
                try Gzip.decompress(Array(packed[..<length]), limitBytes: 1000)
            }
        }
        #expect(throws: GzipError.damaged) {
            try Gzip.decompress(packed + [0, 0, 0, 0], limitBytes: 1000)
        }
    }

    @Test func `mutated data never traps and never passes its ceiling`() throws {
        let packed = try Gzip.compress(Array("the quick brown fox, the quick brown dog".utf8))
        let seed: UInt64 = 42
        var random = SeededRandom(seed: seed)
        for round in 0..<3000 {
            var bytes = packed
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                in: 0...255, using: &random)
            if let out = try? Gzip.decompress(bytes, limitBytes: 100) {  // Safe: refusal is fine.
                #expect(out.count <= 100, "seed \(seed), round \(round)")
            }
        }
    }
}
