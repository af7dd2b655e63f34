import DeskModel
import DeskStore
import Testing

/// What every store promises of conversations' states and lists.
@Suite struct ConversationContract {
    @Test(arguments: Kept.allCases)
    func `after the customer left nothing is sent until the customer writes`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("a", to: conversation(1)))
            let left = try await store.change(conversation(1), .leave)
            #expect(left.hasLeft)
            #expect(left.deletedUpTo == SequenceNumber(1))
            let before = store.newest
            await #expect(throws: Refusal.customerLeft) {
                try await store.accept(
                    submission("b", to: conversation(1), direction: .outbound))
            }
            #expect(store.newest == before)
            _ = try await store.accept(submission("c", to: conversation(1)))
            _ = try await store.accept(submission("d", to: conversation(1), direction: .outbound))
            #expect(
                try await store.types() == [
                    .conversationOpened, .messageAccepted, .customerLeft, .customerReturned,
                    .messageAccepted, .messageAccepted,
                ])
            #expect(try await !store.require(conversation(1)).hasLeft)
        }
    }

    @Test(arguments: Kept.allCases)
    func `what was sent before the customer left is still answered as a repeat`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let sent = try submission("a", to: conversation(1), direction: .outbound)
            _ = try await store.accept(sent)
            _ = try await store.change(conversation(1), .leave)
            #expect(try await store.accept(sent).isRepeat)
        }
    }

    @Test(arguments: Kept.allCases, [ConversationChange.close, .snooze(until: nil)])
    func `a customer's message opens what was closed or sleeps`(
        _ kept: Kept, _ change: ConversationChange
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.change(conversation(1), change)
            let message = try await store.accept(submission("a", to: conversation(1))).message
            #expect(try await store.require(conversation(1)).state == .open)
            let events = try await store.events(after: .start, in: .everything, limit: 9).events
            #expect(events.suffix(2).map(\.type) == [.conversationReopened, .messageAccepted])
            #expect(events.last?.id.position == message.position)
        }
    }

    @Test(arguments: Kept.allCases)
    func `unread and waiting follow the conversation`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for id in ["a", "b", "c"] {
                _ = try await store.accept(submission(id, to: conversation(1)))
            }
            #expect(try await store.require(conversation(1)).unread == 3)
            #expect(try await store.require(conversation(1)).waitingSince == dawn)
            let read = try await store.change(conversation(1), .markRead(SequenceNumber(2)))
            #expect(read.unread == 1)
            #expect(read.waitingSince == dawn)
            _ = try await store.accept(submission("d", to: conversation(1), direction: .outbound))
            let answered = try await store.require(conversation(1))
            #expect(answered.unread == 0)
            #expect(answered.waitingSince == nil)
            #expect(answered.last?.id == MessageID("d"))
            // A later mark that is behind changes nothing.
            let late = try await store.change(conversation(1), .markRead(SequenceNumber(1)))
            #expect(late == answered)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a change to the present state publishes nothing`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.change(conversation(1), .reopen)
            _ = try await store.change(conversation(1), .assign(nil))
            #expect(try await store.types() == [.conversationOpened])
            _ = try await store.change(conversation(1), .assign(agent(2)))
            _ = try await store.change(conversation(1), .assign(agent(2)))
            #expect(try await store.types() == [.conversationOpened, .conversationAssigned])
        }
    }

    @Test(arguments: Kept.allCases)
    func `muting is the customer's setting and publishes nothing`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            #expect(try await store.change(conversation(1), .mute(true)).isMuted)
            #expect(try await store.types() == [.conversationOpened])
        }
    }

    @Test(arguments: Kept.allCases)
    func `lists are filtered, sorted by activity and paged without gap`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            for number in 1...7 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
            }
            try await store.begin(conversation(8), in: business(2), customer: 8)
            _ = try await store.change(conversation(2), .assign(agent(1)))
            _ = try await store.change(conversation(3), .assign(agent(2)))
            _ = try await store.change(conversation(4), .close)
            _ = try await store.accept(submission("a", to: conversation(1)))
            let mine = ConversationFilter(businesses: [business(1)], care: .mine(agent(1)))
            #expect(try await names(store, mine) == [2])
            let free = ConversationFilter(
                businesses: [business(1)], care: .unassigned, states: [.open])
            #expect(try await names(store, free) == [1, 7, 6, 5])
            let closed = ConversationFilter(businesses: [business(1)], states: [.closed])
            #expect(try await names(store, closed) == [4])
            let both = ConversationFilter(businesses: [business(1), business(2)])
            #expect(try await names(store, both, by: 3) == [1, 4, 3, 2, 8, 7, 6, 5])
            let counts = try await store.countConversations(
                ConversationFilter(businesses: [business(1)]), mineOf: agent(1))
            #expect([counts.all, counts.unassigned, counts.mine] == [7, 5, 1])
        }
    }

    @Test(arguments: Kept.allCases)
    func `threads are paged in both directions`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            for number in 1...10 {
                _ = try await store.accept(submission("m\(number)", to: conversation(1)))
                _ = try await store.accept(submission("m\(number)", to: conversation(2)))
            }
            let rows: [(ThreadRange, [Int64], Bool)] = [
                (.newest, [8, 9, 10], true), (.before(SequenceNumber(8)), [5, 6, 7], true),
                (.before(SequenceNumber(3)), [1, 2], false), (.before(.start), [], false),
                (.after(.start), [1, 2, 3], true), (.after(SequenceNumber(8)), [9, 10], false),
                (.after(SequenceNumber(1 << 40)), [], false),
                (.before(SequenceNumber(1 << 40)), [8, 9, 10], true),
            ]
            for (range, expected, hasMore) in rows {
                let page = try await store.messages(in: conversation(1), range, limit: 3)
                #expect(page.elements.map(\.sequence.value) == expected, "\(range)")
                #expect(page.hasMore == hasMore, "\(range)")
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `notes stay between the messages they were left between`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("a", to: conversation(1)))
            _ = try await store.one(
                AddNote(
                    NoteID(uniqueID(5)), to: conversation(1), text: "mind \u{e9}",
                    by: .agent(agent(1)), at: dawn))
            let notes = try await store.notes(
                in: conversation(1), from: .start, to: SequenceNumber(9))
            #expect(notes.map(\.text) == ["mind \u{e9}"])
            #expect(notes.map(\.afterSequence) == [SequenceNumber(1)])
            let event = try await store.events(after: Position(2), in: .everything, limit: 9)
            #expect(event.events.map(\.body) == notes.map { .note($0) })
        }
    }

    @Test(arguments: Kept.allCases)
    func `templates are listed newest version only, by name, in pages of bounded bytes`(
        kind: Kept
    ) async throws {
        try await kind.with { store in
            try await store.begin(conversation(1))
            func publish(_ name: String, bytes: Int) async throws {
                let template = Template(
                    business: business(1), name: try #require(TemplateName(name)), title: name,
                    detail: "", payload: Array(repeating: 0x20, count: bytes), parameters: [],
                    author: .agent(agent(1)), publishedAt: dawn)
                _ = try await store.one(template)
            }
            for name in ["b", "a_", "a-", "c"] { try await publish(name, bytes: 1) }
            for name in ["b", "c"] { try await publish(name, bytes: 5 << 20) }
            func pages(of limit: Int) async throws -> [[String]] {
                var pages: [[String]] = []
                var after: TemplateName?
                while true {
                    let page = try await store.templates(
                        of: business(1), at: PageEdge(after: after), limit: limit)
                    pages.append(page.elements.map { "\($0.name)\($0.version)" })
                    after = page.elements.last?.name
                    guard page.hasMore, pages.count < 9 else { return pages }
                }
            }
            #expect(try await pages(of: 300) == [["a-1", "a_1", "b2"], ["c2"]])
            #expect(try await pages(of: 2) == [["a-1", "a_1"], ["b2"], ["c2"]])
            #expect(try await pages(of: 1) == [["a-1"], ["a_1"], ["b2"], ["c2"]])
            let none = try await store.templates(of: business(2), at: .start, limit: 9)
            #expect(none.elements.isEmpty && !none.hasMore)
        }
    }

    private func names(
        _ store: any Store, _ filter: ConversationFilter, by limit: Int = 300
    ) async throws -> [UInt64] {
        var found: [Conversation] = []
        var cursor: Position?
        while true {
            let page = try await store.conversations(
                filter, at: PageEdge(after: cursor), limit: limit)
            found += page.elements
            cursor = page.elements.last?.activity
            guard page.hasMore else { break }
        }
        return found.map { $0.id.value.low - 0xC000 }
    }
}
