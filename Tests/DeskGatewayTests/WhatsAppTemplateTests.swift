import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import GatewayTestSupport
import TestSupport
import Testing

@testable import DeskGateway

/// The message templates of an account: how they are read, filled, listed and sent.
@Suite struct WhatsAppTemplateTests {
    private static let order = #"""
        {"name":"order_ready","language":"en_US","status":"APPROVED","category":"UTILITY","components":[
        {"type":"HEADER","format":"TEXT","text":"Order {{1}}","example":{"header_text":["A-1"]}},
        {"type":"BODY","text":"Hi {{2}}, {{1}} is ready, {{ 2 }}!","example":{"body_text":[["tea","Ada"]]}},
        {"type":"FOOTER","text":"Tea shop"},
        {"type":"BUTTONS","buttons":[{"type":"QUICK_REPLY","text":"Thanks"},
        {"type":"URL","text":"Track","url":"https://tea.example/o/{{1}}","example":["https://tea.example/o/1"]},
        {"type":"PHONE_NUMBER","text":"Phone us","phone_number":"+15550001"},
        {"type":"COPY_CODE","text":"Copy offer code","example":["TEA5"]}]}]}
        """#

    private static func template(_ text: String) throws -> WhatsAppTemplate? {
        WhatsAppTemplate(try JSONDocument(parsing: Array(text.utf8)).root)
    }

    @Test(arguments: ["BODY", "HEADER", "FOOTER", "URL"])
    func `a text beyond what is published is not filled, however often it has a variable`(
        part: String
    ) throws {
        for (count, isFillable) in [(700, true), (900, false)] {
            let long = "\"" + String(repeating: "{{1}}", count: count) + "\""
            let short = #""Hi {{1}}""#
            let template = try #require(
                try Self.template(
                    """
                    {"name":"n","language":"en","status":"APPROVED","components":[
                    {"type":"HEADER","format":"TEXT","text":\(part == "HEADER" ? long : short)},
                    {"type":"BODY","text":\(part == "BODY" ? long : short)},
                    {"type":"FOOTER","text":\(part == "FOOTER" ? long : short)},
                    {"type":"BUTTONS","buttons":[
                    {"type":"URL","text":"Track","url":\(part == "URL" ? long : short)}]}]}
                    """))
            #expect(template.isFillable == isFillable, "\(count)")
        }
    }

    @Test func `a template names what must be given, in the order of its places`() throws {
        let template = try #require(try Self.template(Self.order))
        #expect(
            template.parameters.map(\.key) == [
                "header.1", "body.1", "body.2", "button.1", "button.3",
            ])
        #expect(template.parameters.map(\.kind) == [.text, .text, .text, .suffix, .code])
        #expect(template.parameters.map(\.example) == ["A-1", "tea", "Ada", nil, "TEA5"])
        #expect(template.isFillable)
        let values = [
            "header.1": "A-7", "body.1": "Green tea", "body.2": "Ada", "button.1": "7",
            "button.3": "TEA10",
        ]
        #expect(
            template.text(values) == """
                Order A-7

                Hi Ada, Green tea is ready, Ada!

                Tea shop

                [Thanks]
                [Track] https://tea.example/o/7
                [Phone us] +15550001
                [Copy offer code] TEA10
                """)
        #expect(
            template.json(values).text() == #"""
                {"name":"order_ready","language":{"code":"en_US"},"components":[\#
                {"type":"header","parameters":[{"type":"text","text":"A-7"}]},\#
                {"type":"body","parameters":[{"type":"text","text":"Green tea"},{"type":"text","text":"Ada"}]},\#
                {"type":"button","sub_type":"url","index":"1","parameters":[{"type":"text","text":"7"}]},\#
                {"type":"button","sub_type":"copy_code","index":"3","parameters":[\#
                {"type":"coupon_code","coupon_code":"TEA10"}]}]}
                """#)
        try Self.checkWayBack(template, values)
    }

    /// What is kept of a sent template says with what it was sent.
    private static func checkWayBack(
        _ template: WhatsAppTemplate, _ values: [String: String]
    ) throws {
        let kept = try JSONDocument(parsing: template.json(values).bytes()).root
        #expect(
            SentWhatsAppTemplate(kept)
                == SentWhatsAppTemplate(
                    name: template.name, language: template.language, values: values))
    }

    @Test func `named variables keep their names, and a picture is an address`() throws {
        let template = try #require(
            try Self.template(
                #"""
                {"name":"n","language":"ja","status":"APPROVED","parameter_format":"NAMED","components":[
                {"type":"HEADER","format":"IMAGE","example":{"header_handle":["https://x"]}},
                {"type":"BODY","text":"{{ name }}様 {{date}} {{name}}","example":{"body_text_named_params":[
                {"param_name":"date","example":"3/1"},{"param_name":"name","example":"山田"}]}}]}
                """#))
        #expect(template.parameters.map(\.key) == ["header", "body.name", "body.date"])
        #expect(template.parameters.map(\.example) == [nil, "山田", "3/1"])
        let values = ["header": "https://tea.example/a.png", "body.name": "佐藤", "body.date": "4/2"]
        #expect(template.text(values) == "https://tea.example/a.png\n\n佐藤様 4/2 佐藤")
        try Self.checkWayBack(template, values)
        #expect(
            template.json(values).text() == #"""
                {"name":"n","language":{"code":"ja"},"components":[{"type":"header","parameters":[\#
                {"type":"image","image":{"link":"https://tea.example/a.png"}}]},{"type":"body","parameters":[\#
                {"type":"text","parameter_name":"name","text":"佐藤"},{"type":"text","parameter_name":"date","text":"4/2"}]}]}
                """#)
        #expect(template.parameters[0].fault(of: "http://tea.example/a.png") != nil)
        #expect(template.parameters[1].fault(of: "a\nb") != nil)
        #expect(template.parameters[1].fault(of: "a    b") == nil)
        #expect(template.parameters[1].fault(of: "a     b") != nil)
    }

    @Test(arguments: [
        #"[{"type":"BODY","text":"x"},{"type":"CAROUSEL","cards":[]}]"#,
        #"[{"type":"BODY","text":"x"},{"type":"HEADER","format":"LOCATION"}]"#,
        #"[{"type":"BODY","text":"x"},{"type":"BUTTONS","buttons":[{"type":"FLOW","text":"Go"}]}]"#,
        #"[{"type":"FOOTER","text":"x"}]"#, #""""#,
    ])
    func `a template that needs more is listed and not filled`(_ components: String) throws {
        let template = try #require(
            try Self.template(#"{"name":"n","language":"en","components":\#(components)}"#))
        #expect(!template.isFillable)
    }

    @Test func `braces that are no variable stay as they are`() throws {
        let text = "{{}} {{a b}} {{1 {{2}} }} {{"
        let template = try #require(
            try Self.template(
                #"{"name":"n","language":"en","components":[{"type":"BODY","text":"\#(text)"}]}"#))
        #expect(template.text([:]).hasSuffix(" }} {{"))
        for end in text.indices {
            let cut = String(text[..<end])
            let part = try Self.template(
                #"{"name":"n","language":"en","components":[{"type":"BODY","text":"\#(cut)"}]}"#)
            #expect(part?.text([:]) == cut)
        }
    }

    // MARK: Listing

    private static func page(_ number: Int, next: Bool) -> String {
        let more = next ? #","next":"https://evil.example/steal""# : ""
        return #"{"data":[\#(order)],"paging":{"cursors":{"after":"c=\#(number)"}\#(more)}}"#
    }

    @Test func `pages are asked for at the link's own address, and kept for a minute`()
        async throws
    {
        let number = try await TestNumber { request, place in
            let page = Self.page(place, next: !request.url.contains("after="))
            return OutgoingAnswer(status: .ok, body: RequestBody(Array(page.utf8)))
        }
        let cache = WhatsAppTemplateCache(number.gateway.parts)
        var link = try #require(number.gateway.parts.links.find(TestNumber.link))
        let list = try await cache.approved(of: link)
        #expect(list.templates.count == 2 && list.isComplete)
        #expect(try await cache.approved(of: link) == list)
        let urls = number.gateway.client.requests.map(\.url)
        #expect(urls.count == 2)
        #expect(
            urls.allSatisfy { $0.hasPrefix("https://graph.example/v23.0/55/message_templates?") })
        #expect(urls[0].contains("status=APPROVED") && urls[1].hasSuffix("&after=c%3D1"))
        number.gateway.clock.advance(by: WhatsAppTemplateCache.freshness)
        _ = try await cache.approved(of: link)
        #expect(number.gateway.client.requests.count == 4)
        // Another account has other templates.
        link.settings = WhatsAppSettings(accountID: "56").json.bytes()
        _ = try await cache.approved(of: link)
        #expect(number.gateway.client.requests.count == 6)
        #expect(number.gateway.client.requests.last?.url.contains("/56/") == true)
    }

    @Test func `no more than five hundred are listed`() async throws {
        let number = try await TestNumber { _, place in
            let all = Array(repeating: Self.order, count: 100).joined(separator: ",")
            let page =
                #"{"data":[\#(all)],"paging":{"cursors":{"after":"\#(place)"},"next":"x"}}"#
            return OutgoingAnswer(status: .ok, body: RequestBody(Array(page.utf8)))
        }
        let link = try #require(number.gateway.parts.links.find(TestNumber.link))
        let list = try await WhatsAppTemplateCache(number.gateway.parts).approved(of: link)
        #expect(list.templates.count == WhatsAppTemplateCache.mostTemplates && !list.isComplete)
        #expect(number.gateway.client.requests.count == 5)
    }

    @Test func `a list of very long texts is not kept`() async throws {
        let number = try await TestNumber { _, _ in
            let text = String(repeating: "x", count: 4_000)
            let one =
                #"{"name":"n","language":"en","components":[{"type":"BODY","text":"\#(text)"}]}"#
            let all = Array(repeating: one, count: 300).joined(separator: ",")
            return OutgoingAnswer(
                status: .ok, body: RequestBody(Array(#"{"data":[\#(all)]}"#.utf8)))
        }
        let link = try #require(number.gateway.parts.links.find(TestNumber.link))
        let cache = WhatsAppTemplateCache(number.gateway.parts)
        for _ in 0..<2 { #expect(try await cache.approved(of: link).templates.count == 300) }
        #expect(number.gateway.client.requests.count == 2)
    }

    @Test func `one that is not approved is found with its status, by exactly its name`()
        async throws
    {
        let number = try await TestNumber { request, _ in
            let other = Self.order.replacing("order_ready", with: "order_ready_2")
            let paused = Self.order.replacing("APPROVED", with: "PAUSED")
            let data = request.url.contains("name=order_ready") ? "\(other),\(paused)" : ""
            return OutgoingAnswer(
                status: .ok, body: RequestBody(Array(#"{"data":[\#(data)]}"#.utf8)))
        }
        let link = try #require(number.gateway.parts.links.find(TestNumber.link))
        let cache = WhatsAppTemplateCache(number.gateway.parts)
        let found = try await cache.find("order_ready", "en_US", of: link)
        #expect(found?.status == "PAUSED" && found?.name == "order_ready")
        #expect(try await cache.find("order_ready", "en", of: link) == nil)
    }

    @Test(arguments: [(400, 190, false), (429, 4, true), (503, 1, true), (400, 10, false)])
    func `a refusal says whether asking later helps`(
        _ status: Int, _ code: Int, _ isPassing: Bool
    ) async throws {
        let number = try await TestNumber { _, _ in
            OutgoingAnswer(
                status: Status(status),
                body: RequestBody(Array(#"{"error":{"message":"no","code":\#(code)}}"#.utf8)))
        }
        let link = try #require(number.gateway.parts.links.find(TestNumber.link))
        let error = await #expect(throws: WhatsAppTemplateError.self) {
            try await WhatsAppTemplateCache(number.gateway.parts).approved(of: link)
        }
        #expect(error?.isPassing == isPassing)
        var other = link
        other.settings = WhatsAppSettings().json.bytes()
        await #expect(throws: WhatsAppTemplateError.self) {
            try await WhatsAppTemplateCache(number.gateway.parts).approved(of: other)
        }
    }

    // MARK: Sending

    @Test func `a template is posted as such after the time for answers`() async throws {
        let number = try await TestNumber()
        try await number.say("Hello", seconds: TestGateway.now.milliseconds / 1_000 - 90_000)
        let template = #"{"name":"order_ready","language":{"code":"en_US"}}"#
        try await number.gateway.delivering {
            let sent = try await number.send(
                #""type":"text","body":"Your order is ready""#, id: uuid(1), template: template)
            let delivery = try await number.settled(sent)
            #expect(delivery.state == .delivered && delivery.last?.detail == "accepted")
        }
        let body = try #require(try number.posted().first)
        #expect(body["type"]?.string == "template" && body["text"] == nil)
        #expect(body["template"]?.rawText == template)
        #expect(body["to"]?.string == "15551234567")
        #expect(body["biz_opaque_callback_data"]?.string?.hasSuffix(uuid(1)) == true)
    }
}
