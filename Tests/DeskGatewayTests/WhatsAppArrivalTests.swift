import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import GatewayTestSupport
import StoreSupport
import Synchronization
import TestSupport
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

    @Test func `first messages that come at the same moment are all in the one conversation`()
        async throws
    {
        let isAsked = Mutex(false)
        let (held, goes) = AsyncStream<Void>.makeStream()
        let number = try await TestNumber { request, _ in
            guard request.url.hasPrefix("https://files.example/") else {
                return OutgoingAnswer(
                    status: .ok,
                    body: RequestBody(Array(#"{"url":"https://files.example/f"}"#.utf8)))
            }
            isAsked.withLock { $0 = true }
            for await _ in held {}
            return OutgoingAnswer(status: .ok, body: RequestBody(Array("picture".utf8)))
        }
        let rest = #""image":{"id":"77","mime_type":"image/png","caption":"Look"}"#
        let picture = TestNumber.message(rest, id: "wamid.A", type: "image")
        let first = Task {
            try await number.post(TestNumber.webhook(#""messages":[\#(picture)]"#)).status.code
        }
        // The first one's customer was looked for, and not found.
        try await Wait.until("the file is asked for") { isAsked.withLock { $0 } }
        #expect(try await number.say("Is it there?", id: "wamid.B") == 200)
        goes.finish()
        #expect(try await first.value == 200)
        #expect(
            try await number.messages().map(\.facts.summary).map { $0.contains("Look") }
                == [false, true])
    }

    @Test func `many first messages at once leave none out, and none is refused`() async throws {
        let number = try await TestNumber()
        let codes = try await withThrowingTaskGroup(of: Int.self) { group in
            for place in 0..<20 {
                group.addTask { try await number.say("\(place)", id: "wamid.\(place)") }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: 200, count: 20))
        let said = try await number.messages()
        #expect(Set(said.map(\.facts.summary)) == Set((0..<20).map(String.init)))
        #expect(said.map(\.sequence) == said.map(\.sequence).sorted())
    }

    private static let other = "106540352242923"

    /// Connects a second business to another number, of an app with this secret.
    private static func connect(
        _ number: TestNumber, appSecret: String = TestNumber.secrets.appSecret
    ) async throws -> GatewayLink {
        let business = Business(
            id: BusinessID(UniqueID(high: 1, low: 2)), name: "Other shop", colour: "#112233",
            mode: .test, createdAt: TestGateway.now)
        try await number.gateway.store.save(business, author: .server)
        var secrets = TestNumber.secrets
        secrets.appSecret = appSecret
        let link = GatewayLink(
            id: GatewayLinkID(UniqueID(high: 3, low: 10)), business: business.id, side: .whatsapp,
            mspID: other, secret: secrets.bytes, url: "https://graph.example/v23.0",
            settings: WhatsAppSettings(accountID: "56").json.bytes(), createdAt: TestGateway.now)
        #expect(try await number.gateway.parts.links.save(link, author: .server))
        return link
    }

    private static func texts(
        of business: BusinessID, at number: TestNumber
    ) async throws -> [String] {
        let customer = try #require(WhatsAppNames.customer("15551234567"))
        let store = number.gateway.store
        guard let found = try await store.findConversation(of: customer, with: business) else {
            return []
        }
        return try await store.messages(in: found.id, .newest, limit: 99).elements
            .map(\.facts.summary)
    }

    private static func said(_ id: String) -> String {
        #""messages":[\#(TestNumber.message(#""text":{"body":"\#(id)"}"#, id: id))]"#
    }

    @Test func `a post for another number of the app is the business's that has that number`()
        async throws
    {
        let number = try await TestNumber()
        let link = try await Self.connect(number)
        let body = TestNumber.webhook(Self.said("wamid.A"), number: Self.other, account: "56")
        #expect(try await number.post(body).status.code == 200)
        #expect(try await Self.texts(of: link.business, at: number) == ["wamid.A"])
        #expect(try await Self.texts(of: number.gateway.business, at: number) == [])
        // It is in the wire log of that business, and in no other.
        let store = number.gateway.store
        let log = try await store.exchanges(
            of: link.business, in: .everything, at: .start, limit: 9
        ).elements
        #expect(log.map(\.link) == [link.id])
        #expect(try await number.gateway.exchanges().isEmpty)
        // It belongs to the account that the other business stated.
        let strange = TestNumber.webhook(Self.said("wamid.B"), number: Self.other)
        #expect(try await number.post(strange).status.code == 200)
        #expect(try await Self.texts(of: link.business, at: number) == ["wamid.A"])
        #expect(number.gateway.parts.links.unknownNumbers.posts == 0)
    }

    @Test func `of a post for two businesses neither's wire log has the other's messages`()
        async throws
    {
        let number = try await TestNumber()
        let link = try await Self.connect(number)
        let begin = #"{"object":"whatsapp_business_account","entry":["#
        func entry(_ text: String, _ number: String, _ account: String) -> Substring {
            TestNumber.webhook(Self.said(text), number: number, account: account)
                .dropFirst(begin.count).dropLast(2)
        }
        let entries = [
            entry("wamid.A", TestNumber.number, "55"), entry("wamid.B", Self.other, "56"),
        ]
        let body = begin + entries.joined(separator: ",") + "]}"
        #expect(try await number.post(body).status.code == 200)
        #expect(try await Self.texts(of: number.gateway.business, at: number) == ["wamid.A"])
        #expect(try await Self.texts(of: link.business, at: number) == ["wamid.B"])
        let log = try await number.gateway.exchanges()
        #expect(log.count == 1)
        #expect(log.allSatisfy { $0.request.body.isEmpty && $0.request.headers.isEmpty })
        #expect(log.allSatisfy { $0.conversation == nil && $0.message == nil })
    }

    @Test func `a number of an app with another secret is as unknown as one that none has`()
        async throws
    {
        let number = try await TestNumber()
        let link = try await Self.connect(number, appSecret: "another")
        for id in [Self.other, "1", "1"] {
            let body = TestNumber.webhook(Self.said("wamid.A"), number: id, account: "56")
            #expect(try await number.post(body).status.code == 200)
        }
        #expect(try await Self.texts(of: link.business, at: number) == [])
        let links = number.gateway.parts.links
        #expect(links.unknownNumbers.posts == 3)
        let own = try #require(links.find(TestNumber.link))
        let noted = links.unknownNumbers(of: own)
        #expect(noted.map(\.number) == [Self.other, "1"] && noted.map(\.posts) == [1, 2])
        #expect(links.unknownNumbers(of: link) == [])
        // Connected with the same secret it is not unknown any more.
        var same = link
        same.secret = TestNumber.secrets.bytes
        #expect(try await links.save(same, author: .server))
        #expect(links.unknownNumbers(of: own).map(\.number) == ["1"])
    }

    @Test func `unknown numbers are said once a day each, and few are kept`() {
        let numbers = UnknownNumbers()
        let day = Timestamp(milliseconds: 20_000 * 86_400_000)
        func note(_ number: Int, _ hours: Int64) -> Bool {
            numbers.note(
                String(number), at: TestNumber.link, time: day.advanced(by: .seconds(3_600 * hours))
            )
        }
        #expect([note(1, 0), note(1, 23), note(1, 24), note(1, 25)] == [true, false, true, false])
        for number in 2...UnknownNumbers.most { #expect(note(number, 26)) }
        // One more waits until nothing came for a day for one of the others.
        let more = UnknownNumbers.most + 1
        #expect([note(more, 26), note(more, 48), note(more, 49)] == [false, false, true])
        #expect(numbers.posts == 4 + UnknownNumbers.most - 1 + 3)
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

    private static func image(_ id: String, as name: String) -> String {
        TestNumber.message(
            #""image":{"id":"\#(id)","mime_type":"image/png"}"#, id: name, type: "image")
    }

    /// Answers for files, of which that with the id 77 is never there in time.
    private static func beSlow(_ number: TestNumber) {
        let clock = number.gateway.clock
        number.gateway.client.script.withLock { script in
            script = { (request, _) async throws(OutgoingError) in
                if request.url.contains("/77?") {
                    clock.advance(by: .seconds(7))
                    throw OutgoingError(.timeout, "late")
                }
                let text =
                    request.url.hasPrefix("https://graph.example/")
                    ? #"{"url":"https://files.example/f"}"# : "picture"
                return OutgoingAnswer(status: .ok, body: RequestBody(Array(text.utf8)))
            }
        }
    }

    @Test func `a file behind a slow one is fetched when the post comes again`() async throws {
        let number = try await TestNumber()
        Self.beSlow(number)
        let both = [Self.image("77", as: "wamid.A"), Self.image("78", as: "wamid.B")]
        let body = TestNumber.webhook(#""messages":[\#(both.joined(separator: ","))]"#)
        #expect(try await number.post(body).status.code == 503)
        // The slow one had all the time that there is.
        let first = try await number.messages().map(\.facts)
        #expect(first.count == 1)
        #expect(first.first?.headers.contains { $0.name == "x-missing-file" } == true)
        #expect(!number.gateway.client.requests.contains { $0.url.contains("/78?") })
        #expect(try await number.post(body).status.code == 200)
        #expect(try await number.messages().map { $0.facts.attachments.count } == [0, 1])
    }

    @Test func `a file that is never there in time is stored as missing when the post comes again`()
        async throws
    {
        let number = try await TestNumber()
        Self.beSlow(number)
        let text = TestNumber.message(#""text":{"body":"Look"}"#, id: "wamid.A")
        let all = [text, Self.image("77", as: "wamid.B"), Self.image("77", as: "wamid.C")]
        let body = TestNumber.webhook(#""messages":[\#(all.joined(separator: ","))]"#)
        var answers: [Int] = []
        for _ in 0..<3 { answers.append(try await number.post(body).status.code) }
        #expect(answers == [503, 503, 200])
        let facts = try await number.messages().map(\.facts)
        #expect(
            facts.map { $0.headers.contains { $0.name == "x-missing-file" } }
                == [false, true, true])
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
