import DeskHTTP
import Testing

/// RFC 6455 area by area: opcodes, reserved bits, fragments, UTF-8, close codes, lengths, masks.
///
/// The sections of the Autobahn test suite, which cannot run here (docs/contributing.md), and what stands
/// for each:
/// 1 framing: lengths 0 to 65,536 of text and binary, in pieces; 2 pings and pongs: control frames, orders
/// with pings between, and DeskNetTests/SteppedStreamTests for the answers; 3 reserved bits: of every
/// opcode, in fragments and between; 4 opcodes: all sixteen; 5 fragmentation: the orders of frames;
/// 6 UTF-8: texts cut at every byte, bytes that are none (found at the message's end, which 6.4 calls
/// non-strict); 7 closing: every code, reasons, and SteppedStreamTests for what comes after a close;
/// 9 limits: sizes to 1 MiB in frames of several sizes, with the limits raised; 10.1.1: 65,536 bytes in
/// frames of 1,300. 12 and 13 are of compression, which is not offered: a handshake that asks for it gets
/// none, and its reserved bit is refused.
struct WebSocketTableTests {
    private static func frame(
        _ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0,
        mask: [UInt8] = [0x5A, 0, 0xFF, 0x13]
    ) -> [UInt8] {
        ClientFrames.frame((isFinal ? 0x80 : 0) | reserved << 4 | opcode, payload, mask: mask)
    }

    private static func expect(
        _ bytes: [UInt8], _ events: [WebSocketDecoder.Event], _ code: UInt16?, _ name: String,
        location: SourceLocation = #_sourceLocation
    ) {
        for step in [1, 2, 5, max(bytes.count, 1)] {
            let found = ClientFrames.read(bytes, step: step)
            #expect(found.events == events, "\(name), by \(step)", sourceLocation: location)
            #expect(found.code == code, "\(name), by \(step)", sourceLocation: location)
        }
    }

    @Test(arguments: UInt8(0)...15)
    func `of sixteen opcodes six are known (5·2)`(opcode: UInt8) {
        let text: [UInt8] = [0x61]
        let known: [UInt8: WebSocketDecoder.Event] = [
            1: .message(.text("a")), 2: .message(.binary(text)), 9: .ping(text), 10: .pong(text),
        ]
        switch opcode {
        // A continuation of nothing, and a close of half a code, are broken.
        case 0, 8: Self.expect(Self.frame(opcode, text), [], 1002, "opcode \(opcode)")
        default:
            Self.expect(
                Self.frame(opcode, text), known[opcode].map { [$0] } ?? [],
                known[opcode] == nil ? 1002 : nil, "opcode \(opcode)")
        }
    }

    @Test(arguments: UInt8(1)...7)
    func `no extension was agreed on, so no reserved bit may be set (5·2)`(reserved: UInt8) {
        for opcode in UInt8(0)...15 {
            Self.expect(
                Self.frame(opcode, reserved: reserved), [], 1002, "\(reserved) \(opcode)")
        }
        // Inside a message and between its fragments too.
        Self.expect(
            Self.frame(1, [0x61], isFinal: false) + Self.frame(0, [0x62], reserved: reserved), [],
            1002, "in a fragment")
        Self.expect(
            Self.frame(1, [0x61], isFinal: false) + Self.frame(9, reserved: reserved), [], 1002,
            "in a ping between")
    }

    /// Frames by letters: T and B begin, t and b are whole, c goes on, C ends, p and q are ping and pong.
    private static let orders: [(String, [String], UInt16?)] = [
        ("t", ["text"], nil), ("b", ["binary"], nil), ("TC", ["text"], nil),
        ("BC", ["binary"], nil), ("TcC", ["text"], nil), ("TccccC", ["text"], nil),
        ("TpC", ["ping", "text"], nil), ("TpqC", ["ping", "pong", "text"], nil),
        ("TpcqCt", ["ping", "pong", "text", "text"], nil), ("TCTC", ["text", "text"], nil),
        ("TCBC", ["text", "binary"], nil), ("ptq", ["ping", "text", "pong"], nil),
        ("C", [], 1002), ("c", [], 1002), ("tC", ["text"], 1002), ("tc", ["text"], 1002),
        ("TCC", ["text"], 1002), ("TCc", ["text"], 1002), ("TT", [], 1002), ("Tt", [], 1002),
        ("TB", [], 1002), ("Tb", [], 1002), ("BT", [], 1002), ("Bt", [], 1002),
        ("TcT", [], 1002), ("TpT", ["ping"], 1002), ("TcpB", ["ping"], 1002),
        ("pC", ["ping"], 1002), ("bC", ["binary"], 1002), ("TCpC", ["text", "ping"], 1002),
    ]

    @Test(arguments: orders.indices)
    func `fragments come in the order that 5·4 states`(row: Int) {
        let (letters, names, code) = Self.orders[row]
        let bytes = letters.flatMap { letter -> [UInt8] in
            switch letter {
            case "T": Self.frame(1, [0x61], isFinal: false)
            case "B": Self.frame(2, [0x61], isFinal: false)
            case "t": Self.frame(1, [0x61])
            case "b": Self.frame(2, [0x61])
            case "c": Self.frame(0, [0x61], isFinal: false)
            case "C": Self.frame(0, [0x61])
            case "p": Self.frame(9, [1])
            default: Self.frame(10, [1])
            }
        }
        let found = ClientFrames.read(bytes, step: 1)
        #expect(found.code == code, "\(letters)")
        #expect(
            found.events.map { event in
                switch event {
                case .message(.text): "text"
                case .message(.binary): "binary"
                case .ping: "ping"
                case .pong: "pong"
                case .close: "close"
                }
            } == names, "\(letters)")
        #expect(ClientFrames.read(bytes, step: bytes.count).code == code)
    }

    @Test(arguments: [UInt8(8), 9, 10])
    func `a control frame is whole and has 125 bytes at most (5·5)`(opcode: UInt8) {
        let most = [UInt8](repeating: 0x61, count: 125)
        Self.expect(Self.frame(opcode, isFinal: false), [], 1002, "a fragment")
        Self.expect(Self.frame(opcode, most + [0x61]), [], 1002, "126 bytes")
        Self.expect(Self.frame(opcode, most + [0x61], isFinal: false), [], 1002, "both")
        if opcode != 8 {
            Self.expect(
                Self.frame(opcode, most), [opcode == 9 ? .ping(most) : .pong(most)], nil, "125")
        }
    }

    private static let texts = [
        "hello", "κόσμε", "あいう", "𐍈😀", "\u{0}", "\u{7F}\u{80}", "\u{7FF}\u{800}",
        "\u{FFFF}\u{10000}", "\u{10FFFF}", "\u{D7FF}\u{E000}", "\u{FFFD}\u{FEFF}",
        "👨‍👩‍👧‍👦",
    ]

    @Test(arguments: texts)
    func `text is whole however its characters are cut (5·6, 8·1)`(text: String) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            let frames =
                Self.frame(1, Array(bytes[..<cut]), isFinal: false)
                + Self.frame(0, Array(bytes[cut...]))
            let found = ClientFrames.read(frames, step: 3)
            #expect(found.events == [.message(.text(text))], "cut at \(cut)")
            #expect(found.code == nil)
        }
        // A text that ends inside a character is none.
        for end in 1..<bytes.count where bytes[end] & 0xC0 == 0x80 {
            Self.expect(Self.frame(1, Array(bytes[..<end])), [], 1007, "ends at \(end)")
        }
    }

    private static let broken: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80],
        [0xE0, 0x9F, 0xBF], [0xE3, 0x81], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
        [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
        [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
        [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        [0x61, 0xC3, 0x28], [0xE2, 0x28, 0xA1], [0xF0, 0x28, 0x8C, 0xBC],
    ]

    @Test(arguments: broken)
    func `bytes that are no UTF-8 end the session wherever they are (8·1)`(bytes: [UInt8]) {
        Self.expect(Self.frame(1, bytes), [], 1007, "alone")
        Self.expect(Self.frame(1, [0x61] + bytes + [0x62]), [], 1007, "inside")
        Self.expect(
            Self.frame(1, bytes, isFinal: false) + Self.frame(0, [0x61]), [], 1007, "first")
        Self.expect(
            Self.frame(1, [0x61], isFinal: false) + Self.frame(0, bytes), [], 1007, "last")
        Self.expect(Self.frame(2, bytes), [.message(.binary(bytes))], nil, "in a binary message")
        Self.expect(Self.frame(8, [0x03, 0xE8] + bytes), [], 1007, "in a reason")
    }

    @Test func `a close has a code that may be sent, or none (7·4)`() {
        Self.expect(Self.frame(8), [.close(code: nil)], nil, "none")
        for code in UInt16.min...UInt16.max {
            let isSent =
                (1000...1003).contains(code) || (1007...1014).contains(code)
                || (3000...4999).contains(code)
            let found = ClientFrames.read(
                Self.frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)]), step: 100)
            #expect(found.events == (isSent ? [.close(code: code)] : []), "code \(code)")
            #expect(found.code == (isSent ? nil : 1002), "code \(code)")
        }
    }

    @Test(arguments: [0, 1, 125, 126, 127, 128, 65_535, 65_536])
    func `a length is written as short as it can be (5·2)`(count: Int) {
        let payload = [UInt8](repeating: 7, count: count)
        let found = ClientFrames.read(Self.frame(2, payload), step: 4096)
        #expect(found.events == [.message(.binary(payload))])
        let mask: [UInt8] = [1, 2, 3, 4]
        if count < 126 {
            #expect(ClientFrames.read([0x82, 0xFE, 0, UInt8(count)] + mask, step: 1).code == 1002)
        }
        if count <= 0xFFFF {
            let long: [UInt8] = [
                0x82, 0xFF, 0, 0, 0, 0, 0, 0, UInt8(count >> 8), UInt8(count & 0xFF),
            ]
            #expect(ClientFrames.read(long + mask, step: 1).code == 1002)
        }
    }

    private static let sizes: [(message: Int, frame: Int)] = [
        (65_536, 1_300), (65_536, 65_536), (262_144, 64), (262_144, 4_096), (1_048_576, 16_384),
        (1_048_576, 1_048_576),
    ]

    @Test(arguments: sizes.indices)
    func `large messages come in frames of any size, as far as limits go (5·4)`(row: Int) {
        let (size, piece) = Self.sizes[row]
        var limits = ServerLimits()
        if size > 65_536 {
            limits.webSocketMessageBytes = size
            limits.webSocketFrameBytes = size
            limits.webSocketFragments = size / piece
        }
        let text = [UInt8](repeating: 0x2A, count: size)
        let frames = stride(from: 0, to: size, by: piece).flatMap { start in
            let end = min(size, start + piece)
            return Self.frame(start == 0 ? 1 : 0, Array(text[start..<end]), isFinal: end == size)
        }
        let found = ClientFrames.read(frames, step: 65_536, limits: limits)
        #expect(found.code == nil)
        #expect(found.events == [.message(.text(String(decoding: text, as: UTF8.self)))])
    }

    @Test(
        arguments: [[UInt8]]([[0, 0, 0, 0], [255, 255, 255, 255], [1, 0, 0, 0], [9, 8, 7, 6]]))
    func `every mask is removed (5·3)`(mask: [UInt8]) {
        let payload = (0..<300).map { UInt8($0 & 0xFF) }
        #expect(
            ClientFrames.read(Self.frame(2, payload, mask: mask), step: 7).events
                == [.message(.binary(payload))])
    }

    @Test(arguments: UInt8(0)...15)
    func `a frame without a mask is refused whatever it is (5·1)`(opcode: UInt8) {
        Self.expect([0x80 | opcode, 0], [], 1002, "opcode \(opcode)")
    }

    @Test(arguments: [UInt64](1...20))
    func `mutated frames never trap and never depend on the split`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let whole =
            Self.frame(1, Array("hello".utf8), isFinal: false) + Self.frame(9, [1, 2])
            + Self.frame(0, Array(" κόσμε".utf8)) + Self.frame(2, [UInt8](repeating: 3, count: 200))
            + Self.frame(8, [0x03, 0xE8])
        for _ in 0..<200 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                bytes[at] = UInt8.random(in: 0...255, using: &random)
            }
            let (one, all) = (
                ClientFrames.read(bytes, step: 1), ClientFrames.read(bytes, step: bytes.count)
            )
            #expect(one.events == all.events, "seed \(seed)")
            #expect(one.code == all.code, "seed \(seed)")
        }
    }
}
