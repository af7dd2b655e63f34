import DeskBytes
import Testing

struct PictureFormatTests {
    @Test(
        arguments: [
            ("iVBORw0KGgo=", 8), ("QQ==", 1), ("QUI=", 2), ("QUJD", 3), ("", nil), ("QQ", nil),
            ("QQ=", nil), ("Q===", nil), ("Q Q=", nil), ("Q-_=", nil), ("=QQQ", nil),
            ("QQ==QQ==", nil),
        ] as [(String, Int?)])
    func `base64 is measured without decoding`(_ text: String, _ count: Int?) {
        #expect(Base64Shape.byteCount(of: Array(text.utf8)) == count)
    }

    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
            ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
            (Array("GIF89a".utf8), .gif), (Array("RIFF1234WEBP".utf8), .webp),
            (Array("\0\0\0\u{18}ftypheic".utf8), .heic), (Array("RIFF1234WAVE".utf8), nil),
            (Array("\0\0\0\u{18}ftypmp42".utf8), nil), (Array("<svg".utf8), nil), ([], nil),
            ([0x89, 0x50, 0x4E, 0x47], nil),
        ] as [([UInt8], PictureFormat?)])
    func `a picture is known by its first bytes`(_ bytes: [UInt8], _ format: PictureFormat?) {
        #expect(PictureFormat(firstBytes: bytes) == format)
    }
}
