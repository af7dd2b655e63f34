import DeskModel
import Testing

/// Ids: what is accepted, what is not, and how they are compared.
@Suite struct NameTests {
    @Test func `a UUID is read in either case and written in lower case`() {
        let text = "0123ABCD-4567-89ef-8123-456789abcdef"
        #expect(ConversationID(text)?.text == text.lowercased())
        #expect(UniqueID(text) == UniqueID(text.lowercased()))
        #expect(UniqueID(text).flatMap { UniqueID(bytes: $0.bytes) } == UniqueID(text))
    }

    @Test func `every digit is written in its place`() {
        let halves: [(UInt64, String)] = [
            (0x0123_4567_89AB_CDEF, "0123456789abcdef"), (0, "0000000000000000"),
            (0xFEDC_BA98_7654_3210, "fedcba9876543210"), (.max, "ffffffffffffffff"),
            (0x9A9A_A9A9_0990_AFFA, "9a9aa9a90990affa"),
        ]
        for (high, first) in halves {
            for (low, second) in halves {
                let digits = first + second
                let plain = UniqueID(high: high, low: low).text.filter { $0 != "-" }
                #expect(plain == digits)
                var words = DigestWords()
                words[0] = high
                words[1] = low
                words[3] = high
                #expect(
                    Digest(words: words).text
                        == digits + String(repeating: "0", count: 16) + first)
            }
        }
    }

    @Test(arguments: [
        "", "0123abcd-4567-89ef-8123-456789abcde", "0123abcd-4567-89ef-8123-456789abcdef0",
        "0123abcd04567-89ef-8123-456789abcdef", "0123abcd-4567-89ef-8123-456789abcdeg",
        "0123abcd-4567-89ef-8123-456789abcde\u{e9}", "{0123abcd-4567-89ef-8123-456789abcdef}",
    ])
    func `anything else is not a UUID`(_ text: String) { #expect(UniqueID(text) == nil) }

    @Test func `a made id says that it is random`() {
        var random = SystemRandomNumberGenerator()
        let text = Array(UniqueID(using: &random).text.utf8)
        #expect(text[14] == UInt8(ascii: "4"))
        #expect("89ab".utf8.contains(text[19]))
    }

    @Test func `ids made with a time sort by it and say so`() {
        var random = SystemRandomNumberGenerator()
        let texts = [0, 1, 1_785_000_000_000, 1_785_000_000_001].map {
            UniqueID(milliseconds: $0, using: &random).text
        }
        #expect(texts == texts.sorted())
        for text in texts {
            #expect(Array(text.utf8)[14] == UInt8(ascii: "7"))
            #expect("89ab".utf8.contains(Array(text.utf8)[19]))
        }
    }

    @Test(arguments: [
        ("a", true), (String(repeating: "x", count: 128), true), ("", false),
        (String(repeating: "x", count: 129), false), ("a b", false), ("a\n", false),
        ("\u{e9}", false), ("a\u{0}", false),
    ])
    func `a message id is printable ASCII of a stated length`(_ text: String, _ isTaken: Bool) {
        #expect((MessageID(text) != nil) == isTaken)
    }

    @Test(arguments: [
        ("urn:mbid:AQ+/z-_=", true), ("urn:mbid:", false), ("URN:mbid:AQ", false),
        ("urn:mbid:A Q", false), ("urn:mbid:" + String(repeating: "A", count: 247), true),
        ("urn:mbid:" + String(repeating: "A", count: 248), false),
    ])
    func `a customer's name is the prefix and base64`(_ text: String, _ isTaken: Bool) {
        #expect((CustomerID(text) != nil) == isTaken)
    }

    @Test func `a digest is written and read in lower-case hexadecimal digits`() {
        let bytes = (0..<32).map { UInt8($0 * 7) }
        let digest = Digest(bytes: bytes)
        #expect(digest?.bytes == bytes)
        #expect(digest.flatMap { Digest($0.text) } == digest)
        #expect(digest.flatMap { Digest($0.text.uppercased()) } == nil)
        #expect(Digest(bytes: bytes.dropLast()) == nil)
    }

    @Test(arguments: [
        ("1f-7", true), ("ffffffffffffffff-9007199254740992", true), ("1f-0", true),
        ("1f-9007199254740993", false), ("1f-99999999999999999999", false), ("1f", false),
        ("1f-", false), ("-1", false), ("1f-07", false), ("1F-7", false), ("1f--7", false),
        ("1f-+7", false), ("1f-7 ", false), ("12345678901234567-1", false),
    ])
    func `an event id is an epoch and a position`(_ text: String, _ isTaken: Bool) {
        #expect((EventID(text) != nil) == isTaken)
        if let id = EventID(text) { #expect(id.text == text) }
    }

    @Test(arguments: [
        ("ja_JP", ["greeting.ja-jp", "greeting.ja"]), ("de", ["greeting.de"]),
        ("zh-Hans_CN", ["greeting.zh-hans-cn", "greeting.zh-hans", "greeting.zh"]),
        ("", []), ("_", []), ("日本", []),
    ])
    func `a template's translations are looked for from the nearest language on`(
        _ locale: String, _ names: [String]
    ) throws {
        let name = try #require(TemplateName("greeting"))
        #expect(name.translations(into: locale).map(\.text) == names)
    }

    @Test func `a scope shows where credential, route and key begin`() {
        let body = Digest(words: DigestWords())
        let one = IdempotencyClaim(credential: "a", route: "bc", key: "d", body: body)
        let other = IdempotencyClaim(credential: "ab", route: "c", key: "d", body: body)
        #expect(one?.scope != other?.scope)
        #expect(IdempotencyClaim(credential: "a", route: "b", key: "", body: body) == nil)
        let long = String(repeating: "k", count: 256)
        #expect(IdempotencyClaim(credential: "a", route: "b", key: long, body: body) == nil)
    }

    @Test(arguments: [
        Author.agent(AgentID(UniqueID(high: 1, low: 2))), .key(KeyID(UniqueID(high: 3, low: 4))),
        .customer(device: "x"), .provider("p"), .script("s"), .server,
    ])
    func `an author is read back from its kind and name`(_ author: Author) {
        #expect(Author(kind: author.kind, name: author.name) == author)
    }

    @Test func `the server's earlier name as an author is still read`() {
        let earlierServerKind = "house"
        #expect(Author(kind: earlierServerKind, name: "") == .server)
    }
}
