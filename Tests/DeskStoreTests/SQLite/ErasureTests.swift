import DeskLog
import DeskModel
import DeskStore
import FoundationEssentials
import StoreSupport
import TestSupport
import Testing

@testable import DeskStoreSQLite

/// What SQLite's files have of a message whose content was erased.
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
        var metadata = Metadata.Change()
        metadata.set("note", to: secret)
        _ = try await store.one(
            ChangeConversation(conversation(1), .annotate(metadata), by: .server, at: dawn))
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
        one.facts.metadata[secret] = secret
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

    @Test func `the head of a conversation is that of its tombstones, and the store verifies`()
        async throws
    {
        try await withScratch { directory in
            let store = try await Self.make(in: directory)
            // One behind a place of the skip index, the first, and the last.
            try await Self.erase("m33", "m1", "m40", in: store)
            _ = try await store.accept(submission("m41", to: conversation(1)))
            let thread = try await store.messages(in: conversation(1), .newest, limit: 300)
            let head = thread.elements.reduce(nil as Digest?) { head, message in
                MessageChecksum.head(
                    after: head, digest: message.digest, checksum: message.checksum)
            }
            await store.close()
            #expect(try StoreVerification(reading: directory).damage == [])
            let file = try Connection(path: directory + "/frontdesk.sqlite", for: .copy)
            let kept = try file.prepare("SELECT head FROM conversations").all { $0.digestIfAny() }
            #expect(kept == [head])
        }
    }

    @Test func `a crash in the middle of an erasure leaves all of it or nothing`() async throws {
        try await withScratch { directory in
            let (one, file) = (directory + "/one", "/frontdesk.sqlite")
            let store = try await Self.make(in: one)
            try await Self.noteElsewhere(in: store)
            // A reader that stays keeps the write-ahead log as the writer left it.
            let reader = try Connection(path: one + file, for: .reading)
            try reader.execute("BEGIN; SELECT count(*) FROM messages")
            let before = try #require(FileManager.default.contents(atPath: one + file + "-wal"))
            try await Self.erase("m5", in: store)
            let after = try #require(FileManager.default.contents(atPath: one + file + "-wal"))
            try #require(after.starts(with: before) && after.count > before.count)
            var outcomes: Set<Bool> = []
            for end in stride(from: before.count, through: after.count, by: Self.frameBytes) {
                let cut = directory + "/cut-\(end)"
                try FileManager.default.copyItem(atPath: one, toPath: cut)
                try after.prefix(end).write(to: URL(filePath: cut + file + "-wal"))
                try FileManager.default.removeItem(atPath: cut + file + "-shm")
                outcomes.insert(try await Self.isErased(in: cut))
            }
            #expect(outcomes == [false, true])
            try reader.execute("ROLLBACK")
            await store.close()
        }
    }

    /// Whether the fifth message is erased after a start of its store, with every copy of its content.
    private static func isErased(in directory: String) async throws -> Bool {
        let store = try SQLiteStore(directory: directory, newEpoch: Epoch(9))
        let message = try #require(
            try await store.findMessage(messageID("m5"), in: conversation(1)))
        let isErased = message.erasedAt != nil
        let types = try await store.types()
        #expect(types.contains(.messageErased) == isErased)
        #expect(try await store.erasures(after: 0).isEmpty != isErased)
        let wire = try await store.exchanges(
            of: business(1), in: .everything, at: .start, limit: 9
        ).elements
        #expect(wire.allSatisfy { $0.request.body.isEmpty == isErased })
        let answer = try #require(try await store.findAnswer("key"))
        #expect((answer.body != .sha256(Array(secret.utf8))) == isErased)
        await store.close()
        #expect(try StoreVerification(reading: directory).damage == [])
        return isErased
    }

    /// A page of the write-ahead log with its head (SQLite, "WAL File Format", 4.1).
    private static let frameBytes = 4_096 + 24

    @Test func `an archive carries tombstones into another store`() async throws {
        try await withScratch { directory in
            let store = try await Self.make(in: directory + "/one")
            try await Self.erase("m5", "m40", in: store)
            let head = Heap<ArchiveHead>()
            let items = Heap<ArchiveItem>()
            try await store.archive(
                with: DirectoryBlobStore(directory: directory + "/one/blobs"), at: dawn,
                begin: { head.add($0) }, take: { items.add($0) })
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
                query, in: [business(1)], at: .start, limit: 9)
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
                of: business(1), in: .everything, at: .start, limit: 9
            ).elements
            #expect(wire.map(\.request.byteCount) == [7])
            let answer = try #require(try await store.findAnswer("key"))
            #expect(answer.content == .message(conversation(1), try messageID("m5")))
            #expect(answer.body != .sha256(Array(Self.secret.utf8)))
            let other = try SearchQuery("line 39")
            let others = try await search.search(
                other, in: [business(1)], at: .start, limit: 99)
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
        try await store.openOutbox(outbox, after: .start, author: .server)
        let message = try await store.findMessage(messageID("m5"), in: conversation(1))
        let position = try #require(message).position
        var delivery = Delivery(
            outbox: outbox, position: position, conversation: conversation(1), due: dawn)
        try await store.enqueue(
            [delivery], of: outbox, upTo: store.newest,
            under: try await store.leaseOfTest())
        delivery.last = DeliveryAttempt(time: dawn, status: 400, detail: secret)
        delivery.state = .dead
        try await store.attempt(delivery)
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
