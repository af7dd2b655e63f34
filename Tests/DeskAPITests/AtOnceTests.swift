import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI

/// What happens when the same thing is asked for several times at once.
struct AtOnceTests {
    private static let bid =
        "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
        + "com.apple.icloud.apps.messages.business.extension"

    private func id(_ server: TestServer) -> String { server.services.broker.makeID().text }

    /// A phone that has written once: its cookie, and the conversation.
    private func makePhone(
        _ server: TestServer
    ) async throws -> (phone: TestServer.Caller, conversation: ConversationID) {
        let answer = try await server.post(
            "/api/phone/\(server.business.id)/messages", #"{"id":"\#(id(server))","text":"Hi"}"#)
        let text = try #require(answer["message"]?["conversation"]?.string)
        return (.customer(try #require(answer.cookie("fdc"))), try #require(ConversationID(text)))
    }

    /// Sends an outbound payload; returns its message's id.
    private func send(
        _ payload: String, to conversation: ConversationID, _ server: TestServer
    ) async throws -> String {
        let key = try await server.makeKey([server.business])
        let sent = try await server.post(
            "/api/conversations/\(conversation)/messages", payload, by: key)
        #expect(sent.status == 201, "\(sent.text)")
        return try #require(sent["message"]?["id"]?.string ?? sent["id"]?.string)
    }

    private func examplePayment() throws -> String {
        try #require(TestFiles.text("Schemas/examples/outbound/payment/valid-shipping.json"))
    }

    private func payload(_ example: String, _ server: TestServer) throws -> String {
        let root = try JSONDocument(parsing: Array(example.utf8)).root
        let data = try #require(root["interactiveData"])
        return #"{"type":"interactive","interactiveData":\#(data.rawText)}"#
    }

    @Test func `of many payments of one request at once exactly one is stored`() async throws {
        let server = try await TestServer { $0.web.customerMessagesBurst = 100 }
        let (phone, conversation) = try await makePhone(server)
        let request = try await send(
            try payload(try examplePayment(), server), to: conversation, server)
        let path = "/api/phone/\(server.business.id)/choices"
        let answers = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
            for _ in 0..<20 {
                let body =
                    #"{"id":"\#(id(server))","inReplyTo":"\#(request)","#
                    + #""payment":{"outcome":"success","shippingContact":{"#
                    + #""givenName":"Hana","postalCode":"530"}}}"#
                group.addTask {
                    let answer = try await server.post(path, body, by: phone)
                    return (answer.status, answer.code)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0.0 == 201 }.count == 1)
        #expect(answers.filter { $0.1 == "not_offered" }.count == 19)
        let page = try await server.store.messages(in: conversation, .newest, limit: 300)
        #expect(page.elements.filter { $0.facts.direction == .inbound }.count == 2)
    }

    @Test func `the same first words at once make one customer and get one answer`() async throws {
        let server = try await TestServer()
        let path = "/api/phone/\(server.business.id)/messages"
        let secret = Token.make()
        let body = #"{"id":"\#(id(server))","text":"Hi","secret":"\#(secret.text)"}"#
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            for _ in 0..<8 { group.addTask { try await server.post(path, body) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 201 })
        #expect(Set(answers.map(\.text)).count == 1)
        #expect(answers.allSatisfy { $0.cookie("fdc") == secret.text })
    }

    @Test func `uploads at once do not overshoot the day's bytes`() async throws {
        let server = try await TestServer { $0.web.customerMessagesBurst = 100 }
        let (phone, conversation) = try await makePhone(server)
        let most = AttachmentRoutes.dailyBytes
        // All but 100 bytes are used up.
        let use = AttachmentUse(
            id: AttachmentID(.sha256([1])), name: "a", mediaType: "b", byteCount: most - 100)
        try await server.store.hold(
            use, by: .conversation(conversation), at: server.time.now, author: .server)
        let path = "/api/phone/\(server.business.id)/attachments?name=a.bin"
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let bytes = [UInt8](repeating: UInt8(number), count: 60)
                    let answer = try await server.send(.post, path, bytes: bytes, by: phone)
                    return answer.status == 201 ? 60 : 0
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sizes <= 60)
        let held = try await server.store.heldBytes(
            by: .conversation(conversation), since: Timestamp(seconds: 0))
        #expect(held <= most)
        // What was refused gave its room back: what still fits is accepted, one byte more is not.
        let left = Int(most - held)
        let over = try await server.send(
            .post, path, bytes: [UInt8](repeating: 99, count: left + 1), by: phone)
        #expect(over.status == 429)
        let last = try await server.send(
            .post, path, bytes: [UInt8](repeating: 98, count: left), by: phone)
        #expect(last.status == 201)
    }

    @Test func `a time that has begun is offered no more`() async throws {
        let server = try await TestServer()
        let (phone, conversation) = try await makePhone(server)
        let begin = server.time.now.advanced(by: .seconds(60))
        let text = String(begin.text.prefix(16)) + "+0000"
        let request = try await send(
            """
            {"type":"interactive","interactiveData":{"bid":"\(Self.bid)","data":{"version":"1.0",\
            "requestIdentifier":"r","event":{"identifier":"e","title":"Visit","timeslots":[\
            {"identifier":"s","startTime":"\(text)","duration":3600}]}},\
            "receivedMessage":{"title":"When?"},"replyMessage":{"title":"Then"}}}
            """, to: conversation, server)
        func choose() async throws -> Answer {
            try await server.post(
                "/api/phone/\(server.business.id)/choices",
                #"{"id":"\#(id(server))","inReplyTo":"\#(request)","time":{"identifier":"s"}}"#,
                by: phone)
        }
        #expect(try await choose().status == 201)
        server.time.advance(by: .seconds(60))
        let late = try await choose()
        #expect(late.status == 422 && late.code == "not_offered")
        #expect(late["detail"]?.string?.contains("begun already") == true)
    }

    @Test func `a shipping contact travels in the answer as it was written`() async throws {
        let server = try await TestServer()
        let (phone, conversation) = try await makePhone(server)
        let request = try await send(
            try payload(try examplePayment(), server), to: conversation, server)
        let path = "/api/phone/\(server.business.id)/choices"
        func pay(_ contact: String) async throws -> Answer {
            try await server.post(
                path,
                #"{"id":"\#(id(server))","inReplyTo":"\#(request)","payment":{"#
                    + #""outcome":"success","shippingContact":\#(contact)}}"#, by: phone)
        }
        for wrong in [
            "7", "[]", #"{"more":"x"}"#, #"{"locality":7}"#, #"{"addressLines":"x"}"#,
            #"{"locality":"\#(String(repeating: "x", count: 513))"}"#,
            #"{"addressLines":["1","2","3","4","5","6"]}"#,
        ] {
            #expect(try await pay(wrong).code == "invalid", "\(wrong)")
        }
        let contact = #"{ "givenName":"Ada", "addressLines": ["1 Way"],"countryCode":"GB" }"#
        let answer = try await pay(contact)
        #expect(answer.status == 201)
        let page = try await server.store.messages(in: conversation, .newest, limit: 1)
        let stored = String(
            decoding: try #require(page.elements.first?.payload.carriedBytes), as: UTF8.self)
        #expect(stored.contains(#""shippingContact":\#(contact)"#))
    }

    @Test func `muting and judging have budgets of their own`() async throws {
        let server = try await TestServer { limits in
            limits.web.customerMessagesBurst = 1
            limits.web.customerSettingsBurst = 2
            limits.web.validationsBurst = 3
            limits.web.keyMessagesBurst = 1
        }
        let (phone, _) = try await makePhone(server)
        let path = "/api/phone/\(server.business.id)"
        let words = { #"{"id":"\#(id(server))","text":"x"}"# }
        #expect(try await server.post(path + "/messages", words(), by: phone).status == 201)
        #expect(try await server.post(path + "/messages", words(), by: phone).status == 429)
        // Without a word left, the customer still mutes and deletes.
        #expect(try await server.post(path + "/mute", #"{"muted":true}"#, by: phone).status == 204)
        #expect(try await server.send(.delete, path + "/conversation", by: phone).status == 204)
        #expect(try await server.post(path + "/mute", #"{"muted":true}"#, by: phone).status == 429)
        let key = try await server.makeKey([server.business])
        let text = #"{"type":"text","body":"x"}"#
        for status in [200, 200, 200, 429] {
            let answer = try await server.post("/api/validate", text, by: key)
            #expect(answer.status == status)
            #expect((answer.headers["retry-after"] != nil) == (status == 429))
        }
    }
}
