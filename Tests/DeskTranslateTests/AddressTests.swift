import DeskJSON
import DeskMessages
import DeskTranslate
import TestSupport
import Testing

/// Addresses for vendors that refuse what is no URI, and signs that Slack decodes.
struct AddressTests {
    private static func link(_ address: String) -> String {
        #"{"type":"richLink","richLinkData":{"url":"\#(address)","title":"Tea"}}"#
    }

    /// An address, what LINE and RCS get, and whether that is said.
    private static let rows: [(String, String, Bool)] = [
        ("https://a.example/b?c=d&e=%41#f", "https://a.example/b?c=d&e=%41#f", false),
        ("https://a.example/\u{8336}", "https://a.example/%E8%8C%B6", true),
        ("https://a.example/{id}|%", "https://a.example/%7Bid%7D%7C%25", true),
        ("https://a.example/%4", "https://a.example/%254", true),
        ("http://[2001:db8::1]/~a'(b)", "http://[2001:db8::1]/~a'(b)", false),
    ]

    @Test(arguments: rows.indices, [Shape.line, .rcs])
    func `an address is written as a URI where the vendor refuses others`(
        _ index: Int, shape: Shape
    ) throws {
        let (address, written, isSaid) = Self.rows[index]
        let made = try Translating.translate(Self.link(address), .messagesForBusiness, shape)
        #expect(made.result.text().contains("\"\(written)\""))
        let changed = made.losses.filter { $0.pointer.tokens.last == "url" }
        #expect(changed.map(\.kind) == (isSaid ? [.changed] : []))
        #expect(made.findings == [])
        let trip = try #require(
            try RoundTrip(Array(Self.link(address).utf8), .messagesForBusiness, shape))
        #expect(try trip.unsaid() == [])
    }

    @Test func `an address is as long as what is written of it`() throws {
        let address = "https://a.example/" + String(repeating: "\u{8336}", count: 110)
        let made = try Translating.translate(Self.link(address), .messagesForBusiness, .line)
        #expect(!made.result.text().contains("https"))
        #expect(made.losses.contains { $0.limit == 1_000 && $0.actual == 18 + 110 * 9 })
        let urls = made.losses.filter { $0.pointer.tokens.last == "url" }
        #expect(urls.map(\.kind) == [.dropped])
    }

    @Test(arguments: ["a & b", "1 < 2 > 0", "&amp;", "&lt;b&gt;", "&amp;amp; &", "&copy;"])
    func `Slack shows what a text says, in each place`(words: String) throws {
        let items = #"{"identifier":"a","title":"\#(words)","subtitle":"\#(words)"}"#
        let source =
            #"{"type":"interactive","interactiveData":{"bid":"\#(Rulebook.extensionIdentifier)","data":{"version":"1.0","#
            + #""requestIdentifier":"r","listPicker":{"sections":[{"title":"\#(words)","items":[\#(items)]}]}},"#
            + #""receivedMessage":{"title":"\#(words)","subtitle":"\#(words)"}}}"#
        let made = try Translating.translate(source, .messagesForBusiness, .slack)
        #expect(made.losses.map { $0.pointer.tokens.last } == ["requestIdentifier"])
        let back = try Translating.translator.translate(
            made.result.bytes(), from: .slack, to: .messagesForBusiness)
        #expect(back.losses.filter { $0.kind == .changed } == [])
        let root = try #require(JSONValue.parsed(back.result.bytes()))
        let texts = RoundTrip.leaves(root).filter {
            ["title", "subtitle"].contains($0.0.tokens.last ?? "")
        }
        #expect(texts.count == 5 && texts.allSatisfy { $0.1.string == words })
        // Beside an escape of its own no sign is left bare.
        for (place, value) in RoundTrip.leaves(
            try #require(JSONValue.parsed(made.result.bytes())))
        where place.tokens.last == "text" {
            let text = value.string ?? ""
            #expect(!text.contains("<") && !text.contains(">"))
        }
    }

    @Test func `a text of Slack's with bare signs that is dropped is dropped, not changed`() throws
    {
        let texts = ["Tea & cake", "<b>", "R&D"].map {
            #"{"type":"section","text":{"type":"plain_text","text":"\#($0)"}}"#
        }.joined(separator: ",")
        let made = try Translating.translate(
            #"{"blocks":[\#(texts),{"type":"actions","elements":[{"type":"static_select","options":["#
                + #"{"text":{"type":"plain_text","text":"A"},"value":"a"}]}]}]}"#,
            .slack, .messagesForBusiness)
        let found = made.losses.map { "\($0.kind.rawValue) \($0.pointer)" }
        #expect(
            found == [
                "changed /blocks/0/text/text", "changed /blocks/1/text/text",
                "dropped /blocks/2",
            ])
    }

    @Test func `a text of Slack's is cut by what its signs become, wherever it is`() throws {
        let title = String(repeating: "&", count: 75)
        let made = try Translating.translate(
            #"{"type":"interactive","interactiveData":{"bid":"\#(Rulebook.extensionIdentifier)","data":{"version":"1.0","#
                + #""requestIdentifier":"r","quick-reply":{"items":[{"identifier":"a","title":"\#(title)"},{"identifier":"b","title":"B"}]}}}}"#,
            .messagesForBusiness, .slack)
        #expect(made.losses.contains { $0.limit == 75 && $0.actual == 375 })
        #expect(made.findings == [])
    }
}
