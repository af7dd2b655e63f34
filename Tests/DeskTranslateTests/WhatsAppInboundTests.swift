import DeskJSON
import TestSupport
import Testing

@testable import DeskTranslate

/// What customers send over WhatsApp, as Messages for Business has it.
struct WhatsAppInboundTests {
    private static func read(_ rest: String, _ type: String) throws -> WhatsAppInbound? {
        let text =
            #"{"id":"wamid.A","from":"15551234567","timestamp":"1900000000","type":"\#(type)"\#(rest)}"#
        return WhatsAppInbound(try JSONDocument(parsing: Array(text.utf8)).root)
    }

    private static func file(
        _ name: String, _ mediaType: String, caption: String? = nil
    ) -> WhatsAppInbound.Content {
        .file(.init(id: "77", name: name, mediaType: mediaType, caption: caption))
    }

    /// A message's rest behind its type, what it says, and where something of it is lost.
    struct Row: Sendable {
        let type: String
        let rest: String
        let content: WhatsAppInbound.Content?
        var lost: [String] = []
    }

    static let rows = [
        Row(type: "text", rest: #","text":{"body":"Hello é"}"#, content: .text("Hello é")),
        Row(
            type: "text", rest: #","text":{"body":""}"#,
            content: .text("[WhatsApp: text] Messages of this type are not read."),
            lost: ["changed /type", "dropped /text"]),
        Row(
            type: "text", rest: #","text":{"body":"x"},"context":{"from":"1","id":"wamid.B"}"#,
            content: .text("x"), lost: ["dropped /context"]),
        Row(
            type: "text", rest: #","text":{"body":"x"},"context":{"forwarded":true}"#,
            content: .text("x"), lost: ["dropped /context/forwarded"]),
        Row(
            type: "text",
            rest:
                #","text":{"body":"x"},"context":{"from":"1","id":"wamid.B","referred_product":{"catalog_id":"c"}}"#,
            content: .text("x"), lost: ["dropped /context", "dropped /context/referred_product"]),
        Row(
            type: "interactive",
            rest:
                #","context":{"id":"wamid.B"},"interactive":{"type":"list_reply","list_reply":{"id":"0:m","title":"Tea","description":"Green"}}"#,
            content: .answer(.init(identifier: "0:m", title: "Tea")),
            lost: ["dropped /interactive/list_reply/description"]),
        Row(
            type: "interactive",
            rest: #","interactive":{"type":"other","other":{"id":"1"}}"#,
            content: .text("[WhatsApp: interactive] Messages of this type are not read."),
            lost: ["changed /type", "dropped /interactive"]),
        Row(
            type: "interactive",
            rest:
                #","interactive":{"type":"button_reply","button_reply":{"id":"1:m","title":"No"}}"#,
            content: .answer(.init(identifier: "1:m", title: "No"))),
        Row(
            type: "interactive",
            rest:
                #","interactive":{"type":"nfm_reply","nfm_reply":{"name":"flow","body":"Sent","response_json":"{\"day\":\"Monday\",\"n\":2}"}}"#,
            content: .text("Sent\nday: Monday\nn: 2"), lost: ["changed /interactive/nfm_reply"]),
        Row(
            type: "button", rest: #","button":{"payload":"0:m","text":"Yes"}"#,
            content: .answer(.init(identifier: "0:m", title: "Yes"))),
        Row(
            type: "reaction", rest: #","reaction":{"message_id":"wamid.B","emoji":"👍"}"#,
            content: .reaction(.init(emoji: "👍", target: "wamid.B"))),
        Row(
            type: "reaction", rest: #","reaction":{"message_id":"wamid.B","emoji":""}"#,
            content: .reaction(.init(emoji: nil, target: "wamid.B"))),
        Row(
            type: "image",
            rest: #","image":{"id":"77","mime_type":"image/jpeg","sha256":"x","caption":"Look"}"#,
            content: file("image.jpg", "image/jpeg", caption: "Look")),
        Row(
            type: "audio",
            rest: #","audio":{"id":"77","mime_type":"audio/ogg; codecs=opus","voice":true}"#,
            content: file("audio.ogg", "audio/ogg"), lost: ["dropped /audio/voice"]),
        Row(
            type: "document",
            rest: #","document":{"id":"77","mime_type":"application/pdf","filename":"bill.pdf"}"#,
            content: file("bill.pdf", "application/pdf")),
        Row(
            type: "sticker",
            rest: #","sticker":{"id":"77","mime_type":"image/webp","animated":false}"#,
            content: file("sticker.webp", "image/webp"), lost: ["dropped /sticker/animated"]),
        Row(
            type: "video", rest: #","video":{"id":"77","mime_type":"video/3gpp"}"#,
            content: file("video.3gp", "video/3gpp")),
        Row(
            type: "location",
            rest:
                #","location":{"latitude":35.5,"longitude":139.25,"name":"Shop","address":"1 Street"}"#,
            content: .text("Shop\n1 Street\n35.5, 139.25"), lost: ["changed /location"]),
        Row(
            type: "contacts",
            rest:
                #","contacts":[{"name":{"formatted_name":"Ada"},"phones":[{"phone":"+1 5"}],"emails":[{"email":"a@b.example"}]}]"#,
            content: .text("Ada, +1 5, a@b.example"), lost: ["changed /contacts"]),
        Row(
            type: "contacts",
            rest:
                #","contacts":[{"name":{"formatted_name":"Ada","first_name":"Ada"},"birthday":"1990-01-01","addresses":[{"city":"Kyoto"}],"urls":[{"url":"https://a.example"}],"org":{"company":"Shop","title":"Owner"},"phones":[{"phone":"+1 5","type":"HOME"}]}]"#,
            content: .text("Ada, Shop, +1 5"),
            lost: [
                "changed /contacts", "dropped /contacts/0/birthday",
                "dropped /contacts/0/addresses", "dropped /contacts/0/urls",
                "dropped /contacts/0/org/title", "dropped /contacts/0/phones/0/type",
            ]),
        Row(
            type: "contacts", rest: #","contacts":[{"birthday":"1990-01-01"}]"#,
            content: .text("[WhatsApp: contacts] Messages of this type are not read."),
            lost: ["changed /type", "dropped /contacts"]),
        Row(
            type: "order",
            rest:
                #","order":{"catalog_id":"c","text":"Please","product_items":[{"product_retailer_id":"tea","quantity":2,"item_price":3.5,"currency":"EUR"}]}"#,
            content: .text("Please\n2 × tea (3.5 EUR)"), lost: ["changed /order"]),
        Row(
            type: "unsupported",
            rest:
                #","errors":[{"code":131051,"title":"Unknown","error_data":{"details":"Not supported."}}]"#,
            content: .text("[WhatsApp: unsupported] Not supported."), lost: ["changed /errors"]),
        Row(
            type: "poll", rest: #","poll":{"question":"?"}"#,
            content: .text("[WhatsApp: poll] Messages of this type are not read."),
            lost: ["changed /type", "dropped /poll"]),
        Row(type: "system", rest: #","system":{"body":"A changed"}"#, content: nil),
        Row(
            type: "image", rest: #","image":{"mime_type":"image/jpeg","caption":"Look"}"#,
            content: .text("[WhatsApp: image] Messages of this type are not read."),
            lost: ["changed /type", "dropped /image"]),
        Row(
            type: "text",
            rest: #","text":{"body":"x"},"referral":{"source_url":"https://a.example"}"#,
            content: .text("x"), lost: ["dropped /referral"]),
    ]

    @Test(arguments: rows)
    func `each kind of message becomes one of ours, and what is lost is named`(
        _ row: Row
    ) throws {
        let message = try Self.read(row.rest, row.type)
        #expect(message?.content == row.content)
        guard let message else { return }
        #expect(message.id == "wamid.A" && message.from == "15551234567")
        #expect(message.seconds == 1_900_000_000)
        #expect(
            message.losses.map { "\($0.kind.rawValue) \($0.pointer)" }.sorted() == row.lost.sorted()
        )
        #expect(message.losses.allSatisfy { !$0.reason.isEmpty })
    }

    @Test func `a message without name, sender or type is none`() throws {
        for text in [
            #"{"from":"1","type":"text","text":{"body":"x"}}"#,
            #"{"id":"a","type":"text","text":{"body":"x"}}"#,
            #"{"id":"a","from":"1","text":{"body":"x"}}"#,
            #"{"id":"","from":"1","type":"text","text":{"body":"x"}}"#, #"[]"#, #""text""#,
        ] {
            #expect(
                WhatsAppInbound(try JSONDocument(parsing: Array(text.utf8)).root) == nil, "\(text)")
        }
    }

    @Test func `a message with any part changed is read or refused, and never ends the program`()
        throws
    {
        let seed: UInt64 = 20_261_127
        var random = SeededRandom(seed: seed)
        var count = 0
        for row in Self.rows {
            let whole =
                #"{"id":"a","from":"1","timestamp":"1","type":"\#(row.type)"\#(row.rest)}"#
            for _ in 0..<60 {
                var bytes = Array(whole.utf8)
                for _ in 0...Int.random(in: 0...2, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    if Bool.random(using: &random) {
                        bytes[place] = UInt8.random(in: 0x20...0x7E, using: &random)
                    } else {
                        bytes.remove(at: place)
                    }
                }
                guard let root = try? JSONDocument(parsing: bytes).root else { continue }
                count += 1
                let message = WhatsAppInbound(root)
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(message?.id.isEmpty != true, "seed \(seed): \(text)")
            }
        }
        #expect(count >= 100, "seed \(seed)")
    }
}
