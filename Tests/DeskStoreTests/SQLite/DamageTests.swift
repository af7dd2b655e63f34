import DeskModel
import DeskStore
import FoundationEssentials
import Testing

@testable import DeskStoreSQLite

/// What readers are given where the store holds what was not written.
@Suite struct DamageTests {
    @Test(arguments: [
        "UPDATE messages SET payload = x'00' WHERE id = 'a40'",
        "UPDATE messages SET summary = 'other' WHERE id = 'a40'",
        "DELETE FROM messages WHERE id = 'a40'",
        "UPDATE messages SET previous = 1 WHERE id = 'a40'",
        "UPDATE messages SET sequence = 9 WHERE id = 'a40'",
        "UPDATE messages SET conversation = 2 WHERE id = 'a40'",
    ])
    func `a thread names what is damaged and shows the rest`(sql: String) async throws {
        try await withScratch { directory in
            try await Self.fill(directory)
            try FullStore.change(directory, sql)
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            let page = try await store.messages(in: conversation(1), .newest, limit: 300)
            let served = page.elements.map(\.sequence.value)
            let lost = page.damaged.map(\.value)
            #expect(lost.contains(40))
            #expect(!served.contains(40))
            #expect((served + lost).sorted() == Array(1...70))
            // Nothing below the skip index's entry before it, nor above it, is lost with it.
            #expect(lost.allSatisfy { (33...40).contains($0) })
            let other = try await store.messages(in: conversation(2), .newest, limit: 300)
            #expect(other.elements.count == 3 && other.damaged.isEmpty)
            let next = try await store.accept(submission("new", to: conversation(1)))
            #expect(next.message.sequence == SequenceNumber(71))
            await store.close()
        }
    }

    @Test(arguments: [
        "UPDATE messages SET payload = x'00' WHERE id = 'a40'",
        "UPDATE events SET time = 0 WHERE position = (SELECT position FROM messages WHERE id = 'a40')",
        "UPDATE events SET business = 77 WHERE position = (SELECT position FROM messages WHERE id = 'a40')",
        "DELETE FROM messages WHERE id = 'a40'",
    ])
    func `a replay says where an event is damaged and goes on`(sql: String) async throws {
        try await withScratch { directory in
            try await Self.fill(directory)
            try FullStore.change(directory, sql)
            let heard = Heap<Damage>()
            let store = try SQLiteStore(
                directory: directory, newEpoch: Epoch(1),
                damaged: { heard.add($0) })
            let events = try await store.events(after: .start, in: .everything, limit: 300).events
            #expect(events.map(\.id.position.value) == Array(1...75))
            let marked = events.filter { $0.type == .eventDamaged }
            #expect(marked.count == 1)
            #expect(marked.first.map { $0.id.position.value } == heard.all.first?.position?.value)
            await store.close()
        }
    }

    @Test func `a damaged first answer is not given again, and others are`() async throws {
        try await withScratch { directory in
            try await FullStore.make(in: directory)
            try FullStore.change(
                directory, "UPDATE answers SET answer = x'00' WHERE scope = 'key one'")
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            do throws(StoreError) {
                _ = try await store.findAnswer("key one")
                Issue.record("served")
            } catch { #expect(error.code == .damaged) }
            #expect(try await store.findAnswer("key two") != nil)
            await store.close()
        }
    }

    @Test func `a damaged conversation is left out of lists, and others go on`() async throws {
        try await withScratch { directory in
            try await Self.fill(directory)
            try FullStore.change(
                directory, "UPDATE conversations SET customer_name = 'x' WHERE number = 1")
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            let filter = ConversationFilter(businesses: [business(1)])
            let list = try await store.conversations(filter, at: .start, limit: 9)
            #expect(list.elements.map(\.id) == [conversation(2)])
            await #expect(throws: StoreError.self) {
                try await store.findConversation(conversation(1))
            }
            await #expect(throws: StoreError.self) {
                try await store.accept(submission("x", to: conversation(1)))
            }
            _ = try await store.accept(submission("x", to: conversation(2)))
            await store.close()
        }
    }

    @Test func `a start with a damaged newest message closes its conversation alone`() async throws
    {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            for number in 1...9 {
                _ = try await store.accept(submission("a\(number)", to: conversation(1)))
                _ = try await store.accept(submission("a\(number)", to: conversation(2)))
            }
            // The files as a process that was killed leaves them.
            let copy = directory + "/copy"
            try FileManager.default.createDirectory(
                atPath: copy, withIntermediateDirectories: false)
            for name in ["frontdesk.sqlite", "frontdesk.sqlite-wal"] {
                try FileManager.default.copyItem(
                    atPath: directory + "/" + name, toPath: copy + "/" + name)
            }
            await store.close()
            try FullStore.change(
                copy, "UPDATE messages SET summary = 'x' WHERE id = 'a8' AND conversation = 1")

            for start in 1...2 {
                let heard = Heap<Damage>()
                let next = try SQLiteStore(
                    directory: copy, newEpoch: Epoch(1),
                    damaged: { heard.add($0) })
                #expect(heard.all.count == (start == 1 ? 1 : 0))
                await #expect(throws: StoreError.self) {
                    try await next.accept(submission("b\(start)", to: conversation(1)))
                }
                _ = try await next.accept(submission("b\(start)", to: conversation(2)))
                let page = try await next.messages(in: conversation(1), .newest, limit: 300)
                #expect(page.elements.map(\.sequence.value) == Array(1...7))
                await next.close()
            }
        }
    }

    /// Seventy messages in one conversation, three in another.
    private static func fill(_ directory: String) async throws {
        let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
        try await store.begin(conversation(1))
        try await store.begin(conversation(2), customer: 2)
        for number in 1...70 {
            _ = try await store.accept(submission("a\(number)", to: conversation(1)))
            guard number.isMultiple(of: 30) || number == 70 else { continue }
            _ = try await store.accept(submission("b\(number)", to: conversation(2)))
        }
        await store.close()
    }
}
