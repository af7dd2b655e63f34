import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

struct SearchTests {
    /// Reads the log into the index as the running server does.
    private static func catchUp(_ server: TestServer) async throws {
        let index = try #require(server.services.search)
        var follower = SearchFollower(services: server.services, index: index)
        while await follower.step() == .zero {}
    }

    private static func ids(_ answer: Answer) -> [String] {
        answer["data"]?.elements.compactMap { $0["message"]?.string } ?? []
    }

    @Test func `a search shows the place, and says how far the index is`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let sent = try await server.post(
            "/api/conversations/\(conversation.id)/messages",
            #"{"type":"text","body":"Your parcel 42 leaves today"}"#, by: key)
        let early = try await server.get("/api/search?q=parcel", by: key)
        #expect(Self.ids(early) == [])
        #expect(early["index"]?["behind"]?.int.map { $0 > 0 } == true)
        try await Self.catchUp(server)
        let answer = try await server.get("/api/search?q=parcel+42", by: key)
        let hit = try #require(answer["data"]?[0])
        #expect(hit["message"]?.string == sent["id"]?.string)
        #expect(hit["conversation"]?.string == conversation.id.text)
        #expect(hit["sequence"]?.int == 2)
        #expect(hit["author"]?["type"]?.string == "key")
        #expect(hit["author"]?["name"]?.string == "shop")
        #expect(hit["snippet"]?["text"]?.string == "Your parcel 42 leaves today")
        #expect(hit["snippet"]?["marks"]?[0]?["start"]?.int == 5)
        #expect(hit["snippet"]?["marks"]?[0]?["end"]?.int == 11)
        #expect(answer["index"]?["behind"]?.int == 0)
        #expect(answer["index"]?["upTo"]?.string == answer["index"]?["head"]?.string)
        #expect(answer["hasMore"]?.bool == false && answer["next"]?.isNull == true)
    }

    @Test func `notes are found beside messages, page by page alone, and deleted ones nowhere`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)/notes"
        var notes: [String] = []
        for number in 1...3 {
            let made = try await server.post(path, #"{"text":"parcel \#(number)"}"#, by: owner)
            notes.append(try #require(made["id"]?.string))
        }
        try await Self.catchUp(server)
        func found(_ query: String) async throws -> (Answer, [String?]) {
            let answer = try await server.get("/api/search?\(query)", by: owner)
            return (answer, answer["notes"]?.elements.map { $0["note"]?.string } ?? [])
        }
        let (all, first) = try await found("q=parcel")
        #expect(first == notes.reversed() && Self.ids(all) == [])
        let hit = try #require(all["notes"]?[0])
        #expect(hit["conversation"]?.string == conversation.id.text)
        #expect(hit["afterSequence"]?.int == 1 && hit["author"]?["name"]?.string == "Ada")
        #expect(hit["snippet"]?["text"]?.string == "parcel 3")
        #expect(all["notesNext"]?.isNull == true)
        let (short, one) = try await found("q=parcel&page[size]=1")
        #expect(one == [notes[2]])
        let place = try #require(short["notesNext"]?.string)
        let (next, two) = try await found("q=parcel&in=notes&page[size]=1&page[after]=\(place)")
        #expect(two == [notes[1]] && next["hasMore"]?.bool == true)
        let before = try #require(next["previous"]?.string)
        let (_, back) = try await found("q=parcel&in=notes&page[size]=1&page[before]=\(before)")
        #expect(back == [notes[2]])
        _ = try await server.send(.delete, path + "/" + notes[2], by: owner)
        #expect(try await found("q=parcel").1 == [notes[1], notes[0]])
        let foreign = try await server.makeKey([server.other])
        let none = try await server.get("/api/search?q=parcel", by: foreign)
        #expect(none["notes"]?.count == 0)
    }

    @Test func `customers are found by name over all conversations, on the first page`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        _ = try await server.makeConversation()
        var customer = conversation.customer
        customer.name = "田中 Robin"
        _ = try await server.services.broker.change(
            conversation.id, .describe(customer), by: .server)
        for word in ["robin", "%E7%94%B0%E4%B8%AD", "%E7%94%B0"] {
            let answer = try await server.get("/api/search?q=\(word)", by: key)
            let found = answer["conversations"]?.elements.map { $0["id"]?.string }
            #expect(found == [conversation.id.text], "\(word)")
        }
        let next = try await server.get("/api/search?q=robin&page[after]=5", by: key)
        #expect(next["conversations"]?.count == 0)
        let foreign = try await server.makeKey([server.other])
        let none = try await server.get("/api/search?q=robin", by: foreign)
        #expect(none["conversations"]?.count == 0)
    }

    @Test func `search pauses while messages come fast, says so, and catches up`() async throws {
        let server = try await TestServer { $0.web.keyMessagesBurst = 1_000 }
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let index = try #require(server.services.search)
        var follower = SearchFollower(services: server.services, index: index)
        for number in 0..<Int(IndexSchedule.busyForSearch) {
            _ = try await server.post(
                "/api/conversations/\(conversation.id)/messages",
                #"{"type":"text","body":"parcel \#(number)"}"#, by: key)
        }
        #expect(await follower.step() == SearchFollower.rest)
        let early = try await server.get("/api/search?q=parcel", by: key)
        #expect(Self.ids(early) == [])
        let behind = try #require(early["index"]?["behind"]?.int)
        #expect(behind >= Int(IndexSchedule.busyForSearch))
        server.time.advance(by: IndexSchedule.lull)
        while await follower.step() == .zero {}
        let late = try await server.get("/api/search?q=parcel&page[size]=300", by: key)
        #expect(Self.ids(late).count == Int(IndexSchedule.busyForSearch))
        #expect(late["index"]?["behind"]?.int == 0)
    }

    private static let rows: [(newest: Int64, indexed: Int64, grown: Int64, IndexSchedule.Step)] = [
        (1_000, 1_000, 0, .readOn),
        (1_000, 500, 249, .readOn),
        (1_000, 500, 250, .standBack),
        (300_000, 300_000 - 262_144, 250, .standBack),
        (300_000, 300_000 - 262_145, 250, .urgent),
        (300_000, 300_000 - 262_145, 0, .urgent),
    ]

    @Test(arguments: rows)
    func `search trails no further than its bound`(
        newest: Int64, indexed: Int64, grown: Int64, step: IndexSchedule.Step
    ) {
        let start = ContinuousClock.now
        var schedule = IndexSchedule(newest: Position(newest - grown), at: start)
        func look(after time: Duration) -> IndexSchedule.Step {
            schedule.next(
                newest: Position(newest), indexed: Position(indexed), at: start.advanced(by: time))
        }
        #expect(look(after: .milliseconds(100)) == step)
        // What was seen once counts for a second.
        #expect(look(after: .milliseconds(1_099)) == step)
        #expect(look(after: .milliseconds(1_100)) == (step == .urgent ? .urgent : .readOn))
    }

    /// Events that each look sees, looks apart in milliseconds, and whether search pauses then.
    private static let lumps: [(grown: Int64, every: Int, of: Int, Bool)] = [
        // Between two commits nothing comes, however fast they come.
        (2_000, 400, 40, true),
        // Each look sees little, as they follow each other closely.
        (10, 2, 2, true),
        (300, 120, 120, true),
        (250, 120, 120, false),
        (4, 2, 2, false),
    ]

    @Test(arguments: lumps)
    func `messages come fast by their time and not by how often the log is looked at`(
        grown: Int64, every: Int, of step: Int, isFast: Bool
    ) {
        let start = ContinuousClock.now
        var schedule = IndexSchedule(newest: Position(0), at: start)
        var newest: Int64 = 0
        var steps: Set<IndexSchedule.Step> = []
        for time in stride(from: step, through: 3_000, by: step) {
            if time % every == 0 { newest += grown }
            let found = schedule.next(
                newest: Position(newest), indexed: Position(0),
                at: start.advanced(by: .milliseconds(time)))
            if time >= 500 { steps.insert(found) }
        }
        #expect(steps == [isFast ? .standBack : .readOn])
    }

    @Test(arguments: ["Sizes", "small", "choose", "chosen"])
    func `cards are found by what people read on them`(word: String) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let sent = try await server.post(
            "/api/conversations/\(conversation.id)/messages",
            """
            {"type":"interactive","interactiveData":{"bid":"com.apple.messages.\
            MSMessageExtensionBalloonPlugin:0000000000:com.apple.icloud.apps.messages.business.\
            extension","data":{"version":"1.0","requestIdentifier":\
            "9d6f6f3e-0d6f-4c1c-9d58-6f4f6b1d1111","images":[],"listPicker":{"sections":[{"title":\
            "Sizes","order":0,"multipleSelection":false,"items":[{"identifier":"hidden","title":\
            "Small","order":0,"style":"default"}]}]}},"receivedMessage":{"title":"Choose a size",\
            "style":"icon"},"replyMessage":{"title":"Size chosen","style":"icon"}}}
            """, by: key)
        #expect(sent.status == 201)
        try await Self.catchUp(server)
        let answer = try await server.get("/api/search?q=\(word)", by: key)
        #expect(Self.ids(answer) == [try #require(sent["id"]?.string)])
        #expect(Self.ids(try await server.get("/api/search?q=hidden", by: key)) == [])
    }

    @Test func `no member finds what is another business's`() async throws {
        let server = try await TestServer()
        _ = try await server.makeConversation()
        _ = try await server.makeConversation(server.other)
        try await Self.catchUp(server)
        let key = try await server.makeKey([server.business])
        let found = try await server.get("/api/search?q=hello", by: key)
        #expect(found["data"]?.count == 1)
        #expect(found["data"]?[0]?["business"]?.string == server.business.id.text)
        let other = try await server.get(
            "/api/search?q=hello&business=\(server.other.id)", by: key)
        let none = try await server.get(
            "/api/search?q=hello&business=8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111", by: key)
        #expect(other.status == 404 && other.bytes == none.bytes)
        let customer = try await server.get("/api/search?q=hello")
        #expect(customer.status == 401)
    }

    @Test func `a member who loses a business finds its messages no more`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let member = try await server.makeMember(
            "ben@example.com", .agent, of: server.other, by: owner)
        _ = try await server.makeConversation(server.other)
        try await Self.catchUp(server)
        #expect(try await server.get("/api/search?q=hello", by: member)["data"]?.count == 1)
        let agent = try #require(try await server.store.agents(email: "ben@example.com").first)
        _ = try await server.services.broker.changeMember(
            agent.id, of: server.other.id, to: nil, by: .server, permitted: [],
            handling: server.services.handlingRoles)
        #expect(try await server.get("/api/search?q=hello", by: member)["data"]?.count == 0)
    }

    @Test(arguments: [
        ("", 422), ("q=", 422), ("q=%22%22", 422), ("q=%20-%20", 422),
        ("q=\(String(repeating: "a", count: 256))", 200),
        ("q=\(String(repeating: "a", count: 257))", 422),
        ("q=1+2+3+4+5+6+7+8+9+10+11+12+13+14+15+16", 200),
        ("q=1+2+3+4+5+6+7+8+9+10+11+12+13+14+15+16+17", 422),
        ("q=a&page[size]=0", 422), ("q=a&page[size]=301", 422), ("q=a&page[size]=300", 200),
        ("q=a&page[after]=-1", 422), ("q=a&page[after]=x", 422), ("q=a&page[after]=0", 200),
        ("q=a&page[after]=999999999999999", 200),
        ("q=a%22)%20OR%20words:*%20NEAR(b,%20c)%20--%00", 200), ("q=%F0%9F%99%82", 422),
        ("q=*", 422), ("q=%5E%7B%7D%3A", 422),
    ])
    func `whatever is typed is answered`(query: String, status: Int) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.get("/api/search?\(query)", by: key)
        #expect(answer.status == status, "\(query)")
    }

    @Test func `searching has a budget of its own`() async throws {
        let server = try await TestServer { $0.web.searchesBurst = 3 }
        let key = try await server.makeKey([server.business])
        for _ in 0..<3 { #expect(try await server.get("/api/search?q=a", by: key).status == 200) }
        let refused = try await server.get("/api/search?q=a", by: key)
        #expect(refused.code == "rate_limited")
        #expect(refused.headers["retry-after"] == "1")
        #expect(try await server.get("/api/conversations", by: key).status == 200)
    }
}
