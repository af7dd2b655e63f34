import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI

/// The library of a business over the API.
struct LibraryRouteTests {
    /// A business with an owner, two agents and a conversation.
    private struct Desk {
        let server: TestServer
        let owner, ben, mia: TestServer.Caller
        let conversation: Conversation

        init() async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            ben = try await server.makeMember(
                "ben@example.com", .agent, of: server.business, by: owner)
            mia = try await server.makeMember(
                "mia@example.com", .agent, of: server.business, by: owner)
            conversation = try await server.makeConversation()
        }

        var path: String { "/api/businesses/\(server.business.id)/library" }

        /// Uploads bytes for the business; their id.
        func upload(
            _ bytes: [UInt8], _ name: String, by caller: TestServer.Caller,
            for place: String? = nil
        ) async throws -> String {
            let place = place ?? "business=\(server.business.id)"
            let answer = try await server.send(
                .post, "/api/attachments?\(place)&name=\(name)", bytes: bytes, by: caller)
            return try #require(answer["id"]?.string)
        }

        func add(_ id: String, _ more: String = "", by caller: TestServer.Caller) async throws
            -> Answer
        {
            // Files of the same moment have no order.
            server.time.advance(by: .milliseconds(1))
            return try await server.post(path, #"{"attachment":"\#(id)"\#(more)}"#, by: caller)
        }

        /// Adds a picture of a size.
        func addPicture(
            _ width: Int, _ name: String, by caller: TestServer.Caller? = nil
        ) async throws -> Answer {
            let caller = caller ?? ben
            return try await add(
                try await upload(Self.png(width), name, by: caller), by: caller)
        }

        static func png(_ width: Int) -> [UInt8] {
            PictureBytes.allForms[0].make(width, 3)
        }

        /// Sends what the library answered as a file of a message.
        func send(_ file: Answer, by caller: TestServer.Caller) async throws -> Answer {
            let attachment = try #require(file["file"]?["attachment"])
            let raw = String(decoding: attachment.rawBytes, as: UTF8.self)
            return try await server.post(
                "/api/conversations/\(conversation.id)/messages",
                #"{"v":1,"type":"text","body":"\#u{FFFC}","attachments":[\#(raw)]}"#, by: caller)
        }

        func forget() async throws {
            try await UnnamedFiles(store: server.store, blobs: server.files.blobs)
                .forget(before: server.time.now)
        }

        func hasBytes(_ id: String) async throws -> Bool {
            let digest = try #require(AttachmentID(id))
            return try await server.files.blobs.openBlob(digest) != nil
        }
    }

    @Test func `a file is uploaded once, and every member finds and sends it`() async throws {
        let desk = try await Desk()
        let added = try await desk.addPicture(4, "Logo.png")
        #expect(added.status == 201)
        #expect(added["name"]?.string == "Logo.png")
        #expect(added["width"]?.int == 4 && added["height"]?.int == 3)
        #expect(added["by"]?["name"]?.string != nil)
        let again = try await desk.upload(Desk.png(4), "other.png", by: desk.mia)
        let same = try await desk.add(again, by: desk.mia)
        #expect(same.status == 200)
        #expect(same["id"]?.string == added["id"]?.string)
        #expect(same["name"]?.string == "Logo.png")
        let sent = try await desk.send(same, by: desk.mia)
        #expect(sent.status == 201, "\(sent.text)")
        let link = "/api/attachments/\(again)"
        let business = "?business=\(desk.server.business.id)"
        #expect(try await desk.server.get(link + business, by: desk.mia).status == 200)
        let there = "?conversation=\(desk.conversation.id)"
        #expect(try await desk.server.get(link + there, by: desk.mia).status == 200)
    }

    @Test func `a library is searched by name, by kind and in pages`() async throws {
        let desk = try await Desk()
        for number in 1...3 { _ = try await desk.addPicture(number, "Photo-\(number).png") }
        let list = try await desk.upload([1, 2, 3], "Prices.bin", by: desk.ben)
        let file = try await desk.add(list, #","name":"Price list 2027""#, by: desk.ben)
        #expect(file["width"]?.isNull == true)
        let all = try await desk.server.get(desk.path, by: desk.mia)
        #expect(all["data"]?.count == 4 && all["files"]?.int == 4)
        #expect(all["data"]?[0]?["name"]?.string == "Price list 2027")
        for (query, count) in [
            ("?q=photo", 3), ("?q=2027%20LIST", 1), ("?q=absent", 0), ("?kind=picture", 3),
            ("?kind=file", 1),
        ] {
            let found = try await desk.server.get(desk.path + query, by: desk.mia)
            #expect(found["data"]?.count == count && found["found"]?.int == count, "\(query)")
        }
        var names: [String] = []
        var next: String? = ""
        while let after = next {
            let part = after.isEmpty ? "" : "&page[after]=\(after)"
            let page = try await desk.server.get(
                desk.path + "?page[size]=3\(part)", by: desk.mia)
            names += page["data"]?.elements.compactMap { $0["name"]?.string } ?? []
            next = page["next"]?.string
        }
        #expect(names.count == 4 && Set(names).count == 4)
        for query in ["?kind=film", "?page[after]=zzz", "?q=\(String(repeating: "a", count: 257))"]
        {
            #expect(try await desk.server.get(desk.path + query, by: desk.mia).status == 422)
        }
    }

    @Test func `a file of a conversation is kept, and none of another business or conversation`()
        async throws
    {
        let desk = try await Desk()
        let place = "conversation=\(desk.conversation.id)"
        let id = try await desk.upload(Desk.png(9), "sent.png", by: desk.ben, for: place)
        // The conversation has to be named: the business does not hold it.
        let unnamed = try await desk.add(id, by: desk.ben)
        #expect(unnamed.status == 422)
        #expect(unnamed["errors"]?[0]?["pointer"]?.string == "/attachment")
        let more = #","conversation":"\#(desk.conversation.id)""#
        #expect(try await desk.add(id, more, by: desk.ben).status == 201)
        let other = try await desk.server.makeConversation(desk.server.other)
        let foreign = #","conversation":"\#(other.id)""#
        #expect(try await desk.add(id, foreign, by: desk.owner).status == 404)
        #expect(try await desk.add("zz", by: desk.ben).status == 422)
        let elsewhere = desk.path.replacing(
            desk.server.business.id.text, with: desk.server.other.id.text)
        #expect(try await desk.server.get(elsewhere, by: desk.ben).status == 404)
        let visitor = try await desk.server.makeSandboxVisitor()
        #expect(try await desk.add(id, by: visitor).status != 201)
    }

    @Test func `who added a file and owners rename and remove it, and no other agent`()
        async throws
    {
        let desk = try await Desk()
        let added = try await desk.addPicture(4, "a.png")
        let path = desk.path + "/" + (try #require(added["id"]?.string))
        let body = #"{"name":"b.png"}"#
        let refused = try await desk.server.send(.patch, path, body, by: desk.mia)
        #expect(refused.status == 403)
        #expect(refused["detail"]?.string?.contains("who added") == true)
        #expect(try await desk.server.send(.delete, path, by: desk.mia).status == 403)
        let renamed = try await desk.server.send(.patch, path, body, by: desk.ben)
        #expect(renamed["name"]?.string == "b.png")
        #expect(renamed["file"]?["name"]?.string == "b.png")
        let blank = try await desk.server.send(.patch, path, #"{"name":" "}"#, by: desk.ben)
        #expect(blank["errors"]?[0]?["pointer"]?.string == "/name")
        #expect(try await desk.server.send(.delete, path, by: desk.owner).status == 204)
        #expect(try await desk.server.send(.delete, path, by: desk.owner).status == 404)
        #expect(try await desk.server.send(.patch, path, body, by: desk.ben).status == 404)
    }

    @Test func `housekeeping leaves a file of the library, and deletes a removed one after a day`()
        async throws
    {
        let desk = try await Desk()
        // A key's credential outlives the days.
        let key = try await desk.server.makeKey([desk.server.business])
        let kept = try await desk.addPicture(4, "kept.png", by: key)
        let sent = try await desk.addPicture(5, "sent.png", by: key)
        let gone = try await desk.addPicture(6, "gone.png", by: key)
        let ids = try [kept, sent, gone].map { try #require($0["file"]?["id"]?.string) }
        desk.server.time.advance(by: .seconds(30 * 86_400))
        try await desk.forget()
        for id in ids { #expect(try await desk.hasBytes(id)) }
        #expect(try await desk.send(sent, by: key).status == 201)
        for file in [sent, gone] {
            let id = try #require(file["id"]?.string)
            let removed = try await desk.server.send(.delete, desk.path + "/\(id)", by: key)
            #expect(removed.status == 204)
        }
        // Who has it in a draft sends it within the day; later the refusal says so.
        desk.server.time.advance(by: .seconds(86_400))
        try await desk.forget()
        #expect(try await desk.hasBytes(ids[2]))
        desk.server.time.advance(by: .milliseconds(1))
        try await desk.forget()
        #expect(try await desk.hasBytes(ids[0]))
        #expect(try await desk.hasBytes(ids[1]))
        #expect(try await !desk.hasBytes(ids[2]))
        let late = try await desk.send(gone, by: key)
        #expect(late.status == 422)
        #expect(late["errors"]?[0]?["pointer"]?.string == "/attachments/0/url")
        let shown = try await desk.server.get(
            "/api/attachments/\(ids[1])?conversation=\(desk.conversation.id)", by: key)
        #expect(shown.status == 200)
    }

    @Test func `a template keeps its file of the library when that is removed`() async throws {
        let desk = try await Desk()
        let key = try await desk.server.makeKey([desk.server.business])
        let file = try await desk.addPicture(7, "menu.png", by: key)
        let raw = String(
            decoding: try #require(file["file"]?["attachment"]).rawBytes, as: UTF8.self)
        let published = try await desk.server.post(
            "/api/templates",
            #"{"business":"\#(desk.server.business.id)","name":"menu","title":"Menu","#
                + #""payload":{"v":1,"type":"text","body":"\#u{FFFC}","attachments":[\#(raw)]}}"#,
            by: key)
        #expect(published.status == 201, "\(published.text)")
        let id = try #require(file["id"]?.string)
        #expect(
            try await desk.server.send(.delete, desk.path + "/\(id)", by: key).status == 204)
        desk.server.time.advance(by: .seconds(30 * 86_400))
        try await desk.forget()
        let sent = try await desk.server.post(
            "/api/conversations/\(desk.conversation.id)/template-messages", #"{"template":"menu"}"#,
            by: key)
        #expect(sent.status == 201, "\(sent.text)")
    }
}
