import DeskModel
import TestSupport
import Testing

@testable import DeskStore

extension SearchIndex {
    /// What is found of notes, the newest first, over all pages.
    fileprivate func notes(
        _ text: String, in businesses: Set<BusinessID> = [business(1)], pageSize: Int = 50
    ) async throws -> [String] {
        var texts: [String] = []
        var place: Position?
        repeat {
            let page = try await searchNotes(
                try SearchQuery(text), in: businesses, at: PageEdge(after: place), limit: pageSize)
            texts += page.hits.map(\.note.note.text)
            place = page.next
        } while place != nil
        return texts
    }
}

/// What every search index promises of notes.
@Suite struct NoteSearchContract {
    private static let me = Author.agent(agent(1))

    private static func add(
        _ number: UInt64, _ text: String, to place: UInt64 = 1, in store: any Store
    ) async throws {
        _ = try await store.one(
            AddNote(
                NoteID(uniqueID(number)), to: conversation(place), text: text, by: me, at: dawn))
    }

    private static func change(
        _ number: UInt64, to text: String?, in store: any Store
    ) async throws {
        _ = try await store.one(
            ChangeNote(
                NoteID(uniqueID(number)), in: conversation(1), to: text, by: me, at: dawn))
    }

    @Test(arguments: Indexed.allCases)
    func `notes are found by their words as they are now, and deleted ones are not`(
        kind: Indexed
    ) async throws {
        try await kind.with { store, search in
            try await store.begin(conversation(1))
            try await Self.add(1, "Asked the Kyoto shop", in: store)
            try await Self.add(2, "配送日は火曜日", in: store)
            #expect(try await search.notes("kyoto") == [])
            try await search.catchUp()
            #expect(try await search.notes("KYO shop") == ["Asked the Kyoto shop"])
            #expect(try await search.notes("配送") == ["配送日は火曜日"])
            #expect(try await search.notes("osaka") == [])
            #expect(try await search.ids("kyoto") == [])
            // What was edited is not shown for its earlier words, before it is read and after.
            try await Self.change(1, to: "Asked the Osaka shop", in: store)
            #expect(try await search.notes("kyoto") == [])
            try await search.catchUp()
            #expect(try await search.notes("kyoto") == [])
            #expect(try await search.notes("osaka") == ["Asked the Osaka shop"])
            try await Self.change(1, to: nil, in: store)
            #expect(try await search.notes("osaka") == [])
            try await search.catchUp()
            #expect(try await search.notes("osaka") == [])
            #expect(try await search.notes("配送") == ["配送日は火曜日"])
        }
    }

    @Test(arguments: Indexed.allCases)
    func `notes of before the index are read into it, and those of other businesses are not shown`(
        kind: Indexed
    ) async throws {
        try await kind.with { store, search in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), in: business(2), customer: 2)
            // More than one reading has.
            for number in 1...310 as ClosedRange<UInt64> {
                try await Self.add(number, "parcel \(number)", to: 1 + number % 2, in: store)
            }
            try await Self.change(2, to: "letter", in: store)
            try await search.catchUp()
            #expect(try await search.notes("parcel 308") == ["parcel 308"])
            #expect(try await search.notes("parcel 309") == [])
            #expect(try await search.notes("parcel 309", in: [business(2)]) == ["parcel 309"])
            #expect(try await search.notes("parcel", in: []) == [])
            let both = [business(1), business(2)] as Set
            let all = try await search.notes("parcel", in: both, pageSize: 100)
            #expect(all == (1...310).reversed().filter { $0 != 2 }.map { "parcel \($0)" })
        }
    }

    @Test(arguments: Indexed.allCases)
    func `pages of notes are read back as they were read forward`(kind: Indexed) async throws {
        try await kind.with { store, search in
            try await store.begin(conversation(1))
            for number in 1...10 as ClosedRange<UInt64> {
                try await Self.add(number, "parcel \(number)", in: store)
            }
            try await search.catchUp()
            let query = try SearchQuery("parcel")
            func page(_ edge: PageEdge<Position>) async throws -> NotePage {
                try await search.searchNotes(query, in: [business(1)], at: edge, limit: 4)
            }
            var pages = [try await page(.start)]
            #expect(pages[0].previous == nil)
            while let next = pages.last?.next { pages.append(try await page(.after(next))) }
            #expect(pages.map(\.hits.count) == [4, 4, 2])
            let middle = try await page(.before(try #require(pages[2].previous)))
            #expect(middle.hits.map(\.note.number) == pages[1].hits.map(\.note.number))
            let first = try await page(.before(try #require(middle.previous)))
            #expect(first.hits.map(\.note.number) == pages[0].hits.map(\.note.number))
            #expect(first.previous == nil)
        }
    }
}
