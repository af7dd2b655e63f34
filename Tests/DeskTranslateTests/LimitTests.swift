import DeskJSON
import DeskMessages
import DeskTranslate
import TestSupport
import Testing

/// Each limit at its value, where nothing is lost for it, and one beyond it.
struct LimitTests {
    private static func quick(
        text: Int = 5, title: Int = 3, identifier: Int = 3, answers: Int = 2
    ) -> String {
        let items = (0..<answers).map { place in
            let name = String(repeating: "i", count: identifier - 1) + "\(place)"
            let words = String(repeating: "t", count: title - 1) + "\(place)"
            return #"{"identifier":"\#(name)","title":"\#(words)"}"#
        }
        return interactive(
            #""quick-reply":{"summaryText":"\#(String(repeating: "q", count: text))","items":[\#(items.joined(separator: ","))]}"#,
            bubble: "")
    }

    private static func list(
        title: Int = 5, subtitle: Int = 5, section: Int = 5, row: Int = 8, about: Int = 5,
        identifier: Int = 8, answers: Int = 2
    ) -> String {
        let items = (0..<answers).map { place in
            let mark = String(1_000 + place)
            let name = String(repeating: "i", count: identifier - 4) + mark
            let words = String(repeating: "t", count: row - 4) + mark
            return
                #"{"identifier":"\#(name)","title":"\#(words)","subtitle":"\#(String(repeating: "s", count: about))"}"#
        }
        return interactive(
            #""listPicker":{"sections":[{"title":"\#(String(repeating: "h", count: section))","items":[\#(items.joined(separator: ","))]}]}"#,
            bubble:
                #","receivedMessage":{"title":"\#(String(repeating: "b", count: title))","subtitle":"\#(String(repeating: "c", count: subtitle))"}"#
        )
    }

    private static func interactive(_ feature: String, bubble: String) -> String {
        #"{"type":"interactive","interactiveData":{"bid":"\#(Rulebook.extensionIdentifier)","data":{"version":"1.0","requestIdentifier":"r",\#(feature)}\#(bubble)}}"#
    }

    private static func text(_ count: Int) -> String {
        #"{"type":"text","body":"\#(String(repeating: "x", count: count))"}"#
    }

    private static func link(title: Int = 5, address: Int = 30) -> String {
        let path = String(repeating: "p", count: address - 12)
        return
            #"{"type":"richLink","richLinkData":{"url":"https://a.ex\#(path)","title":"\#(String(repeating: "t", count: title))"}}"#
    }

    private static let limits: [(String, Shape, Int, @Sendable (Int) -> String)] = [
        ("whatsapp text", .whatsapp, 4_096, { text($0) }),
        ("whatsapp body over buttons", .whatsapp, 1_024, { quick(text: $0) }),
        ("whatsapp button title", .whatsapp, 20, { quick(title: $0) }),
        ("whatsapp button identifier", .whatsapp, 256, { quick(identifier: $0) }),
        ("whatsapp header", .whatsapp, 60, { list(title: $0) }),
        ("whatsapp body over a list", .whatsapp, 4_096, { list(subtitle: $0) }),
        ("whatsapp section title", .whatsapp, 24, { list(section: $0) }),
        ("whatsapp row title", .whatsapp, 24, { list(row: $0) }),
        ("whatsapp row description", .whatsapp, 72, { list(about: $0) }),
        ("whatsapp row identifier", .whatsapp, 200, { list(identifier: $0) }),
        ("whatsapp rows", .whatsapp, 10, { list(answers: $0) }),
        ("whatsapp body over an address", .whatsapp, 1_024, { link(title: $0) }),
        ("rcs text", .rcs, 3_072, { text($0) }),
        ("rcs reply", .rcs, 25, { quick(title: $0) }),
        ("rcs postback", .rcs, 2_048, { quick(identifier: $0) }),
        ("rcs title", .rcs, 200, { list(title: $0) }),
        ("rcs description", .rcs, 2_000, { list(subtitle: $0) }),
        ("rcs suggestions", .rcs, 11, { list(answers: $0) }),
        ("rcs address", .rcs, 2_048, { link(address: $0) }),
        ("line text", .line, 5_000, { text($0) }),
        ("line label", .line, 20, { quick(title: $0) }),
        ("line data", .line, 300, { quick(identifier: $0) }),
        ("line template text", .line, 160, { link(title: $0) }),
        ("line address", .line, 1_000, { link(address: $0) }),
        ("line label in a bubble", .line, 40, { list(row: $0) }),
        ("line line of a bubble", .line, 512, { list(title: $0) }),
        ("slack text", .slack, 40_000, { text($0) }),
        ("slack section", .slack, 3_000, { quick(text: $0) }),
        ("slack context", .slack, 3_000, { list(subtitle: $0) }),
        ("slack button", .slack, 75, { quick(title: $0) }),
        ("slack button value", .slack, 2_000, { quick(identifier: $0) }),
        ("slack option", .slack, 75, { list(row: $0) }),
        ("slack option description", .slack, 75, { list(about: $0) }),
        ("slack option value", .slack, 150, { list(identifier: $0) }),
        ("slack options", .slack, 100, { list(answers: $0) }),
        ("slack address", .slack, 3_000, { link(address: $0) }),
        ("telegram text", .telegram, 4_096, { text($0) }),
        ("telegram callback", .telegram, 64, { quick(identifier: $0) }),
        ("telegram buttons", .telegram, 100, { list(answers: $0) }),
    ]

    @Test(arguments: limits.indices)
    func `nothing is lost at a limit, and one beyond it is named`(_ index: Int) throws {
        let (name, shape, limit, make) = Self.limits[index]
        let at = try Translating.translate(make(limit), .messagesForBusiness, shape)
        #expect(at.losses.filter { $0.limit == limit } == [], "\(name)")
        #expect(at.findings == [], "\(name)")
        let beyond = try Translating.translate(make(limit + 1), .messagesForBusiness, shape)
        let named = beyond.losses.filter { $0.limit == limit }
        #expect(!named.isEmpty, "\(name)")
        #expect(named.allSatisfy { $0.actual == limit + 1 }, "\(name)")
        #expect(beyond.findings == [], "\(name)")
    }

    @Test(arguments: [(Shape.rcs, 2_048), (.line, 1_000), (.slack, 3_000)])
    func `an address that is too long is left out, not cut`(shape: Shape, limit: Int) throws {
        let at = try Translating.translate(
            Self.link(address: limit), .messagesForBusiness, shape)
        #expect(at.result.text().contains("https://a.ex"))
        let made = try Translating.translate(
            Self.link(address: limit + 1), .messagesForBusiness, shape)
        #expect(!made.result.text().contains("https"))
        #expect(made.result.text().contains("ttttt"))
        #expect(
            made.losses.map { "\($0.kind.rawValue) \($0.pointer)" } == [
                "changed /type", "dropped /richLinkData/url",
            ])
        #expect(made.losses.last?.limit == limit && made.losses.last?.actual == limit + 1)
    }

    @Test func `a keyboard of Telegram stays below 10,000 bytes`() throws {
        let made = try Translating.translate(
            Self.list(row: 200, answers: 100), .messagesForBusiness, .telegram)
        #expect((made.result["reply_markup"]?.bytes().count ?? 0) <= 10_000)
        let left = made.losses.filter { $0.limit == 10_000 }
        #expect(left.allSatisfy { $0.kind == .dropped && ($0.actual ?? 0) > 10_000 })
        #expect(!left.isEmpty)
        let root = try #require(JSONValue.parsed(made.result.bytes()))
        let rows = try #require(root["reply_markup"]?["inline_keyboard"])
        #expect(rows.count + left.count == 100)
        #expect(made.findings == [])
    }

    @Test func `where no button fits in Telegram the words are left`() throws {
        let wide = String(repeating: "\u{65E5}", count: 4_000)
        let made = try Translating.translate(
            Self.quick(answers: 2).replacing("tt0", with: wide).replacing("tt1", with: wide),
            .messagesForBusiness, .telegram)
        #expect(made.result.text() == #"{"text":"qqqqq"}"#)
        #expect(made.losses.filter { $0.limit == 10_000 }.count == 2)
    }

    @Test(arguments: [["A", "A", "2 A"], ["3 A", "A", "A"], ["A", "A", "A"]])
    func `buttons of WhatsApp have different titles, whatever the source's are`(
        titles: [String]
    ) throws {
        let items = titles.enumerated().map { #"{"identifier":"\#($0)","title":"\#($1)"}"# }
        let made = try Translating.translate(
            Self.interactive(
                #""quick-reply":{"items":[\#(items.joined(separator: ","))]}"#, bubble: ""),
            .messagesForBusiness, .whatsapp)
        let shown = try Self.titles(of: made)
        #expect(
            shown.count == 3 && Set(shown).count == 3 && shown.first == titles.first, "\(shown)")
    }

    @Test func `a replaced title of a button is as short as WhatsApp's are`() throws {
        let thumb = "\u{1F44D}\u{1F3FD}"
        let items = (0..<2).map {
            #"{"identifier":"\#($0)","title":"\#(String(repeating: thumb, count: 5))"}"#
        }
        let made = try Translating.translate(
            Self.interactive(
                #""quick-reply":{"items":[\#(items.joined(separator: ","))]}"#, bubble: ""),
            .messagesForBusiness, .whatsapp)
        #expect(try Self.titles(of: made).allSatisfy { $0.utf16.count <= 20 })
        #expect(made.findings == [])
    }

    private static func titles(of made: Translation) throws -> [String] {
        let root = try #require(JSONValue.parsed(made.result.bytes()))
        let buttons = try #require(root["interactive"]?["action"]?["buttons"])
        return buttons.elements.compactMap { $0["reply"]?["title"]?.string }
    }

    @Test func `a sign of Slack's with a combining mark behind it is the sign again`() throws {
        let made = try Translating.translate(
            #"{"text":"a &amp;\u0308 &lt;\u20dd b"}"#, .slack, .messagesForBusiness)
        let root = try #require(JSONValue.parsed(made.result.bytes()))
        #expect(root["body"]?.string == "a &\u{308} <\u{20DD} b")
    }

    @Test func `a text for Slack is cut once, by what its marks become`() throws {
        let source = #"{"type":"text","body":"\#(String(repeating: "<&", count: 9_000))"}"#
        let made = try Translating.translate(source, .messagesForBusiness, .slack)
        let cut = made.losses.filter { $0.kind == .shortened }
        #expect(cut.map(\.limit) == [40_000] && cut.map(\.actual) == [81_000])
        let root = try #require(JSONValue.parsed(made.result.bytes()))
        let text = try #require(root["text"]?.string)
        #expect((39_990...40_000).contains(text.utf16.count) && text.hasSuffix("\u{2026}"))
        #expect(made.findings == [])
    }

    @Test func `a bubble of LINE stays below 30 KB`() throws {
        let made = try Translating.translate(
            Self.list(about: 400, answers: 200), .messagesForBusiness, .line)
        #expect((made.result["contents"]?.bytes().count ?? 0) <= 30_000)
        #expect(made.losses.contains { $0.limit == 30_000 })
    }

    @Test(arguments: [
        (Shape.whatsapp, "{", ""), (.whatsapp, "[]", ""),
        (.whatsapp, #"{"messaging_product":"whatsapp","type":"image"}"#, "/type"),
        (.rcs, #"{"contentMessage":{}}"#, "/contentMessage"),
        (.line, #"{"type":"sticker"}"#, "/type"), (.slack, #"{"channel":"C"}"#, ""),
        (.telegram, #"{"text":5}"#, "/text"),
        (.messagesForBusiness, #"{"type":"close"}"#, "/type"),
    ])
    func `what is not of its shape is refused with its place`(
        shape: Shape, source: String, pointer: String
    ) throws {
        let to: Shape = shape == .messagesForBusiness ? .line : .messagesForBusiness
        let error = #expect(throws: TranslationError.self) {
            try Translating.translate(source, shape, to)
        }
        guard case .refused(let judgement) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(judgement.isMalformed == (source == "{"))
        if source != "{" { #expect(judgement.errors.first?.pointer == pointer) }
        #expect(judgement.errors.allSatisfy { !$0.fix.isEmpty })
    }

    @Test(arguments: [
        (#"{"type":"typing_start"}"#, "/type", "typing_start"),
        (#"{"type":"text","body":"\ufffc"}"#, "/body", "without words"),
    ])
    func `what has nothing to show is refused with its place`(
        source: String, pointer: String, found: String
    ) throws {
        let error = #expect(throws: TranslationError.self) {
            try Translating.translate(source, .messagesForBusiness, .slack)
        }
        guard case .fault(let fault) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fault.pointer == pointer)
        #expect(fault.found.contains(found))
        #expect(!fault.allowed.isEmpty && !fault.fix.isEmpty)
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "1441"], Translating.vendors)
    func `an offset that is no place on earth is named, and the times are written in UTC`(
        offset: String, shape: Shape
    ) throws {
        let made = try Translating.translate(
            Self.interactive(
                #""event":{"identifier":"e","timezoneOffset":\#(offset),"timeslots":[{"identifier":"a","startTime":"2026-12-01T09:30+0000","duration":1800}]}"#,
                bubble: #","receivedMessage":{"title":"When"}"#), .messagesForBusiness, shape)
        #expect(made.result.text().contains("2026-12-01 09:30 UTC"))
        #expect(made.losses.contains { $0.pointer.tokens.last == "timezoneOffset" })
    }

    @Test func `a deep part with long keys and many values is dropped as one`() throws {
        let key = String(repeating: "k", count: 1_000)
        let values = Array(repeating: "0", count: 19_000).joined(separator: ",")
        let deep =
            String(repeating: #"{"\#(key)":"#, count: 60) + "[\(values)]"
            + String(repeating: "}", count: 60)
        let made = try Translating.translate(
            #"{"text":"a","x":\#(deep)}"#, .telegram, .messagesForBusiness)
        #expect(made.losses.map(\.pointer) == [JSONPointer(["x"])])
    }

    @Test func `a deep text and one of too many values are refused`() throws {
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        let wide = #"{"text":"a","x":["# + String(repeating: "0,", count: 20_000) + "0]}"
        for source in [#"{"text":"a","x":\#(deep)}"#, wide] {
            let error = #expect(throws: TranslationError.self) {
                try Translating.translate(source, .telegram, .messagesForBusiness)
            }
            guard case .refused(let judgement) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(judgement.isMalformed)
        }
    }
}
