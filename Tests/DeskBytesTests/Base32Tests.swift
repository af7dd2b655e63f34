import DeskBytes
import Testing

/// Base 32 against the values of RFC 4648.
struct Base32Tests {
    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"),
        ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
    ])
    func `texts are the published ones without what fills them up`(plain: String, text: String) {
        #expect(Base32.encode(Array(plain.utf8)) == text)
    }

    @Test func `the other alphabet has none of the letters that look like digits`() {
        let bytes = (0..<32).reduce(into: [UInt8]()) { bytes, number in
            bytes += [UInt8(number) << 3, 0, 0, 0, 0]
        }
        let text = Base32.encode(bytes, alphabet: .unambiguous)
        let letters = Set(stride(from: 0, to: text.count, by: 8).map { Array(text)[$0] })
        #expect(letters == Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ"))
    }
}
