import DeskJSON
import DeskMessages
import DeskTranslate
import TestSupport
import Testing

/// What messages become, shape by shape; losses as `kind pointer`.
struct TableTests {
    private static let bid = Rulebook.extensionIdentifier

    private static func ours(_ feature: String, _ bubble: String = "") -> String {
        #"{"v":1,"type":"interactive","interactiveData":{"bid":"\#(bid)","data":{"version":"1.0","#
            + #""requestIdentifier":"9c1b2f5e-1111-4a6b-9d0a-0000000000ff",\#(feature)}\#(bubble)}}"#
    }

    private static let text = #"{"v":1,"type":"text","body":"We open at nine."}"#
    private static let quick = ours(
        #""quick-reply":{"summaryText":"Did that help?","items":[{"identifier":"yes","title":"Yes"},"#
            + #"{"identifier":"no","title":"No"}]}"#)
    private static let list = ours(
        #""listPicker":{"sections":[{"title":"Size","order":0,"multipleSelection":false,"items":["#
            + #"{"identifier":"s","title":"Small","order":0},"#
            + #"{"identifier":"m","title":"Medium","subtitle":"For most","order":1}]}]}"#,
        #","receivedMessage":{"title":"Choose","subtitle":"Tap"}"#)
    private static let link =
        #"{"v":1,"type":"richLink","richLinkData":{"url":"https://a.example/b","title":"Shoes","#
        + #""assets":{}}}"#

    private static let request = "dropped /interactiveData/data/requestIdentifier"
    private static let sections = "/interactiveData/data/listPicker/sections/0"

    private static let theirs: [(Shape, String, String, [String])] = [
        (
            .whatsapp, text,
            #"{"messaging_product":"whatsapp","recipient_type":"individual","type":"text","#
                + #""text":{"body":"We open at nine."}}"#, []
        ),
        (.rcs, text, #"{"contentMessage":{"text":"We open at nine."}}"#, []),
        (.line, text, #"{"type":"text","text":"We open at nine."}"#, []),
        (.slack, text, #"{"text":"We open at nine.","mrkdwn":false}"#, []),
        (.telegram, text, #"{"text":"We open at nine."}"#, []),
        (
            .whatsapp, quick,
            #"{"messaging_product":"whatsapp","recipient_type":"individual","type":"interactive","#
                + #""interactive":{"type":"button","body":{"text":"Did that help?"},"action":{"buttons":["#
                + #"{"type":"reply","reply":{"id":"yes","title":"Yes"}},"#
                + #"{"type":"reply","reply":{"id":"no","title":"No"}}]}}}"#, [request]
        ),
        (
            .rcs, quick,
            #"{"contentMessage":{"text":"Did that help?","suggestions":["#
                + #"{"reply":{"text":"Yes","postbackData":"yes"}},"#
                + #"{"reply":{"text":"No","postbackData":"no"}}]}}"#, [request]
        ),
        (
            .line, quick,
            #"{"type":"text","text":"Did that help?","quickReply":{"items":["#
                + #"{"type":"action","action":{"type":"postback","label":"Yes","data":"yes","displayText":"Yes"}},"#
                + #"{"type":"action","action":{"type":"postback","label":"No","data":"no","displayText":"No"}}]}}"#,
            [request]
        ),
        (
            .slack, quick,
            #"{"text":"Did that help?","blocks":[{"type":"section","text":{"type":"plain_text","text":"Did that help?"}},"#
                + #"{"type":"actions","elements":[{"type":"button","action_id":"choice-1","text":{"type":"plain_text","text":"Yes"},"value":"yes"},"#
                + #"{"type":"button","action_id":"choice-2","text":{"type":"plain_text","text":"No"},"value":"no"}]}]}"#,
            [request]
        ),
        (
            .telegram, quick,
            #"{"text":"Did that help?","reply_markup":{"inline_keyboard":["#
                + #"[{"text":"Yes","callback_data":"yes"}],[{"text":"No","callback_data":"no"}]]}}"#,
            [request]
        ),
        (
            .whatsapp, list,
            #"{"messaging_product":"whatsapp","recipient_type":"individual","type":"interactive","#
                + #""interactive":{"type":"list","header":{"type":"text","text":"Choose"},"body":{"text":"Tap"},"#
                + #""action":{"button":"Choose","sections":[{"title":"Size","rows":[{"id":"s","title":"Small"},"#
                + #"{"id":"m","title":"Medium","description":"For most"}]}]}}}"#, [request]
        ),
        (
            .rcs, list,
            #"{"contentMessage":{"richCard":{"standaloneCard":{"cardOrientation":"VERTICAL","#
                + #""cardContent":{"title":"Choose","description":"Tap"}}},"suggestions":["#
                + #"{"reply":{"text":"Small","postbackData":"s"}},"#
                + #"{"reply":{"text":"Medium","postbackData":"m"}}]}}"#,
            [request, "dropped \(sections)/title", "dropped \(sections)/items/1/subtitle"]
        ),
        (
            .telegram, list,
            #"{"text":"Choose\nTap","reply_markup":{"inline_keyboard":["#
                + #"[{"text":"Small","callback_data":"s"}],[{"text":"Medium","callback_data":"m"}]]}}"#,
            [
                request, "changed /interactiveData/data/listPicker",
                "dropped \(sections)/title", "dropped \(sections)/items/1/subtitle",
                "changed /interactiveData/receivedMessage",
                "changed /interactiveData/receivedMessage/title",
                "changed /interactiveData/receivedMessage/subtitle",
            ]
        ),
        (
            .whatsapp, link,
            #"{"messaging_product":"whatsapp","recipient_type":"individual","type":"interactive","#
                + #""interactive":{"type":"cta_url","body":{"text":"Shoes"},"action":{"name":"cta_url","#
                + #""parameters":{"display_text":"Open","url":"https://a.example/b"}}}}"#, []
        ),
        (
            .line, link,
            #"{"type":"template","altText":"Shoes","template":{"type":"buttons","text":"Shoes","#
                + #""actions":[{"type":"uri","label":"Open","uri":"https://a.example/b"}]}}"#, []
        ),
        (
            .telegram, link,
            #"{"text":"Shoes","reply_markup":{"inline_keyboard":["#
                + #"[{"text":"Open","url":"https://a.example/b"}]]}}"#, []
        ),
    ]

    @Test(arguments: theirs)
    func `a message of ours becomes one of another shape`(
        shape: Shape, source: String, expected: String, losses: [String]
    ) throws {
        let made = try Translating.translate(source, .messagesForBusiness, shape)
        #expect(made.result.text() == expected)
        #expect(made.losses.map { "\($0.kind.rawValue) \($0.pointer)" } == losses)
    }

    @Test(arguments: theirs.filter { $0.1 != list || $0.0 == .whatsapp })
    func `and comes back as it was`(
        shape: Shape, source: String, theirs: String, _: [String]
    ) throws {
        let made = try Translating.translate(theirs, shape, .messagesForBusiness)
        #expect(made.result.text() == source)
        #expect(made.findings.filter { $0.severity == .error } == [])
    }

    private static let foreign: [(Shape, String, [String], [String])] = [
        (
            .whatsapp,
            #"{"messaging_product":"whatsapp","to":"491701234567","type":"interactive","interactive":{"#
                + #""type":"button","header":{"type":"image","image":{"link":"https://a.example/a.png"}},"#
                + #""body":{"text":"Sure?"},"footer":{"text":"Thanks"},"action":{"buttons":["#
                + #"{"type":"reply","reply":{"id":"y","title":"Yes"}}]}}}"#,
            [#""listPicker""#, #""title":"Sure?""#, #""identifier":"y""#],
            [
                "dropped /to", "changed /interactive/type", "dropped /interactive/header",
                "dropped /interactive/footer", "changed /interactive/action",
            ]
        ),
        (
            .rcs,
            #"{"contentMessage":{"richCard":{"carouselCard":{"cardWidth":"MEDIUM","cardContents":["#
                + #"{"title":"Small","media":{"height":"SHORT"},"suggestions":[{"reply":{"text":"Take","postbackData":"s"}}]},"#
                + #"{"title":"Large","suggestions":[{"reply":{"text":"Take","postbackData":"l"}},"#
                + #"{"action":{"text":"Dial","dialAction":{"phoneNumber":"+1"}}}]}]}}}}"#,
            [#""title":"Small","order":0"#, #""title":"Large","order":1"#],
            [
                "changed /contentMessage/richCard/carouselCard",
                "dropped /contentMessage/richCard/carouselCard/cardWidth",
                "dropped /contentMessage/richCard/carouselCard/cardContents/0/media",
                "dropped /contentMessage/richCard/carouselCard/cardContents/1/suggestions/1",
            ]
        ),
        (
            .line,
            #"{"type":"template","altText":"Sure?","template":{"type":"confirm","text":"Sure?","actions":["#
                + #"{"type":"message","label":"Yes","text":"yes"},{"type":"message","label":"No","text":"no"}]}}"#,
            [#""quick-reply":{"summaryText":"Sure?""#, #""identifier":"no","title":"No""#],
            [
                "changed /type", "changed /template", "dropped /template/type",
                "changed /template/actions/0/type",
                "changed /template/actions/1/type",
            ]
        ),
        (
            .slack,
            #"{"channel":"C1","blocks":[{"type":"header","text":{"type":"plain_text","text":"Shoes"}},"#
                + #"{"type":"divider"},{"type":"section","text":{"type":"mrkdwn","text":"*a* &amp; b"}},"#
                + #"{"type":"image","image_url":"https://a.example/a.png","alt_text":"A"},"#
                + #"{"type":"actions","elements":[{"type":"static_select","options":["#
                + #"{"text":{"type":"plain_text","text":"Red"},"value":"r"}]}]}]}"#,
            [#""title":"Shoes","subtitle":"*a* & b""#, #""identifier":"r","title":"Red""#],
            [
                "dropped /channel", "changed /blocks/0/type", "dropped /blocks/1",
                "changed /blocks/2/text/type", "dropped /blocks/3",
            ]
        ),
        (
            .telegram,
            #"{"chat_id":5,"text":"Which?","parse_mode":"HTML","reply_markup":{"resize_keyboard":true,"keyboard":[["Red","Blue"]]}}"#,
            [#""summaryText":"Which?""#, #""identifier":"Blue","title":"Blue""#],
            [
                "dropped /chat_id", "dropped /parse_mode",
                "dropped /reply_markup/resize_keyboard",
                "changed /reply_markup/keyboard", "changed /reply_markup/keyboard/0",
            ]
        ),
    ]

    @Test(arguments: foreign)
    func `what ours has not is named`(
        shape: Shape, source: String, parts: [String], losses: [String]
    ) throws {
        let made = try Translating.translate(source, shape, .messagesForBusiness)
        for part in parts { #expect(made.result.text().contains(part), "\(made.result.text())") }
        let found = made.losses.map { "\($0.kind.rawValue) \($0.pointer)" }
        #expect(found.filter { !losses.contains($0) } == [])
        #expect(losses.filter { !found.contains($0) } == [])
    }

    @Test func `from one vendor to another the findings name places of the first`() throws {
        let slack =
            #"{"text":"Pick","blocks":[{"type":"section","text":{"type":"plain_text","text":"Pick"}},"#
            + #"{"type":"section","text":{"type":"plain_text","text":"Size"},"accessory":{"type":"multi_static_select","options":["#
            + #"{"text":{"type":"plain_text","text":"A title of thirty characters!!"},"value":"a"}]}}]}"#
        let made = try Translating.translate(slack, .slack, .whatsapp)
        let found = made.losses.map { "\($0.kind.rawValue) \($0.pointer)" }
        #expect(
            found == [
                "changed /blocks/1/accessory/type",
                "shortened /blocks/1/accessory/options/0/text/text",
            ])
        #expect(made.losses.last?.limit == 24)
        #expect(made.losses.last?.actual == 30)
    }
}
