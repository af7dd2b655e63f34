import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

struct BulkRouteTests {
    private static let path = "/api/conversations/bulk"

    private static func list(_ ids: [String]) -> String {
        "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }

    private static func conversations(_ count: Int, _ server: TestServer) async throws -> [String] {
        var ids: [String] = []
        for _ in 0..<count { ids.append(try await server.makeConversation().id.text) }
        return ids
    }

    @Test func `one change is made of many, each answered for, and undone by what came back`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let labels = "/api/businesses/\(server.business.id)/labels"
        let label = try #require(
            try await server.post(labels, ##"{"name":"VIP","colour":"#CC0000"}"##, by: owner)["id"]?
                .string)
        let ids = try await Self.conversations(3, server)
        // One is so already, and nothing is changed of it.
        let change = """
            {"assignee":"me","priority":"high","labels":{"add":["\(label)"]},"state":"closed"}
            """
        _ = try await server.post(
            Self.path, #"{"conversations":["\#(ids[2])"],"change":\#(change)}"#, by: owner)
        let unknown = "8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"
        let answer = try await server.post(
            Self.path,
            #"{"conversations":\#(Self.list(ids + [unknown])),"change":\#(change)}"#, by: owner)
        #expect(answer.status == 200)
        let rows = Array(try #require(answer["data"]).elements)
        #expect(rows.map { $0["status"]?.int } == [200, 200, 200, 404])
        #expect(rows.map { $0["id"]?.string } == ids + [unknown])
        #expect(rows[3]["problem"]?["code"]?.string == "not_found")
        #expect(rows[2]["undo"]?.isNull == true)
        for id in ids {
            let one = try await server.get("/api/conversations/\(id)", by: owner)
            #expect(one["state"]?.string == "closed")
            #expect(one["assignee"]?["name"]?.string == "Ada")
            #expect(one["labels"]?[0]?.string == label)
        }
        let undo = try #require(rows[0]["undo"])
        #expect(undo["assignee"]?.isNull == true)
        #expect(undo["state"]?.string == "open")
        #expect(undo["priority"]?.string == "none")
        #expect(undo["labels"]?["remove"]?[0]?.string == label)
        #expect(undo["team"] == nil)
        let changes = try rows[..<2].map { row in
            let bytes = try row["undo"]?.detached().bytes ?? []
            let undo = String(decoding: bytes, as: UTF8.self)
            return #"{"conversation":"\#(row["id"]?.string ?? "")","change":\#(undo)}"#
        }
        let back = try await server.post(
            Self.path, #"{"changes":[\#(changes.joined(separator: ","))]}"#, by: owner)
        #expect(back["data"]?.elements.map { $0["status"]?.int } == [200, 200])
        for id in ids[..<2] {
            let one = try await server.get("/api/conversations/\(id)", by: owner)
            #expect(one["state"]?.string == "open")
            #expect(one["assignee"]?.isNull == true)
            #expect(one["labels"]?.count == 0)
            #expect(one["priority"]?.string == "none")
        }
    }

    @Test func `metadata of many is changed by names, undone, and left where it is other since`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ids = try await Self.conversations(2, server)
        func metadata(_ id: String) async throws -> String? {
            try await server.get("/api/conversations/\(id)", by: owner)["metadata"]?.rawText
        }
        func change(_ id: String, _ metadata: String) async throws {
            let body = #"{"metadata":\#(metadata)}"#
            let changed = try await server.send(
                .patch, "/api/conversations/\(id)", body, by: owner)
            #expect(changed.status == 200)
        }
        for id in ids { try await change(id, #"{"a":"1","b":"2"}"#) }
        let done = try await server.post(
            Self.path,
            #"{"conversations":\#(Self.list(ids)),"change":{"metadata":{"b":null,"c":"3","d":null}}}"#,
            by: owner)
        #expect(done["data"]?[0]?["status"]?.int == 200, "\(done.text)")
        for id in ids { #expect(try await metadata(id) == #"{"a":"1","c":"3"}"#) }
        #expect(
            done["data"]?[0]?["undo"]?.rawText
                == #"{"ifMetadata":{"b":null,"c":"3"},"metadata":{"c":null,"b":"2"}}"#)
        // What is gone since, as by an erasure, does not come back.
        try await change(ids[0], #"{"c":null}"#)
        let changes = ids.enumerated().map { place, id in
            #"{"conversation":"\#(id)","change":\#(done["data"]?[place]?["undo"]?.rawText ?? "")}"#
        }
        let undone = try await server.post(
            Self.path, #"{"changes":[\#(changes.joined(separator: ","))]}"#, by: owner)
        #expect(undone["data"]?[0]?["problem"]?["code"]?.string == "precondition_failed")
        #expect(undone["data"]?[1]?["status"]?.int == 200, "\(undone.text)")
        #expect(try await metadata(ids[0]) == #"{"a":"1"}"#)
        #expect(try await metadata(ids[1]) == #"{"a":"1","b":"2"}"#)
    }

    @Test func `a conversation without room for more metadata is refused in its place`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ids = try await Self.conversations(2, server)
        let full = (0..<50).map { #""n\#($0)":"x""# }.joined(separator: ",")
        _ = try await server.send(
            .patch, "/api/conversations/\(ids[0])", #"{"metadata":{\#(full)}}"#, by: owner)
        let answer = try await server.post(
            Self.path, #"{"conversations":\#(Self.list(ids)),"change":{"metadata":{"new":"x"}}}"#,
            by: owner)
        #expect(answer["data"]?.elements.map { $0["status"]?.int } == [422, 200])
    }

    @Test func `what cannot be used is refused for each, and nothing of it is changed`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ids = try await Self.conversations(1, server)
        let unknown = "8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"
        for part in [
            #""team":"\#(unknown)""#, #""assignee":"\#(unknown)""#,
            #""labels":{"add":["\#(unknown)"]}"#,
        ] {
            let answer = try await server.post(
                Self.path,
                #"{"conversations":\#(Self.list(ids)),"change":{"priority":"high",\#(part)}}"#,
                by: owner)
            #expect(answer["data"]?[0]?["status"]?.int == 422)
            let one = try await server.get("/api/conversations/\(ids[0])", by: owner)
            #expect(one["priority"]?.string == "none")
        }
    }

    @Test(arguments: [
        (#"{"assignee":"me"}"#, #"{"assignee":null}"#, "already_assigned"),
        (#"{"state":"closed"}"#, #"{"state":"pending"}"#, "precondition_failed"),
        (#"{"priority":"high"}"#, #"{"priority":"urgent"}"#, "precondition_failed"),
    ])
    func `undoing leaves what a colleague changed since, and says which and why`(
        _ change: String, _ others: String, _ code: String
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let ids = [try await server.makeConversation().id, try await server.makeConversation().id]
        let done = try await server.post(
            Self.path, #"{"conversations":\#(Self.list(ids.map(\.text))),"change":\#(change)}"#,
            by: owner)
        _ = try await server.send(.patch, "/api/conversations/\(ids[0])", others, by: agent)
        let left = try await server.get("/api/conversations/\(ids[0])", by: owner)
        let changes = ids.enumerated().map { place, id in
            let undo = done["data"]?[place]?["undo"].map { Array($0.rawBytes) } ?? []
            return
                #"{"conversation":"\#(id.text)","change":\#(String(decoding: undo, as: UTF8.self))}"#
        }
        let undone = try await server.post(
            Self.path, #"{"changes":[\#(changes.joined(separator: ","))]}"#, by: owner)
        #expect(undone["data"]?[0]?["problem"]?["code"]?.string == code, "\(undone.text)")
        #expect(undone["data"]?[0]?["problem"]?["current"]?["id"]?.string == ids[0].text)
        #expect(undone["data"]?[1]?["status"]?.int == 200, "\(undone.text)")
        let now = try await server.get("/api/conversations/\(ids[0])", by: owner)
        #expect(now["revision"]?.int == left["revision"]?.int)
    }

    @Test(arguments: [
        "{}", #"{"conversations":[],"change":{}}"#, #"{"conversations":["x"]}"#,
        #"{"conversations":["x"],"change":{"state":"gone"}}"#,
        #"{"conversations":["x"],"change":{"ifAssignee":7}}"#,
        #"{"conversations":["x"],"change":{"ifState":"ajar"}}"#,
        #"{"conversations":["x"],"change":{"ifLabels":{"had":[]}}}"#,
        #"{"conversations":["x"],"change":{"metadata":{"a":7}}}"#,
        #"{"conversations":["x"],"change":{"ifMetadata":[]}}"#,
        #"""
        {"conversations":["x"],"change":{"metadata":{"a":"","b":"","c":"","d":"","e":"","f":"",\#
        "g":"","h":"","i":"","j":"","k":""}}}
        """#,
        #"{"conversations":["x"],"change":{"snoozedUntil":"2001-01-01T00:00:00Z"}}"#,
        #"{"changes":[{"conversation":"x"}]}"#, #"{"changes":[{"change":{}}]}"#,
    ])
    func `a body that breaks a rule is refused as a whole`(body: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        #expect(try await server.post(Self.path, body, by: owner).code == "invalid")
    }

    @Test func `more than a hundred are an owner's`() async throws {
        let server = try await TestServer(limits: { $0.web.agentMessagesBurst = 10_000 })
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let unknown = "8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"
        func body(_ count: Int) -> String {
            let ids = Self.list(Array(repeating: unknown, count: count))
            return #"{"conversations":\#(ids),"change":{"state":"closed"}}"#
        }
        let many = try await server.post(Self.path, body(101), by: agent)
        #expect(many.code == "forbidden")
        #expect(try await server.post(Self.path, body(100), by: agent)["data"]?.count == 100)
        #expect(try await server.post(Self.path, body(1_001), by: owner).code == "invalid")
        #expect(try await server.post(Self.path, body(101), by: owner)["data"]?.count == 101)
    }
}
