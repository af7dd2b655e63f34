import DeskModel
import DeskStore
import StoreSupport
import Synchronization

@testable import DeskStoreSQLite

/// A store that has something of everything, closed, and what is in its files.
enum FullStore {
    /// Fills a directory: two conversations, changes, notes, attachments, a template, long threads.
    static func make(in directory: String, messages: Int = 70) async throws {
        let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
        try await fill(
            store, DirectoryBlobStore(directory: directory + "/blobs"), messages: messages)
        await store.close()
    }

    /// Fills a store that has nothing yet.
    static func fill(
        _ store: any Store, _ blobs: any BlobStore, messages: Int = 70
    ) async throws {
        let blob = try await blobs.store(Array("a picture".utf8))
        let picture = try await blobs.store(Array("another picture".utf8))
        try await store.begin(conversation(1))
        try await store.begin(conversation(2), customer: 2)
        var shop = Business(
            id: business(1), name: "Shop", colour: "#336699", mode: .live, createdAt: dawn)
        shop.picture = picture.id
        try await store.save(shop, author: .server)
        for number in 1...messages {
            var one = try submission(
                "a\(number)", to: conversation(number.isMultiple(of: 5) ? 2 : 1),
                "{\"text\":\"message number \(number) of many\"}",
                direction: number.isMultiple(of: 3) ? .outbound : .inbound)
            if number == 7 {
                one.facts.attachments = [
                    AttachmentUse(
                        id: blob.id, name: "a.png", mediaType: "image/png",
                        byteCount: blob.byteCount)
                ]
            }
            _ = try await store.accept(one)
        }
        let big = String(repeating: "x", count: 10_000)
        _ = try await store.accept(submission("big", to: conversation(1), "{\"t\":\"\(big)\"}"))
        _ = try await store.one(
            AddNote(
                NoteID(uniqueID(9)), to: conversation(2), text: "call back", by: .agent(agent(1)),
                at: dawn))
        _ = try await store.change(conversation(2), .close)
        _ = try await store.accept(submission("again", to: conversation(2)))
        try await store.remember(
            RememberedAnswer(
                scope: "key one", body: .sha256([1]),
                content: .answer(status: 201, body: Array("made".utf8)), time: dawn))
        try await store.remember(
            RememberedAnswer(
                scope: "key two", body: .sha256([2]),
                content: .message(conversation(2), try messageID("again")), time: dawn))
    }

    /// Everything that readers are given of messages, events, notes, conversations and answers.
    static func read(_ directory: String) throws -> [String] {
        let file = try Connection(path: directory + "/frontdesk.sqlite", for: .copy)
        var lines: [String] = []
        for table in ["messages", "events", "notes", "conversations", "answers"] {
            let columns = try file.prepare("SELECT name FROM pragma_table_info('\(table)')")
                .all { $0.text() }
            // Payloads are read as bytes, whatever SQLite says they are.
            let row = columns.map {
                $0 == "payload" ? "quote(CAST(payload AS BLOB))" : "quote(\($0))"
            }
            .joined(separator: "||','||")
            lines += try file.prepare("SELECT '\(table) '||\(row) FROM \(table) ORDER BY 1")
                .all { $0.text() }
        }
        return lines
    }

    /// Changes the file behind the store's back.
    static func change(_ directory: String, _ sql: String) throws {
        let file = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: true)
        try file.execute(sql)
    }
}

/// Things that several threads put down.
final class Heap<Thing: Sendable>: Sendable {
    private let things = Mutex<[Thing]>([])

    var all: [Thing] { things.withLock { $0 } }

    /// Puts one down and says how many there are.
    @discardableResult
    func add(_ thing: Thing) -> Int {
        things.withLock { things in
            things.append(thing)
            return things.count
        }
    }
}
