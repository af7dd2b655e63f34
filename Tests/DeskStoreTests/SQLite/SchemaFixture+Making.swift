import DeskModel
import DeskStore
import FoundationEssentials
import StoreSupport
import TestSupport

@testable import DeskStoreSQLite

extension SchemaFixture {
    static let key = KeyID(uniqueID(0xB001))
    static let outbox = OutboxID(uniqueID(0xF001))
    static let link = GatewayLinkID(uniqueID(0xF001))
    static let soon = Timestamp(milliseconds: dawn.milliseconds + 1_000_000_000)

    /// Writes the fixture of the newest version, which this program makes.
    static func writeNewest() async throws {
        let version = Int(Migrations.newest)
        try await withScratch { directory in
            try await make(in: directory)
            let file = try Connection(path: directory + "/frontdesk.sqlite", for: .reading)
            try Data(dump(file, version: version).utf8).write(
                to: URL(filePath: path(of: version)))
        }
    }

    /// Fills a new store with what every fixture holds.
    static func make(in directory: String) async throws {
        try writeKey(in: directory)
        let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
        let blobs = try DirectoryBlobStore(directory: directory + "/blobs")
        var stored: [Blob] = []
        for file in files { stored.append(try await blobs.store(Array(file.utf8))) }
        let picture = AttachmentUse(
            id: stored[0].id, name: "a.png", mediaType: "image/png",
            byteCount: stored[0].byteCount)
        try await fillRegistry(store, businessPicture: stored[1].id, held: picture)
        try await fillLog(store, naming: picture)
        try await fillOutbox(store, naming: picture)
        await store.close()
    }

    private static func fillRegistry(
        _ store: SQLiteStore, businessPicture: AttachmentID, held: AttachmentUse
    ) async throws {
        try await store.save(
            Business(
                id: business(1), name: "Shop", colour: "#336699", picture: businessPicture,
                mode: .live, createdAt: dawn), author: .server)
        try await store.save(
            Business(
                id: business(2), name: "Café", colour: "#993366", mode: .test, isSandbox: true,
                createdAt: dawn), author: .server)
        try await store.save(
            EntryLink(
                id: "poster", business: business(1), label: "Poster", intent: "hours",
                body: "Hello"), author: .server)
        for (number, name) in [(1, "Ada"), (2, "Ben")] as [(UInt64, String)] {
            try await store.save(
                Agent(
                    id: agent(number), name: name, email: "\(name.lowercased())@example.com",
                    password: number == 1 ? "scrypt$1" : nil, createdAt: dawn), author: .server)
        }
        try await store.setRole(.owner, of: agent(1), in: business(1), author: .server)
        try await store.setRole(.agent, of: agent(2), in: business(1), author: .server)
        try await store.setRole(.owner, of: agent(1), in: business(2), author: .server)
        try await store.add(
            APIKey(
                id: key, name: "till", secret: .sha256(Array("key".utf8)), mode: .live,
                businesses: [business(1), business(2)], maker: agent(1),
                limits: KeyLimits(scopes: ["messages:write"]), createdAt: dawn), author: .server)
        for (token, subject) in [
            ("session", .agent(agent(1))), ("phone", .customer(conversation(1))),
        ] as [(String, SessionSubject)] {
            try await store.add(
                Session(
                    token: .sha256(Array(token.utf8)), subject: subject, createdAt: dawn,
                    expiresAt: soon), author: .server)
        }
        try await store.rememberDevice(
            .sha256(Array("device".utf8)), of: agent(1), at: dawn, atMost: 9)
        try await store.add(
            Invitation(
                id: InvitationID(uniqueID(0xD001)), business: business(1),
                email: "cy@example.com", role: .agent, token: .sha256(Array("invite".utf8)),
                maker: agent(1), createdAt: dawn, expiresAt: soon))
        try await store.add(
            JoinCode(
                id: "code1", business: business(1), link: .sha256(Array("link".utf8)),
                locator: "AB", typed: .sha256(Array("typed".utf8)), createdAt: dawn,
                expiresAt: soon, uses: 1), author: .server)
        try await store.hold(
            held, by: .business(business(1)), at: dawn, until: nil, author: .server)
        try await store.setSetting("secret", to: [1, 2, 3], author: .server)
        for (scope, content) in [
            ("key one", .answer(status: 201, body: Array("made".utf8))),
            ("key two", .message(conversation(1), try messageID("a2"))),
        ] as [(String, RememberedAnswer.Content)] {
            try await store.remember(
                RememberedAnswer(scope: scope, body: .sha256([1]), content: content, time: dawn))
        }
    }

    private static func fillLog(
        _ store: SQLiteStore, naming picture: AttachmentUse
    ) async throws {
        let names = ["Mika Tanaka", nil, "Ken"]
        for (place, name) in names.enumerated() {
            let number = UInt64(place + 1)
            var one = try customer(number)
            one.name = name
            if number == 1 { one.capabilities = ["LIST", "TIME"] }
            _ = try await store.one(
                OpenConversation(
                    conversation(number), business: business(number == 2 ? 2 : 1), customer: one,
                    at: dawn))
        }
        _ = try await store.one(
            Template(
                business: business(1), name: try name("welcome"), title: "Welcome", detail: "",
                payload: Array("{}".utf8), parameters: Array("[]".utf8),
                attachments: [picture], author: .agent(agent(1)), publishedAt: dawn))
        var first = try submission(
            "a1", to: conversation(1), #"{"type":"text","body":"hello"}"#)
        first.facts.entryCode = "code1"
        first.facts.headers = [HeaderField(name: "capability-list", value: "LIST,TIME")]
        _ = try await store.accept(first)
        _ = try await store.change(conversation(1), .assign(agent(1)))
        _ = try await store.accept(try answer(naming: picture))
        _ = try await store.one(
            AddNote(
                NoteID(uniqueID(0xE001)), to: conversation(1), text: "call back",
                by: .agent(agent(1)), at: dawn))
        _ = try await store.change(conversation(1), .close)
        for number in 3...34 {
            _ = try await store.accept(
                submission("a\(number)", to: conversation(1), "line \(number)"))
        }
        _ = try await store.accept(submission("b1", to: conversation(2), "こんにちは"))
        _ = try await store.change(conversation(2), .snooze(until: soon))
        _ = try await store.change(conversation(2), .leave)
        _ = try await store.one(
            AppendEvent(
                .messageDeliveredUpstream, of: business(2), in: conversation(2),
                data: Array(#"{"message":"b1"}"#.utf8), at: dawn))
        _ = try await store.accept(submission("c1", to: conversation(3), "first"))
        _ = try await store.accept(submission("c2", to: conversation(3), "second"))
        _ = try await store.one(Write.bind(conversation(3), to: link))
        try await fillEnd(store)
    }

    /// A settled request, and a tombstone.
    private static func fillEnd(_ store: SQLiteStore) async throws {
        let ids = [try messageID("c1"), try messageID("c2")]
        _ = try await store.one(Write.settle(ids[0], in: conversation(3), by: ids[1]))
        _ = try await store.accept(submission("c3", to: conversation(3), "to be erased"))
        _ = try await store.one(
            Erasing([messageID("c3")], in: conversation(3), by: .agent(agent(1)), at: soon))
    }

    /// The second message, which has everything that a message can have.
    static func answer(naming picture: AttachmentUse) throws -> Submission {
        var answer = Submission(
            conversation: conversation(1), id: try messageID("a2"),
            payload: Array(#"{"type":"text","body":"Hi Mika, see the picture"}"#.utf8),
            facts: MessageFacts(
                direction: .outbound, kind: .text, author: .agent(agent(1)), origin: .console,
                summary: "Hi Mika"))
        answer.posted = Array(#"{"template":"welcome"}"#.utf8)
        answer.facts.headers = [
            HeaderField(name: "source-id", value: "urn:biz:1"),
            HeaderField(name: "x-note", value: "a: b, c"),
        ]
        answer.facts.warnings = Array(#"[{"rule":"short"}]"#.utf8)
        answer.facts.template = TemplateUse(
            name: try name("welcome"), version: 1, values: Array(#"{"name":"Mika"}"#.utf8))
        answer.facts.attachments = [picture]
        answer.facts.inReplyTo = try messageID("a1")
        return answer
    }

    static func name(_ text: String) throws -> TemplateName {
        guard let name = TemplateName(text) else { throw Unexpected("template name \(text)") }
        return name
    }

    private static func fillOutbox(
        _ store: SQLiteStore, naming picture: AttachmentUse
    ) async throws {
        let lease = try await store.leaseOfTest()
        // Before its link, which would let it begin behind all of the log.
        try await store.openOutbox(outbox, after: .start, author: .server)
        _ = try await store.save(
            GatewayLink(
                id: link, business: business(1), side: .upstream, mspID: "msp",
                secret: Array(repeating: 7, count: 32), url: "http://127.0.0.1:9/v1",
                createdAt: dawn), author: .server)
        try await store.save(
            MMCSObject(
                id: "object1", business: business(1), content: picture.id,
                key: Array(repeating: 8, count: 32), byteCount: picture.byteCount,
                signature: [1], createdAt: dawn), author: .server)
        let part = WireExchange.Part(
            headers: [HeaderField(name: "content-type", value: "application/json")],
            body: Array(#"{"v":1}"#.utf8), byteCount: 7)
        _ = try await store.note(
            WireExchange(
                link: link, business: business(1), conversation: conversation(1),
                message: try messageID("a2"), course: .sent, time: dawn, milliseconds: 12,
                method: "POST", target: "/v1/message", request: part, status: 200,
                answer: WireExchange.Part(headers: [], body: [], byteCount: 0)))
        let places: [(Int64, UInt64)] = [(5, 1), (7, 1), (9, 1), (45, 2)]
        try await store.enqueue(
            places.map { position, number in
                Delivery(
                    outbox: outbox, position: Position(position),
                    conversation: conversation(number), due: dawn)
            }, of: outbox, upTo: store.newest, under: lease)
        for (place, state) in [(0, .delivered), (3, .dead)] as [(Int, Delivery.State)] {
            var one = Delivery(
                outbox: outbox, position: Position(places[place].0),
                conversation: conversation(places[place].1), state: state, attempts: 1, due: dawn)
            one.last = DeliveryAttempt(time: dawn, status: 200, detail: "")
            try await store.attempt(one, under: lease)
        }
    }
}
