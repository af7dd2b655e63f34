import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct BatchTests {
    @Test func `each entry is answered for by itself, in its place`() async throws {
        let house = try await TestHouse()
        let mine = try await house.makeConversation()
        let foreign = try await house.makeConversation(house.other)
        let key = try await house.makeKey([house.business])
        let answer = try await house.post(
            "/api/messages/batch",
            """
            {"messages":[
            {"conversation":"\(mine.id)","payload":{ "type":"text", "body":"\\u0041" }},
            {"conversation":"\(mine.id)","payload":{"type":"text"}},
            {"conversation":"\(foreign.id)","payload":{"type":"text","body":"2"}},
            {"conversation":"\(mine.id)","payload":{"type":"text","body":"3"}}]}
            """, by: key)
        #expect(answer.status == 200)
        let results = Array(try #require(answer["results"]).elements)
        #expect(results.map { $0["status"]?.int } == [201, 422, 404, 201])
        #expect(results[0]["message"]?["payload"]?.rawText.hasSuffix(#"body":"\u0041" }"#) == true)
        #expect(results[3]["message"]?["sequence"]?.int == 3)
        #expect(try await house.messageCount(mine) == 3)
        #expect(try await house.messageCount(foreign) == 1)
        // What is refused of a batch is counted like a request of its own, by reason.
        let counts = house.services.metrics.text()
        for (reason, count) in [("invalid", 1), ("not_found", 1), ("rate_limited", 0)] {
            #expect(counts.contains("frontdesk_refused_total{reason=\"\(reason)\"} \(count)\n"))
        }
    }

    @Test func `a hundred go in, one more is refused as a whole`() async throws {
        let house = try await TestHouse()
        let conversation = try await house.makeConversation()
        let key = try await house.makeKey([house.business])
        func send(_ count: Int) async throws -> Answer {
            let entry =
                #"{"conversation":"\#(conversation.id)","payload":{"type":"text","body":"x"}}"#
            let list = Array(repeating: entry, count: count).joined(separator: ",")
            return try await house.post(
                "/api/messages/batch", #"{"messages":[\#(list)]}"#, by: key)
        }
        #expect(try await send(101).code == "invalid")
        #expect(try await house.messageCount(conversation) == 1)
        #expect(try await send(100).status == 200)
        #expect(try await house.messageCount(conversation) == 101)
        #expect(try await send(100).status == 200)
        let refused = try await send(1)
        #expect(refused.code == "rate_limited")
        #expect(refused.headers["retry-after"] != nil)
        #expect(try await house.messageCount(conversation) == 201)
    }

    @Test func `an agent's hundred go in at once and are paid back`() async throws {
        let house = try await TestHouse()
        let conversation = try await house.makeConversation()
        let owner = try await house.makeOwner()
        let entry =
            #"{"conversation":"\#(conversation.id)","payload":{"type":"text","body":"x"}}"#
        let list = Array(repeating: entry, count: 100).joined(separator: ",")
        let body = #"{"messages":[\#(list)]}"#
        // Signing in and the like may have cost a write.
        house.time.advance(by: .seconds(10))
        #expect(try await house.post("/api/messages/batch", body, by: owner).status == 200)
        #expect(try await house.messageCount(conversation) == 101)
        let refused = try await house.post("/api/messages/batch", body, by: owner)
        #expect(refused.status == 429)
        #expect(
            refused["detail"]?.string
                == "A batch of 100 counts as 100 writes; 0 of 50 are left, and 50 are needed. "
                + "Send it again in 20 s.")
        #expect(refused.headers["retry-after"] == "20")
        house.time.advance(by: .seconds(20))
        #expect(try await house.post("/api/messages/batch", body, by: owner).status == 200)
        #expect(try await house.messageCount(conversation) == 201)
    }

    @Test func `a repeated key stores nothing again`() async throws {
        let house = try await TestHouse()
        let conversation = try await house.makeConversation()
        let key = try await house.makeKey([house.business])
        let entry = #"{"conversation":"\#(conversation.id)","payload":{"type":"text","body":"x"}}"#
        let body = #"{"messages":[\#(entry),\#(entry)]}"#
        let first = try await house.post(
            "/api/messages/batch", body, by: key, headers: ["Idempotency-Key": "\"b\""])
        let again = try await house.post(
            "/api/messages/batch", body, by: key, headers: ["Idempotency-Key": "\"b\""])
        #expect(first.bytes == again.bytes)
        #expect(try await house.messageCount(conversation) == 3)
        let other = try await house.post(
            "/api/messages/batch", body + " ", by: key, headers: ["Idempotency-Key": "\"b\""])
        #expect(other.code == "idempotency_mismatch")
    }

    @Test func `repeated ids give the messages as they were stored, in place and marked`()
        async throws
    {
        let house = try await TestHouse()
        let conversation = try await house.makeConversation()
        let key = try await house.makeKey([house.business])
        func entry(_ id: String, _ body: String) -> String {
            #"{"conversation":"\#(conversation.id)","payload":{"id":"\#(id)","type":"text","body":"\#(body)"}}"#
        }
        func send(_ entries: [String]) async throws -> [JSONValue] {
            let answer = try await house.post(
                "/api/messages/batch", #"{"messages":[\#(entries.joined(separator: ","))]}"#,
                by: key)
            #expect(answer.status == 200)
            return Array(try #require(answer["results"]).elements)
        }
        let (a, b, c) = (
            UniqueID(high: 0x4000, low: 1 << 63).text,
            UniqueID(high: 0x4000, low: 2 | 1 << 63).text,
            UniqueID(high: 0x4000, low: 3 | 1 << 63).text
        )
        let first = try await send([entry(a, "1"), entry(b, "2"), entry(a, "1")])
        #expect(first.map { $0["repeated"]?.bool } == [false, false, true])
        #expect(first.map { $0["message"]?["sequence"]?.int } == [2, 3, 2])
        let again = try await send([entry(c, "3"), entry(b, "2"), entry(a, "other")])
        #expect(again.map { $0["status"]?.int } == [201, 201, 409])
        #expect(again.map { $0["repeated"]?.bool } == [false, true, nil])
        #expect(again.map { $0["message"]?["sequence"]?.int } == [4, 3, nil])
        #expect(try await house.messageCount(conversation) == 4)
    }

    @Test(arguments: [
        ("{", "malformed_json"), ("{}", "invalid"), (#"{"messages":[]}"#, "invalid"),
        (#"{"messages":{}}"#, "invalid"), (#"{"messages":[1],"more":2}"#, "invalid"),
    ])
    func `a broken batch is refused as a whole`(body: String, code: String) async throws {
        let house = try await TestHouse()
        let key = try await house.makeKey([house.business])
        #expect(try await house.post("/api/messages/batch", body, by: key).code == code)
    }
}
