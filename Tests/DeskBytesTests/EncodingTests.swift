import DeskBytes
import TestSupport
import Testing

struct EncodingTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func `the examples of RFC 4648 come out and go back`(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
        let bare = String(text.prefix { $0 != "=" })
        #expect(Base64.encode(Array(plain.utf8), alphabet: .url) == bare)
        #expect(Base64.decode(bare, alphabet: .url) == Array(plain.utf8))
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zg===", "Z", "Zh==", "Zm9=", "Zm9v\n", " Zm9v", "Zm-v", "====", "=Zg=",
        "Zg==Zg==",
        "Zm9vé",
    ])
    func `base64 that is not canonical is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: [
        ("", ""), ("Tea & cake", "Tea &amp; cake"), ("<b>\"'", "&lt;b&gt;&quot;&#39;"),
        ("&amp;", "&amp;amp;"), ("é\u{301}\u{0}\n\u{1F600}", "é\u{301}\u{0}\n\u{1F600}"),
        ("<\u{338}", "&lt;\u{338}"),
    ])
    func `what has a meaning in markup is written as a reference, also under marks`(
        plain: String, text: String
    ) {
        #expect(MarkupText.escaped(plain).unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test func `the two alphabets do not mix`() {
        let bytes: [UInt8] = [0xFB, 0xFF, 0xFE]
        #expect(Base64.encode(bytes) == "+//+")
        #expect(Base64.encode(bytes, alphabet: .url) == "-__-")
        #expect(Base64.decode("+//+", alphabet: .url) == nil)
        #expect(Base64.decode("-__-") == nil)
        #expect(Base64.decode("Zg==", alphabet: .url) == nil)
        #expect(Base64.decode("Zg==", alphabet: .url, padding: .optional) == [0x66])
    }

    @Test func `random bytes survive every encoding`() throws {
        var random = SeededRandom(seed: 11)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Base64.decode(Base64.encodeBytes(bytes)) == bytes)
            #expect(Base64.decode(Base64.encode(bytes, alphabet: .url), alphabet: .url) == bytes)
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
            #expect(try Gzip.decompress(Gzip.compress(bytes), limitBytes: length) == bytes)
        }
    }

    @Test func `hex accepts both cases and nothing else`() {
        #expect(Hex.encode([0, 0x7F, 0xFF]) == "007fff")
        #expect(Hex.decode("00FFaB") == [0, 255, 0xAB])
        #expect(Hex.decode("0") == nil)
        #expect(Hex.decode("0g") == nil)
    }

    @Test(
        arguments: [
            ("", 0), ("123456789", 0xE306_9283), ("a", 0xC1D0_4330),
            (String(repeating: "\0", count: 32), 0x8A91_36AA),
        ] as [(String, UInt32)])
    func `CRC-32C gives the known sums`(text: String, sum: UInt32) {
        #expect(CRC32C.checksum(Array(text.utf8)) == sum)
        var split = CRC32C()
        for byte in text.utf8 { split.update([byte]) }
        #expect(split.value == sum)
    }

    @Test func `byte strings distinguish canonical equivalents`() {
        #expect("\u{e9}" == "e\u{301}")
        #expect(ByteString("\u{e9}") != ByteString("e\u{301}"))
        #expect(!"\u{e9}".equalsBytes("e\u{301}"))
        #expect("\u{e9}".equalsBytes("\u{e9}"))
        #expect(ByteString("a") < ByteString("b"))
    }

    @Test(
        arguments: [
            ([0x61, 0xC3, 0xA9], nil), ([0xF0, 0x9F, 0x98, 0x80], nil), ([0xC0, 0x80], 0),
            ([0x61, 0xE0, 0x80, 0x80], 1), ([0xED, 0xA0, 0x80], 0), ([0xF4, 0x90, 0x80, 0x80], 0),
            ([0xF8, 0x88, 0x80, 0x80, 0x80], 0), ([0x61, 0xC3], 1), ([0x80], 0), ([], nil),
        ] as [([UInt8], Int?)])
    func `ill-formed UTF-8 is found where it starts`(bytes: [UInt8], fault: Int?) {
        #expect(UTF8Text.firstFault(in: bytes.span) == fault)
        #expect(UTF8Text.isValid(bytes) == (fault == nil))
        #expect((UTF8Text.text(bytes) != nil) == (fault == nil))
    }

    @Test func `percent coding gives text back`() {
        let text = "a b/?&=%あ\u{1}~"
        let coded = PercentCoding.encode(text)
        #expect(PercentCoding.decode(Array(coded.utf8)) == Array(text.utf8))
        #expect(coded == "a%20b%2F%3F%26%3D%25%E3%81%82%01~")
        for stray in ["a+b%", "%4", "%4g", "%%41"] {
            let bytes = Array(stray.utf8)
            #expect(PercentCoding.decode(bytes) == nil)
            let kept = PercentCoding.decode(bytes, keepsStrayPercents: true)
            #expect(kept == (stray == "%%41" ? Array("%A".utf8) : bytes))
        }
        #expect(PercentCoding.decode(Array("a+b".utf8), plusIsSpace: true) == Array("a b".utf8))
    }
}
