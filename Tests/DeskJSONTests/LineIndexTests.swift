import DeskJSON
import TestSupport
import Testing

struct LineIndexTests {
    @Test func `places are the same in any order, near and far, as counted from the begin`() {
        var random = SeededRandom(seed: 20_261_121)
        for round in 0..<40 {
            let parts = ["a", "\n", "\r", "\r\n", "é", "日", "👍", "b c"]
            var bytes: [UInt8] = []
            while bytes.count < [0, 3, 1_023, 1_024, 5_000][round % 5] {
                bytes += Array((parts.randomElement(using: &random) ?? "").utf8)
            }
            var lines = LineIndex(bytes)
            for _ in 0..<30 {
                let offset = Int.random(in: -2...bytes.count + 2, using: &random)
                #expect(
                    lines.position(of: offset) == JSONPosition(offset: offset, in: bytes),
                    "\(round) \(offset)")
            }
        }
    }

    @Test func `a line end of two bytes is one, wherever it is asked for`() {
        var lines = LineIndex(Array("a\r\nb\rc\n".utf8))
        let places = (0...7).map { lines.position(of: $0) }
        #expect(places.map(\.line) == [1, 1, 1, 2, 2, 3, 3, 4])
        #expect(places.map(\.column) == [1, 2, 3, 1, 2, 1, 2, 1])
    }
}
