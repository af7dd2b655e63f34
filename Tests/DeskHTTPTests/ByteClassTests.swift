import DeskHTTP
import Testing

/// Which bytes may occur where, asked through the parser one byte at a time.
struct ByteClassTests {
    private static func takes(_ text: [UInt8]) -> Bool {
        if case .request = Exchange.read(text).first { return true }
        return false
    }

    @Test func `a field name has the bytes of a token and no others`() {
        let token = Set("!#$%&'*+-.^_`|~0123456789".utf8)
            .union(UInt8(ascii: "a")...UInt8(ascii: "z"))
            .union(UInt8(ascii: "A")...UInt8(ascii: "Z"))
        for byte in UInt8.min...UInt8.max {
            let bytes =
                Array("GET / HTTP/1.1\r\nHost: a\r\nx".utf8) + [byte] + Array("x: y\r\n\r\n".utf8)
            // A colon ends the name, and what follows is its value.
            #expect(Self.takes(bytes) == (token.contains(byte) || byte == UInt8(ascii: ":")))
        }
    }

    @Test func `a path has the bytes of RFC 3986 and no others`() {
        let path = Set("!$&'()*+,-./:;=@_~0123456789?".utf8)
            .union(UInt8(ascii: "a")...UInt8(ascii: "z"))
            .union(UInt8(ascii: "A")...UInt8(ascii: "Z"))
        for byte in UInt8.min...UInt8.max {
            let bytes = Array("GET /a".utf8) + [byte] + Array("a HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            #expect(Self.takes(bytes) == path.contains(byte), "byte \(byte)")
        }
    }

    @Test func `a value has visible bytes, blanks and high bytes and no others`() {
        for byte in UInt8.min...UInt8.max {
            let bytes =
                Array("GET / HTTP/1.1\r\nHost: a\r\nx: y".utf8) + [byte] + Array("y\r\n\r\n".utf8)
            #expect(
                Self.takes(bytes) == (byte == 9 || (byte >= 0x20 && byte != 0x7F)), "byte \(byte)")
        }
    }
}
