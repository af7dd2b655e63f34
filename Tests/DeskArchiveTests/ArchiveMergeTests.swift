import DeskModel
import DeskStore
import FoundationEssentials
import StoreSupport
import Testing

@testable import DeskArchive

/// A store that has data gets what it lacks, and only that.
@Suite struct ArchiveMergeTests {
    private func merge(
        _ path: String, into opened: ArchivePlace.Opened
    ) async throws -> ArchiveMerge {
        var merge = ArchiveMerge(into: opened.store, opened.blobs)
        try await merge.run(ArchiveSource(path))
        return merge
    }

    /// The account of the archive's owner, made here under another id.
    private static let here = Agent(
        id: AgentID(UniqueID(high: 0xA, low: 77)), name: "Ada", email: "ada@example.com",
        password: nil, createdAt: FilledStore.dawn)

    /// Who is in the store that an archive is merged into.
    enum People: CaseIterable, Sendable {
        case none
        case others
        case theOwner
    }

    @Test(arguments: ArchivePlace.Way.all, People.allCases)
    func `people who are here have their roles in a business that comes along`(
        way: ArchivePlace.Way, people: People
    ) async throws {
        try await ArchivePlace.with(way.from, way.to) { places in
            let opened = try await places[0].fill(messages: 3)
            let path = places[0].directory + ".jsonl"
            try Data(try await FilledStore.export(opened)).write(to: URL(filePath: path))
            await opened.close()

            let into = try await places[1].open(2)
            into.store.follow { _ in }
            let isHere = people == .theOwner
            if people != .none {
                var one = Self.here
                if !isHere { one.email = "bob@example.com" }
                _ = try await into.store.save(one, author: .server)
            }
            let first = try await merge(path, into: into)
            let roles = try await into.store.memberships(of: Self.here.id)
            #expect(
                roles.contains { $0.business == FilledStore.shop && $0.role == .owner } == isHere)
            #expect(first.text.contains("memberships of people who are here") == isHere)
            #expect(first.text.contains("has no owner here") == (people == .others))
            // The business is known now: a file gives no one a role in it.
            let second = try await merge(path, into: into)
            #expect(!second.text.contains("owner") && !second.text.contains("people who"))
            #expect(try await into.store.memberships(of: Self.here.id) == roles)
            await into.close()
        }
    }

    @Test(arguments: ArchivePlace.Way.all)
    func `importing an export twice adds nothing, and other content is refused alone`(
        way: ArchivePlace.Way
    ) async throws {
        try await ArchivePlace.with(way.from, way.to) { places in
            let opened = try await places[0].fill(messages: 30)
            let path = places[0].directory + ".jsonl"
            try Data(try await FilledStore.export(opened)).write(to: URL(filePath: path))
            await opened.close()

            let into = try await places[1].open(2)
            let other = into.store
            other.follow { _ in }
            // The customer is known here by another conversation, with one message of that id.
            try await other.save(
                Business(
                    id: FilledStore.shop, name: "Mine", colour: "#000000", mode: .live,
                    createdAt: FilledStore.dawn), author: .server)
            let mine = FilledStore.conversation(99)
            let customer = Customer(id: try #require(CustomerID("urn:mbid:AAA1=")))
            let facts = MessageFacts(
                direction: .outbound, kind: .text, author: .server, origin: .api)
            _ = try await other.append([
                [
                    .open(
                        OpenConversation(
                            mine, business: FilledStore.shop, customer: customer,
                            at: FilledStore.dawn))
                ],
                [
                    .message(
                        NewMessage(
                            Submission(
                                conversation: mine, id: try #require(MessageID("m2")),
                                payload: Array("{}".utf8), facts: facts), at: FilledStore.dawn))
                ],
            ])
            let first = try await merge(path, into: into)
            #expect(
                first.text.hasPrefix(
                    "added 30 messages in 3 new conversations; 0 were there already\nrefused 1"))
            #expect(
                first.conflicts.map(\.reason) == ["message m2 is there already with other content"])
            #expect(try await other.findBusiness(FilledStore.shop)?.name == "Mine")
            let newest = other.newest
            let second = try await merge(path, into: into)
            #expect(
                second.text.hasPrefix(
                    "added 0 messages in 0 new conversations; 30 were there already\nrefused 1"))
            #expect(other.newest == newest)
            // Of what was posted in other bytes than the payload's, the sender's repeat is known.
            await into.close()
            #expect(try await places[1].verify().damage == [])
        }
    }
}
