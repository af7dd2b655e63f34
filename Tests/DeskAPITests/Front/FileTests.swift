import APITestSupport
import DeskHTTP
import DeskModel
import DeskWeb
import Testing

@testable import DeskAPI

struct FileTests {
    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], SniffedType.png),
            ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), (Array("GIF89a".utf8), .gif),
            (Array("RIFF1234WEBPVP8 ".utf8), .webp), (Array("RIFF1234WAVEfmt ".utf8), .wav),
            ([0, 0, 0, 24] + Array("ftypmp42".utf8), .mp4),
            ([0, 0, 0, 24] + Array("ftypheic".utf8), .heic),
            ([0, 0, 0, 24] + Array("ftypM4A ".utf8), .m4a),
            ([0, 0, 0, 24] + Array("ftypqt  ".utf8), .quickTime),
            ([0x1A, 0x45, 0xDF, 0xA3], .webm), (Array("OggS".utf8), .ogg),
            (Array("ID3".utf8), .mp3),
            ([0xFF, 0xFB, 0x90, 0x64], .mp3), ([0xFF, 0xF1, 0x50, 0x80], .aac),
            (Array("caff".utf8), .caf), (Array("%PDF-1.7".utf8), .pdf),
        ] as [([UInt8], SniffedType)])
    func `a file is known by its first bytes`(bytes: [UInt8], type: SniffedType) {
        #expect(SniffedType(firstBytes: bytes) == type)
    }

    @Test(arguments: [
        "", "<svg xmlns=", "<html>", "<?xml", "hello", "\u{FF}\u{FF}\u{FF}\u{FF}", "RIFF", "BM6",
    ])
    func `markup and the unknown are nothing that is shown`(text: String) {
        #expect(SniffedType(firstBytes: Array(text.utf8)) == nil)
    }

    @Test func `only pictures, sound and film are shown in place`() {
        let downloads = SniffedType.allCases.filter { !$0.isShownInPlace }
        #expect(downloads == [.pdf, .zip])
    }

    @Test(arguments: [
        ("photo.jpg", "photo.jpg"), ("../../etc/passwd", "passwd"), ("C:\\a\\b.txt", "b.txt"),
        ("", "file"), ("..", "file"), (".hidden", "hidden"), ("a\r\nb\0.png", "ab.png"),
        ("gnp.\u{202E}exe", "gnp.exe"), ("\u{FFFC}x", "x"), ("写真.png", "写真.png"),
    ])
    func `a name is what may be shown of it`(given: String, kept: String) {
        #expect(FileName.cleaned(given) == kept)
    }

    @Test func `a long name keeps its ending`() {
        let name = FileName.cleaned(String(repeating: "é", count: 300) + ".jpeg")
        #expect(name.utf8.count <= FileName.maximumBytes)
        #expect(name.hasSuffix(".jpeg"))
    }

    @Test func `a disposition is one safe line`() {
        let text = FileName.disposition("a\"b;é.png", isInline: false)
        #expect(text == "attachment; filename=\"a_b;__.png\"; filename*=UTF-8''a%22b%3B%C3%A9.png")
        var headers = HeaderFields()
        let isTaken = headers.append("Content-Disposition", text)
        #expect(isTaken)
    }
}
