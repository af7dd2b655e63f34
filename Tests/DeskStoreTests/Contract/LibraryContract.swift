import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

@testable import DeskStoreSQLite

/// What every store promises of the libraries of businesses.
@Suite struct LibraryContract {
    private static let shop = business(1)
    private static let day = dawn.advanced(by: .seconds(LibraryFile.hoursAfterRemoval * 3_600))
    private static let later = day.advanced(by: .milliseconds(1))

    private static func use(_ byte: UInt8, _ name: String = "a.png", bytes: Int64 = 1)
        -> AttachmentUse
    {
        AttachmentUse(
            id: AttachmentID(.sha256([byte])), name: name, mediaType: "image/png",
            byteCount: bytes)
    }

    private static func file(
        _ number: UInt64, _ use: AttachmentUse, of owner: BusinessID = shop, by author: UInt64 = 1
    ) -> LibraryFile {
        LibraryFile(
            id: LibraryFileID(uniqueID(0x1B00 + number)), business: owner, use: use, width: 4,
            height: 3, author: .agent(agent(author)), addedAt: dawn)
    }

    private static func upload(_ use: AttachmentUse, in store: any Store) async throws {
        try await store.hold(use, by: .business(shop), at: dawn, until: dawn, author: .server)
    }

    @discardableResult
    private static func add(_ file: LibraryFile, in store: any Store) async throws -> LibraryFile {
        try await upload(file.use, in: store)
        return try await store.one(AddLibraryFile(file))
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a file is kept with all that it has, the newest first, and removed with its hold`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let one = Self.file(1, Self.use(1, "価格表 100%.pdf"))
            let two = LibraryFile(
                id: LibraryFileID(uniqueID(0x1B02)), business: Self.shop, use: Self.use(2),
                width: nil, height: nil, author: .key(KeyID(uniqueID(0xB001))),
                addedAt: Self.day)
            let foreign = Self.file(3, Self.use(1), of: business(2))
            for file in [one, two, foreign] {
                try await store.hold(
                    file.use, by: .library(file.business), at: dawn, author: .server)
                try await store.change(
                    .contents(.saveLibraryFile(file.id, of: file.business)), author: .server
                ) { sql throws(StoreError) in try LibraryRows.add(file, on: sql) }
            }
            #expect(try await store.library(of: Self.shop).map(\.file) == [two, one])
            #expect(try await store.library(of: business(2)).map(\.file) == [foreign])
            #expect(try await store.expireUploads(before: Self.later) == [])
            try await store.change(
                .contents(.removeLibraryFile(two.id, of: Self.shop)), author: .server
            ) { sql throws(StoreError) in
                try LibraryRows.remove(two, keptUntil: Self.day, on: sql)
            }
            #expect(try await store.library(of: Self.shop).map(\.file) == [one])
            #expect(try await store.expireUploads(before: Self.day) == [])
            #expect(try await store.expireUploads(before: Self.later) == [two.use.id])
        }
    }

    @Test(arguments: Kept.allCases)
    func `the same bytes are in a library once, also when two agents add them at once`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let before = store.newest
            let first = try await Self.add(Self.file(1, Self.use(1, "logo.png")), in: store)
            #expect(try await store.types().dropFirst(Int(before.value)) == [.libraryFileSaved])
            let again = try await Self.add(
                Self.file(2, Self.use(1, "other.png"), by: 2), in: store)
            #expect(again == first)
            #expect(store.newest.value == before.value + 1)
            // In one group, as two requests of the same moment are committed.
            try await Self.upload(Self.use(2), in: store)
            let both = try await store.append([
                WriteGroup(AddLibraryFile(Self.file(3, Self.use(2)))),
                WriteGroup(AddLibraryFile(Self.file(4, Self.use(2), by: 2))),
            ])
            let ids = try both.map { try $0.get().id }
            #expect(Set(ids).count == 1)
            #expect(try await store.library(of: Self.shop).count == 2)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a library has so many files and bytes and no more, and none whose bytes are gone`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let half = LibraryFile.mostBytes / 2
            try await Self.add(Self.file(1, Self.use(1, bytes: half)), in: store)
            await #expect(throws: Refusal.unusable) {
                try await Self.add(Self.file(2, Self.use(2, bytes: half + 1)), in: store)
            }
            try await Self.add(Self.file(3, Self.use(3, bytes: half)), in: store)
            await #expect(throws: Refusal.unusable) {
                try await Self.add(Self.file(4, Self.use(4)), in: store)
            }
            await #expect(throws: Refusal.notFound) {
                try await store.one(AddLibraryFile(Self.file(5, Self.use(5))))
            }
            await #expect(throws: Refusal.notFound) {
                try await Self.add(Self.file(6, Self.use(6), of: business(9)), in: store)
            }
        }
    }

    @Test func `a library has 1,000 files and no more`() async throws {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        try await store.begin(conversation(1))
        for number in 1...LibraryFile.most {
            let use = AttachmentUse(
                id: AttachmentID(.sha256(Array("\(number)".utf8))), name: "a", mediaType: "a/b",
                byteCount: 1)
            try await Self.add(Self.file(UInt64(number), use), in: store)
        }
        await #expect(throws: Refusal.unusable) {
            try await Self.add(Self.file(1_001, Self.use(1)), in: store)
        }
        await store.close()
    }

    @Test(arguments: Kept.allCases)
    func `a renamed file is an event, and the same name again is none`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let file = try await Self.add(Self.file(1, Self.use(1)), in: store)
            let before = store.newest
            func rename(_ name: String) async throws -> LibraryFile {
                try await store.one(
                    RenameLibraryFile(
                        file.id, of: Self.shop, to: name, by: .agent(agent(2)), at: dawn))
            }
            #expect(try await rename("b.png").use.name == "b.png")
            #expect(try await rename("b.png").use.name == "b.png")
            #expect(try await store.types().dropFirst(Int(before.value)) == [.libraryFileSaved])
            #expect(try await store.library(of: Self.shop).map(\.file.use.name) == ["b.png"])
            let held = try await store.findAttachment(
                file.use.id, heldBy: .library(Self.shop))
            #expect(held?.name == "b.png")
            await #expect(throws: Refusal.notFound) {
                try await store.one(
                    RenameLibraryFile(
                        file.id, of: business(2), to: "c", by: .agent(agent(2)), at: dawn))
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `a removed file can be sent for a day, and goes when nothing names it`(_ kept: Kept)
        async throws
    {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let sent = try await Self.add(Self.file(1, Self.use(1)), in: store)
            let unsent = try await Self.add(Self.file(2, Self.use(2)), in: store)
            let back = try await Self.add(Self.file(3, Self.use(3)), in: store)
            for file in [sent, unsent, back] {
                _ = try await store.one(
                    RemoveLibraryFile(file.id, of: Self.shop, by: .agent(agent(1)), at: dawn))
            }
            #expect(try await store.types().last == .libraryFileRemoved)
            await #expect(throws: Refusal.notFound) {
                try await store.one(
                    RemoveLibraryFile(sent.id, of: Self.shop, by: .agent(agent(1)), at: dawn))
            }
            try await Self.add(Self.file(4, Self.use(3)), in: store)
            var submission = try submission("a", to: conversation(1))
            submission.facts.attachments = [sent.use]
            submission.namesHeldFiles = true
            _ = try await store.one(NewMessage(submission, at: dawn))
            #expect(try await store.expireUploads(before: Self.day) == [])
            #expect(try await store.expireUploads(before: Self.later) == [unsent.use.id])
            #expect(try await store.library(of: Self.shop).map(\.file.use.id) == [Self.use(3).id])
        }
    }

    @Test
    func `verification names a file of a library that is not held, and a hold without a file`()
        async throws
    {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            try await store.begin(conversation(1))
            for number in UInt8(1)...2 {
                try await Self.add(Self.file(UInt64(number), Self.use(number)), in: store)
            }
            try await store.change(.contents(.forgetUploads), author: .server) {
                sql throws(StoreError) in
                let hold = try sql.statement(
                    literal: """
                        DELETE FROM attachment_holds WHERE holder_kind = 'library' AND attachment = ?
                        """)
                try hold.bind(Self.use(1).id.digest)
                _ = try hold.runCounting()
                let row = try sql.statement(
                    literal: "DELETE FROM library_files WHERE attachment = ?")
                try row.bind(Self.use(2).id.digest)
                _ = try row.runCounting()
            }
            await store.close()
            let damage = try StoreVerification(reading: directory).damage
            #expect(damage.count { $0.kind == "library" } == 2, "\(damage)")
        }
    }
}
