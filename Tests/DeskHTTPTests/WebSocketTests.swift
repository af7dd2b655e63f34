import DeskHTTP
import Testing

/// Frames of RFC 6455, the rules they may break and the close code of each break.
struct WebSocketTests {
    private static func frame(
        _ first: UInt8, _ payload: [UInt8], isMasked: Bool = true
    ) -> [UInt8] {
        ClientFrames.frame(first, payload, isMasked: isMasked)
    }

    private static let accepted: [([UInt8], [WebSocketDecoder.Event])] = [
        (frame(0x81, Array("hi".utf8)), [.message(.text("hi"))]),
        (frame(0x82, [0, 255]), [.message(.binary([0, 255]))]),
        (frame(0x81, []), [.message(.text(""))]),
        (frame(0x01, [0xE3, 0x81]) + frame(0x80, [0x82]), [.message(.text("あ"))]),
        (
            frame(0x01, [0x61]) + frame(0x89, [7]) + frame(0x00, [0x62]) + frame(0x80, [0x63]),
            [.ping([7]), .message(.text("abc"))]
        ),
        (frame(0x8A, []), [.pong([])]),
        (frame(0x88, []), [.close(code: nil)]),
        (frame(0x88, [0x03, 0xE8, 0x62]), [.close(code: 1000)]),
        (
            frame(0x82, Array(repeating: 9, count: 65_536)),
            [.message(.binary(Array(repeating: 9, count: 65_536)))]
        ),
        (
            frame(0x82, Array(repeating: 9, count: 200)) + frame(0x81, [0x61]),
            [.message(.binary(Array(repeating: 9, count: 200))), .message(.text("a"))]
        ),
    ]

    @Test(arguments: accepted.indices)
    func `good frames are read however they are split`(row: Int) {
        let (bytes, events) = Self.accepted[row]
        for step in [bytes.count, 1, 3, 7] {
            let read = ClientFrames.read(bytes, step: step)
            #expect(read.events == events)
            #expect(read.code == nil)
        }
    }

    private static let refused: [(String, [UInt8], UInt16)] = [
        ("no mask", frame(0x81, [0x61], isMasked: false), 1002),
        ("a reserved bit", frame(0xC1, [0x61]), 1002),
        ("a reserved opcode", frame(0x83, [0x61]), 1002),
        ("a reserved control opcode", frame(0x8B, []), 1002),
        ("a continuation of nothing", frame(0x80, [0x61]), 1002),
        ("a message inside a message", frame(0x01, [0x61]) + frame(0x81, [0x62]), 1002),
        ("a fragmented ping", frame(0x09, []), 1002),
        ("a ping of 126 bytes", frame(0x89, Array(repeating: 0, count: 126)), 1002),
        ("a close of one byte", frame(0x88, [3]), 1002),
        ("close code 1005", frame(0x88, [0x03, 0xED]), 1002),
        ("close code 999", frame(0x88, [0x03, 0xE7]), 1002),
        ("a close reason that is no text", frame(0x88, [0x03, 0xE8, 0xFF]), 1007),
        ("text that is no UTF-8", frame(0x81, [0xC0, 0xAF]), 1007),
        ("text cut in a character", frame(0x81, [0xE3, 0x81]), 1007),
        ("a length longer than it need be", [0x81, 0xFE, 0, 5, 1, 2, 3, 4], 1002),
        (
            "a long length longer than it need be",
            [0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 1, 2, 3, 4], 1002
        ),
        ("a length of 2 to the 63", [0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4], 1002),
        ("one byte over 64 KiB", [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 1, 1, 2, 3, 4], 1009),
        (
            "one byte over 64 KiB in two frames",
            frame(0x02, Array(repeating: 0, count: 65_536)) + frame(0x80, [0]), 1009
        ),
        ("65 fragments", frame(0x02, []) + (0..<64).flatMap { _ in frame(0x00, []) }, 1009),
    ]

    @Test(arguments: refused.indices)
    func `broken frames are refused with their code`(row: Int) {
        let (name, bytes, code) = Self.refused[row]
        for step in [bytes.count, 1] {
            let read = ClientFrames.read(bytes, step: step)
            #expect(read.code == code, "\(name)")
        }
    }

    @Test func `64 fragments are joined`() {
        let bytes =
            Self.frame(0x02, [1]) + (0..<62).flatMap { _ in Self.frame(0x00, [1]) }
            + Self.frame(0x80, [1])
        #expect(
            ClientFrames.read(bytes, step: 5).events == [
                .message(.binary(Array(repeating: 1, count: 64)))
            ])
    }

    /// Sizes of a message's frames, with a limit of 60 bytes a frame and 100 a message.
    private static let sizes: [(frames: [Int], code: UInt16?)] = [
        ([60], nil), ([61], 1009), ([30, 61], 1009), ([61, 0], 1009),
        // Above the frame limit, and below or at the message limit.
        ([60, 30], nil), ([60, 40], nil), ([40, 60], nil), ([60, 41], 1009), ([50, 50, 1], 1009),
    ]

    @Test(arguments: sizes.indices)
    func `a frame and a message each have their own limit`(row: Int) {
        let (frames, code) = Self.sizes[row]
        var limits = ServerLimits()
        limits.webSocketFrameBytes = 60
        limits.webSocketMessageBytes = 100
        let bytes = frames.enumerated().flatMap { index, size in
            let first: UInt8 = (index == frames.count - 1 ? 0x80 : 0) | (index == 0 ? 2 : 0)
            return Self.frame(first, Array(repeating: 9, count: size))
        }
        let whole = WebSocketMessage.binary(Array(repeating: 9, count: frames.reduce(0, +)))
        for step in [1, bytes.count] {
            let read = ClientFrames.read(bytes, step: step, limits: limits)
            #expect(read.code == code)
            #expect(read.events == (code == nil ? [.message(whole)] : []))
        }
    }

    @Test(arguments: [0, 125, 126, 65_535, 65_536])
    func `our own frames carry their length`(count: Int) {
        let frame = WebSocketFrame.text(Array(repeating: 7, count: count))
        let header = count < 126 ? 2 : count < 65_536 ? 4 : 10
        #expect(frame.count == header + count)
        #expect(frame[0] == 0x81)
        #expect(frame[1] == UInt8(count < 126 ? count : count < 65_536 ? 126 : 127))
    }

    @Test func `the key is answered as RFC 6455 1·3 shows`() throws {
        let request = try Request(
            method: .get, target: "/",
            headers: [
                "Upgrade": "websocket", "Connection": "keep-alive, Upgrade",
                "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            ])
        let fields = try WebSocketHandshake.fields(for: request)
        #expect(fields["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test func `an extension that is asked for is not agreed on`() throws {
        let request = try Request(
            method: .get, target: "/",
            headers: [
                "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits",
            ])
        let fields = try WebSocketHandshake.fields(for: request)
        #expect(!fields.contains("sec-websocket-extensions"))
    }

    @Test(arguments: [
        ("Upgrade", "h2c", 400), ("Connection", "close", 400), ("Sec-WebSocket-Version", "8", 426),
        ("Sec-WebSocket-Key", "short", 400), ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=!", 400),
    ])
    func `a handshake with a wrong field is refused`(
        name: String, value: String, status: Int
    ) throws {
        var headers: HeaderFields = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        headers.set(name, value)
        let request = try Request(method: .get, target: "/", headers: headers)
        do throws(RequestProblem) {
            _ = try WebSocketHandshake.fields(for: request)
            Issue.record("accepted")
        } catch {
            #expect(error.status.code == status)
        }
    }
}
