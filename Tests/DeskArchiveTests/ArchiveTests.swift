import DeskModel
import DeskStore
import DeskStoreSQLite
import FoundationEssentials
import StoreSupport
import TestSupport
import Testing

@testable import DeskArchive

/// What is exported comes back exactly, and nothing else is accepted.
@Suite struct ArchiveTests {
    @Test(arguments: ArchiveLine.types + [ArchiveLine.title, "end"])
    func `the page for operators names each type of line`(type: String) throws {
        let page = try #require(TestFiles.text("docs/operations.md"))
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
            .compactMap { $0.split(separator: "|").first }
        #expect(rows.contains { $0.contains("`\(type)`") })
    }

    @Test(arguments: ArchivePlace.Way.all, [0, 40] as [Int64])
    func `an export becomes the same store again, byte for byte, whatever the engines`(
        way: ArchivePlace.Way, forgotten: Int64
    ) async throws {
        try await ArchivePlace.with(way.from, way.to) { places in
            let opened =
                way.hasPostgreSQL
                ? try await places[0].fill()
                : try await places[0].fill(note: FilledStore.noteOfSQLite)
            let store = opened.store
            if forgotten > 0 { try await store.prune(upTo: Position(forgotten)) }
            let first = try await FilledStore.export(opened)
            let page = try await store.events(
                after: Position(forgotten), in: .everything, limit: 300)
            await opened.close()

            let found = try FilledStore.take(first, into: places[1])
            #expect(found.damage == [])
            #expect(found.counts.messages == 71)
            let again = try await places[1].open()
            let copy = again.store
            copy.follow { _ in }
            #expect(copy.epoch == Epoch(7))
            let events = try await copy.events(
                after: Position(forgotten), in: .everything, limit: 300)
            #expect(events.events.map(\.body) == page.events.map(\.body))
            #expect(events.events.map(\.id.position) == page.events.map(\.id.position))
            #expect(events.events.map(\.revision) == page.events.map(\.revision))
            #expect(page.events.allSatisfy { ($0.revision == nil) == ($0.conversation == nil) })
            let second = try await FilledStore.export(again)
            #expect(ArchiveText(second).things == ArchiveText(first).things)
            let key = try #require(try await copy.findKey(FilledStore.key))
            #expect(key.limits == FilledStore.limits)
            #expect(key.predecessor != nil)
            // A link has an unknown secret, and sends nothing that the archive has.
            let links = try await copy.gatewayLinks()
            #expect(links.map(\.side) == [.provider, .upstream])
            #expect(Set(links.map(\.secret)).count == 2)
            #expect(links.allSatisfy { $0.secret.count == GatewayLink.secretBytes })
            for link in links {
                #expect(try await copy.findCursor(of: link.outbox) == page.end)
            }
            // It goes on where it was.
            let next = try await copy.append([
                [
                    .change(
                        ChangeConversation(
                            FilledStore.conversation(1), .close, by: .server, at: FilledStore.dawn
                        ))
                ]
            ])
            #expect(next.count == 1)
            #expect(copy.newest.value == page.end.value + 1)
            await again.close()
            #expect(try await places[1].verify().damage == [])
        }
    }

    @Test(arguments: ArchivePlace.Engine.all)
    func `an export of the first version starts revisions at the newest message`(
        engine: ArchivePlace.Engine
    ) async throws {
        try await ArchivePlace.with(engine, engine) { places in
            let opened = try await places[0].fill()
            var text = ArchiveText(try await FilledStore.export(opened))
            await opened.close()
            text.lines = try text.lines.map { line in
                var line = String(decoding: line, as: UTF8.self)
                if line.contains("frontdesk-export") {
                    line.replace("\"version\":3,", with: "\"version\":1,")
                }
                line.replace(try Regex("\"revision\":[0-9]+,"), with: "")
                if line.hasPrefix("{\"type\":\"conversation\"") {
                    line.replace(
                        try Regex("\"author\":\\{[^}]*\\},(?=\"time\")"), with: "")
                }
                return Array(line.utf8)
            }
            let found = try FilledStore.take(text.resummed(), into: places[1])
            #expect(found.damage == [])
            let again = try await places[1].open()
            let copy = again.store
            copy.follow { _ in }
            for number in 1...3 as ClosedRange<UInt64> {
                let found = try await copy.findConversation(FilledStore.conversation(number))
                let one = try #require(found)
                #expect(one.revision.value == one.newest.value)
                let page = try await copy.messages(in: one.id, .newest, limit: 1)
                #expect(one.last?.author == page.elements.last?.facts.author)
            }
            await again.close()
        }
    }

    @Test(arguments: ArchivePlace.Way.all.filter { $0.from == .inFile })
    func `a text that the other engine cannot hold is refused with its line, any other goes in`(
        way: ArchivePlace.Way
    ) async throws {
        try await ArchivePlace.with(way.from, way.to) { places in
            let opened = try await places[0].fill(note: FilledStore.noteOfSQLite)
            let text = ArchiveText(try await FilledStore.export(opened))
            await opened.close()
            guard way.to == .inPostgreSQL else {
                #expect(try FilledStore.take(text.bytes, into: places[1]).isClean)
                return
            }
            let place = text.lines.firstIndex { $0.starts(with: Array("{\"type\":\"note\"".utf8)) }
            let error = #expect(throws: ArchiveFault.self) {
                try FilledStore.take(text.bytes, into: places[1])
            }
            #expect(error?.reason.contains("a text with the character U+0000") == true)
            #expect(try (error?.line ?? 0) >= #require(place) + 1)
            #expect(try places[1].isEmpty)
        }
    }

    @Test func `no secret is ever in an export`() async throws {
        try await ArchivePlace.with(.inFile) { places in
            let opened = try await places[0].fill()
            let bytes = try await FilledStore.export(opened)
            await opened.close()
            let path = places[0].directory + "/frontdesk.sqlite"
            let kept = try Data(contentsOf: URL(filePath: path))
            let text = String(decoding: bytes, as: UTF8.self)
            for (place, canary) in FilledStore.canaries.prefix(3).enumerated() {
                // The last is a link's secret, which the store has encrypted.
                let isPlain = kept.firstRange(of: Data(canary.utf8)) != nil
                #expect(isPlain == (place < 2), "\(canary)")
                #expect(!text.contains(canary), "\(canary)")
            }
            for secret in FilledStore.secrets.prefix(2) {
                #expect(
                    kept.firstRange(of: Data(secret.bytes)) != nil, "it is not even in the store")
                #expect(!text.contains(secret.text))
                #expect(!text.contains(Data(secret.bytes).base64EncodedString()))
            }
        }
    }

    @Test(arguments: ArchivePlace.Engine.all)
    func `what is accepted while an export is made is not in it`(
        engine: ArchivePlace.Engine
    ) async throws {
        try await ArchivePlace.with(engine) { places in
            let opened = try await places[0].fill()
            let store = opened.store
            let before = try await FilledStore.export(opened)
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let mayGoOn = WorkQueue<Void>(limit: 1)
            let writer = ArchiveCollector()
            try await withThrowingTaskGroup { group in
                group.addTask {
                    try await store.archive(
                        with: opened.blobs, at: FilledStore.dawn,
                        begin: { _ in
                            // The export waits here until something new is flushed.
                            begin.yield()
                            _ = mayGoOn.take(atMost: 1)
                        }, take: { item throws(StoreError) in try writer.add(item) })
                }
                for await _ in begun { break }
                _ = try await store.append([
                    [
                        .note(
                            AddNote(
                                NoteID(UniqueID(high: 0xD, low: 2)),
                                to: FilledStore.conversation(1), text: "later", by: .server,
                                at: FilledStore.dawn))
                    ]
                ])
                _ = mayGoOn.offer(())
                try await group.waitForAll()
            }
            #expect(writer.lines == ArchiveText(before).things.filter(ArchiveCollector.isNoPiece))
            let after = try await FilledStore.export(opened)
            #expect(ArchiveText(after).lines.count == ArchiveText(before).lines.count + 2)
            await opened.close()
        }
    }

    @Test func `what is damaged ends an export with its name`() async throws {
        try await ArchivePlace.with(.inFile) { places in
            let opened = try await places[0].fill()
            let use = try #require(
                try await opened.store.findAttachment(
                    AttachmentID(.sha256(FilledStore.longFile)),
                    heldBy: .conversation(FilledStore.conversation(1))))
            let path = DirectoryBlobStore.path(of: use.id, in: places[0].directory + "/blobs")
            try Data("something else".utf8).write(to: URL(filePath: path))
            let error = await #expect(throws: StoreError.self) {
                try await FilledStore.export(opened)
            }
            #expect(error?.code == .damaged)
            #expect(error?.detail.contains("attachment \(use.id.text) is not what it was") == true)
            await opened.close()
        }
    }
}
