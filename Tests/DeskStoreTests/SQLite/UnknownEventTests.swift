import DeskModel
import DeskSQL
import DeskStore
import Testing

@testable import DeskStoreSQLite

/// Events of types that only a later program knows.
@Suite struct UnknownEventTests {
    /// A store whose log has two events of an unknown type, one of a conversation and one without.
    static func make(in directory: String) async throws {
        let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
        try await store.begin(conversation(1))
        _ = try await store.accept(submission("a", to: conversation(1)))
        await store.close()
        let file = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: true)
        let next = try file.prepare("SELECT max(position) + 1 FROM events").first { $0.integer() }
        try append(at: try #require(next), revision: 3, #"{"why":"é"}"#, to: file)
        try append(at: try #require(next) + 1, revision: 4, "{state=4:spam,}", to: file)
    }

    /// Appends an event of conversation 1 as a later program would.
    private static func append(
        at position: Int64, revision: Int64, _ data: String, to file: Connection
    ) throws {
        let insert = try file.prepare(
            """
            INSERT INTO events (\(RowLayout.events.columns.joined(separator: ", ")), seal) \
            VALUES (\(Dialect.parameters(RowLayout.events.count + 1)))
            """)
        insert.beginChecksum()
        try insert.bind(position)
        try insert.bind("conversation.flagged")
        try insert.bind(dawn)
        try insert.bind(1 as Int64)
        try insert.bind(1 as Int64)
        try insert.bind(nil as Int64?)
        try insert.bind(Array(data.utf8))
        try insert.bind(revision)
        try insert.bindChecksum(.events)
        try insert.run()
    }

    @Test func `an event of an unknown type is read as it is`() async throws {
        try await withScratch { directory in
            try await Self.make(in: directory)
            let store = try SQLiteStore(
                directory: directory, newEpoch: Epoch(1), damaged: { Issue.record("\($0)") })
            let events = try await store.events(after: .start, in: .everything, limit: 9).events
            let types = events.map(\.type.rawValue)
            #expect(
                types == [
                    "conversation.opened", "message.accepted", "conversation.flagged",
                    "conversation.flagged",
                ])
            #expect(events[2].body == .json(Array(#"{"why":"é"}"#.utf8)))
            #expect(events[2].conversation?.id == conversation(1))
            // A record is no JSON object: only that it happened is passed on.
            #expect(events[3].body == .json(Array("{}".utf8)))
            #expect(try await store.types(.conversation(conversation(1))).count == 4)
            #expect(try await store.types(.customer(conversation(1))) == [.messageAccepted])
            // The conversation goes on after it.
            #expect(try await store.require(conversation(1)).revision == Revision(4))
            let next = try await store.accept(submission("b", to: conversation(1)))
            #expect(next.message.position == Position(5))
            await store.close()
            #expect(try StoreVerification(reading: directory).damage == [])
        }
    }

    @Test func `an archive carries events of unknown types into another store`() async throws {
        try await withScratch { directory in
            try await Self.make(in: directory + "/one")
            let store = try SQLiteStore(directory: directory + "/one", newEpoch: Epoch(1))
            let head = Heap<ArchiveHead>()
            let items = Heap<ArchiveItem>()
            try await store.archive(
                with: DirectoryBlobStore(directory: directory + "/one/blobs"), at: dawn,
                begin: { head.add($0) }, take: { items.add($0) })
            let before = try await store.events(after: .start, in: .everything, limit: 9).events
            await store.close()
            let into = try ArchiveImport(
                try #require(head.all.first), into: directory + "/two", newEpoch: Epoch(2))
            for item in items.all { try into.take(item) }
            #expect(try into.finish().damage == [])
            let second = try SQLiteStore(directory: directory + "/two", newEpoch: Epoch(3))
            let after = try await second.events(after: .start, in: .everything, limit: 9).events
            #expect(after.map(\.type) == before.map(\.type))
            #expect(after.map(\.body) == before.map(\.body))
            await second.close()
        }
    }

    @Test(arguments: [
        "", "Message.accepted", "a b", ".a", "a\n", String(repeating: "a", count: 65),
    ])
    func `what no program wrote as a type is damage`(text: String) {
        #expect(EventType(rawValue: text) == nil)
    }
}
