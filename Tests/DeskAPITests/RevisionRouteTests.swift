import APITestSupport
import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// Revisions in answers, and writes under a condition.
struct RevisionRouteTests {
    @Test func `answers of a conversation have its revision as their tag`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/conversations/\(try await server.makeConversation().id)"
        let read = try await server.get(path, by: owner)
        #expect(read["revision"]?.int == 2)
        #expect(read.headers["etag"] == "\"2\"")
        #expect(read["lastMessage"]?["author"]?["type"]?.string == "customer")
        let changed = try await server.send(.patch, path, #"{"assignee":"me"}"#, by: owner)
        #expect(changed["revision"]?.int == 3)
        #expect(changed.headers["etag"] == "\"3\"")
        let list = try await server.get("/api/conversations", by: owner)
        #expect(list["data"]?.elements.map { $0["revision"]?.int } == [3])
    }

    @Test(arguments: [
        ("\"2\"", 200), ("*", 200), ("\"9\", \"2\"", 200), ("\"1\"", 412), ("\"3\"", 412),
        ("W/\"2\"", 412), ("\"two\"", 412), ("\"02\"", 412), ("2", 400), ("", 400),
    ])
    func `a change under If-Match is made at that revision and no other`(
        tag: String, status: Int
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)"
        let answer = try await server.send(
            .patch, path, #"{"assignee":"me","state":"closed"}"#, by: owner,
            headers: ["If-Match": tag])
        #expect(answer.status == status)
        let now = try #require(try await server.store.findConversation(conversation.id))
        #expect(now.revision.value == (status == 200 ? 4 : 2))
        #expect((now.state == .closed) == (status == 200))
        guard status == 412 else { return }
        #expect(answer.code == "precondition_failed")
        #expect(answer.headers["etag"] == "\"2\"")
        #expect(answer["current"]?["revision"]?.int == 2)
        #expect(answer["current"]?["state"]?.string == "open")
    }

    @Test func `a refused condition is not remembered under the key of the request`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/conversations/\(try await server.makeConversation().id)"
        func close(_ tag: String) async throws -> Answer {
            try await server.send(
                .patch, path, #"{"state":"closed"}"#, by: owner,
                headers: ["If-Match": tag, "Idempotency-Key": "\"one\""])
        }
        #expect(try await close("\"1\"").status == 412)
        let second = try await close("\"2\"")
        #expect(second.status == 200)
        #expect(second.headers["etag"] == "\"3\"")
        let repeated = try await close("\"2\"")
        #expect(repeated.status == 200)
        #expect(repeated["revision"]?.int == 3)
    }

    @Test func `a note under If-Match is left at that revision and no other`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/conversations/\(try await server.makeConversation().id)/notes"
        let late = try await server.post(
            path, #"{"text":"x"}"#, by: owner, headers: ["If-Match": "\"1\""])
        #expect(late.status == 412)
        let right = try await server.post(
            path, #"{"text":"x"}"#, by: owner, headers: ["If-Match": "\"2\""])
        #expect(right.status == 201)
    }

    @Test func `what one change does lies together in the log, whatever changes beside it`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)"
        try await withThrowingTaskGroup { group in
            for round in 0..<200 {
                group.addTask {
                    let body =
                        round.isMultiple(of: 2)
                        ? #"{"assignee":"me","state":"closed"}"#
                        : #"{"assignee":null,"state":"open"}"#
                    let answer = try await server.send(.patch, path, body, by: owner)
                    #expect(answer.status == 200 || answer.code == "rate_limited")
                }
            }
            try await group.waitForAll()
        }
        let events = try await server.store.events(after: .start, in: .everything, limit: 300)
        let steps = events.events.compactMap { event -> ConversationStep? in
            if case .conversation(let step) = event.body { step } else { nil }
        }.dropFirst()
        #expect(!steps.isEmpty)
        // After each pair both halves are of one request: never closed and unassigned.
        for (place, step) in steps.enumerated() where !place.isMultiple(of: 2) {
            #expect((step.state == .closed) == (step.assignee != nil), "step \(place)")
        }
    }

    @Test func `events in a stream have the revision that they made`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        _ = try await server.services.broker.change(conversation.id, .close, by: .server)
        let page = try await server.store.events(after: .start, in: .everything, limit: 9)
        let texts = try page.events.map { event in
            try JSONDocument(
                parsing: EventText.business(event, server.services.authorNames), limits: .unlimited)
        }
        #expect(texts.map { $0.root["revision"]?.int } == [1, 2, 3])
        #expect(texts[2].root["data"]?["conversation"]?["revision"]?.int == 3)
        let customer = try JSONDocument(
            parsing: EventText.customer(page.events[1]), limits: .unlimited)
        #expect(customer.root["revision"] == nil)
    }
}
