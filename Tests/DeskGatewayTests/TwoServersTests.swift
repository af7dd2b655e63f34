import DeskBroker
import DeskGateway
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskMessages
import DeskModel
import DeskStore
import GatewayTestSupport
import Synchronization
import TestSupport
import Testing

/// Frontdesk as the gateway, Frontdesk as the provider, and every kind of message between them.
@Suite(.timeLimit(.minutes(2))) struct TwoServersTests {
    /// The valid examples of a direction that are whole messages by themselves.
    static func examples(_ direction: String) -> [String] {
        TestFiles.names("Schemas/examples/\(direction)").filter { name in
            name.contains("/valid-") && name.hasSuffix(".json")
                && !name.hasSuffix(".expected.json") && !name.contains("/attachments/")
                && !name.contains("/data-reference/") && !name.contains("/typing/")
                && !name.contains("/close/") && !name.contains("/invitation")
                // Files that only an example has cannot be fetched.
                && TestFiles.text(name)?.contains("attachments") == false
        }.sorted()
    }

    /// An example's text in another envelope.
    private func adapted(
        _ path: String, id: String, from source: String, to destination: String
    ) throws -> String {
        let bytes = Array(try #require(TestFiles.text(path)).utf8)
        let root = try JSONDocument(parsing: bytes).root
        let values = ["id": id, "sourceId": source, "destinationId": destination]
        var text = String(decoding: bytes, as: UTF8.self)
        // Two of one session and content within ten seconds would be copies.
        if let session = root["interactiveData"]?["sessionIdentifier"], !session.isNull {
            text = text.replacing(session.rawText, with: #""\#(id)""#)
        }
        var missing: [String] = root["v"] == nil ? [#""v":1"#] : []
        for (name, value) in values {
            guard let known = root[name] else {
                missing.append(#""\#(name)":"\#(value)""#)
                continue
            }
            text = text.replacing(known.rawText, with: #""\#(value)""#)
        }
        guard !missing.isEmpty, let brace = text.firstIndex(of: "{") else { return text }
        text.insert(
            contentsOf: missing.joined(separator: ",") + ",", at: text.index(after: brace))
        return text
    }

    @Test func `every kind of message goes there byte for byte`() async throws {
        let servers = try await TwoServers()
        let paths = Self.examples("outbound")
        #expect(paths.count > 25)
        try await servers.running {
            try await servers.say(#""type":"text","body":"hello""#, id: uuid(1))
            _ = try await servers.message(uuid(1), at: servers.provider)
            for (place, path) in paths.enumerated() {
                let id = uuid(1_000 + place)
                let text = try adapted(
                    path, id: id, from: servers.business.text, to: servers.customer.text)
                let kind = try kind(of: text, .outbound)
                try await servers.answer(text, id: id, kind: kind)
                let there = try await servers.message(id, at: servers.gateway)
                #expect(there.payload.carriedBytes == Array(text.utf8), "\(path)")
                #expect(there.facts.kind == kind, "\(path)")
            }
        }
    }

    @Test func `every kind of reply comes back byte for byte, large ones unpacked`() async throws {
        let servers = try await TwoServers()
        let paths = Self.examples("inbound")
        #expect(paths.count > 15)
        try await servers.running {
            for (place, path) in paths.enumerated() {
                let id = uuid(2_000 + place)
                let text = try adapted(
                    path, id: id, from: servers.customer.text, to: servers.business.text)
                let facts = MessageFacts(
                    direction: .inbound, kind: try kind(of: text, .inbound),
                    author: .customer(device: "d"), origin: .phone)
                _ = try await servers.gateway.broker.accept(
                    Submission(
                        conversation: servers.conversation, id: try #require(MessageID(id)),
                        payload: Array(text.utf8), facts: facts))
                let there = try await servers.message(id, at: servers.provider)
                #expect(there.payload.carriedBytes == Array(text.utf8), "\(path)")
                #expect(there.facts.kind == facts.kind, "\(path)")
                #expect(there.facts.origin == .upstream)
            }
        }
    }

    @Test func `an answer to a card names the card, and a reply the message that it names`()
        async throws
    {
        let servers = try await TwoServers()
        func card(_ number: Int) -> String {
            let data =
                #"{"version":"1.0","requestIdentifier":"r-\#(number)","#
                + #""listPicker":{"sections":[{"items":[{"identifier":"1","title":"Tea"}]}]}}"#
            return """
                {"v":1,"id":"\(uuid(number))","sourceId":"\(servers.business.text)",\
                "destinationId":"\(servers.customer.text)","type":"interactive",\
                "interactiveData":{"bid":"com.apple.messages.MSMessageExtensionBalloonPlugin:\
                0000000000:com.apple.icloud.apps.messages.business.extension","data":\(data),\
                "receivedMessage":{"title":"Tea","style":"small"},\
                "replyMessage":{"title":"Tea","style":"small"}}}
                """
        }
        func picked(_ request: String) -> String {
            let picker =
                #""listPicker":{"sections":[{"items":[{"identifier":"1","title":"Tea"}]}]}"#
            return
                #""interactiveData":{"bid":"b","data":{"version":"1.0","requestIdentifier":"#
                + #""\#(request)",\#(picker),"replyMessage":{"title":"Tea"}}}"#
        }
        let answers = [
            picked("r-1"), picked("r-9"),
            #""interactiveData":null,"replyToMessageId":"\#(uuid(2))""#,
            #""interactiveData":null,"replyToMessageId":"\#(uuid(99))""#,
        ]
        try await servers.running {
            try await servers.say(#""type":"text","body":"hi""#, id: uuid(50))
            _ = try await servers.message(uuid(50), at: servers.provider)
            for number in [1, 2] {
                try await servers.answer(card(number), id: uuid(number), kind: .list)
            }
            for (place, answer) in answers.enumerated() {
                let id = uuid(60 + place)
                let isCard = place < 2
                try await servers.say(
                    isCard
                        ? #""type":"interactive",\#(answer)"#
                        : #""type":"text","body":"x",\#(answer)"#,
                    id: id, kind: isCard ? .list : .text)
                let there = try await servers.message(id, at: servers.provider)
                let known = [uuid(1), nil, uuid(2), nil][place]
                #expect(there.facts.inReplyTo?.text == known, "\(answer)")
            }
        }
    }

    private func kind(of text: String, _ direction: Direction) throws -> MessageKind {
        let judgement = TestFiles.rulebook.judge(
            Array(text.utf8),
            JudgementContext(direction: direction, now: TestGateway.now, profile: .lenient))
        return try #require(judgement.kind, "\(text.prefix(300))")
    }

    @Test func `attachments travel encrypted, and are the same files there and back`()
        async throws
    {
        let servers = try await TwoServers()
        let file = [UInt8]((0..<200_003).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try await servers.running {
            for (parts, other, id) in [
                (servers.gateway, servers.provider, uuid(1)),
                (servers.provider, servers.gateway, uuid(2)),
            ] {
                let blob = try await parts.blobs.store(file + Array(id.utf8))
                let use = AttachmentUse(
                    id: blob.id, name: "Käse.pdf", mediaType: "application/pdf",
                    byteCount: blob.byteCount)
                let rest = #""type":"text","body":"\uFFFC","attachments":[{"url":"ours"}]"#
                if id == uuid(1) {
                    try await servers.say(rest, id: id, attachments: [use])
                } else {
                    let payload = """
                        {"v":1,"id":"\(id)","sourceId":"\(servers.business.text)",\
                        "destinationId":"\(servers.customer.text)",\(rest)}
                        """
                    try await servers.answer(payload, id: id, kind: .text, attachments: [use])
                }
                let there = try await servers.message(id, at: other)
                #expect(there.facts.attachments == [use])
                let found = try #require(try await other.blobs.openBlob(use.id))
                #expect(
                    try await found.read(at: 0, atMost: 300_000) == file + Array(id.utf8))
            }
        }
    }

    @Test func `a customer who leaves is known to have left, and to be back with the next word`()
        async throws
    {
        let servers = try await TwoServers()
        try await servers.running {
            try await servers.say(#""type":"text","body":"hello""#, id: uuid(1))
            _ = try await servers.message(uuid(1), at: servers.provider)
            _ = try await servers.gateway.broker.change(
                servers.conversation, .leave, by: .customer(device: "d"))
            try await Wait.until("the customer has left") {
                try await servers.arrived()?.hasLeft == true
            }
            try await servers.say(#""type":"text","body":"back""#, id: uuid(2))
            _ = try await servers.message(uuid(2), at: servers.provider)
            #expect(try await servers.arrived()?.hasLeft == false)
        }
    }

    @Test func `a reply that comes again under another id is dropped and stays in the wire log`()
        async throws
    {
        let servers = try await TwoServers()
        func reply(_ session: String) -> String {
            #"{"bid":"b","sessionIdentifier":"\#(session)","data":{"version":"1.0","#
                + #""quick-reply":{"selectedIndex":0,"selectedIdentifier":"a","items":[]}}}"#
        }
        try await servers.running {
            for (number, data) in [(1, reply("s-1")), (2, reply("s-1")), (3, reply("s-2"))] {
                try await servers.say(
                    #""type":"interactive","interactiveData":\#(data)"#, id: uuid(number),
                    kind: .quickReply)
            }
            try await servers.say(#""type":"text","body":"same""#, id: uuid(4))
            try await servers.say(#""type":"text","body":"same""#, id: uuid(5))
            _ = try await servers.message(uuid(5), at: servers.provider)
        }
        let there = try #require(try await servers.arrived())
        let messages = try await servers.provider.broker.store.messages(
            in: there.id, .newest, limit: 9)
        #expect(messages.elements.map(\.id.text) == [1, 3, 4, 5].map { uuid($0) })
        let log = try await servers.provider.broker.store.exchanges(
            of: servers.business, in: .message(try #require(MessageID(uuid(2))), in: there.id),
            at: .start, limit: 9
        ).elements
        #expect(log.count == 1)
        #expect(String(decoding: log[0].findings, as: UTF8.self).contains("same content"))
    }

    @Test func `a large reply that comes again under another id is dropped too`() async throws {
        let servers = try await TwoServers()
        let long = String(repeating: "x", count: 11_000)
        let reply =
            #"{"bid":"b","sessionIdentifier":"s-1","data":{"version":"1.0","images":["\#(long)"],"#
            + #""quick-reply":{"selectedIndex":0,"selectedIdentifier":"a","items":[]}}}"#
        try await servers.running {
            for number in [1, 2] {
                try await servers.say(
                    #""type":"interactive","interactiveData":\#(reply)"#, id: uuid(number),
                    kind: .quickReply)
            }
            try await servers.say(#""type":"text","body":"after""#, id: uuid(3))
            _ = try await servers.message(uuid(3), at: servers.provider)
        }
        let there = try #require(try await servers.arrived())
        let messages = try await servers.provider.broker.store.messages(
            in: there.id, .newest, limit: 9)
        #expect(messages.elements.map(\.id.text) == [1, 3].map { uuid($0) })
    }

    /// Answers the first upload as a gateway that was started anew does, which made no such address.
    private final class Restarted: Handler {
        let handler: GatewayHandler
        let isOver = Atomic(false)

        init(_ handler: GatewayHandler) { self.handler = handler }

        func respond(to request: Request) async -> Response {
            let isUpload = request.target.hasPrefix("/v1/mmcs/upload/")
            guard isUpload, !isOver.exchange(true, ordering: .relaxed) else {
                return await handler.respond(to: request)
            }
            return GatewayRefusal(.forbidden, "this address was not made for you here").response
        }
    }

    @Test func `an upload whose address has ended is made again at another`() async throws {
        let servers = try await TwoServers()
        servers.client.connect(
            servers.gateway.origin, to: Restarted(GatewayHandler(servers.gateway)))
        let file = try await servers.provider.blobs.store(Array("file".utf8))
        let use = AttachmentUse(
            id: file.id, name: "a.txt", mediaType: "text/plain", byteCount: file.byteCount)
        try await servers.running {
            try await servers.say(#""type":"text","body":"hello""#, id: uuid(1))
            _ = try await servers.message(uuid(1), at: servers.provider)
            let payload = """
                {"v":1,"id":"\(uuid(2))","sourceId":"\(servers.business.text)",\
                "destinationId":"\(servers.customer.text)","type":"text","body":"\\uFFFC",\
                "attachments":[{"url":"ours"}]}
                """
            try await servers.answer(payload, id: uuid(2), kind: .text, attachments: [use])
            let there = try await servers.message(uuid(2), at: servers.gateway)
            #expect(there.facts.attachments == [use])
        }
    }

    @Test func `nothing is lost, doubled or reordered when one answer in three is lost`()
        async throws
    {
        let servers = try await TwoServers()
        servers.client.setFault { _, count in
            count % 3 == 0 ? OutgoingError(.cutOff, "by the test") : nil
        }
        let file = try await servers.gateway.blobs.store(Array("file".utf8))
        let use = AttachmentUse(
            id: file.id, name: "a.txt", mediaType: "text/plain", byteCount: file.byteCount)
        try await servers.running {
            for number in 1...20 {
                try await servers.say(#""type":"text","body":"n\#(number)""#, id: uuid(number))
            }
            try await servers.say(
                #""type":"text","body":"\uFFFC","attachments":[{"url":"ours"}]"#, id: uuid(21),
                attachments: [use])
            _ = try await servers.message(uuid(21), at: servers.provider)
        }
        let there = try #require(try await servers.arrived())
        let messages = try await servers.provider.broker.store.messages(
            in: there.id, .newest, limit: 300)
        #expect(messages.elements.map(\.id.text) == (1...21).map { uuid($0) })
        #expect(messages.elements.last?.facts.attachments == [use])
    }

    @Test func `410 from upstream closes the conversation and is shown beside the message`()
        async throws
    {
        let servers = try await TwoServers()
        try await servers.running {
            try await servers.say(#""type":"text","body":"hello""#, id: uuid(1))
            _ = try await servers.message(uuid(1), at: servers.provider)
            // The close is not sent, as when it is still on its way.
            let link = try #require(servers.gateway.links.all.first)
            #expect(try await servers.gateway.links.remove(link.id, author: .server))
            _ = try await servers.gateway.broker.change(
                servers.conversation, .leave, by: .customer(device: "d"))
            #expect(try await servers.gateway.broker.store.save(link, author: .server))
            let payload = """
                {"v":1,"id":"\(uuid(2))","sourceId":"\(servers.business.text)",\
                "destinationId":"\(servers.customer.text)","type":"text","body":"wait"}
                """
            try await servers.answer(payload, id: uuid(2), kind: .text)
            try await Wait.until("the customer has left") {
                try await servers.arrived()?.hasLeft == true
            }
            let there = try #require(try await servers.arrived())
            let received = try await Wait.value("an event of the refusal") {
                try await servers.provider.broker.store.events(
                    after: .start, in: .conversation(there.id), limit: 300
                ).events.first { $0.type == .messageRefusedUpstream }
            }
            guard case .json(let data) = received.body else {
                Issue.record("the event has no data")
                return
            }
            let refused = try JSONDocument(parsing: data).root
            #expect(refused["message"]?.string == uuid(2))
            #expect(refused["status"]?.int == 410)
        }
    }
}
