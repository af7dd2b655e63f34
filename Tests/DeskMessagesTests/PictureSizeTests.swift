import TestSupport
import Testing

@testable import DeskMessages

struct PictureSizeTests {
    private static func read(_ bytes: [UInt8]) -> PictureSize? {
        var reader = PictureSizeReader()
        reader.take(bytes)
        return reader.size
    }

    @Test(arguments: PictureBytes.allForms)
    func `a header states its size`(form: PictureBytes.Form) {
        #expect(Self.read(form.make(8_000, 5_000)) == PictureSize(width: 8_000, height: 5_000))
        #expect(Self.read(form.make(1, 2)) == PictureSize(width: 1, height: 2))
    }

    @Test(arguments: PictureBytes.allForms)
    func `forty million pixels are accepted and one row more is not`(form: PictureBytes.Form) {
        #expect(Self.read(form.make(8_000, 5_000))?.isTooLarge == false)
        #expect(Self.read(form.make(8_000, 5_001))?.isTooLarge == true)
    }

    @Test(arguments: PictureBytes.allForms)
    func `the size is known from the header alone`(form: PictureBytes.Form) {
        var reader = PictureSizeReader()
        let bytes = form.make(640, 480)
        reader.take(bytes)
        let before = reader.size
        reader.take([UInt8](repeating: 0xAB, count: 10_000))
        #expect(reader.size == before)
    }

    @Test(
        arguments: [
            [], [0x89], Array("GIF89a".utf8), [0xFF, 0xD8, 0xFF],
            Array("hello, this is a text of no picture".utf8),
            // A scan without a frame, and an end.
            [0xFF, 0xD8, 0xFF, 0xDA, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8],
            [0xFF, 0xD8, 0xFF, 0xD9, 0xFF, 0xC0, 0, 11, 8, 0xFF, 0xFF, 0xFF, 0xFF],
            // A PNG that begins with another chunk than its header.
            PictureBytes.pngMark + [0, 0, 0, 13] + Array("IDAT".utf8)
                + [UInt8](repeating: 1, count: 17),
        ] as [[UInt8]])
    func `bytes without a size state none`(bytes: [UInt8]) {
        #expect(Self.read(bytes) == nil)
    }

    @Test func `what precedes a JPEG's frame does not hide it`() {
        let frame: [UInt8] = [0xFF, 0xC2, 0, 11, 8, 0x27, 0x10, 0x4E, 0x20, 1, 1, 0x11, 0]
        let before: [[UInt8]] = [
            [], [0xFF, 0xE1, 0xFF, 0xFF] + [UInt8](repeating: 0xFF, count: 65_533),
            // Filling, no marker, restart marks and a table.
            [0xFF, 0xFF, 0xFF], [0x12, 0x34, 0x00], [0xFF, 0x00, 0xFF, 0xD0, 0xFF, 0x01],
            [0xFF, 0xC4, 0, 4, 0xFF, 0xC0], [0xFF, 0xFE, 0, 2], [0xFF, 0xFE, 0, 0],
        ]
        for bytes in before {
            let size = Self.read([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2] + bytes + frame)
            #expect(size == PictureSize(width: 20_000, height: 10_000), "\(bytes.prefix(8))")
        }
    }

    @Test func `the largest extent of a HEIC picture counts, whatever surrounds it`() {
        let many =
            PictureBytes.box("ftyp", Array("avif0000".utf8))
            + PictureBytes.box("free", [UInt8](repeating: 7, count: 100))
            + PictureBytes.box(
                "meta",
                [0, 0, 0, 0] + PictureBytes.box("hdlr", [UInt8](repeating: 0, count: 20))
                    + PictureBytes.box(
                        "iprp",
                        PictureBytes.box(
                            "ipco",
                            PictureBytes.extent(320, 240) + PictureBytes.extent(30_000, 20_000)
                                + PictureBytes.extent(512, 512))))
        #expect(Self.read(many) == PictureSize(width: 30_000, height: 20_000))
    }

    @Test(arguments: [20_261_121, UInt64.random(in: 0...UInt64.max)])
    func `the size is the same however the bytes are cut, and nothing traps`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for form in PictureBytes.allForms {
            for _ in 0..<300 {
                var bytes = form.make(.random(in: 0...16_383, using: &random), 77)
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0...2, using: &random) {
                    case 0: bytes[place] = .random(in: 0...255, using: &random)
                    case 1: bytes.insert(.random(in: 0...255, using: &random), at: place)
                    default: if bytes.count > 1 { bytes.remove(at: place) }
                    }
                }
                let whole = Self.read(bytes)
                var single = PictureSizeReader()
                for byte in bytes { single.take([byte]) }
                #expect(single.size == whole, "seed \(seed), \(form.name)")
                var cut = PictureSizeReader()
                var place = 0
                while place < bytes.count {
                    let count = min(bytes.count - place, .random(in: 1...9, using: &random))
                    if cut.skips >= UInt64(count), !cut.isOver {
                        cut.skip(count)
                    } else {
                        cut.take(Array(bytes[place..<place + count]))
                    }
                    place += count
                }
                #expect(cut.size == whole, "seed \(seed), \(form.name)")
            }
        }
    }
}
