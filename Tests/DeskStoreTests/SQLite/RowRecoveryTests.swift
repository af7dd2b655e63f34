import DeskModel
import DeskStore
import FoundationEssentials
import Testing

@testable import DeskStoreSQLite

/// What holds while rows of conversations lack their newest messages.
@Suite struct RowRecoveryTests {
    @Test func `a crash loses nothing of what rows lacked`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            for number in 1...40 {
                _ = try await store.accept(submission("a\(number)", to: conversation(1)))
            }
            _ = try await store.change(conversation(1), .markRead(SequenceNumber(40)))
            _ = try await store.accept(submission("b", to: conversation(1)))
            _ = try await store.accept(
                submission("c", to: conversation(2), direction: .outbound))
            // An event that is no message raises the revision, and its row lags as well.
            _ = try await store.one(
                AppendEvent(
                    .messageDeliveredUpstream, of: business(1), in: conversation(1),
                    data: Array("{}".utf8), at: dawn))
            let before = try await store.require(conversation(1))
            #expect(before.revision == Revision(43))
            let other = try await store.require(conversation(2))
            #expect(before.newest == SequenceNumber(41))
            #expect(before.unread == 1)

            let copy = try Self.copy(of: directory)
            let row = try Connection(path: copy + "/frontdesk.sqlite", mayWrite: true)
                .prepare("SELECT newest FROM conversations WHERE number = 1")
            #expect(try row.first { $0.integer() } == 40)

            let second = try SQLiteStore(directory: copy, newEpoch: Epoch(2))
            #expect(try await second.require(conversation(1)) == before)
            #expect(try await second.require(conversation(2)) == other)
            let thread = try await second.messages(in: conversation(1), .newest, limit: 300)
            #expect(thread.elements.map(\.sequence.value) == Array(1...41))
            let next = try await second.accept(submission("d", to: conversation(1)))
            #expect(next.message.sequence == SequenceNumber(42))
            #expect(try await second.require(conversation(1)).revision == Revision(44))
            await second.close()
            await store.close()
        }
    }

    @Test func `after a crash an answer that is promised is still awaited`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            try await store.begin(conversation(1))
            _ = try await store.one(
                SaveServiceLevels(
                    Array(#"{"firstAnswer":{"none":5}}"#.utf8), of: business(1),
                    event: Array("{}".utf8), by: .agent(agent(1)), at: dawn))
            _ = try await store.accept(submission("a", to: conversation(1)))
            let before = try await store.require(conversation(1))
            #expect(before.answerDue == AnswerDue(.first))
            let copy = try Self.copy(of: directory)
            let second = try SQLiteStore(directory: copy, newEpoch: Epoch(2))
            #expect(try await second.require(conversation(1)) == before)
            await second.close()
            await store.close()
        }
    }

    /// The files as a process that was killed leaves them.
    private static func copy(of directory: String) throws -> String {
        let copy = directory + "/copy"
        try FileManager.default.createDirectory(
            atPath: copy, withIntermediateDirectories: false)
        for name in ["frontdesk.sqlite", "frontdesk.sqlite-wal"] {
            try FileManager.default.copyItem(
                atPath: directory + "/" + name, toPath: copy + "/" + name)
        }
        return copy
    }

    @Test func `rows that lag are written in the end, however many there are`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            let count = UInt64(WriteSession.maximumUnflushed + 40)
            for number in 1...count {
                try await store.begin(conversation(number), customer: number)
                _ = try await store.accept(submission("a", to: conversation(number)))
            }
            #expect(store.memory.unflushed.count <= WriteSession.maximumUnflushed)
            for number in 1...count {
                let one = try await store.require(conversation(number))
                #expect(one.newest == SequenceNumber(1))
            }
            await store.close()
            let file = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: true)
            let behind = try file.prepare("SELECT count(*) FROM conversations WHERE newest <> 1")
            #expect(try behind.first { $0.integer() } == 0)
        }
    }

    @Test func `a lost transaction leaves conversations as the last commit left them`() throws {
        let path =
            FileManager.default.temporaryDirectory.path
            + "/settlement-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }  // Safe: it is temporary.
        let connection = try Connection(path: path, mayWrite: true)
        try Migrations.run(on: connection)
        try connection.execute(
            """
            INSERT INTO businesses (id, name, colour, world, is_sandbox, created_at) \
            VALUES (x'00000000000040000000000000000001', 'S', '#000000', 'test', 0, 0)
            """)
        let session = try WriteSession(
            connection: connection, epoch: Epoch(1), newest: 0,
            recorder: RegistryRecorder(memory: nil, time: .system))
        func message(_ id: String) throws -> WriteGroup<NewMessage> {
            WriteGroup(NewMessage(try submission(id, to: conversation(1)), at: dawn))
        }
        try session.begin()
        _ = try session.apply(
            WriteGroup(
                OpenConversation(
                    conversation(1), business: business(1), customer: try customer(1), at: dawn)))
        try session.commit()
        _ = session.finish()
        try session.begin()
        _ = try session.apply(try message("a"))
        try session.commit()
        #expect(session.finish().changes.unflushed.count == 1)

        let newest = session.newest
        try session.begin()
        _ = try session.apply(try message("b"))
        session.flushRows()
        try session.rollback(to: newest)

        try session.begin()
        let acceptance = try session.apply(try message("c")).get()
        #expect(acceptance.message.sequence == SequenceNumber(2))
        session.flushRows()
        try session.commit()
        #expect(session.finish().changes.areFlushed)
        let row = try connection.prepare("SELECT newest FROM conversations")
        #expect(try row.first { $0.integer() } == 2)
    }
}
