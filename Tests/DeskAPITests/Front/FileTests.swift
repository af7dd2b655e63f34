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

    @Test func `a set of files is looked up by bytes and never by path`() {
        let files = FileSet(["lib/dom.js": [1], "\u{e9}.js": [2]])
        #expect(files["lib/dom.js"]?.bytes == [1])
        #expect(files["lib/dom.js"]?.type == "text/javascript; charset=utf-8")
        #expect(files["e\u{301}.js"] == nil)
        #expect(files["../lib/dom.js"] == nil && files["/lib/dom.js"] == nil && files[""] == nil)
    }

    @Test func `pages let nothing in from elsewhere`() {
        for needed in [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "object-src 'none'",
            "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        ] {
            #expect(PageHeaders.policy.contains(needed))
        }
        #expect(!PageHeaders.policy.contains("unsafe"))
    }

    @Test(arguments: [
        ("localhost:8080", false, true), ("127.0.0.1:8080", false, true),
        ("[::1]:8080", false, true), ("desk.example:8080", true, true),
        ("desk.example:8080", false, false), ("192.168.1.20:8080", false, false),
        ("localhost.example", false, false),
    ])
    func `a page is opened apart where browsers heed it`(
        host: String, isSecure: Bool, isSaid: Bool
    ) async throws {
        let server = try await TestServer()
        let authenticators = Authenticators(
            services: server.services, customer: PhoneAuthenticator(services: server.services))
        let request = try Request(
            method: .get, target: "/console", host: host,
            peer: Peer(address: "192.0.2.7", isLoopback: false), isSecure: isSecure)
        let call = RequestContext(
            request: request, access: Access(), rule: AccessRule(.open, .none, in: .product),
            services: server.services,
            watch: PrincipalWatch(
                request: request, principal: nil,
                authorizer: RequestAuthorizer(
                    services: server.services, authenticators: authenticators)))
        var response = Response(status: .ok)
        PageHeaders.add(to: &response, for: call)
        let opener = response.headers["cross-origin-opener-policy"]
        #expect(opener == (isSaid ? "same-origin" : nil))
        #expect(response.headers["cross-origin-embedder-policy"] == "require-corp")
        #expect(response.headers["cross-origin-resource-policy"] == "same-origin")
    }
}
