import DeskJSON
import DeskMessages
import DeskTranslate
import TestSupport
import Testing

/// Findings that are said once, at the place where something is lost, and that do not contradict each other.
struct LossTests {
    private static func losses(of made: Translation) -> [String] {
        made.losses.map { "\($0.kind.rawValue) \($0.pointer)" }
    }

    /// Findings about what another one says is not there.
    private static func contradictions(in made: Translation) -> [String] {
        let dropped = made.losses.filter { $0.kind == .dropped }
        return made.losses.filter { loss in
            dropped.contains {
                $0 != loss && loss.pointer.tokens.starts(with: $0.pointer.tokens)
            }
        }.map { "\($0.kind.rawValue) \($0.pointer): \($0.reason)" }
    }

    private static func items(_ count: Int, identifier: Int, title: Int) -> String {
        (0..<count).map { place in
            let name = String(repeating: "i", count: identifier) + "\(place)"
            let words = String(repeating: "t", count: title) + "\(place)"
            return #"{"identifier":"\#(name)","title":"\#(words)"}"#
        }.joined(separator: ",")
    }

    private static func list(_ sections: [String]) -> String {
        let all = sections.map { #"{"items":[\#($0)]}"# }.joined(separator: ",")
        return
            #"{"type":"interactive","interactiveData":{"bid":"\#(Rulebook.extensionIdentifier)","data":{"version":"1.0","#
            + #""requestIdentifier":"r","listPicker":{"sections":[\#(all)]}},"receivedMessage":{"title":"Which?"}}}"#
    }

    @Test func `of an answer that Telegram has no room for one thing is said`() throws {
        let made = try Translating.translate(
            Self.list([Self.items(100, identifier: 70, title: 200)]), .messagesForBusiness,
            .telegram)
        #expect(made.losses.contains { $0.kind == .dropped && $0.limit == 10_000 })
        #expect(made.losses.contains { $0.kind == .changed && $0.limit == 64 })
        #expect(Self.contradictions(in: made) == [])
    }

    @Test func `of an answer beyond the blocks of Slack one thing is said`() throws {
        let sections = (0..<60).map { place in
            #"{"identifier":"\#(String(repeating: "i", count: 151))\#(place)","title":"a"}"#
        }
        let made = try Translating.translate(
            Self.list(sections), .messagesForBusiness, .slack)
        #expect(made.losses.filter { $0.kind == .dropped && $0.limit == 50 }.count == 11)
        #expect(made.losses.filter { $0.kind == .changed && $0.limit == 150 }.count == 49)
        #expect(Self.contradictions(in: made) == [])
    }

    @Test func `of a section beyond the rows of WhatsApp one thing is said`() throws {
        let sections = [
            Self.items(9, identifier: 1, title: 1), Self.items(3, identifier: 2, title: 2),
        ]
        var text = Self.list(sections + [Self.items(2, identifier: 3, title: 3)])
        text.replace(#""items""#, with: #""multipleSelection":true,"items""#)
        let made = try Translating.translate(text, .messagesForBusiness, .whatsapp)
        let list = "/interactiveData/data/listPicker/sections"
        #expect(
            made.losses.filter { $0.kind == .dropped }.map(\.pointer.description) == [
                "/interactiveData/data/requestIdentifier", "\(list)/1/items/1", "\(list)/1/items/2",
                "\(list)/2",
            ])
        #expect(Self.contradictions(in: made) == [])
        text.replace("true", with: "false")
        let trip = try #require(
            try RoundTrip(Array(text.utf8), .messagesForBusiness, .whatsapp))
        #expect(try trip.unsaid() == [])
    }

    @Test(arguments: Translating.vendors)
    func `of no example a finding is about what another one says is not there`(
        _ shape: Shape
    ) throws {
        for example in Translating.examples {
            guard
                let theirs = Translating.translate(example.text, .messagesForBusiness, shape)
            else { continue }
            #expect(Self.contradictions(in: theirs) == [], "\(example.name)")
            for other in Translating.vendors where other != shape {
                let next = try Translating.translator.translate(
                    theirs.result.bytes(), from: shape, to: other)
                #expect(Self.contradictions(in: next) == [], "\(example.name) to \(other)")
            }
        }
    }

    /// A link with an address that is too long, its place, and a shape with a limit for it.
    private static let links: [(Shape, String, String, Shape)] = {
        let address = "https://a.example/" + String(repeating: "p", count: 3_500)
        return [
            (
                .telegram,
                #"{"text":"a","reply_markup":{"inline_keyboard":[[{"text":"Open","url":"\#(address)"}]]}}"#,
                "/reply_markup/inline_keyboard/0/0/url", .line
            ),
            (
                .whatsapp,
                #"{"messaging_product":"whatsapp","type":"interactive","interactive":{"type":"cta_url","body":{"text":"a"},"#
                    + #""action":{"name":"cta_url","parameters":{"display_text":"Open","url":"\#(address)"}}}}"#,
                "/interactive/action/parameters/url", .slack
            ),
        ]
    }()

    @Test(arguments: links.indices)
    func `a link that loses its address on the way between two vendors becomes its title`(
        _ index: Int
    ) throws {
        let (from, source, place, to) = Self.links[index]
        let made = try Translating.translate(source, from, to)
        #expect(!made.result.text().contains("https"))
        let lost = Self.losses(of: made)
        #expect(lost.contains("dropped \(place)"))
        let changed = made.losses.filter {
            $0.reason == "A link without its address becomes its title."
        }
        // The part that holds title and address.
        #expect(changed.map(\.kind) == [.changed])
        #expect(
            changed.allSatisfy { JSONPointer(parsing: place)?.starts(with: $0.pointer) == true })
        #expect(Self.contradictions(in: made) == [])
    }

    @Test func `an answer dropped between two vendors is named once, with all in it`() throws {
        let options = (0..<12).map {
            #"{"text":{"type":"plain_text","text":"A\#($0)"},"value":"v\#($0)","description":{"type":"plain_text","text":"d"}}"#
        }.joined(separator: ",")
        let made = try Translating.translate(
            #"{"text":"Pick","blocks":[{"type":"section","text":{"type":"plain_text","text":"Pick"}},"#
                + #"{"type":"section","text":{"type":"plain_text","text":"Size"},"accessory":{"type":"static_select","options":[\#(options)]}}]}"#,
            .slack, .whatsapp)
        #expect(
            Self.losses(of: made) == [
                "dropped /blocks/1/accessory/options/10", "dropped /blocks/1/accessory/options/11",
            ])
    }

    private static let parts: [(Shape, String, [String])] = [
        // Of a part that is lost with all that it says its form says nothing.
        (
            .slack,
            #"{"blocks":[{"type":"section","text":{"type":"plain_text","text":"Tea"}},{"type":"section","text":{"type":"plain_text","text":"Green"}},"#
                + #"{"type":"section","block_id":"x","text":{"type":"plain_text","text":"Lost"}},"#
                + #"{"type":"context","elements":[{"type":"plain_text","text":"a"},{"type":"plain_text","text":"b"}]},"#
                + #"{"type":"actions","elements":[{"type":"static_select","options":[{"text":{"type":"plain_text","text":"A"},"value":"a"}]}]}]}"#,
            ["dropped /blocks/2", "dropped /blocks/3"]
        ),
        // One of several texts, and the colour of a line that is kept as the end of a section.
        (
            .line,
            #"{"type":"flex","altText":"Tea","contents":{"type":"bubble","body":{"type":"box","layout":"vertical","contents":["#
                + #"{"type":"text","text":"Tea","size":"lg"},"#
                + #"{"type":"button","action":{"type":"postback","label":"A","data":"a"}},"#
                + ##"{"type":"separator","color":"#ff0000"},"##
                + #"{"type":"button","style":"link","action":{"type":"postback","label":"B","data":"b"}}]}}}"#,
            [
                "dropped /contents/body/contents/2/color",
                "dropped /contents/body/contents/3/style",
            ]
        ),
    ]

    @Test(arguments: parts.indices)
    func `a part that is lost is named as one, and else what alone is lost`(_ index: Int) throws {
        let (shape, source, expected) = Self.parts[index]
        let made = try Translating.translate(source, shape, .messagesForBusiness)
        #expect(Self.losses(of: made) == expected)
    }

    @Test func `what is another thing is named at the part of the source that holds it`() throws {
        let rows = (0..<3).map { #"[{"text":"A\#($0)","callback_data":"v\#($0)"}]"# }
            .joined(separator: ",")
        let made = try Translating.translate(
            #"{"text":"Pick","reply_markup":{"inline_keyboard":[\#(rows),[{"text":"A4","callback_data":"v4"}]]}}"#,
            .telegram, .whatsapp)
        let changed = made.losses.filter { $0.reason.contains("a list") }
        #expect(changed.count == 1 && changed.first?.pointer == JSONPointer())
        #expect(Self.losses(of: made) == ["changed "])
    }
}

extension JSONPointer {
    /// Whether the place is in a part.
    fileprivate func starts(with part: JSONPointer) -> Bool {
        tokens.starts(with: part.tokens)
    }
}
