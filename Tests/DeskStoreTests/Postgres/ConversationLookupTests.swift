import DeskModel
import DeskStore
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskStorePostgres

/// What many callers ask of a database at the same time.
@Suite struct ConversationLookupTests {
    @Test func `callers that ask together get each their own conversation`() async throws {
        try await PostgresSchema.with { address in
            let store = try await PostgresStore(
                .init(address: address, keys: .random()), newEpoch: Epoch(0xE))
            for number in UInt64(1)...40 {
                try await store.begin(conversation(number), customer: number)
            }
            let found = try await withThrowingTaskGroup(of: (UInt64, ConversationID?).self) {
                group in
                for round in 0..<400 {
                    let number = UInt64(round % 50 + 1)
                    group.addTask {
                        (number, try await store.findConversation(conversation(number))?.id)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(found.count == 400)
            for (number, id) in found {
                #expect(id == (number <= 40 ? conversation(number) : nil), "\(number)")
            }
            await store.close()
            let closed = await #expect(throws: StoreError.self) {
                _ = try await store.findConversation(conversation(1))
            }
            #expect(closed?.code == .closed)
        }
    }

    @Test func `a damaged conversation fails those alone who ask for it`() async throws {
        try await PostgresSchema.with { address in
            let options = PostgresRegistries.Options(address: address, keys: .random())
            let store = try await PostgresStore(options, newEpoch: Epoch(0xE))
            for number in UInt64(1)...10 {
                try await store.begin(conversation(number), customer: number)
            }
            let outside = PostgresRegistries(options)
            try await outside.execute(
                """
                UPDATE conversations SET last_summary = 'x' WHERE number = \
                (SELECT min(number) FROM conversations)
                """)
            await outside.close()
            await withTaskGroup(of: (UInt64, Result<ConversationID?, any Error>).self) { group in
                for round in 0..<100 {
                    let number = UInt64(round % 10 + 1)
                    group.addTask {
                        do {
                            let id = try await store.findConversation(conversation(number))?.id
                            return (number, .success(id))
                        } catch {
                            return (number, .failure(error))
                        }
                    }
                }
                for await (number, answer) in group {
                    switch answer {
                    case .success(let id):
                        #expect(number != 1 && id == conversation(number), "\(number)")
                    case .failure(let error):
                        #expect(number == 1 && (error as? StoreError)?.code == .damaged, "\(error)")
                    }
                }
            }
            await store.close()
            // A process that has none at hand meets it in a group of messages, of which the others are accepted.
            let other = try await PostgresStore(options, newEpoch: Epoch(0xE))
            await withTaskGroup(of: (UInt64, Bool).self) { group in
                for number in UInt64(1)...10 {
                    group.addTask {
                        // Safe: whether it was accepted is what is asked.
                        let answer = try? await other.accept(
                            submission("m\(number)", to: conversation(number)))
                        return (number, answer != nil)
                    }
                }
                for await (number, isAccepted) in group { #expect(isAccepted == (number != 1)) }
            }
            await other.close()
        }
    }

    @Test func `a connection that ended while idle is replaced`() async throws {
        try await PostgresSchema.with { address in
            let options = PostgresRegistries.Options(address: address, keys: .random())
            let store = try await PostgresStore(options, newEpoch: Epoch(0xE))
            try await store.begin(conversation(1))
            #expect(try await store.findConversation(conversation(1)) != nil)
            let server = try PostgresConnection(address: address, library: options.library)
            try server.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE query LIKE '%c.id = ANY(%' AND pid <> pg_backend_pid()
                """)
            #expect(try await store.findConversation(conversation(1)) != nil)
            await store.close()
        }
    }

    @Test(
        arguments: [
            ("12 34", 12, 34), (LogHint(position: Position(7), writer: 9).text, 7, 9),
            (" 1 2", 1, 2),
        ] as [(String, Int64, Int64)])
    func `a notice says how far the log goes and who wrote it`(
        notice: String, position: Int64, writer: Int64
    ) {
        #expect(LogHint(notice) == LogHint(position: Position(position), writer: writer))
    }

    @Test(arguments: ["", "-1 2", "12", "12 x", "1 2 3", "99999999999999999999 1", "12,34"])
    func `a notice of another program is one that says nothing`(notice: String) {
        #expect(LogHint(notice) == nil)
    }
}
