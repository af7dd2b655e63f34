import DeskModel
import DeskStore
import FoundationEssentials
import TestSupport
import Testing

@testable import DeskStoreSQLite

/// Stores of every schema version, opened by this program.
@Suite struct SchemaFixtureTests {
    static let versions = Array(1...Int(Migrations.newest))

    @Test func `every schema version has a fixture`() async throws {
        for version in Self.versions where SchemaFixture.text(of: version) == nil {
            guard version == Int(Migrations.newest) else {
                Issue.record("there is no fixture of version \(version)")
                continue
            }
            try await SchemaFixture.writeNewest()
            Issue.record("the newest version had no fixture; it was written now: commit it")
        }
    }

    // What this finds is an edit of a landed step, or a step that reads what is not frozen.
    @Test(arguments: versions)
    func `the steps up to a version make the tables of its fixture`(version: Int) async throws {
        try await withScratch { directory in
            try await SchemaFixture.layOut(version, in: directory)
            let old = try Connection(path: directory + "/frontdesk.sqlite", for: .reading)
            let new = try Connection(path: directory + "/new.sqlite", mayWrite: true)
            try Migrations.run(on: new, through: Array(Migrations.all.prefix(version)))
            #expect(try SchemaFixture.schema(of: old) == SchemaFixture.schema(of: new))
        }
    }

    @Test(arguments: versions)
    func `a store of an earlier version opens, reads and verifies`(version: Int) async throws {
        try await withScratch { directory in
            try await SchemaFixture.layOut(version, in: directory)
            let store = try SQLiteStore(
                directory: directory, newEpoch: Epoch(1),
                damaged: { Issue.record("\($0)") })
            #expect(store.epoch == Epoch(0xE))
            try await Self.readRegistry(of: store, version)
            try await Self.readOutbox(of: store, version)
            try await Self.readConversations(of: store)
            if version >= 30 { try await Self.readEnd(of: store) }
            try await Self.readLog(of: store)
            try await Self.goOn(with: store)
            await store.close()
            let found = try StoreVerification(reading: directory)
            #expect(found.damage == [])
            #expect(found.counts.messages == (version < 30 ? 38 : 39))
            #expect(found.counts.conversations == 3)
            #expect(found.counts.answers == 2)
            #expect(found.counts.attachments == 2)
        }
    }

    @Test(arguments: versions)
    func `a backup of an earlier version is restored in the copy`(version: Int) async throws {
        try await withScratch { directory in
            let backup = directory + "/backup"
            try FileManager.default.createDirectory(
                atPath: backup, withIntermediateDirectories: true)
            try await SchemaFixture.layOut(version, in: backup)
            let database = try FileCopy.digest(backup + "/frontdesk.sqlite")
            let note = BackupNote(
                epoch: Epoch(0xE), position: Position(1), time: dawn,
                databaseBytes: database.byteCount, database: database.digest, attachments: 2,
                attachmentBytes: 24)
            try Data(note.bytes).write(to: URL(filePath: backup + "/backup"))
            if version < SchemaFixtureTests.versions.count {
                let error = #expect(throws: StoreError.self) {
                    _ = try StoreVerification(reading: backup)
                }
                #expect(error?.detail.contains("restore it into an empty directory") == true)
            }
            let found = try SQLiteStore.restore(
                backup, to: directory + "/data", newEpoch: Epoch(0xF))
            #expect(found.isClean && found.counts.conversations == 3)
            #expect(found.counts.attachments == 2)
            // The backup stays as it was.
            try note.requireDatabase(in: backup)
        }
    }

    private static func readRegistry(of store: SQLiteStore, _ version: Int) async throws {
        #expect(try await store.businesses().map(\.name) == ["Shop", "Café"])
        #expect(try await store.entryLinks(of: business(1)).map(\.label) == ["Poster"])
        #expect(
            try await store.agents(of: business(1)).map(\.email)
                == ["ada@example.com", "ben@example.com"])
        #expect(try await store.memberships(of: agent(1)).map(\.role) == [.owner, .owner])
        let key = try #require(try await store.findKey(SchemaFixture.key))
        #expect(Set(key.businesses) == [business(1), business(2)])
        #expect(try await store.findSession(.sha256(Array("session".utf8))) != nil)
        let phone = try await store.findSession(.sha256(Array("phone".utf8)))
        #expect(phone?.subject == .customer(conversation(1)))
        #expect(try await store.findJoinCode("code1")?.locator == "AB")
        let template = try #require(
            try await store.findTemplate(
                SchemaFixture.name("welcome"), of: business(1), version: nil))
        #expect(template.attachments.map(\.name) == ["a.png"])
        let held = try await store.findAttachment(
            template.attachments[0].id, heldBy: .conversation(conversation(1)))
        #expect(held?.byteCount == 9)
        #expect(try await store.findSetting("secret") == [1, 2, 3])
        #expect(
            try await store.findAnswer("key one")?.content
                == .answer(status: 201, body: Array("made".utf8)))
        #expect(
            try await store.findAnswer("key two")?.content
                == .message(conversation(1), messageID("a2")))
        if version >= 12 {
            let known = try await store.agents(
                knownOn: .sha256(Array("device".utf8)), since: dawn)
            #expect(known == [agent(1)])
        }
        if version >= 14 {
            let invitation = try await store.findInvitation(.sha256(Array("invite".utf8)))
            #expect(invitation?.email == "cy@example.com")
        }
    }

    private static func readOutbox(of store: SQLiteStore, _ version: Int) async throws {
        if version >= 4 {
            let outbox = SchemaFixture.outbox
            #expect(try await store.findCursor(of: outbox) == store.newest)
            #expect(
                try await store.countDeliveries(of: outbox)
                    == [.pending: 2, .delivered: 1, .dead: 1])
            #expect(try await store.nextDeliveries(of: outbox, limit: 9).count == 1)
        }
        if version >= 7 {
            #expect(try await store.gatewayLinks().map(\.mspID) == ["msp"])
            let byte = version < 18 ? UInt8(ascii: "s") : 7
            let secret = Array(repeating: byte, count: 32)
            #expect(try await store.gatewayLinks().map(\.secret) == [secret])
            #expect(try await store.countSecrets().values.reduce(0, +) >= 1)
            #expect(try await store.findMMCSObject("object1")?.byteCount == 9)
            #expect(try await store.findUpstream(of: conversation(3)) == SchemaFixture.link)
            let wire = try await store.exchanges(
                of: business(1), in: .everything, at: .start, limit: 9
            ).elements
            #expect(wire.map(\.request.headers.count) == [1])
        }
    }

    private static func readConversations(of store: SQLiteStore) async throws {
        let one = try await store.require(conversation(1))
        #expect(one.customer.name == "Mika Tanaka")
        #expect(one.customer.capabilities == ["LIST", "TIME"])
        #expect(one.assignee == agent(1) && one.state == .open && one.unread == 32)
        let thread = try await store.messages(
            in: conversation(1), .after(.start), limit: 300)
        #expect(thread.damaged == [])
        #expect(thread.elements.map(\.id.text) == (1...34).map { "a\($0)" })
        #expect(thread.elements[0].facts.entryCode == "code1")
        let full = try #require(try await store.findMessage(messageID("a2"), in: conversation(1)))
        let named = try #require(full.facts.attachments.first)
        let expected = try SchemaFixture.answer(naming: named)
        #expect(full.payload == .bytes(expected.payload))
        #expect(full.facts.headers == expected.facts.headers)
        #expect(full.facts.warnings == expected.facts.warnings)
        #expect(full.facts.template == expected.facts.template)
        #expect(full.facts.inReplyTo == expected.facts.inReplyTo)
        #expect(named.name == "a.png" && named.mediaType == "image/png" && named.byteCount == 9)
        let notes = try await store.notes(
            in: conversation(1), from: .start, to: SequenceNumber(99))
        #expect(notes.map(\.text) == ["call back"])
        let two = try await store.require(conversation(2))
        #expect(two.state == .snoozed && two.hasLeft && two.deletedUpTo == SequenceNumber(1))
        let three = try await store.require(conversation(3))
        #expect(three.last?.author == .customer(device: "d"))
        let named1 = try await store.findConversations(
            named: SearchQuery("tanaka"), in: [business(1)], limit: 9)
        #expect(named1.map(\.id) == [conversation(1)])
        for number in 1...3 as ClosedRange<UInt64> {
            let conversation = try await store.require(conversation(number))
            let contact = try await store.findContact(conversation.contact)
            #expect(contact == Contact(of: conversation))
        }
        let counts = try await store.countConversations(
            ConversationFilter(businesses: [business(1), business(2)]), mineOf: agent(1))
        #expect(counts.all == 3 && counts.mine == 1)
        let waiting = try await store.waitingConversations(
            ConversationFilter(businesses: [business(1), business(2)]))
        #expect(waiting.count == 2)
    }

    private static func readEnd(of store: SQLiteStore) async throws {
        let third = conversation(3)
        #expect(
            try await store.findSettlement(of: messageID("c1"), in: third) == messageID("c2"))
        let erased = try #require(try await store.findMessage(messageID("c3"), in: third))
        #expect(erased.erasedAt == SchemaFixture.soon && erased.sequence == SequenceNumber(3))
        #expect(erased.payload == .bytes(Array("{}".utf8)) && erased.facts.summary.isEmpty)
        await #expect(throws: Refusal.messageErased) {
            try await store.accept(submission("c3", to: third, "to be erased"))
        }
    }

    private static func readLog(of store: SQLiteStore) async throws {
        let events = try await store.events(after: .start, in: .everything, limit: 300).events
        #expect(events.last?.id.position == store.newest)
        #expect(events.count { $0.type == .messageAccepted } >= 36)
        for event in events {
            switch (event.type, event.body) {
            case (.messageAccepted, .message), (.noteAdded, .note),
                (.templatePublished, .json), (.messageDeliveredUpstream, .json),
                (.labelSaved, .json), (.teamSaved, .json), (.messageErased, .json),
                (.hoursSaved, .json), (.automaticAnswersSaved, .json), (.ruleSaved, .json),
                (.contactSaved, .json),
                (.attributeSaved, .json), (.contactMerged, .json), (.contactUnmerged, .json),
                (_, .conversation):
                break
            default: Issue.record("\(event.type) at \(event.id.position) has another body")
            }
        }
    }

    /// Writes into the store as if it had always been this program's.
    private static func goOn(with store: SQLiteStore) async throws {
        let first = #"{"type":"text","body":"hello"}"#
        #expect(try await store.accept(submission("a1", to: conversation(1), first)).isRepeat)
        let next = try await store.accept(submission("a35", to: conversation(1), "again"))
        #expect(next.message.sequence == SequenceNumber(35))
        // Of the first version the third conversation has one message, of the others two.
        let three = try await store.require(conversation(3)).newest
        if three == SequenceNumber(1) {
            _ = try await store.accept(submission("c2", to: conversation(3), "second"))
        }
        #expect(try await store.change(conversation(1), .close).state == .closed)
    }
}
