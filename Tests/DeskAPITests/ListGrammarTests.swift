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

    /// What names an element of any list.
    private static func name(_ element: JSONValue) -> String {
        for name in ["id", "contact", "message", "requestId", "number", "position", "conversation"]
        {
            if let value = element[name], value.kind == .string || value.kind == .number {
                return value.string ?? String(value.int ?? -1)
            }
        }
        if let agent = element["agent"]?["id"]?.string { return agent }
        return "\(element["name"]?.string ?? "") \(element["language"]?.string ?? "")"
    }

    /// A page of a list, and the one that it leads to.
    private struct Walk {
        let server: TestServer
        let path: String
        let size: Int
        let reader: TestServer.Caller

        func page(_ place: String = "") async throws -> Answer {
            let start = "\(path)\(path.contains("?") ? "&" : "?")page%5Bsize%5D=\(size)"
            let answer = try await server.get(start + place, by: reader)
            #expect(answer.status == 200, "\(path)\(place): \(answer.text)")
            #expect((answer["data"]?.count ?? 0) <= size, "\(path)\(place)")
            return answer
        }

        /// The page that another one leads to; nil at the end of the list in this direction.
        func page(_ direction: Direction, of answer: Answer) async throws -> Answer? {
            guard let place = answer[direction.rawValue]?.string else {
                #expect(answer[direction.rawValue]?.isNull == true, "\(path): \(answer.text)")
                return nil
            }
            let name = direction == .next ? "after" : "before"
            let found = try await page(
                "&page%5B\(name)%5D=\(place.replacing("/", with: "%2F"))")
            // Where a page is full the list may end with it.
            return found["data"]?.count == 0 ? nil : found
        }

        /// All pages from one on.
        func pages(_ direction: Direction, from answer: Answer) async throws -> [Answer] {
            var pages = [answer]
            while pages.count < 20, let one = try await page(direction, of: pages[pages.count - 1])
            {
                pages.append(one)
            }
            return pages
        }

        /// Reads the list to its end, back to its beginning, and to its end again; its elements.
        ///
        /// A thread begins with its newest messages, every other list at its beginning.
        func elements(isThread: Bool = false) async throws -> [String] {
            let start = try await page()
            let down = try await pages(.next, from: start)
            let up = try await pages(.previous, from: down[down.count - 1])
            let again = try await pages(.next, from: up[up.count - 1])
            let all = ListGrammarTests.names(up.reversed())
            #expect(ListGrammarTests.names(again) == all, "\(path)")
            guard !isThread else { return all }
            #expect(ListGrammarTests.names(down) == all, "\(path)")
            #expect(start["previous"]?.isNull == true, "\(path)")
            for page in down + up {
                #expect((page["hasMore"]?.bool == true) == (page["next"]?.string != nil), "\(path)")
            }
            return all
        }
    }

    private enum Direction: String {
        case next, previous
    }

    fileprivate static func names(_ pages: [Answer]) -> [String] {
        pages.flatMap { $0["data"]?.elements.map(name) ?? [] }
    }

    @Test(arguments: [1, 2, 3])
    func `every list can be read to its end, back to its beginning and to its end again`(
        _ size: Int
    ) async throws {
        let scene = try await ListScene()
        #expect(
            Set(scene.lists.map(\.operation)).symmetricDifference(Self.described) == [],
            "A list is in docs/openapi.json and not in the scene, or the other way around.")
        for list in scene.lists {
            // Searches of one moment are few.
            scene.server.time.advance(by: .seconds(10))
            let walk = Walk(
                server: scene.server, path: list.path, size: size, reader: list.reader)
            let found = try await walk.elements(isThread: Self.threads.contains(list.operation))
            #expect(Set(found).count == found.count, "\(list.operation): \(found)")
            #expect(found.count >= 3, "\(list.operation): \(found)")
            if let count = list.count {
                #expect(found.count == count, "\(list.operation): \(found)")
            }
        }
    }

    @Test func `without a size a list that is read whole comes whole`() async throws {
        let scene = try await ListScene()
        for list in scene.lists where Self.whole.contains(list.operation) {
            let answer = try await scene.server.get(list.path, by: list.reader)
            #expect(list.count == nil || answer["data"]?.count == list.count, "\(list.operation)")
            #expect(answer["hasMore"]?.bool == false, "\(list.operation)")
            #expect(answer["next"]?.isNull == true, "\(list.operation)")
            #expect(answer["previous"]?.isNull == true, "\(list.operation)")
        }
    }

    @Test
    func `a page of a list that is read whole goes on where it was, or says how to begin again`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let links = "/api/businesses/\(server.business.id)/links"
        for number in 1...4 {
            let made = try await server.post(links, #"{"label":"W\#(number)"}"#, by: owner)
            #expect(made.status == 201)
        }
        let first = try await server.get(links + "?page%5Bsize%5D=2", by: owner)
        let next = try #require(first["next"]?.string)
        #expect(next == first["data"]?[1]?["id"]?.string)
        let rest = try await server.get(links + "?page%5Bafter%5D=\(next)", by: owner)
        #expect(rest["data"]?.count == 3)
        #expect(rest["hasMore"]?.bool == false)
        #expect(rest["previous"]?.string == rest["data"]?[0]?["id"]?.string)
        #expect(try await server.send(.delete, "\(links)/\(next)", by: owner).status == 204)
        for (query, parameter, fix) in [
            ("page%5Bafter%5D=\(next)", "page[after]", "Begin again without it"),
            ("page%5Bbefore%5D=\(next)", "page[before]", "Begin again without it"),
            ("page%5Bafter%5D=default&page%5Bbefore%5D=default", "page[after]", "Take one"),
            ("page%5Bsize%5D=0", "page[size]", ""), ("page%5Bsize%5D=301", "page[size]", ""),
        ] {
            let refused = try await server.get("\(links)?\(query)", by: owner)
            #expect(refused.status == 422, "\(query)")
            #expect(refused["errors"]?[0]?["parameter"]?.string == parameter, "\(query)")
            let stated = refused["errors"]?[0]?["fix"]?.string ?? ""
            #expect(stated.hasPrefix(fix), "\(query)")
        }
    }

    // MARK: The OpenAPI file

    /// The page of events goes on by the cursors of the stream: docs/events.md.
    private static let apart: Set<String> = ["streamEvents"]
    private static let threads: Set<String> = [
        "listMessages", "listMessageDeliveries", "listPhoneMessages",
    ]

    /// What reads something and answers it as a list, with the schema of its answer.
    private static var reading: [(name: String, place: String, schema: JSONValue)] {
        OpenAPICheck.shared.operations.compactMap { operation in
            guard operation.method == "GET", !apart.contains(operation.name) else { return nil }
            let place = JSONPointer([
                "paths", operation.path, "get", "responses", "200", "content", "application/json",
            ]).description
            guard let schema = OpenAPICheck.shared.resolve(place + "/schema"),
                schema["properties"]?["data"] != nil
            else { return nil }
            return (operation.name, place, schema)
        }
    }

    private static var described: Set<String> { Set(reading.map(\.name)) }

    /// The lists of which the file says that they come whole without a size.
    private static var whole: Set<String> {
        described.filter { name in
            OpenAPICheck.shared.parameter("page[size]", of: name)?["schema"]?["default"] == nil
        }
    }

    /// Parameters of lists that are no filter by what an element has.
    ///
    /// Whose it is, the words of a search and where they are looked for, a saved view, a filter of several parts, the
    /// order.
    private static let beside: Set<String> = ["business", "q", "in", "view", "filter", "sort"]

    @Test func `what narrows a list is a filter, or an older name of one`() {
        let check = OpenAPICheck.shared
        for list in Self.reading {
            let others = check.queryNames(of: list.name).filter {
                !$0.hasPrefix("filter[") && !$0.hasPrefix("page[") && !Self.beside.contains($0)
            }
            for name in others {
                let isOlder =
                    check.parameter(name, of: list.name)?["deprecated"]?.bool == true
                #expect(isOlder, "\(list.name) \(name)")
            }
        }
    }

    @Test func `every list of the OpenAPI file has the parameters and the answer of all lists`() {
        #expect(Self.reading.count > 30)
        #expect(Self.whole.count > 20)
        for list in Self.reading {
            let refusal = list.place.replacing("/200/content/application~1json", with: "/422")
            #expect(
                OpenAPICheck.shared.resolve(refusal) != nil,
                "\(list.name): what begins no page is refused with 422")
            let names = OpenAPICheck.shared.queryNames(of: list.name)
            for name in ["page[after]", "page[before]", "page[size]"] {
                #expect(names.contains(name), "\(list.name)")
            }
            let required = list.schema["required"]?.elements.compactMap(\.string) ?? []
            let example = OpenAPICheck.shared.resolve(list.place + "/example")
            for name in ["data", "hasMore", "next", "previous"] {
                #expect(list.schema["properties"]?[name] != nil, "\(list.name) \(name)")
                #expect(required.contains(name), "\(list.name) \(name)")
                #expect(example == nil || example?[name] != nil, "\(list.name) \(name)")
            }
        }
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
            let walk = Walk(server: server, path: path, size: size, reader: owner)
            let found = try await walk.elements()
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
