import DeskLog
import DeskModel
import DeskStore
import FoundationEssentials
import Testing

@testable import DeskStoreSQLite

/// What the index in a file keeps of notes that were edited or deleted.
struct NoteIndexTests {
    private static let note = NoteID(uniqueID(1))

    private static func withStore(
        _ body: (SQLiteStore, String) async throws -> Void
    ) async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
            do {
                try await store.begin(conversation(1))
                _ = try await store.one(
                    AddNote(
                        note, to: conversation(1), text: "8f3bfirst", by: .agent(agent(1)), at: dawn
                    ))
                try await body(store, directory)
            } catch {
                await store.close()
                throw error
            }
            await store.close()
        }
    }

    private static func edit(to text: String?, in store: SQLiteStore) async throws {
        _ = try await store.one(
            ChangeNote(note, in: conversation(1), to: text, by: .agent(agent(1)), at: dawn))
    }

    private static func open(
        _ store: SQLiteStore, _ directory: String, merging: Duration
    ) throws -> SQLiteSearch {
        try SQLiteSearch(
            of: store, path: directory + "/" + SQLiteSearch.fileName, metrics: Metrics(),
            isPatient: false,
            notesMerge: merging, readable: readable)
    }

    /// Whether the index's files have the word.
    private static func has(_ word: String, in directory: String) throws -> Bool {
        try ["", "-wal"].contains { ending in
            let path = directory + "/" + SQLiteSearch.fileName + ending
            guard FileManager.default.fileExists(atPath: path) else { return false }
            return try Data(contentsOf: URL(filePath: path)).firstRange(of: Data(word.utf8)) != nil
        }
    }

    @Test func `no file of the index has a word of a note that was edited or deleted`() async throws
    {
        try await Self.withStore { store, directory in
            let search = try Self.open(store, directory, merging: .zero)
            try await search.catchUp()
            #expect(try Self.has("8f3bfirst", in: directory))
            try await Self.edit(to: "8f3bsecond", in: store)
            try await search.catchUp()
            #expect(try !Self.has("8f3bfirst", in: directory))
            #expect(try Self.has("8f3bsecond", in: directory))
            try await Self.edit(to: nil, in: store)
            try await search.catchUp()
            #expect(try !Self.has("8f3b", in: directory))
            await search.close()
        }
    }

    @Test func `words wait for their merge, which a process that ends leaves to the next one`()
        async throws
    {
        try await Self.withStore { store, directory in
            let first = try Self.open(store, directory, merging: .seconds(3_600))
            try await first.catchUp()
            try await Self.edit(to: "8f3bsecond", in: store)
            try await first.catchUp()
            // The first one is made at once.
            #expect(try !Self.has("8f3bfirst", in: directory))
            try await Self.edit(to: "8f3bthird", in: store)
            try await first.catchUp()
            #expect(try Self.has("8f3bsecond", in: directory))
            await first.close()
            let second = try Self.open(store, directory, merging: .seconds(3_600))
            try await second.catchUp()
            #expect(try !Self.has("8f3bsecond", in: directory))
            #expect(try Self.has("8f3bthird", in: directory))
            await second.close()
        }
    }
}
