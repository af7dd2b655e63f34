import DeskModel
import DeskSQL
import DeskStore
import DeskStoreSQLite
import Testing

/// What stores promise of uploads that nothing names yet.
@Suite struct UploadContract {
    private static func use(_ byte: UInt8, _ name: String = "a.pdf") -> AttachmentUse {
        AttachmentUse(
            id: AttachmentID(.sha256([byte])), name: name, mediaType: "application/pdf",
            byteCount: 1)
    }

    private static let end = dawn.advanced(by: .seconds(10))
    private static let later = end.advanced(by: .milliseconds(1))
    private static let holder = AttachmentHolder.conversation(conversation(1))

    private static func message(_ id: String, naming uses: [AttachmentUse]) throws -> NewMessage {
        var submission = try submission(id, to: conversation(1))
        submission.facts.attachments = uses
        submission.namesHeldFiles = true
        return NewMessage(submission, at: dawn)
    }

    @Test(arguments: Kept.allCases)
    func `an upload is given up at its end, unless something named it before`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for byte in UInt8(1)...4 {
                try await store.hold(
                    Self.use(byte), by: Self.holder, at: dawn, until: Self.end, author: .server)
            }
            _ = try await store.one(Self.message("a", naming: [Self.use(2, "b.pdf")]))
            try await store.hold(Self.use(3), by: Self.holder, at: dawn, author: .server)
            try await store.hold(
                Self.use(4), by: .business(business(1)), at: dawn, until: Self.later,
                author: .server)
            #expect(try await store.expireUploads(before: Self.end) == [])
            let files = try await store.expireUploads(before: Self.later)
            #expect(files == [Self.use(1).id])
            for byte in UInt8(1)...4 {
                let found = try await store.findAttachment(Self.use(byte).id, heldBy: Self.holder)
                #expect((found == nil) == (byte == 1 || byte == 4))
            }
            let named = try await store.findAttachment(Self.use(2).id, heldBy: Self.holder)
            #expect(named?.name == "b.pdf")
            // Not forgotten yet, so it is returned again; then it is gone.
            #expect(try await store.expireUploads(before: Self.later) == files)
            try await store.forgetUploads(of: files)
            #expect(try await store.expireUploads(before: Self.later) == [])
            #expect(try await store.heldBytes(by: Self.holder, since: dawn) == 2)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a message that names a file after it was given up is refused and stores nothing`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.hold(
                Self.use(1), by: Self.holder, at: dawn, until: Self.end, author: .server)
            let first = try Self.message("a", naming: [Self.use(1)])
            _ = try await store.one(first)
            try await store.hold(
                Self.use(2), by: Self.holder, at: dawn, until: Self.end, author: .server)
            _ = try await store.expireUploads(before: Self.later)
            await #expect(throws: Refusal.notFound) {
                try await store.one(Self.message("b", naming: [Self.use(2)]))
            }
            #expect(try await store.require(conversation(1)).newest == SequenceNumber(1))
            // What was stored before is answered as it was.
            #expect(try await store.one(first).isRepeat)
            let draft = Template(
                business: business(1), name: try name("hours"), title: "H", detail: "",
                payload: [], parameters: [], attachments: [Self.use(2)], author: .agent(agent(1)),
                publishedAt: dawn)
            await #expect(throws: Refusal.notFound) { try await store.one(draft) }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an upload that comes again while it is forgotten stays`(_ kept: KeptRegistries)
        async throws
    {
        try await kept.with { store in
            try await store.begin()
            try await store.hold(
                Self.use(1), by: Self.holder, at: dawn, until: Self.end, author: .server)
            let files = try await store.expireUploads(before: Self.later)
            let next = Self.later.advanced(by: .seconds(10))
            try await store.hold(
                Self.use(1, "b.pdf"), by: Self.holder, at: Self.later, until: next, author: .server)
            try await store.forgetUploads(of: files)
            let found = try await store.findAttachment(Self.use(1).id, heldBy: Self.holder)
            #expect(found?.name == "b.pdf")
            #expect(try await store.expireUploads(before: next) == [])
            #expect(
                try await store.expireUploads(before: next.advanced(by: .milliseconds(1))) == files)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a file that a picture or ciphertext needs stays when its upload goes`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            for byte in UInt8(1)...2 {
                try await store.hold(
                    Self.use(byte), by: Self.holder, at: dawn, until: Self.end, author: .server)
            }
            var shop = Business(
                id: business(1), name: "Shop", colour: "#336699", mode: .live, createdAt: dawn)
            shop.picture = Self.use(1).id
            try await store.save(shop, author: .server)
            _ = try await store.save(
                MMCSObject(
                    id: "x", business: business(1), content: Self.use(2).id, key: nil, byteCount: 1,
                    signature: [1], createdAt: dawn), author: .server)
            #expect(try await store.expireUploads(before: Self.later) == [])
            #expect(try await store.findAttachment(Self.use(1).id, heldBy: Self.holder) == nil)
        }
    }

    @Test func `an upload of before a restart is given up after it`() async throws {
        try await withScratch { directory in
            var store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            try await store.begin(conversation(1))
            try await store.hold(
                Self.use(1), by: Self.holder, at: dawn, until: Self.end, author: .server)
            try await store.hold(
                Self.use(2), by: Self.holder, at: dawn, until: Self.end, author: .server)
            // The process ends after the second was given up and before it was forgotten.
            _ = try await store.expireUploads(before: Self.later)
            await store.close()
            store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            let files = try await store.expireUploads(before: Self.later)
            #expect(Set(files) == [Self.use(1).id, Self.use(2).id])
            await store.close()
        }
    }

    @Test func `a backup has no upload that nothing names, and is whole without it`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory + "/data", newEpoch: Epoch(1))
            try await store.begin(conversation(1))
            // Its file went between the two: none is there.
            try await store.hold(
                Self.use(1), by: Self.holder, at: dawn, until: Self.end, author: .server)
            let backup = try await store.backUp(to: directory + "/backup", at: dawn, leaving: 0)
            #expect(backup.verification.isClean && backup.attachments == 0)
            await store.close()
        }
    }

    private struct Unnamed: Error {
        let what: String
        init(_ what: String) { self.what = what }
    }

    private func name(_ text: String) throws -> TemplateName {
        guard let name = TemplateName(text) else { throw Unnamed(text) }
        return name
    }
}
