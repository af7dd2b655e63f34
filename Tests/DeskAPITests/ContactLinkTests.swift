import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// Contacts across businesses over the API, and what members of one of them do not learn.
struct ContactLinkTests {
    /// Two businesses with a contact each; Ben is an agent of both, Mia of the first alone.
    private struct Desk {
        let server: TestServer
        let owner, ben, mia: TestServer.Caller
        let benID: AgentID
        let here, there: Conversation
        let second: Business

        init() async throws {
            server = try await TestServer()
            second = Business(
                id: BusinessID(server.services.broker.makeID()), name: "Second",
                colour: "#336699", mode: server.business.mode,
                createdAt: server.time.now)
            try await server.store.save(second, author: .server)
            owner = try await server.makeOwner()
            ben = try await server.makeMember(
                "ben@example.com", .agent, of: server.business, by: owner)
            mia = try await server.makeMember(
                "mia@example.com", .agent, of: server.business, by: owner)
            benID = try await server.agentID(of: ben)
            try await server.store.setRole(.agent, of: benID, in: second.id, author: .server)
            here = try await server.makeConversation()
            there = try await server.makeConversation(second)
        }

        func path(_ conversation: Conversation) -> String {
            "/api/businesses/\(conversation.business)/contacts/\(conversation.contact)/links"
        }

        func list(
            of conversation: Conversation? = nil, by caller: TestServer.Caller
        ) async throws -> [JSONValue] {
            let answer = try await server.get(path(conversation ?? here), by: caller)
            #expect(answer.status == 200, "\(answer.text)")
            return answer["data"].map { Array($0.elements) } ?? []
        }

        func link(
            _ method: DeskHTTP.Method = .put, _ other: ContactID? = nil,
            by caller: TestServer.Caller
        ) async throws -> Answer {
            try await server.send(
                method, path(here) + "/\(other ?? there.contact)", by: caller)
        }

        /// Sets the external id of a contact by a key of its business, or by a person.
        func setID(
            _ id: String, of conversation: Conversation, by caller: TestServer.Caller? = nil
        ) async throws {
            let business = try #require(
                try await server.store.findBusiness(conversation.business))
            let key = try await server.makeKey([business])
            let saved = try await server.send(
                .patch, "/api/businesses/\(business.id)/contacts/\(conversation.contact)",
                #"{"externalId":"\#(id)"}"#, by: caller ?? key)
            #expect(saved.status == 200)
        }
    }

    @Test func `a member of both businesses links, sees and parts contacts, from both ends`()
        async throws
    {
        let desk = try await Desk()
        #expect(try await desk.list(by: desk.ben).isEmpty)
        #expect(try await desk.link(by: desk.ben).status == 204)
        let shown = try #require(try await desk.list(by: desk.ben).first)
        #expect(shown["contact"]?.string == desk.there.contact.text)
        #expect(shown["businessName"]?.string == "Second")
        #expect(shown["conversation"]?.string == desk.there.id.text)
        #expect(
            shown["because"]?.string == "agent" && shown["by"]?["id"]?.string == desk.benID.text)
        let back = try await desk.list(of: desk.there, by: desk.ben)
        #expect(back.first?["contact"]?.string == desk.here.contact.text)
        #expect(try await desk.link(.delete, by: desk.ben).status == 204)
        #expect(try await desk.list(by: desk.ben).isEmpty)
        #expect(try await desk.list(of: desk.there, by: desk.ben).isEmpty)
        #expect(try await desk.link(.delete, by: desk.ben).status == 404)
        // Nothing of the two was merged.
        #expect(try await desk.server.store.findContact(desk.there.contact)?.merge == nil)
    }

    @Test func `a member of one business sees none of it, as if there were no link`() async throws {
        let desk = try await Desk()
        #expect(try await desk.link(by: desk.ben).status == 204)
        #expect(try await desk.list(by: desk.mia).isEmpty)
        // A contact that is there, one that is not, and one of another mode are refused alike.
        let absent = ContactID(desk.server.services.broker.makeID())
        var refusals: Set<String> = []
        for other in [desk.there.contact, absent] {
            for method in [DeskHTTP.Method.put, .delete] {
                let refused = try await desk.link(method, other, by: desk.mia)
                #expect(refused.status == 404)
                refusals.insert("\(refused.code ?? "") \(refused["detail"]?.string ?? "")")
            }
        }
        #expect(refusals.count == 1, "\(refusals)")
        let foreign = try await desk.server.get(desk.path(desk.there), by: desk.mia)
        #expect(foreign.status == 404)
        // The contact itself says nothing of it either.
        let contact = try await desk.server.get(
            "/api/businesses/\(desk.server.business.id)/contacts/\(desk.here.contact)",
            by: desk.mia)
        #expect(!contact.text.contains(desk.there.contact.text))
        #expect(!contact.text.contains(desk.second.id.text))
    }

    @Test func `who leaves one of the businesses sees nothing at once, and changes nothing`()
        async throws
    {
        let desk = try await Desk()
        #expect(try await desk.link(by: desk.ben).status == 204)
        #expect(try await desk.list(by: desk.ben).count == 1)
        let left = try await desk.server.send(
            .delete, "/api/businesses/\(desk.second.id)/members/\(desk.benID)", by: desk.owner)
        #expect(left.status == 204)
        #expect(try await desk.list(by: desk.ben).isEmpty)
        #expect(try await desk.link(.delete, by: desk.ben).status == 404)
        #expect(try await desk.link(by: desk.ben).status == 404)
        // For who belongs to both it is as it was.
        #expect(try await desk.list(by: desk.owner).count == 1)
    }

    @Test func `keys and visitors have no links, and a test business joins no live one`()
        async throws
    {
        let desk = try await Desk()
        let key = try await desk.server.makeKey([desk.server.business, desk.second])
        let visitor = try await desk.server.makeSandboxVisitor()
        for caller in [key, visitor, .anonymous] {
            let refused = try await desk.server.get(desk.path(desk.here), by: caller)
            #expect([401, 403, 404].contains(refused.status))
            let linked = try await desk.link(by: caller)
            #expect([401, 403, 404].contains(linked.status))
        }
        var test = desk.second
        test = Business(
            id: BusinessID(desk.server.services.broker.makeID()), name: "Else", colour: "#336699",
            mode: desk.server.business.mode == .live ? .test : .live, createdAt: test.createdAt)
        try await desk.server.store.save(test, author: .server)
        try await desk.server.store.setRole(.agent, of: desk.benID, in: test.id, author: .server)
        let apart = try await desk.server.makeConversation(test)
        #expect(try await desk.link(.put, apart.contact, by: desk.ben).status == 404)
    }

    @Test func `a verified external id joins contacts, and one that a person typed does not`()
        async throws
    {
        let desk = try await Desk()
        try await desk.setID("C-7", of: desk.here)
        try await desk.setID("C-7", of: desk.there, by: desk.ben)
        #expect(try await desk.list(by: desk.ben).isEmpty)
        try await desk.setID("C-7", of: desk.there)
        let shown = try #require(try await desk.list(by: desk.ben).first)
        #expect(shown["because"]?.string == "external_id" && shown["by"]?.isNull == true)
        #expect(try await desk.list(by: desk.mia).isEmpty)
        // Parted by hand it stays parted; linked by hand again it is back.
        #expect(try await desk.link(.delete, by: desk.ben).status == 204)
        #expect(try await desk.list(by: desk.ben).isEmpty)
        #expect(try await desk.list(of: desk.there, by: desk.ben).isEmpty)
        #expect(try await desk.link(by: desk.ben).status == 204)
        #expect(try await desk.list(by: desk.ben).first?["because"]?.string == "agent")
        // A person who edits the id ends what it joins, here where nothing was said by hand.
        let third = try await desk.server.makeConversation(desk.second)
        try await desk.setID("C-9", of: third)
        try await desk.setID("C-9", of: desk.here)
        #expect(try await desk.list(by: desk.ben).count == 2)
        try await desk.setID("C-8", of: third, by: desk.ben)
        #expect(try await desk.list(by: desk.ben).count == 1)
    }

    @Test func `a merged contact's links are those of the contact that stands for both`()
        async throws
    {
        let desk = try await Desk()
        let twin = try await desk.server.makeConversation(desk.second)
        #expect(try await desk.link(by: desk.ben).status == 204)
        let base = "/api/businesses/\(desk.second.id)/contacts"
        let merged = try await desk.server.post(
            "\(base)/\(twin.contact)/merge", #"{"contact":"\#(desk.there.contact)"}"#,
            by: desk.owner)
        #expect(merged.status == 200, "\(merged.text)")
        let shown = try await desk.list(by: desk.ben)
        #expect(shown.map { $0["contact"]?.string } == [twin.contact.text])
        #expect(
            try await desk.list(of: twin, by: desk.ben).first?["contact"]?.string
                == desk.here.contact.text)
        #expect(try await desk.link(.delete, twin.contact, by: desk.ben).status == 204)
        #expect(try await desk.list(by: desk.ben).isEmpty)
        let undone = try await desk.server.post(
            "\(base)/\(desk.there.contact)/unmerge", by: desk.owner)
        #expect(undone.status == 200)
        #expect(
            try await desk.list(by: desk.ben).map { $0["contact"]?.string }
                == [desk.there.contact.text])
    }
}
