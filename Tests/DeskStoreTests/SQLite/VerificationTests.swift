import DeskModel
import DeskSQL
import DeskStore
import FoundationEssentials
import Testing

@testable import DeskStoreSQLite

/// What reading a whole store finds.
@Suite struct VerificationTests {
    @Test func `a store that is whole is read without a finding`() async throws {
        try await withScratch { directory in
            try await FullStore.make(in: directory)
            let found = try StoreVerification(reading: directory)
            #expect(found.damage == [])
            #expect(found.isStill)
            #expect(found.counts.messages == 72)
            #expect(found.counts.conversations == 2)
            #expect(found.counts.notes == 1)
            #expect(found.counts.answers == 2)
            #expect(found.counts.attachments == 2)
            #expect(found.counts.events >= 75)
        }
    }

    @Test func `a store is read beside the process that writes it`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            try await store.begin(conversation(1))
            for number in 1...40 {
                _ = try await store.accept(submission("a\(number)", to: conversation(1)))
            }
            let found = try StoreVerification(reading: directory)
            #expect(found.damage == [])
            #expect(!found.isStill)
            #expect(found.counts.messages == 40)
            await store.close()
        }
    }

    @Test func `forgotten events are no gap`() async throws {
        try await withScratch { directory in
            try await FullStore.make(in: directory)
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(2))
            try await store.prune(upTo: Position(30))
            await store.close()
            #expect(try StoreVerification(reading: directory).damage == [])
            let again = try SQLiteStore(directory: directory, newEpoch: Epoch(2))
            #expect(again.oldest == Position(30))
            await again.close()
        }
    }

    @Test(arguments: [
        ("UPDATE messages SET payload = x'00' WHERE id = 'a9'", "message", "sequence=8"),
        ("UPDATE messages SET summary = 'x' WHERE id = 'a9'", "message", "check sum of the row"),
        ("UPDATE messages SET direction = 'outbound' WHERE id = 'a1'", "message", "sequence=1"),
        ("UPDATE messages SET seal = NULL WHERE id = 'a9'", "message", "check sum"),
        ("DELETE FROM messages WHERE id = 'a9'", "event", "its message is missing"),
        ("DELETE FROM messages WHERE id = 'a9'", "message", "the message before it is missing"),
        ("DELETE FROM messages WHERE id = 'a9'", "conversation", "the chain of its messages"),
        ("DELETE FROM events WHERE position = 12", "event", "position=12: is missing"),
        ("DELETE FROM events WHERE position = 1", "event", "position=1: is missing"),
        (
            "DELETE FROM events WHERE position >= (SELECT position FROM settled)", "event",
            "the log ends before it"
        ),
        ("UPDATE events SET time = time + 1 WHERE position = 12", "event", "position=12"),
        ("UPDATE events SET revision = NULL WHERE position = 12", "event", "check sum"),
        ("UPDATE events SET revision = revision + 1 WHERE position = 12", "event", "check sum"),
        ("UPDATE conversations SET revision = 9", "conversation", "check sum"),
        ("UPDATE notes SET text = 'x'", "note", "check sum"),
        ("DELETE FROM conversations WHERE number = 2", "event", "its conversation is missing"),
        ("UPDATE conversations SET customer_name = 'x'", "conversation", "check sum"),
        ("UPDATE conversations SET head = zeroblob(32)", "conversation", "check sum"),
        ("UPDATE answers SET status = 200 WHERE scope = 'key one'", "answer", "check sum"),
        ("UPDATE answers SET message = 'a1' WHERE scope = 'key two'", "answer", "check sum"),
        ("UPDATE answers SET answered_at = 9 WHERE scope = 'key two'", "answer", "check sum"),
        ("UPDATE milestones SET position = 3", "message", "its skip index leads elsewhere"),
        ("DELETE FROM businesses", "event", "its business is missing"),
        ("DELETE FROM event_stretches", "event", "its range of the log is not noted"),
    ])
    func `every damage is named`(sql: String, kind: String, text: String) async throws {
        try await withScratch { directory in
            try await FullStore.make(in: directory)
            try FullStore.change(directory, sql)
            let found = try StoreVerification(reading: directory)
            #expect(
                found.damage.contains { $0.kind == kind && $0.description.contains(text) },
                "\(found.damage)")
        }
    }

    @Test func `an attachment that is missing or another is named`() async throws {
        try await withScratch { directory in
            try await FullStore.make(in: directory)
            let id = AttachmentID(.sha256(Array("a picture".utf8)))
            let path = DirectoryBlobStore.path(of: id, in: directory + "/blobs")
            try Data("a Picture".utf8).write(to: URL(filePath: path))
            #expect(
                try StoreVerification(reading: directory).damage == [
                    Damage("attachment", name: id.text, reason: "is not what it was")
                ])
            try FileManager.default.removeItem(atPath: path)
            #expect(
                try StoreVerification(reading: directory).damage == [
                    Damage("attachment", name: id.text, reason: "is missing")
                ])
        }
    }

    @Test func `every flipped bit is found, or changes nothing that anybody reads`() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = Seeded(state: seed)
        try await withScratch { directory in
            try await FullStore.make(in: directory)
            let path = directory + "/frontdesk.sqlite"
            let whole = try Data(contentsOf: URL(filePath: path))
            let before = try FullStore.read(directory)
            // Most of a small store are pages that hold nothing yet: half of the flips look for content.
            let used = whole.indices.filter { whole[$0] != 0 }
            var found = 0
            for round in 0..<Self.flips {
                var bytes = whole
                let place =
                    round.isMultiple(of: 2)
                    ? Int.random(in: 0..<whole.count, using: &random)
                    : used.randomElement(using: &random) ?? 0
                let bit = UInt8.random(in: 0..<8, using: &random)
                bytes[place] ^= 1 << bit
                try bytes.write(to: URL(filePath: path))
                let isClean: Bool
                do throws(StoreError) {
                    isClean = try StoreVerification(reading: directory).isClean
                } catch {
                    // The flip made another number of the schema's.
                    #expect(error.code == .tooNew, "seed \(seed), flip \(round): \(error)")
                    isClean = false
                }
                guard isClean else {
                    found += 1
                    continue
                }
                let after: [String]
                do {
                    after = try FullStore.read(directory)
                } catch {
                    after = ["\(error)"]
                }
                // The rows that differ, and not all of them.
                let differing = Set(after).symmetricDifference(before)
                #expect(
                    differing.isEmpty,
                    "seed \(seed), flip \(round): bit \(bit) of byte \(place)")
            }
            #expect(found > Self.flips / 20, "seed \(seed): only \(found) were found")
        }
    }

    /// More on demand: each costs a whole reading.
    private static let flips =
        ProcessInfo.processInfo.environment["FRONTDESK_FLIPS"].flatMap { Int($0) } ?? 80
}

/// Chance that can be repeated.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

extension VerificationTests {
    @Test func `an event that its conversation does not count is named`() async throws {
        try await withScratch { directory in
            try await FullStore.make(in: directory)
            do {
                let connection = try Connection(
                    path: directory + "/frontdesk.sqlite", mayWrite: true)
                let byNumber = try connection.prepare(ConversationColumns.byNumber)
                try byNumber.bind(1 as Int64)
                var one = try #require(
                    try byNumber.first { row throws(StoreError) in
                        try ConversationColumns.read(row.sql)
                    })
                // Behind by one, with a checksum as if that were right.
                one.conversation.revision = Revision(one.conversation.revision.value - 1)
                try connection.execute(
                    """
                    UPDATE conversations SET revision = \(one.conversation.revision), \
                    seal = \(ConversationColumns.checksum(of: one)) WHERE number = 1
                    """)
            }
            let found = try StoreVerification(reading: directory).damage
            #expect(found.map(\.reason) == ["its conversation's revision is an earlier one"])
        }
    }
}
