import DeskLog
import DeskModel
import DeskStore
import FoundationEssentials
import TestSupport
import Testing

@testable import DeskStoreSQLite

/// What is left of a message whose content was erased.
@Suite struct ErasureTests {
    static let secret = "a secret that must go 8f3b"
    static let fileName = "passport-8f3b.png"

    /// A store with a conversation of 40 messages; the fifth has everything that is to be erased.
    static func make(in directory: String) async throws -> SQLiteStore {
        let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
        let blobs = try DirectoryBlobStore(directory: directory + "/blobs")
        let shared = try await blobs.store(Array("a shared picture".utf8))
        let own = try await blobs.store(Array("a picture \(secret)".utf8))
        try await store.begin(conversation(1))
        for number in 1...40 {
            var one = try submission(
                "m\(number)", to: conversation(1), "{\"body\":\"line \(number)\"}")
            if number == 5 { one = try full(own: own, shared: shared) }
            if number == 7 {
                one.facts.attachments = [use(of: shared, named: "shared.png")]
            }
            _ = try await store.accept(one)
        }
        return store
    }

    static func use(of blob: Blob, named name: String) -> AttachmentUse {
        AttachmentUse(
            id: blob.id, name: name, mediaType: "image/png", byteCount: blob.byteCount)
    }

    static func full(own: Blob, shared: Blob) throws -> Submission {
        var one = try submission("m5", to: conversation(1), "{\"body\":\"\(secret)\"}")
        one.facts.summary = secret
        one.facts.headers = [HeaderField(name: "x-note", value: secret)]
        one.facts.warnings = Array("[\"\(secret)\"]".utf8)
        one.facts.template = TemplateUse(
            name: try SchemaFixture.name("welcome"), version: 1,
            values: Array("{\"name\":\"\(secret)\"}".utf8))
        one.facts.attachments = [
            use(of: own, named: fileName), use(of: shared, named: fileName),
        ]
        one.facts.entryCode = secret
        one.facts.inReplyTo = try messageID("m1")
        one.posted = Array(secret.utf8)
        return one
    }

    static func order(_ ids: [String]) throws -> Erasing {
        Erasing(
            try ids.map { try messageID($0) }, in: conversation(1), by: .agent(agent(1)),
            at: Timestamp(seconds: 1_800_000_100))
    }

    @discardableResult
    static func erase(_ ids: String..., in store: SQLiteStore) async throws -> [Int64] {
        try await store.one(order(ids)).map(\.value)
    }

    @Test func `an erased message keeps number, time, direction and kind, and nothing it said`()
        async throws
    {
        try await withScratch { directory in
            let store = try await Self.make(in: directory)
            let before = try #require(
                try await store.findMessage(messageID("m5"), in: conversation(1)))
            let row = try await store.require(conversation(1))
            try await Self.erase("m5", in: store)
            let after = try #require(
                try await store.findMessage(messageID("m5"), in: conversation(1)))
            #expect(after.erasedAt == Timestamp(seconds: 1_800_000_100))
            #expect(after.sequence == before.sequence && after.position == before.position)
            #expect(after.time == before.time)
            #expect(
                after.facts
                    == MessageFacts(
                        direction: .inbound, kind: .text, author: before.facts.author,
                        origin: before.facts.origin))
            #expect(after.payload == .bytes(Array("{}".utf8)))
            #expect(after.digest != before.digest && after.checksum != before.checksum)
            // The others are as they were, and the log says what happened.
            let thread = try await store.messages(in: conversation(1), .newest, limit: 300)
            #expect(thread.elements.count == 40 && thread.damaged == [])
            let now = try await store.require(conversation(1))
            #expect(now.revision == row.revision.next)
            #expect(now.activity == row.activity && now.unread == row.unread)
            let events = try await store.events(
                after: Position(store.newest.value - 1), in: .everything, limit: 9
            ).events
            #expect(events.map(\.type) == [.messageErased])
            let by = #"{"type":"agent","id":"\#(agent(1).text)"}"#
            #expect(
                events.first?.body
                    == .json(Array(#"{"message":"m5","sequence":5,"by":\#(by)}"#.utf8)))
            await store.close()
            #expect(try StoreVerification(reading: directory).damage == [])
        }
    }

    @Test func `a repeat of an erased id is refused whatever its bytes and stores nothing`()
        async throws
    {
        try await withScratch { directory in
            let store = try await Self.make(in: directory)
            try await Self.erase("m5", in: store)
            let newest = store.newest
            for text in ["{\"body\":\"\(Self.secret)\"}", "{}", "anything else"] {
                let again = try submission("m5", to: conversation(1), text)
                await #expect(throws: Refusal.messageErased) { try await store.accept(again) }
            }
            // Also after the customer left, when outbound messages are refused.
            _ = try await store.change(conversation(1), .leave)
            let late = try submission("m5", to: conversation(1), "x", direction: .outbound)
            await #expect(throws: Refusal.messageErased) { try await store.accept(late) }
            #expect(store.newest.value == newest.value + 1)
            await store.close()
        }
    }

    @Test func `erasing again changes nothing, and an unknown id erases none of a group`()
        async throws
    {
        try await withScratch { directory in
            let store = try await Self.make(in: directory)
            try await Self.erase("m5", in: store)
            let newest = store.newest
            let first = try await store.findMessage(messageID("m5"), in: conversation(1))
            #expect(try await Self.erase("m5", in: store) == [])
            #expect(store.newest == newest)
            #expect(
                try await store.findMessage(messageID("m5"), in: conversation(1)) == first)
            await #expect(throws: Refusal.notFound) {
                try await Self.erase("m6", "nobody", in: store)
            }
            let sixth = try await store.findMessage(messageID("m6"), in: conversation(1))
            #expect(sixth?.erasedAt == nil)
            // The last message's line in lists goes with it.
            #expect(try await Self.erase("m40", "m39", "m39", in: store) == [39, 40])
            #expect(try await store.require(conversation(1)).last?.summary == "")
            _ = try await store.accept(submission("m41", to: conversation(1)))
            await store.close()
            #expect(try StoreVerification(reading: directory).damage == [])
        }
    }

    @Test func `replay carries the tombstone in the place of the message`() async throws {
        try await withScratch { directory in
            let store = try await Self.make(in: directory)
            try await Self.erase("m5", in: store)
            for scope in [EventScope.everything, .customer(conversation(1))] {
                let page = try await store.events(after: .start, in: scope, limit: 300)
                let bodies = page.events.compactMap { event -> StoredMessage? in
                    if case .message(let message) = event.body { message } else { nil }
                }
                #expect(bodies.count == 40)
                #expect(bodies[4].erasedAt != nil)
                #expect(bodies[4].payload == .bytes(Array("{}".utf8)))
            }
            await store.close()
        }
    }

    @Test func `a file goes with the last message that names it`() async throws {
        try await withScratch { directory in
            let store = try await Self.make(in: directory)
            let message = try #require(
                try await store.findMessage(messageID("m5"), in: conversation(1)))
            let (own, shared) = (message.facts.attachments[0], message.facts.attachments[1])
            try await Self.erase("m5", in: store)
            let holder = AttachmentHolder.conversation(conversation(1))
            #expect(try await store.findAttachment(own.id, heldBy: holder) == nil)
            let kept = try await store.findAttachment(shared.id, heldBy: holder)
            #expect(kept?.name == "shared.png")
            #expect(try await store.expireUploads(before: dawn) == [own.id])
            try await Self.erase("m7", in: store)
            #expect(
                Set(try await store.expireUploads(before: dawn)) == [own.id, shared.id])
            await store.close()
        }
    }

    @Test func `an archive carries tombstones into another store`() async throws {
        try await withScratch { directory in
            let store = try await Self.make(in: directory + "/one")
            try await Self.erase("m5", "m40", in: store)
            let head = Heap<ArchiveHead>()
            let items = Heap<ArchiveItem>()
            try await store.archive(at: dawn, begin: { head.add($0) }, take: { items.add($0) })
            let before = try await store.messages(in: conversation(1), .newest, limit: 300)
            await store.close()
            let into = try ArchiveImport(
                try #require(head.all.first), into: directory + "/two", newEpoch: Epoch(2))
            for item in items.all { try into.take(item) }
            #expect(try into.finish().damage == [])
            let second = try SQLiteStore(directory: directory + "/two", newEpoch: Epoch(3))
            let after = try await second.messages(in: conversation(1), .newest, limit: 300)
            #expect(after.elements == before.elements)
            let again = try submission("m5", to: conversation(1))
            await #expect(throws: Refusal.messageErased) { try await second.accept(again) }
            await second.close()
        }
    }

    @Test(arguments: [
        "UPDATE messages SET payload = x'7b20' WHERE id = 'm5'",
        "UPDATE messages SET erased_at = NULL WHERE id = 'm5'",
        "UPDATE messages SET erased_at = 1 WHERE id = 'm6'",
        "UPDATE messages SET digest = zeroblob(32) WHERE id = 'm5'",
    ])
    func `a tombstone that is not what was written is damage`(sql: String) async throws {
        try await withScratch { directory in
            let store = try await Self.make(in: directory)
            try await Self.erase("m5", in: store)
            await store.close()
            try FullStore.change(directory, sql)
            #expect(try !StoreVerification(reading: directory).isClean)
        }
    }

    @Test func `no file of the data directory has a byte of what was erased`() async throws {
        try await withScratch { directory in
            let store = try await Self.make(in: directory)
            try await Self.noteElsewhere(in: store)
            let search = try SQLiteSearch(of: store, directory: directory, isPatient: false) {
                $0.facts.summary
            }
            while try await search.advance().mayGoOn {}
            let query = try SearchQuery("8f3b")
            let found = try await search.search(
                query, in: [business(1)], before: nil, limit: 9)
            #expect(found.hits.count == 1)
            #expect(try Self.files(of: directory, having: "8f3b").count >= 3)

            try await Self.erase("m5", in: store)
            while try await search.advance().mayGoOn {}
            for file in try await store.expireUploads(before: dawn) {
                try FileManager.default.removeItem(
                    atPath: DirectoryBlobStore.path(of: file, in: directory + "/blobs"))
            }
            // Beside the running server, before anything is closed.
            #expect(try Self.files(of: directory, having: "8f3b") == [])
            let wire = try await store.exchanges(
                of: business(1), in: .everything, before: nil, limit: 9)
            #expect(wire.map(\.request.byteCount) == [7])
            let answer = try #require(try await store.findAnswer("key"))
            #expect(answer.content == .message(conversation(1), try messageID("m5")))
            #expect(answer.body != .sha256(Array(Self.secret.utf8)))
            let other = try SearchQuery("line 39")
            let others = try await search.search(
                other, in: [business(1)], before: nil, limit: 99)
            #expect(!others.hits.isEmpty)
            await search.close()
            await store.close()
            #expect(try Self.files(of: directory, having: "8f3b") == [])
            #expect(try StoreVerification(reading: directory).damage == [])
        }
    }

    /// Puts the content where else the store keeps it: the wire log, a first answer, a delivery.
    private static func noteElsewhere(in store: SQLiteStore) async throws {
        let part = WireExchange.Part(
            headers: [HeaderField(name: "x", value: secret)], body: Array(secret.utf8),
            byteCount: 7)
        _ = try await store.note(
            WireExchange(
                link: SchemaFixture.link, business: business(1), conversation: conversation(1),
                message: try messageID("m5"), course: .received, time: dawn, milliseconds: 1,
                method: "POST", target: "/", request: part, status: 200, answer: part,
                findings: Array("[\"\(secret)\"]".utf8)))
        try await store.remember(
            RememberedAnswer(
                scope: "key", body: .sha256(Array(secret.utf8)),
                content: .message(conversation(1), try messageID("m5")), time: dawn))
        let outbox = SchemaFixture.outbox
        try await store.openOutbox(outbox, after: .start)
        let message = try await store.findMessage(messageID("m5"), in: conversation(1))
        let position = try #require(message).position
        var delivery = Delivery(
            outbox: outbox, position: position, conversation: conversation(1), due: dawn)
        try await store.enqueue([delivery], of: outbox, upTo: store.newest)
        delivery.last = DeliveryAttempt(time: dawn, status: 400, detail: secret)
        delivery.state = .dead
        try await store.settle(delivery)
    }

    /// The files below a directory that have a text's bytes.
    private static func files(of directory: String, having text: String) throws -> [String] {
        let needle = Array(text.utf8)
        return try FileManager.default.subpathsOfDirectory(atPath: directory).filter { name in
            guard let bytes = FileManager.default.contents(atPath: directory + "/" + name) else {
                return false
            }
            return bytes.count >= needle.count && Data(needle).isPart(of: bytes)
        }
    }
}

extension Data {
    /// Whether the bytes lie somewhere in others.
    fileprivate func isPart(of other: Data) -> Bool {
        let (mine, all) = (Array(self), Array(other))
        guard let first = mine.first else { return true }
        return all.indices.contains { place in
            all[place] == first && place + mine.count <= all.count
                && all[place..<place + mine.count].elementsEqual(mine)
        }
    }
}
