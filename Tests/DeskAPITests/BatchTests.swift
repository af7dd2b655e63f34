import APITestSupport
import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

struct BatchTests {
    @Test func `each entry is answered for by itself, in its place`() async throws {
        let server = try await TestServer()
        let mine = try await server.makeConversation()
        let foreign = try await server.makeConversation(server.other)
        let key = try await server.makeKey([server.business])
        let answer = try await server.post(
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
        #expect(results[1]["conversation"]?.string == mine.id.text)
        #expect(try await server.messageCount(mine) == 3)
        #expect(try await server.messageCount(foreign) == 1)
        // What is refused of a batch is counted like a request of its own, by reason.
        let counts = server.services.metrics.text()
        for (reason, count) in [("invalid", 1), ("not_found", 1), ("rate_limited", 0)] {
            #expect(counts.contains("frontdesk_refused_total{reason=\"\(reason)\"} \(count)\n"))
        }
    }

    @Test func `a hundred go in, one more is refused as a whole`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        func send(_ count: Int) async throws -> Answer {
            let entry =
                #"{"conversation":"\#(conversation.id)","payload":{"type":"text","body":"x"}}"#
            let list = Array(repeating: entry, count: count).joined(separator: ",")
            return try await server.post(
                "/api/messages/batch", #"{"messages":[\#(list)]}"#, by: key)
        }
        #expect(try await send(101).code == "invalid")
        #expect(try await server.messageCount(conversation) == 1)
        #expect(try await send(100).status == 200)
        #expect(try await server.messageCount(conversation) == 101)
        #expect(try await send(100).status == 200)
        let refused = try await send(1)
        #expect(refused.code == "rate_limited")
        #expect(refused.headers["retry-after"] != nil)
        #expect(try await server.messageCount(conversation) == 201)
    }

    @Test func `an agent's hundred go in at once and are paid back`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let owner = try await server.makeOwner()
        let entry =
            #"{"conversation":"\#(conversation.id)","payload":{"type":"text","body":"x"}}"#
        let list = Array(repeating: entry, count: 100).joined(separator: ",")
        let body = #"{"messages":[\#(list)]}"#
        // Signing in and the like may have cost a write.
        server.time.advance(by: .seconds(10))
        #expect(try await server.post("/api/messages/batch", body, by: owner).status == 200)
        #expect(try await server.messageCount(conversation) == 101)
        let refused = try await server.post("/api/messages/batch", body, by: owner)
        #expect(refused.status == 429)
        #expect(
            refused["detail"]?.string
                == "A batch of 100 counts as 100 writes; 0 of 50 are left, and 50 are needed. "
                + "Send it again in 20 s.")
        #expect(refused.headers["retry-after"] == "20")
        server.time.advance(by: .seconds(20))
        #expect(try await server.post("/api/messages/batch", body, by: owner).status == 200)
        #expect(try await server.messageCount(conversation) == 201)
    }

    @Test func `what is written while the rest is judged keeps its order and its place`()
        async throws
    {
        let server = try await TestServer()
        let one = try await server.makeConversation()
        let other = try await server.makeConversation(server.business)
        let key = try await server.makeKey([server.business])
        let entries = (0..<100).map { place in
            let body = place % 10 == 9 ? "" : #","body":"\#(place)""#
            let conversation = (place % 3 == 0 ? one : other).id
            return #"{"conversation":"\#(conversation)","payload":{"type":"text"\#(body)}}"#
        }
        let answer = try await server.post(
            "/api/messages/batch", #"{"messages":[\#(entries.joined(separator: ","))]}"#, by: key)
        let results = Array(try #require(answer["results"]).elements)
        #expect(results.count == 100)
        var sequences: [String: Int] = [:]
        for (place, result) in results.enumerated() {
            guard place % 10 != 9 else {
                #expect(result["status"]?.int == 422)
                continue
            }
            let message = try #require(result["message"])
            #expect(message["payload"]?["body"]?.string == "\(place)")
            let conversation = try #require(message["conversation"]?.string)
            let sequence = sequences[conversation, default: 1] + 1
            #expect(message["sequence"]?.int == sequence)
            sequences[conversation] = sequence
        }
        #expect(sequences.values.reduce(0, +) == 92)
    }

    @Test func `what cannot be stored later is answered for in its place, the rest is stored`()
        async throws
    {
        let server = try await TestServer()
        let submissions = try await Self.submissions(5, server)
        let broker = server.services.broker
        let last = submissions[4].id
        var storing = BatchStoring(server.services, atOnce: 2) { some throws(StoreError) in
            if some.contains(where: { $0.id == last }) { throw StoreError(.full) }
            return try await broker.accept(some)
        }
        for submission in submissions { storing.take(submission) }
        storing.refuse(.notFound)
        #expect(storing.hasBegun)
        let outcomes = try await storing.finish()
        #expect(outcomes.map { (try? $0.get()) != nil } == [true, true, true, true, false, false])
        guard case .failure(let full) = outcomes[4], case .failure(let missing) = outcomes[5]
        else {
            Issue.record("both are refused")
            return
        }
        #expect(full.code == .storageFull && missing.code == .notFound)
    }

    @Test func `a batch of which nothing can be stored is refused as a whole`() async throws {
        let server = try await TestServer()
        var storing = BatchStoring(server.services, atOnce: 2) { _ throws(StoreError) in
            throw StoreError(.full)
        }
        for submission in try await Self.submissions(3, server) { storing.take(submission) }
        var refusal: Problem?
        do { _ = try await storing.finish() } catch { refusal = error }
        #expect(refusal?.code == .storageFull)
    }

    private static func submissions(_ count: Int, _ server: TestServer) async throws -> [Submission]
    {
        let conversation = try await server.makeConversation()
        return (0..<count).map { _ in
            Submission(
                conversation: conversation.id, id: server.services.broker.makeMessageID(),
                payload: Array(#"{"type":"text","body":"x"}"#.utf8),
                facts: MessageFacts(
                    direction: .outbound, kind: .text, author: .server, origin: .api, summary: "x"))
        }
    }

    @Test(
        arguments: [
            ("return=minimal", true), ("respond-async, return = \"minimal\" ;x=1", true),
            ("RETURN=minimal", true), ("return=representation", false), ("minimal", false),
            ("return", false), ("", false), (",;=", false), ("return=minimally", false),
        ])
    func `a sender that prefers little gets ids and places only`(
        field: String, isMinimal: Bool
    ) async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let payload = #"{"type":"text","body":"x"}"#
        let batch = try await server.post(
            "/api/messages/batch",
            #"{"messages":[{"conversation":"\#(conversation.id)","payload":\#(payload)}]}"#,
            by: key, headers: ["Prefer": field])
        let single = try await server.post(
            "/api/conversations/\(conversation.id)/messages", payload, by: key,
            headers: ["Prefer": field])
        #expect(batch.status == 200 && single.status == 201)
        let applied = isMinimal ? "return=minimal" : nil
        #expect(batch.headers["preference-applied"] == applied)
        #expect(single.headers["preference-applied"] == applied)
        let inBatch = try #require(batch["results"]?[0]?["message"])
        let alone = try JSONDocument(parsing: single.bytes).root
        for (sequence, message) in [(2, inBatch), (3, alone)] {
            #expect(message["sequence"]?.int == sequence && message["id"]?.string != nil)
            #expect(message["conversation"]?.string == conversation.id.text)
            #expect((message["payload"] == nil) == isMinimal)
        }
    }

    @Test func `a repeated key stores nothing again`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let entry = #"{"conversation":"\#(conversation.id)","payload":{"type":"text","body":"x"}}"#
        let body = #"{"messages":[\#(entry),\#(entry)]}"#
        let first = try await server.post(
            "/api/messages/batch", body, by: key, headers: ["Idempotency-Key": "\"b\""])
        let again = try await server.post(
            "/api/messages/batch", body, by: key, headers: ["Idempotency-Key": "\"b\""])
        #expect(first.bytes == again.bytes)
        #expect(try await server.messageCount(conversation) == 3)
        let other = try await server.post(
            "/api/messages/batch", body + " ", by: key, headers: ["Idempotency-Key": "\"b\""])
        #expect(other.code == "idempotency_mismatch")
    }

    @Test func `repeated ids give the messages as they were stored, in place and marked`()
        async throws
    {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        func entry(_ id: String, _ body: String) -> String {
            #"{"conversation":"\#(conversation.id)","payload":{"id":"\#(id)","type":"text","body":"\#(body)"}}"#
        }
        func send(_ entries: [String]) async throws -> [JSONValue] {
            let answer = try await server.post(
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
        #expect(try await server.messageCount(conversation) == 4)
    }

    @Test(arguments: [
        ("{", "malformed_json"), ("{}", "invalid"), (#"{"messages":[]}"#, "invalid"),
        (#"{"messages":{}}"#, "invalid"), (#"{"messages":[1],"more":2}"#, "invalid"),
    ])
    func `a broken batch is refused as a whole`(body: String, code: String) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        #expect(try await server.post("/api/messages/batch", body, by: key).code == code)
    }
}
