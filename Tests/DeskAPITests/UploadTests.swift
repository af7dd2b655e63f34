import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import FoundationEssentials
import Testing

@testable import DeskAPI

/// How much may be uploaded, and when what nothing names is forgotten.
struct UploadTests {
    /// A customer with a conversation, at an address.
    private struct Phone {
        let server: TestServer
        let token: String
        let conversation: ConversationID
        let address: String

        init(_ server: TestServer, from address: String = "192.0.2.7") async throws {
            self.server = server
            self.address = address
            let first = try await server.post(
                "/api/phone/\(server.business.id)/messages",
                #"{"id":"\#(server.services.broker.makeID())","text":"Hello"}"#)
            token = try #require(first.cookie("fdc"))
            let text = try #require(first["message"]?["conversation"]?.string)
            conversation = try #require(ConversationID(text))
        }

        var path: String { "/api/phone/\(server.business.id)/attachments" }

        func upload(_ bytes: [UInt8], name: String = "a.pdf") async throws -> Answer {
            let request = try Request(
                method: .post, target: path + "?name=\(name)",
                headers: [
                    "Cookie": "fdc=\(token)", "Origin": TestServer.origin,
                    "Content-Length": "\(bytes.count)",
                ], body: bytes, host: TestServer.host,
                peer: Peer(address: address, isLoopback: false))
            return Answer(response: await server.api.respond(to: request))
        }

        /// Says something with files.
        func name(_ ids: [String]) async throws -> Answer {
            let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
            return try await server.post(
                "/api/phone/\(server.business.id)/messages",
                #"{"id":"\#(server.services.broker.makeID())","text":"","attachments":[\#(list)]}"#,
                by: .customer(token))
        }

        func fetch(_ id: String) async throws -> Answer {
            try await server.get("\(path)/\(id)", by: .customer(token))
        }
    }

    private static func forget(_ server: TestServer) async throws {
        try await UnnamedFiles(store: server.store, blobs: server.files.blobs)
            .forget(before: server.time.now)
    }

    private static func hasFile(_ id: String, _ server: TestServer) async throws -> Bool {
        let digest = try #require(AttachmentID(id))
        return try await server.files.blobs.openBlob(digest) != nil
    }

    @Test func `a customer's file is forgotten after 45 minutes and not before`() async throws {
        let server = try await TestServer()
        let phone = try await Phone(server)
        let lost = try #require(try await phone.upload([1, 2, 3])["id"]?.string)
        let kept = try #require(try await phone.upload([4, 5, 6])["id"]?.string)
        #expect(try await phone.name([kept]).status == 201)
        server.time.advance(by: .seconds(45 * 60))
        try await Self.forget(server)
        #expect(try await phone.fetch(lost).status == 200)
        server.time.advance(by: .milliseconds(1))
        try await Self.forget(server)
        #expect(try await phone.fetch(lost).status == 404)
        #expect(try await phone.name([lost]).status == 404)
        #expect(try await !Self.hasFile(lost, server))
        #expect(try await phone.fetch(kept).status == 200)
        #expect(try await Self.hasFile(kept, server))
        let held = try await server.store.heldBytes(
            by: .conversation(phone.conversation), since: Timestamp(seconds: 0))
        #expect(held == 3)
        // The same bytes come again and are named in time.
        #expect(try await phone.upload([1, 2, 3]).status == 201)
        #expect(try await phone.name([lost]).status == 201)
        server.time.advance(by: .seconds(86_400))
        try await Self.forget(server)
        #expect(try await phone.fetch(lost).status == 200)
    }

    @Test func `bytes that two customers uploaded stay while one message names them`() async throws
    {
        let server = try await TestServer()
        let (first, second) = (try await Phone(server), try await Phone(server))
        let id = try #require(try await first.upload([1, 2, 3])["id"]?.string)
        #expect(try await second.upload([1, 2, 3]).status == 201)
        #expect(try await second.name([id]).status == 201)
        server.time.advance(by: .seconds(3_600))
        try await Self.forget(server)
        #expect(try await first.fetch(id).status == 404)
        #expect(try await second.fetch(id).status == 200)
        #expect(try await Self.hasFile(id, server))
    }

    @Test func `a file whose bytes come in while it is forgotten stays`() async throws {
        let server = try await TestServer()
        let phone = try await Phone(server)
        let id = try #require(try await phone.upload([1, 2, 3])["id"]?.string)
        server.time.advance(by: .seconds(3_600))
        let expired = try await server.store.expireUploads(before: server.time.now)
        #expect(expired.map(\.text) == [id])
        #expect(try await phone.upload([1, 2, 3]).status == 201)
        for file in expired {
            let isGone = try await server.files.blobs.removeUnnamed(file)
            #expect(!isGone)
        }
        try await server.store.forgetUploads(of: expired)
        #expect(try await phone.name([id]).status == 201)
        #expect(try await phone.fetch(id).status == 200)
    }

    @Test func `a member's file is forgotten after a day and not before`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let path = "/api/attachments?conversation=\(conversation.id)"
        let answer = try await server.send(.post, path + "&name=a.pdf", bytes: [7, 8], by: key)
        let id = try #require(answer["id"]?.string)
        let link = "/api/attachments/\(id)?conversation=\(conversation.id)"
        server.time.advance(by: .seconds(86_400))
        try await Self.forget(server)
        #expect(try await server.get(link, by: key).status == 200)
        server.time.advance(by: .milliseconds(1))
        try await Self.forget(server)
        #expect(try await server.get(link, by: key).status == 404)
        #expect(try await !Self.hasFile(id, server))
    }

    @Test func `an hour's bytes are accepted, then no more until there is room again`() async throws
    {
        let server = try await TestServer {
            $0.customerUploadBytesPerHour = 1_024 * 1_024
            $0.memberUploadBytesPerHour = 512 * 1_024
        }
        let phone = try await Phone(server)
        // Each counts 256 KiB, however small.
        for number in 0..<4 { #expect(try await phone.upload([UInt8(number)]).status == 201) }
        let refused = try await phone.upload([9])
        #expect(refused.code == "rate_limited" && refused.headers["retry-after"] == "900")
        // Another customer of the address has room.
        #expect(try await Phone(server).upload([9]).status == 201)
        server.time.advance(by: .seconds(900))
        // What is refused on the way gives its room back.
        #expect(try await phone.upload([]).status == 400)
        #expect(try await phone.upload([9]).status == 201)
        #expect(try await phone.upload([10]).status == 429)

        let key = try await server.makeKey([server.business])
        let path = "/api/attachments?business=\(server.business.id)&name=a.bin"
        for number in 0..<2 {
            let answer = try await server.send(.post, path, bytes: [UInt8(number)], by: key)
            #expect(answer.status == 201)
        }
        #expect(try await server.send(.post, path, bytes: [9], by: key).status == 429)
    }

    @Test func `new customers of an address have no bytes of their own`() async throws {
        let server = try await TestServer { $0.addressUploadBytesPerHour = 1_024 * 1_024 }
        for number in 0..<4 {
            let phone = try await Phone(server, from: "2001:db8::\(number)")
            #expect(try await phone.upload([UInt8(number)]).status == 201)
        }
        let next = try await Phone(server, from: "2001:db8::9")
        #expect(try await next.upload([9]).status == 429)
        #expect(try await Phone(server, from: "2001:db8:0:1::9").upload([9]).status == 201)
        // Forgetting gives nothing back; the hour does.
        server.time.advance(by: .seconds(900))
        #expect(try await next.upload([9]).status == 201)
        #expect(try await next.upload([10]).status == 429)
    }

    @Test func `the same bytes under a second name keep the second name`() async throws {
        let server = try await TestServer()
        let phone = try await Phone(server)
        let id = try #require(try await phone.upload([1, 2, 3], name: "a.pdf")["id"]?.string)
        #expect(try await phone.name([id]).status == 201)
        let again = try await phone.upload([1, 2, 3], name: "b.pdf")
        #expect(again["id"]?.string == id && again["name"]?.string == "b.pdf")
        #expect(try await phone.name([id]).status == 201)
        let page = try await server.store.messages(in: phone.conversation, .newest, limit: 9)
        let naming = page.elements.sorted { $0.sequence < $1.sequence }
            .filter { !$0.facts.attachments.isEmpty }
        #expect(naming.flatMap { $0.facts.attachments.map(\.name) } == ["a.pdf", "b.pdf"])
        // A link of a message gives the name of the message, to both sides.
        let key = try await server.makeKey([server.business])
        let link = "/api/attachments/\(id)?conversation=\(phone.conversation)"
        for (message, name) in zip(naming, ["a.pdf", "b.pdf"]) {
            let ours = try await server.get(link + "&message=\(message.id.text)", by: key)
            let theirs = try await phone.fetch(id + "?message=\(message.id.text)")
            for answer in [ours, theirs] {
                #expect(answer.headers["content-disposition"]?.contains(name) == true)
            }
        }
        let last = try await server.get(link, by: key).headers["content-disposition"]
        #expect(last?.contains("b.pdf") == true)
    }

    @Test func `a file that a message names in the spelling of 2018 reaches the customer`()
        async throws
    {
        let server = try await TestServer()
        let phone = try await Phone(server)
        let key = try await server.makeKey([server.business])
        let id = try #require(
            try await server.send(
                .post, "/api/attachments?conversation=\(phone.conversation)&name=a.png",
                bytes: [7, 8], by: key)["id"]?.string)
        let sent = try await server.post(
            "/api/conversations/\(phone.conversation)/messages",
            #"""
            {"type":"text","body":"\uFFFC","attachments":[{"name":"b.png","url":null,
            "mime-type":"image/png","file-size":"2","signature-base64":"AQID",
            "decryption-key":"00\#(String(repeating: "07", count: 32))","mmcs-owner":"frontdesk",
            "mmcs-url":"\#(AttachmentLink.url(
                of: try #require(AttachmentID(id)), publicURL: server.services.publicURL))"}]}
            """#, by: key)
        #expect(sent.status == 201, "\(sent.text)")
        let name = try #require(sent["id"]?.string)
        let shown = try await server.get(
            "/api/phone/\(server.business.id)/messages/\(name)", by: .customer(phone.token))
        let file = shown["attachments"]?[0]
        #expect(file?["id"]?.string == id && file?["name"]?.string == "b.png", "\(shown.text)")
        #expect(file?["mimeType"]?.string == "image/png")
        #expect(!shown.text.contains("decryption-key") && !shown.text.contains("AQID"))
        #expect(try await phone.fetch(id).status == 200)
    }
}
