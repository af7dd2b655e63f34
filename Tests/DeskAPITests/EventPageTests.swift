import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import StoreSupport
import Testing

@testable import DeskAPI

/// `GET /api/events` for those who ask for JSON: pages of stored events, and what narrows them.
struct EventPageTests {
    static let json: HeaderFields = ["Accept": "application/json"]

    private static func page(
        _ server: TestServer, _ query: String, by caller: TestServer.Caller
    ) async throws -> Answer {
        try await server.get(
            "/api/events?" + query.replacing("[", with: "%5B").replacing("]", with: "%5D"),
            by: caller, headers: json)
    }

    private static func types(_ page: Answer) -> [String] {
        page["data"]?.elements.compactMap { $0["type"]?.string } ?? []
    }

    /// Every event from a cursor on, page by page; each page's size.
    private static func readAll(
        _ server: TestServer, _ query: String, by caller: TestServer.Caller
    ) async throws -> (ids: [String], sizes: [Int], next: String) {
        var (ids, sizes): ([String], [Int]) = ([], [])
        var after = ""
        while sizes.count < 99 {
            let page = try await page(server, query + after, by: caller)
            #expect(page.status == 200)
            ids += page["data"]?.elements.compactMap { $0["id"]?.string } ?? []
            sizes.append(page["data"]?.count ?? 0)
            let next = try #require(page["next"]?.string)
            after = "&after=\(next)"
            if page["hasMore"]?.bool == false { return (ids, sizes, next) }
        }
        Issue.record("the pages have no end")
        return (ids, sizes, after)
    }

    @Test func `pages have every event of the caller's once, in order, and next is kept for later`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        for _ in 0..<2 {
            _ = try await server.makeConversation()
            _ = try await server.makeConversation(server.other)
        }
        let stored = try await server.store.events(
            after: .start, in: .businesses([server.business.id]), limit: 300
        ).events.map(\.id.text)
        let all = try await Self.readAll(server, "limit=3", by: key)
        #expect(all.ids == stored)
        #expect(all.sizes == [3, 1])
        #expect(all.next == server.services.broker.head.text)
        let none = try await Self.page(server, "after=\(all.next)", by: key)
        #expect(Self.types(none) == [] && none["hasMore"]?.bool == false)
        #expect(none["next"]?.string == all.next)
        #expect(none.headers["vary"] == "Accept")
        let conversation = try await server.makeConversation()
        let news = try await Self.page(server, "after=\(all.next)&limit=1", by: key)
        #expect(Self.types(news) == ["conversation.opened"])
        #expect(news["hasMore"]?.bool == true)
        #expect(news["data"]?[0]?["conversation"]?.string == conversation.id.text)
        #expect(news["head"]?.string == server.services.broker.head.text)
    }

    @Test func `an epoch with 0 is the beginning, and the head of a list leads on from it`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        _ = try await server.makeConversation()
        let list = try await server.get("/api/conversations", by: key)
        let head = try #require(list["head"]?.string)
        let epoch = try #require(head.split(separator: "-").first)
        let first = try await Self.page(server, "after=\(epoch)-0", by: key)
        #expect(Self.types(first) == ["conversation.opened", "message.accepted"])
        #expect(first["next"]?.string == head)
        #expect(Self.types(try await Self.page(server, "after=\(head)", by: key)) == [])
    }

    /// What narrows a page, with `ONE` for the first conversation, and what is left.
    private static let filters: [(String, [String])] = [
        ("filter[type]=message.accepted", Array(repeating: "message.accepted", count: 3)),
        (
            "filter[type]=conversation.opened,conversation.closed",
            ["conversation.opened", "conversation.opened", "conversation.closed"]
        ),
        (
            "filter[conversation]=ONE",
            [
                "conversation.opened", "message.accepted", "message.accepted",
                "conversation.closed",
            ]
        ),
        ("filter[direction]=inbound", Array(repeating: "message.accepted", count: 2)),
        ("filter[direction]=outbound", ["message.accepted"]),
        ("filter[direction]=outbound&filter[type]=conversation.closed", []),
        ("filter[conversation]=ONE&filter[direction]=inbound", ["message.accepted"]),
        ("business=OTHER&filter[type]=message.accepted", ["message.accepted"]),
        ("filter[type]=template.published", []),
    ]

    @Test func `types, conversation, direction and business narrow a page, all together`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let owner = try await server.makeOwner()
        let one = try await server.makeConversation()
        _ = try await server.makeConversation()
        _ = try await server.post(
            "/api/conversations/\(one.id)/messages", #"{"type":"text","body":"a"}"#, by: key)
        _ = try await server.services.broker.change(one.id, .close, by: .server)
        _ = try await server.makeConversation(server.other)
        for (query, expected) in Self.filters {
            let business = query.contains("business=") ? "" : "&business=\(server.business.id)"
            let text =
                query.replacing("ONE", with: one.id.text)
                .replacing("OTHER", with: server.other.id.text) + business
            #expect(
                Self.types(try await Self.page(server, text, by: owner)) == expected, "\(query)")
        }
        // A conversation of another business than the one that is asked for is unknown.
        let text = "filter[conversation]=\(one.id)&business=\(server.other.id)"
        #expect(try await Self.page(server, text, by: owner).status == 422)
    }

    /// A query, the parameter that is refused, and what to do.
    private static let refused = [
        ("filter[type]=message.acepted", "filter[type]", "Did you mean message.accepted?"),
        ("filter[type]=", "filter[type]", "Take the type from /docs/events."),
        ("filter[type]=ephemeral", "filter[type]", "Follow the stream for signals"),
        ("filter[direction]=in", "filter[direction]", "Send one of these"),
        ("filter[conversation]=x", "filter[conversation]", "Take the id from"),
        (
            "filter[conversation]=6f2d1c5e-0000-4000-8000-000000000001", "filter[conversation]",
            "Take the id from"
        ),
        ("after=yesterday", "after", "leave after out"),
        ("limit=0", "limit", "Send one of these"), ("limit=301", "limit", "Send one of these"),
    ]

    @Test(arguments: refused)
    func `what cannot narrow a page is refused, with what to send`(
        query: String, parameter: String, fix: String
    ) async throws {
        let server = try await TestServer()
        let answer = try await Self.page(
            server, query, by: try await server.makeKey([server.business]))
        #expect(answer.status == 422)
        #expect(answer["errors"]?[0]?["parameter"]?.string == parameter)
        #expect(answer["errors"]?[0]?["fix"]?.string?.contains(fix) == true, "\(answer.text)")
    }

    @Test func `every unknown type of a filter is named`() async throws {
        let server = try await TestServer()
        let answer = try await Self.page(
            server, "filter[type]=note.aded,message.accepted,conversation.close",
            by: try await server.makeKey([server.business]))
        let fixes = answer["errors"]?.elements.compactMap { $0["fix"]?.string }
        #expect(fixes == ["Did you mean note.added?", "Did you mean conversation.closed?"])
    }

    @Test(arguments: ["8-1", "7-999", "7-1"])
    func `a cursor that leads nowhere is gone, and the refusal says to begin again`(
        _ cursor: String
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        _ = try await server.makeConversation()
        _ = try await server.makeConversation()
        try await server.store.prune(upTo: Position(2))
        let answer = try await Self.page(server, "after=\(cursor)", by: key)
        #expect(answer.status == 410)
        #expect(answer.code == "cursor_gone")
        #expect(answer["detail"]?.string?.contains("Begin again") == true)
        // Without a cursor a page begins with what is kept.
        #expect(try await Self.readAll(server, "limit=9", by: key).ids == ["7-3", "7-4"])
    }

    @Test func `a cursor that cannot be looked for is asked for again, and is not gone`()
        async throws
    {
        let server = try await TestServer(over: { DoubtfulStore(over: $0) })
        let doubtful = try #require(server.services.store as? DoubtfulStore)
        let key = try await server.makeKey([server.business])
        _ = try await server.makeConversation()
        doubtful.fail(1)
        let answer = try await Self.page(server, "after=7-1", by: key)
        #expect(answer.status == 503)
        #expect(answer.code == "unavailable")
        #expect(answer.headers["retry-after"] == "1")
        #expect(try await Self.page(server, "after=7-1", by: key).status == 200)
    }

    @Test func `a page of events looks through 3,000 at most, and next leads on`() async throws {
        #expect(APILimits().eventsLookedThrough == 3_000)
        let server = try await TestServer { $0.eventsLookedThrough = 4 }
        let key = try await server.makeKey([server.business])
        let one = try await server.makeConversation()
        for number in 0..<3 {
            _ = try await server.post(
                "/api/conversations/\(one.id)/messages", #"{"type":"text","body":"\#(number)"}"#,
                by: key)
        }
        let page = try await Self.page(server, "filter[type]=template.published", by: key)
        #expect(Self.types(page) == [])
        #expect(page["hasMore"]?.bool == true)
        #expect(page["next"]?.string == "7-4")
        let all = try await Self.readAll(server, "filter[type]=message.accepted", by: key)
        #expect(all.ids == ["7-2", "7-3", "7-4", "7-5"])
        #expect(all.sizes == [3, 1])
    }

    @Test func `a page of events ends after 4 MiB, the last one whole`() async throws {
        #expect(APILimits().eventPageBytes == 4 * 1_024 * 1_024)
        let whole = try await TestServer()
        _ = try await whole.makeConversation()
        let key = try await whole.makeKey([whole.business])
        let events = try #require(try await Self.page(whole, "", by: key)["data"])
        let first = try #require(events[0]).rawBytes.count
        for (bytes, sizes) in [(first, [1, 1]), (first + 1, [2]), (1, [1, 1])] {
            let server = try await TestServer { $0.eventPageBytes = bytes }
            _ = try await server.makeConversation()
            let key = try await server.makeKey([server.business])
            #expect(try await Self.readAll(server, "limit=9", by: key).sizes == sizes)
        }
    }

    @Test func `what a customer picked is read from the message, whatever the size of the answer`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let said = try await server.post(
            "/api/phone/\(server.business.id)/messages",
            #"{"id":"\#(server.services.broker.makeID())","text":"Hello","locale":"en_US"}"#)
        let phone = TestServer.Caller.customer(try #require(said.cookie("fdc")))
        let conversation = try #require(said["message"]?["conversation"]?.string)
        let items = (0..<90).map { number in
            let more = String(repeating: "x", count: 400)
            return #"{"identifier":"i\#(number)","title":"Item \#(number)","subtitle":"\#(more)"}"#
        }
        let card = """
            {"type":"interactive","interactiveData":{"bid":"com.apple.messages.\
            MSMessageExtensionBalloonPlugin:0000000000:com.apple.icloud.apps.messages.business.\
            extension","data":{"version":"1.0","requestIdentifier":"r",\
            "listPicker":{"sections":[{"title":"All","multipleSelection":true,"items":\
            [\(items.joined(separator: ","))]}]}},"receivedMessage":{"title":"Which?"}}}
            """
        let sent = try await server.post(
            "/api/conversations/\(conversation)/messages", card, by: key)
        let id = try #require(sent["id"]?.string, "\(sent.text)")
        let chosen = try await server.post(
            "/api/phone/\(server.business.id)/choices",
            """
            {"id":"\(server.services.broker.makeID())","inReplyTo":"\(id)",\
            "list":{"identifiers":["i7","i8"]}}
            """, by: phone)
        #expect(chosen.status == 201)
        #expect(chosen["message"]?["choice"] == nil)
        let page = try await Self.page(
            server, "filter[type]=message.accepted&filter[direction]=inbound", by: key)
        let message = page["data"]?[1]?["data"]?["message"]
        #expect(message?["payload"]?["url"] != nil)
        #expect(
            message?["choice"]?.rawText == """
                {"requestIdentifier":"r","count":2,"items":[{"identifier":"i7","title":"Item 7"},\
                {"identifier":"i8","title":"Item 8"}]}
                """)
        #expect(page["data"]?[0]?["data"]?["message"]?["choice"] == nil)
    }
}
