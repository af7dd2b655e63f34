import DeskModel
import DeskStore
import StoreSupport
import Testing

@testable import DeskArchive

/// Notes where an archive goes.
@Suite struct ArchivedNoteTests {
    private static let name = NoteID(UniqueID(high: 0xE, low: 1))
    private static let later = FilledStore.dawn.advanced(by: .seconds(5))

    private static func mentioned() -> Mentioned {
        Mentioned([FilledStore.agent], permitted: [.owner])
    }

    @Test(arguments: ArchivePlace.Way.all)
    func `a note says since when it mentions someone after an export and an import`(
        way: ArchivePlace.Way
    ) async throws {
        try await ArchivePlace.with(way.from, way.to) { places in
            let opened = try await places[0].fill(messages: 12)
            let place = FilledStore.conversation(2)
            let author = Author.agent(FilledStore.agent)
            _ = try await opened.store.append(
                AddNote(Self.name, to: place, text: "Lok", by: author, at: FilledStore.dawn)
            ).get()
            let edited = try await opened.store.append(
                ChangeNote(
                    Self.name, in: place, to: "Look", mentions: Self.mentioned(), by: author,
                    at: Self.later)
            ).get()
            #expect(edited.mentioning(FilledStore.agent) == Self.later)
            let bytes = try await FilledStore.export(opened)
            await opened.close()
            #expect(try FilledStore.take(bytes, into: places[1]).damage == [])
            let again = try await places[1].open()
            let found = try await again.store.notes(in: place, from: .start, to: SequenceNumber(99))
            #expect(found.filter { $0.id == Self.name } == [edited])
            await again.close()
        }
    }

    @Test func `times that are not one for each mention are refused with their line`()
        async throws
    {
        try await ArchivePlace.with(.inFile, .inFile) { places in
            let opened = try await places[0].fill(messages: 12)
            var text = ArchiveText(try await FilledStore.export(opened))
            await opened.close()
            let place = try #require(
                text.lines.firstIndex { $0.starts(with: Array("{\"type\":\"note\"".utf8)) })
            var line = String(decoding: text.lines[place], as: UTF8.self)
            line.replace(
                "\"teams\":",
                with:
                    #""mentionedAt":["2026-07-30T09:15:00.250Z","2026-07-30T09:15:00.250Z"],"teams":"#
            )
            text.lines[place] = Array(line.utf8)
            let error = #expect(throws: ArchiveFault.self) {
                try FilledStore.take(text.resummed(), into: places[1])
            }
            #expect(error?.line == place + 1)
            #expect(error?.reason.contains("mentionedAt") == true)
        }
    }
}
