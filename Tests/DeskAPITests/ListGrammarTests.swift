import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import Testing

@testable import DeskAPI

/// Every list is read in pages and narrowed by the same grammar.
struct ListGrammarTests {
    private static func ids(_ answer: Answer) -> [String] {
        answer["data"]?.elements.compactMap { $0["id"]?.string ?? $0["name"]?.string } ?? []
    }

    /// Reads a list forward and back again; the pages are the same.
    private static func walk(
        _ path: String, size: Int, on server: TestServer, by caller: TestServer.Caller
    ) async throws -> [String] {
        let start = "\(path)\(path.contains("?") ? "&" : "?")page%5Bsize%5D=\(size)"
        var pages = [try await server.get(start, by: caller)]
        #expect(pages[0].status == 200, "\(pages[0].text)")
        #expect(pages[0]["previous"]?.isNull == true)
        while let next = pages[pages.count - 1]["next"]?.string, pages.count < 20 {
            #expect(pages[pages.count - 1]["hasMore"]?.bool == true)
            pages.append(try await server.get("\(start)&page%5Bafter%5D=\(next)", by: caller))
        }
        var forward = pages.map(Self.ids)
        // A page may be the last and full.
        if forward.last == [], forward.count > 1 {
            forward.removeLast()
            pages.removeLast()
        }
        var back: [[String]] = [forward[forward.count - 1]]
        var previous = pages[pages.count - 1]["previous"]?.string
        while let place = previous, back.count < 20 {
            let page = try await server.get("\(start)&page%5Bbefore%5D=\(place)", by: caller)
            let ids = Self.ids(page)
            guard !ids.isEmpty else { break }
            #expect(page["hasMore"]?.bool == true && page["next"]?.string != nil)
            back.insert(ids, at: 0)
            previous = page["previous"]?.string
        }
        #expect(back.flatMap { $0 } == forward.flatMap { $0 }, "\(path)")
        return forward.flatMap { $0 }
    }

    @Test(arguments: [1, 2, 3])
    func `a list that was read to its end can be read back to its beginning`(
        _ size: Int
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let shop = server.business.id
        for number in 1...5 {
            _ = try await server.makeConversation()
            server.time.advance(by: .seconds(1))
            let template = """
                {"business":"\(shop)","name":"t\(number)","title":"T",\
                "payload":{"type":"text","body":"x"}}
                """
            #expect(try await server.post("/api/templates", template, by: owner).status == 201)
        }
        for (path, count) in [
            ("/api/conversations", 5), ("/api/conversations?sort=oldest", 5),
            ("/api/conversations?filter%5Bwaiting%5D=true", 5),
            ("/api/conversations?filter%5Bassignee%5D=none&filter%5Bstate%5D=open", 5),
            ("/api/businesses/\(shop)/contacts", 5), ("/api/templates?business=\(shop)", 5),
        ] {
            let found = try await Self.walk(path, size: size, on: server, by: owner)
            #expect(found.count == count, "\(path)")
        }
    }

    @Test(arguments: [
        ("page%5Bafter%5D=5&page%5Bbefore%5D=6", "page[after]"),
        ("after=5&before=6", "after"), ("page%5Bbefore%5D=x", "page[before]"),
        ("before=x", "before"),
    ])
    func `a page that cannot be is refused by the name that was sent`(
        _ query: String, _ name: String
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let answer = try await server.get(
            "/api/conversations/\(conversation.id)/messages?\(query)", by: key)
        #expect(answer.status == 422)
        #expect(answer["errors"]?[0]?["parameter"]?.string == name)
    }

    @Test func `only conversations with something new since a moment are listed`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let first = try await server.makeConversation()
        let read = try await server.get("/api/conversations/\(first.id)", by: key)
        let moment = try #require(read["openedAt"]?.string)
        server.time.advance(by: .seconds(60))
        let second = try await server.makeConversation()
        func found(_ since: String, _ more: String = "") async throws -> [String] {
            let answer = try await server.get(
                "/api/conversations?filter%5BupdatedAfter%5D=\(since)\(more)", by: key)
            #expect(answer.status == 200, "\(answer.text)")
            return Self.ids(answer)
        }
        #expect(try await found(moment) == [second.id.text])
        #expect(try await found("2001-01-01") == [second.id.text, first.id.text])
        #expect(try await found("2999-01-01T00:00:00Z") == [])
        #expect(try await found(moment, "&filter%5Bstate%5D=closed") == [])
        let changed = try await server.send(
            .patch, "/api/conversations/\(first.id)", #"{"priority":"high"}"#, by: key)
        #expect(changed.status == 200)
        #expect(try await found(moment) == [first.id.text, second.id.text])
        let refused = try await server.get(
            "/api/conversations?filter%5BupdatedAfter%5D=yesterday", by: key)
        #expect(refused.status == 422)
    }

    @Test func `mentions are those of the person who asks`() async throws {
        let server = try await TestServer()
        let (owner, key) = (
            try await server.makeOwner(), try await server.makeKey([server.business])
        )
        let path = "/api/conversations?filter%5Bmentions%5D="
        #expect(try await server.get(path + "me", by: owner).status == 200)
        #expect(try await server.get(path + "all", by: owner).status == 422)
        #expect(try await server.get(path + "me", by: key).status == 422)
        #expect(
            try await server.get(path + "me&filter%5Bassignee%5D=none", by: owner).status == 422)
    }
}
