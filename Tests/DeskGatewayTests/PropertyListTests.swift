import DeskBytes
import DeskGateway
import TestSupport
import Testing

/// Binary property lists against those of Python's plistlib.
@Suite("A binary property list")
struct PropertyListTests {
    /// `plistlib.dumps(…, fmt=FMT_BINARY, sort_keys=False)` of the values beside them.
    static let vectors = [
        Listed(
            "62706c697374303052686908000000000000010100000000000000010000000000000000000000000000000b",
            .string("hi")),
        Listed(
            "62706c6973743030de0102030405060708090a0b0c0d0e0f10111213141516191a1b1c1d1e516151"
                + "625163516451655166516751685169516a516b516c516d516e100109082340040000000000005474"
                + "65787464304200e9d83dde004200ffa20f17a1181002d013ffffffffffffffff11012c1200011170"
                + "1300000100000000008003082527292b2d2f31333537393b3d3f414344454e535c5f626466677073"
                + "78810000000000000101000000000000001f00000000000000000000000000000083",
            .dictionary([
                .init("a", .integer(1)), .init("b", .bool(true)), .init("c", .bool(false)),
                .init("d", .real(2.5)), .init("e", .string("text")), .init("f", .string("あé😀")),
                .init("g", .data([0, 255])),
                .init("h", .array([.integer(1), .array([.integer(2)])])),
                .init("i", .dictionary([])), .init("j", .integer(-1)), .init("k", .integer(300)),
                .init("l", .integer(70_000)), .init("m", .integer(1 << 40)), .init("n", .uid(3)),
            ])),
        Listed(
            "62706c6973743030a3010203800081012c8300011170080c0e11000000000000010100000000000000040000"
                + "0000000000000000000000000016", .array([.uid(0), .uid(300), .uid(70_000)])),
        Listed(
            "62706c6973743030ac0102030405060708090a0b0c1000107f108010ff11010011ffff120001000012800000"
                + "00130000000100000000137fffffffffffffff13ffffffffffffffff1380000000000000000815171"
                + "91b1d2023282d363f480000000000000101000000000000000d00000000000000000000000000000051",
            .array(
                [
                    0, 127, 128, 255, 256, 65_535, 65_536, 1 << 31, 1 << 32, .max, -1, .min,
                ].map { .integer($0) })),
    ]

    @Test(arguments: vectors)
    func `is written and read as plistlib does`(row: Listed) throws {
        #expect(Hex.encode(PropertyListWriter.bytes(of: row.value)) == row.hex)
        #expect(try PropertyListReader.read(#require(Hex.decode(row.hex))) == row.value)
    }

    @Test func `with long texts, data and arrays is read back the same`() throws {
        let value = PropertyList.array([
            .string(String(repeating: "x", count: 20)),
            .string(String(repeating: "あ", count: 70_000)),
            .data([UInt8](repeating: 7, count: 300)),
            .array((0..<300).map { .integer($0) }),
            .dictionary((0..<300).map { .init("key \($0)", .string("value \($0)")) }),
        ])
        let bytes = PropertyListWriter.bytes(of: value)
        #expect(try PropertyListReader.read(bytes) == value)
    }

    /// A list of the objects given, the first on top; offsets and references of one byte.
    static func list(_ objects: [[UInt8]], top: UInt8 = 0, count: UInt8? = nil) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [count ?? UInt8(objects.count), top, table] {
            bytes += [UInt8](repeating: 0, count: 7) + [number]
        }
        return bytes
    }

    @Test(arguments: [
        Bad([], .notPropertyList), Bad(Array("bplist01".utf8), .notPropertyList),
        Bad(Array("bplist00".utf8), .trailer), Bad(list([[0x09]], top: 1), .trailer),
        Bad(list([[0x09]], count: 2), .trailer), Bad(list([[0x09]], count: 0), .trailer),
        Bad(list([[0x09]]) + [0], .trailer),
        Bad(list([[0x00]]), .kind), Bad(list([[0x0F]]), .kind),
        Bad(list([[0x33, 0, 0, 0, 0, 0, 0, 0, 0]]), .kind), Bad(list([[0xC0]]), .kind),
        Bad(list([[0x14] + [UInt8](repeating: 0, count: 16)]), .kind),
        Bad(list([[0x88]]), .kind), Bad(list([[0x24]]), .kind),
        Bad(list([[0x11, 1]]), .outOfBounds), Bad(list([[0x42, 1]]), .outOfBounds),
        Bad(list([[0x5F, 0x12, 0x7F, 0xFF, 0xFF, 0xFF]]), .outOfBounds),
        Bad(list([[0x4F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]), .outOfBounds),
        Bad(list([[0x4F, 0x41, 1]]), .outOfBounds), Bad(list([[0xAF]]), .outOfBounds),
        Bad(list([[0xA1, 9]]), .outOfBounds), Bad(list([[0xA5, 0]]), .outOfBounds),
        Bad(list([[0x51, 0x80]]), .text), Bad(list([[0x61, 0xD8, 0x00]]), .text),
        Bad(list([[0xD1, 1, 1], [0x09]]), .key),
        Bad(list([[0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x09]]), .key),
        Bad(list([[0xA1, 0]]), .cycle), Bad(list([[0xA1, 1], [0xA1, 0]]), .cycle),
        Bad(list([[0xD1, 1, 0], [0x51, 0x61]]), .cycle),
        Bad(list((0...32).map { [0xA1, UInt8($0 + 1)] } + [[0x09]]), .tooDeep),
        // Each array names the next ten times: ten to the tenth values.
        Bad(
            list(
                (0..<10).map { [0xAA] + [UInt8](repeating: UInt8($0 + 1), count: 10) } + [[0x09]]),
            .tooLarge),
    ])
    func `with a fault is refused by its name`(row: Bad) {
        #expect(throws: row.fault) { try PropertyListReader.read(row.bytes) }
        #expect(!row.fault.description.isEmpty)
    }

    @Test func `nested as deep as allowed is read`() throws {
        let deep = Self.list((0..<32).map { [0xA1, UInt8($0 + 1)] } + [[0x09]])
        #expect(try PropertyListReader.read(deep).elements?.count == 1)
    }

    @Test func `that names one text often does not grow beyond its limit`() {
        let text = [0x5F, 0x10, 200] + [UInt8](repeating: 0x61, count: 200)
        let bytes = Self.list([[0xAE] + [UInt8](repeating: 1, count: 14), text])
        #expect(throws: PropertyListFault.tooLarge) { try PropertyListReader.read(bytes) }
    }

    @Test func `with changed bytes is read as something or refused, and never traps`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        for row in Self.vectors {
            let good = try #require(Hex.decode(row.hex))
            for length in good.indices {
                #expect(throws: PropertyListFault.self) {
                    try PropertyListReader.read(Array(good[..<length]))
                }
            }
            for _ in 0..<3_000 {
                var bytes = good
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
                // Safe: either outcome is right; a trap would end the test.
                guard let value = try? PropertyListReader.read(bytes) else { continue }
                // Safe: written without sharing it may have more objects than are read.
                guard let again = try? PropertyListReader.read(PropertyListWriter.bytes(of: value))
                else { continue }
                // NaN is not equal to itself.
                let isSame = again == value || "\(again)" == "\(value)"
                #expect(isSame, "seed \(seed): \(Hex.encode(bytes))")
            }
        }
    }
}

/// A property list and its value.
struct Listed: Sendable, CustomTestStringConvertible {
    let hex: String
    let value: PropertyList

    init(_ hex: String, _ value: PropertyList) {
        self.hex = hex
        self.value = value
    }

    var testDescription: String { "\(hex.utf8.count / 2) bytes" }
}

/// Bytes and what is wrong with them.
struct Bad: Sendable {
    let bytes: [UInt8]
    let fault: PropertyListFault

    init(_ bytes: [UInt8], _ fault: PropertyListFault) {
        self.bytes = bytes
        self.fault = fault
    }
}
