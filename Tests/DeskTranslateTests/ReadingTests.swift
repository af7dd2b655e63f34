import DeskJSON
import DeskMessages
import DeskTranslate
import TestSupport
import Testing

/// What messages of other shapes become in ours, where a careless reading would say something else.
struct ReadingTests {
    private static func flex(_ bubbles: String...) -> String {
        let all = bubbles.map {
            #"{"type":"bubble","body":{"type":"box","layout":"vertical","contents":[\#($0)]}}"#
        }
        let contents =
            all.count == 1
            ? all[0] : #"{"type":"carousel","contents":[\#(all.joined(separator: ","))]}"#
        return #"{"type":"flex","altText":"Goods","contents":\#(contents)}"#
    }

    private static func text(_ words: String, _ size: String = "md") -> String {
        #"{"type":"text","text":"\#(words)","size":"\#(size)"}"#
    }

    private static func button(_ name: String) -> String {
        #"{"type":"button","action":{"type":"postback","label":"\#(name)","data":"\#(name)"}}"#
    }

    private static let separator = #"{"type":"separator"}"#

    /// The sections of a list picker: title, and each answer with its second line.
    private static func sections(of made: Translation) throws -> [String] {
        let root = try #require(JSONValue.parsed(made.result.bytes()))
        let list = try #require(root["interactiveData"]?["data"]?["listPicker"]?["sections"])
        return list.elements.map { section -> String in
            let items = (section["items"].map { Array($0.elements) } ?? []).map { item -> String in
                let about = item["subtitle"]?.string.map { " (\($0))" } ?? ""
                return (item["identifier"]?.string ?? "") + about
            }
            return "\(section["title"]?.string ?? ""): \(items.joined(separator: ", "))"
        }
    }

    private static func losses(of made: Translation) -> [String] {
        made.losses.map { "\($0.kind.rawValue) \($0.pointer)" }
    }

    private static let carousels: [(String, [String])] = [
        (flex("\(text("Shirt")),\(button("a"))", button("b")), ["Shirt: a", ": b"]),
        (
            flex(
                "\(text("Shirt")),\(button("a"))",
                "\(text("NEW", "xs")),\(button("b"))"), ["Shirt: a", "NEW: b"]
        ),
        (
            flex(
                "\(text("Shirt")),\(text("$20")),\(button("a"))",
                "\(text("Pants")),\(text("$30")),\(button("b"))"), ["Shirt: a", "Pants: b"]
        ),
        (
            flex("\(text("A")),\(button("a")),\(separator),\(button("b"))", button("c")),
            ["A: a", ": b", ": c"]
        ),
        (
            flex(
                "\(text("A")),\(text("Size", "sm")),\(button("a"))",
                "\(text("B")),\(text("Size", "sm")),\(button("b"))"),
            ["A: Size: a", "B: Size: b"]
        ),
        (flex("\(text("A")),\(button("a")),\(separator),\(button("b"))"), [": a", ": b"]),
    ]

    @Test(arguments: carousels)
    func `answers stay below what their bubble says`(source: String, sections: [String]) throws {
        let made = try Translating.translate(source, .line, .messagesForBusiness)
        #expect(try Self.sections(of: made) == sections)
        #expect(made.findings.filter { $0.severity == .error } == [])
    }

    @Test(arguments: carousels.filter { $0.0.contains("carousel") })
    func `and what comes back is equal, or each difference is a finding`(
        source: String, _: [String]
    ) throws {
        let trip = try #require(
            try RoundTrip(Array(source.utf8), .line, .messagesForBusiness))
        #expect(try trip.unsaid() == [])
    }

    @Test func `a price in a bubble of a carousel is named as lost`() throws {
        let made = try Translating.translate(
            Self.flex(
                "\(Self.text("Shirt")),\(Self.text("$20")),\(Self.button("a"))",
                "\(Self.text("Pants")),\(Self.text("$30")),\(Self.button("b"))"),
            .line, .messagesForBusiness)
        let lost = Self.losses(of: made)
        for place in 0...1 {
            let pointer = "/contents/contents/\(place)/body/contents/1"
            #expect(
                lost.contains("dropped \(pointer)/text") || lost.contains("dropped \(pointer)"))
        }
    }

    @Test func `bubbles of words alone become the lines of one text`() throws {
        let made = try Translating.translate(
            Self.flex(Self.text("One"), Self.text("Two")), .line, .messagesForBusiness)
        #expect(made.result.text().contains(#""body":"One\nTwo""#))
    }

    private static let parts: [(Shape, String, [String])] = [
        // Slack shows marks in a text that does not forbid it.
        (.slack, #"{"text":"*a* b"}"#, ["changed /text"]),
        (.slack, #"{"text":"see <https://a.example|this>"}"#, ["changed /text"]),
        (.slack, #"{"text":"run `a`"}"#, ["changed /text"]),
        (.slack, #"{"text":"*a* b","mrkdwn":false}"#, []),
        (.slack, #"{"text":"2 * 3 is a_b_c, &lt;b&gt; ~5"}"#, []),
        // Signs in a plain text that are no escapes, though Slack shows them.
        (
            .slack,
            #"{"blocks":[{"type":"section","text":{"type":"plain_text","text":"a &amp; b"}},{"type":"actions","elements":["#
                + #"{"type":"button","action_id":"choice-1","text":{"type":"plain_text","text":"A &lt; B"},"value":"a"},"#
                + #"{"type":"button","action_id":"choice-2","text":{"type":"plain_text","text":"B & A"},"value":"b"}]}]}"#,
            ["changed /blocks/1/elements/1/text/text"]
        ),
        // Names of buttons that we do not give.
        (
            .slack,
            #"{"blocks":[{"type":"section","text":{"type":"plain_text","text":"Q"}},{"type":"actions","elements":["#
                + #"{"type":"button","action_id":"choice-1","text":{"type":"plain_text","text":"A"},"value":"a"},"#
                + #"{"type":"button","action_id":"choice-7","text":{"type":"plain_text","text":"B"},"value":"b"}]}]}"#,
            ["dropped /blocks/1/elements/1/action_id"]
        ),
        (
            .whatsapp,
            #"{"messaging_product":"whatsapp","type":"text","text":{"body":"_a_ b"}}"#,
            ["changed /text/body"]
        ),
        (
            .whatsapp,
            #"{"messaging_product":"whatsapp","type":"text","text":{"body":"2 * 3 * 4"}}"#, []
        ),
        (
            .whatsapp,
            #"{"messaging_product":"whatsapp","type":"interactive","interactive":{"type":"button","body":{"text":"```a```"},"#
                + #""action":{"buttons":[{"type":"reply","reply":{"id":"y","title":"Yes"}},{"type":"reply","reply":{"id":"n","title":"No"}}]}}}"#,
            ["changed /interactive/body/text"]
        ),
        // What a tap shows is more than a label is cut from.
        (
            .line,
            #"{"type":"text","text":"Q","quickReply":{"items":["#
                + #"{"type":"action","action":{"type":"postback","label":"More…","data":"m","displayText":"More about it"}},"#
                + #"{"type":"action","action":{"type":"postback","label":"No","data":"n","displayText":"No"}}]}}"#,
            ["dropped /quickReply/items/0/action/displayText"]
        ),
        (
            .line,
            #"{"type":"text","text":"Q","quickReply":{"items":["#
                + #"{"type":"action","action":{"type":"postback","label":"A title of more th…","data":"m","displayText":"A title of more than twenty"}},"#
                + #"{"type":"action","action":{"type":"postback","label":"No","data":"n","displayText":"No"}}]}}"#,
            ["dropped /quickReply/items/0/action/displayText"]
        ),
        (
            .line,
            #"{"type":"text","text":"Q","quickReply":{"items":["#
                + #"{"type":"action","action":{"type":"postback","label":"A title of more tha…","data":"m","displayText":"A title of more than twenty"}},"#
                + #"{"type":"action","action":{"type":"postback","label":"No","data":"n","displayText":"No"}}]}}"#,
            []
        ),
        // Sizes that we do not give.
        (
            .line, flex("\(text("Shirt", "xxl")),\(text("Cotton")),\(button("a"))"),
            ["dropped /contents/body/contents/0/size"]
        ),
        (.line, flex("\(text("Shirt", "lg")),\(text("Cotton")),\(button("a"))"), []),
    ]

    @Test(arguments: parts)
    func `what is read otherwise than it is shown is named`(
        shape: Shape, source: String, expected: [String]
    ) throws {
        let made = try Translating.translate(source, shape, .messagesForBusiness)
        // Of the message as a whole another finding speaks.
        let found = Self.losses(of: made).filter {
            $0.hasSuffix("text") || $0.hasSuffix("body") || $0.hasSuffix("action_id")
                || $0.hasSuffix("displayText") || $0.hasSuffix("size")
        }
        #expect(found == expected, "\(source)")
    }

    private static let marks: [(String, [String])] = [
        ("*a* b", ["changed /body"]), ("~a~", ["changed /body"]),
        ("```a```", ["changed /body"]), ("2 * 3", []), ("a_b_c", []), ("* one * two", []),
    ]

    @Test(arguments: marks)
    func `marks that WhatsApp shows as markup are named`(words: String, losses: [String]) throws {
        let made = try Translating.translate(
            #"{"type":"text","body":"\#(words)"}"#, .messagesForBusiness, .whatsapp)
        #expect(made.result.text().contains(#""body":"\#(words)""#))
        #expect(Self.losses(of: made) == losses)
    }

    @Test func `a column without answers is no section`() throws {
        let columns =
            #"{"text":"A","actions":[{"type":"uri","label":"Open","uri":"https://a.example"}]},"#
            + #"{"text":"B","actions":[{"type":"postback","label":"Take","data":"b"}]}"#
        let made = try Translating.translate(
            #"{"type":"template","altText":"Goods","template":{"type":"carousel","columns":[\#(columns)]}}"#,
            .line, .messagesForBusiness)
        #expect(try Self.sections(of: made) == ["B: b"])
    }

    @Test func `a part of a list of WhatsApp whose rows say nothing is no section`() throws {
        let sections =
            #"{"title":"A","rows":[{"id":" ","title":" "}]},{"title":"B","rows":[{"id":"b","title":"Beta"}]}"#
        let made = try Translating.translate(
            #"{"messaging_product":"whatsapp","type":"interactive","interactive":{"type":"list","body":{"text":"Q"},"#
                + #""action":{"button":"Choose","sections":[\#(sections)]}}}"#,
            .whatsapp, .messagesForBusiness)
        #expect(try Self.sections(of: made) == ["B: b"])
    }

    @Test func `the type of a message of WhatsApp says which of its parts is read`() throws {
        let made = try Translating.translate(
            #"{"messaging_product":"whatsapp","type":"interactive","text":{"body":"Not shown"},"interactive":{"type":"button","#
                + #""body":{"text":"Q"},"action":{"buttons":[{"type":"reply","reply":{"id":"b","title":"Beta"}}]}}}"#,
            .whatsapp, .messagesForBusiness)
        #expect(try Self.sections(of: made) == [": b"])
        #expect(Self.losses(of: made).contains("dropped /text"))
    }

    @Test func `the spans of a text in a bubble are its words, and what stands beside them is not`()
        throws
    {
        let spans =
            #"{"type":"text","text":"Not shown","contents":[{"type":"span","text":"Green "},{"type":"span","text":"tea","weight":"bold"}]}"#
        let made = try Translating.translate(Self.flex(spans), .line, .messagesForBusiness)
        #expect(made.result.text().contains(#""body":"Green tea""#), "\(made.result.text())")
        let lost = Self.losses(of: made)
        let part = "/contents/body/contents/0"
        for loss in [
            "dropped \(part)/text", "changed \(part)/contents/0/text",
            "dropped \(part)/contents/1/weight",
        ] {
            #expect(lost.contains(loss), "\(loss)")
        }
    }

    @Test func `a refusal behind our shape names the place of the source`() throws {
        let error = #expect(throws: TranslationError.self) {
            try Translating.translate("{\n \"text\":\"\\ufffc\"}", .telegram, .slack)
        }
        guard case .fault(let fault) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fault.pointer == "/text" && fault.line == 2)
    }

    @Test func `the sign of a file is left out with a mark behind it too`() throws {
        let made = try Translating.translate(
            #"{"type":"text","body":"a\ufffc\u0301b"}"#, .messagesForBusiness, .telegram)
        #expect(!made.result.text().unicodeScalars.contains("\u{FFFC}"))
        #expect(Self.losses(of: made) == ["changed /body"])
    }

    @Test func `a scheme alone is no address`() throws {
        let made = try Translating.translate(
            #"{"text":"a","reply_markup":{"inline_keyboard":[[{"text":"Open","url":"https://"}]]}}"#,
            .telegram, .messagesForBusiness)
        #expect(made.result.text() == #"{"v":1,"type":"text","body":"a"}"#)
        #expect(
            Self.losses(of: made).contains("dropped /reply_markup/inline_keyboard/0/0/url"))
    }
}
