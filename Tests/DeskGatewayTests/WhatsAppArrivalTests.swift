import DeskHTTP
import DeskModel
import DeskStore
import GatewayTestSupport
import StoreSupport
import Testing

@testable import DeskGateway

/// What customers send to a number, where it is not the plain case.
@Suite struct WhatsAppArrivalTests {
    @Test func `a message that came before is answered only once that is confirmed`() async throws {
        let number = try await TestNumber(over: { DoubtfulStore(over: $0) })
        let doubtful = try #require(number.gateway.store as? DoubtfulStore)
        #expect(try await number.say("Hello") == 200)
        let before = doubtful.confirmations
        doubtful.fail(1)
        // Meta posts it again after the first of these, and no more after the second.
        #expect(try await number.say("Hello") == 503)
        #expect(try await number.say("Hello") == 200)
        #expect(doubtful.confirmations == before + 2)
        #expect(try await number.messages().count == 1)
    }

    @Test func `of two numbers of one account each gets its own from the same post`() async throws {
        let number = try await TestNumber()
        func change(_ id: String, of other: String) -> String {
            let message = TestNumber.message(#""text":{"body":"\#(id)"}"#, id: id)
            return """
                {"field":"messages","value":{"metadata":{"phone_number_id":"\(other)"},\
                "messages":[\(message)]}}
                """
        }
        let both = change("wamid.A", of: "1") + "," + change("wamid.B", of: TestNumber.number)
        let body =
            #"{"object":"whatsapp_business_account","entry":[{"id":"55","changes":[\#(both)]}]}"#
        #expect(try await number.post(body).status.code == 200)
        #expect(try await number.messages().map(\.facts.summary) == ["wamid.B"])
    }

    @Test(arguments: ["unsupported", "hologram"])
    func `a message of a type that is not known is kept, once`(type: String) async throws {
        let number = try await TestNumber()
        let rest = #""\#(type)":{"x":1},"errors":[{"code":131051,"title":"Unsupported"}]"#
        let message = TestNumber.message(rest, type: type)
        for _ in 0..<2 {
            let answer = try await number.post(TestNumber.webhook(#""messages":[\#(message)]"#))
            #expect(answer.status.code == 200)
        }
        let messages = try await number.messages()
        #expect(messages.count == 1)
        #expect(messages.allSatisfy { !$0.facts.summary.isEmpty })
    }

    @Test func `a file whose address has expired leaves its words, and is noted as missing`()
        async throws
    {
        let number = try await TestNumber { request, _ in
            guard request.url.hasPrefix("https://graph.example/") else {
                return OutgoingAnswer(status: .notFound)
            }
            let body = Array(#"{"url":"https://files.example/f"}"#.utf8)
            return OutgoingAnswer(status: .ok, body: RequestBody(body))
        }
        let rest = #""image":{"id":"77","mime_type":"image/png","caption":"Look"}"#
        let message = TestNumber.message(rest, type: "image")
        let answer = try await number.post(TestNumber.webhook(#""messages":[\#(message)]"#))
        #expect(answer.status.code == 200)
        let facts = try #require(try await number.messages().first?.facts)
        #expect(facts.attachments.isEmpty && facts.summary.contains("Look"))
        #expect(facts.headers.contains { $0.name == "x-missing-file" })
    }

    private static let names: [(String, String?)] = [
        ("Ada", "Ada"), (" \u{2003}", nil), ("", nil), ("A\u{0}da", "Ada"),
        (String(repeating: "é", count: 150), String(repeating: "é", count: 100)),
    ]

    @Test(arguments: names)
    func `a profile's name is kept as far as a contact may have it`(name: String, kept: String?) {
        #expect(WhatsAppNames.person(name) == kept)
    }
}
