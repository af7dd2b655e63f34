import DeskJSON
import DeskMessages
import DeskTranslate
import TestSupport
import Testing

/// Texts are as long as each vendor counts them, and are cut between what people see as characters.
struct UnitTests {
    /// One character as people see it, five scalars, eight UTF-16 units, eighteen bytes.
    private static let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"

    private static func quick(
        _ text: String = "q", _ title: String = "t", _ identifier: String = "i"
    ) -> String {
        let items =
            #"{"identifier":"\#(identifier)","title":"\#(title)"},{"identifier":"n","title":"No"}"#
        return
            #"{"type":"interactive","interactiveData":{"bid":"\#(Rulebook.extensionIdentifier)","data":{"version":"1.0","#
            + #""requestIdentifier":"r","quick-reply":{"summaryText":"\#(text)","items":[\#(items)]}}}}"#
    }

    private static func link(_ title: String) -> String {
        #"{"type":"richLink","richLinkData":{"url":"https://a.example/","title":"\#(title)"}}"#
    }

    private static func families(_ count: Int) -> String { String(repeating: family, count: count) }

    /// A limit, a text that fits, one that is too long, how long that is, and the message with it.
    private static let rows:
        [(String, Shape, Int, String, String, Int, @Sendable (String) -> String)] = [
            ("label of LINE", .line, 20, families(20), families(21), 21, { quick("q", $0) }),
            (
                "template of LINE", .line, 160, String(repeating: "e\u{301}", count: 160),
                String(repeating: "e\u{301}", count: 161), 161, { link($0) }
            ),
            ("text of LINE", .line, 5_000, text(5_000), text(5_001), 5_001, { words($0) }),
            (
                "data of LINE", .line, 300, "\(families(37))1234", "\(families(37))12345", 301,
                { quick("q", "t", $0) }
            ),
            (
                "callback of Telegram", .telegram, 64, "\(families(3))0123456789",
                "\(families(3))01234567890", 65, { quick("q", "t", $0) }
            ),
            ("text of Telegram", .telegram, 4_096, text(4_096), text(4_097), 4_097, { words($0) }),
        ]

    /// So many UTF-16 units, of apples and a letter where the number is odd.
    private static func text(_ units: Int) -> String {
        String(repeating: "\u{1F34E}", count: units / 2) + String(repeating: "x", count: units % 2)
    }

    private static func words(_ text: String) -> String { #"{"type":"text","body":"\#(text)"}"# }

    @Test(arguments: rows.indices)
    func `a text is as long as its vendor counts it`(_ index: Int) throws {
        let (name, shape, limit, fits, tooLong, actual, make) = Self.rows[index]
        let at = try Translating.translate(make(fits), .messagesForBusiness, shape)
        #expect(at.losses.filter { $0.limit == limit } == [], "\(name)")
        #expect(at.findings == [], "\(name)")
        let beyond = try Translating.translate(make(tooLong), .messagesForBusiness, shape)
        let named = beyond.losses.filter { $0.limit == limit }
        #expect(named.count == 1 && named.allSatisfy { $0.actual == actual }, "\(name)")
        #expect(beyond.findings == [], "\(name)")
    }

    @Test(arguments: Translating.vendors)
    func `no text is cut within what people see as one character`(shape: Shape) throws {
        // Letters before it move the place of the cut.
        for lead in 0..<10 {
            let words = String(repeating: "x", count: lead) + Self.families(40)
            let made = try Translating.translate(
                Self.quick("q", words), .messagesForBusiness, shape)
            #expect(made.findings == [])
            let root = try #require(JSONValue.parsed(made.result.bytes()))
            for (_, leaf) in RoundTrip.leaves(root) {
                guard let text = leaf.string, text.contains("\u{2026}") else { continue }
                let whole = text.dropLast()
                #expect(words.hasPrefix(String(whole)) && text.last == "\u{2026}")
                #expect(whole.allSatisfy { $0 == "x" || String($0) == Self.family })
            }
        }
    }

    @Test func `a label of LINE is cut at its twentieth character`() throws {
        let made = try Translating.translate(
            Self.quick("q", Self.families(21)), .messagesForBusiness, .line)
        #expect(made.result.text().contains(#""label":"\#(Self.families(19))…""#))
        #expect(made.result.text().contains(#""displayText":"\#(Self.families(21))""#))
    }

    @Test func `what a notification of LINE says is counted in smaller units than its template`()
        throws
    {
        let letter = "e" + String(repeating: "\u{301}", count: 11)
        let made = try Translating.translate(
            Self.link(String(repeating: letter, count: 150)), .messagesForBusiness, .line)
        let root = try #require(JSONValue.parsed(made.result.bytes()))
        #expect(root["template"]?["text"]?.string?.count == 150)
        #expect((root["altText"]?.string?.utf16.count ?? 9_999) <= 1_500)
        #expect(made.losses.map(\.limit) == [1_500] && made.losses.map(\.actual) == [1_800])
        #expect(made.findings == [])
    }

    @Test func `a line of ours has 512 scalars, as its schema counts`() throws {
        let apples = String(repeating: "\u{1F34E}", count: 512)
        let made = try Translating.translate(
            #"{"text":"q","reply_markup":{"inline_keyboard":[[{"text":"\#(apples)","callback_data":"a"}],[{"text":"b","callback_data":"b"}]]}}"#,
            .telegram, .messagesForBusiness)
        #expect(made.losses.filter { $0.kind == .shortened } == [])
        #expect(made.result.text().contains(apples))
        #expect(made.findings.filter { $0.severity == .error } == [])
    }
}
