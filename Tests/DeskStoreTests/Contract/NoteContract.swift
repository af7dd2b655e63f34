import DeskModel
import DeskSQL
import DeskStore
import Testing

/// What every store promises of notes that are changed, and of mentions.
@Suite struct NoteContract {
    private func time(_ seconds: Int) -> Timestamp { dawn.advanced(by: .seconds(seconds)) }

    private func add(
        _ number: UInt64 = 1, mentioning mentions: [AgentID] = [], to place: UInt64 = 1,
        in store: any Store
    ) async throws -> Note {
        try await store.append(
            AddNote(
                NoteID(uniqueID(number)), to: conversation(place), text: "Look, @Cy",
                mentions: Mentioned(mentions, permitted: .handling), by: .agent(agent(1)),
                at: time(1))
        ).get()
    }

    private func change(
        _ number: UInt64 = 1, to text: String?, mentioning mentions: [AgentID] = [],
        by author: UInt64 = 1, at seconds: Int = 2, in store: any Store
    ) async throws -> Note {
        try await store.append(
            ChangeNote(
                NoteID(uniqueID(number)), in: conversation(1), to: text,
                mentions: Mentioned(mentions, permitted: .handling),
                by: .agent(agent(author)), at: time(seconds))
        ).get()
    }

    /// Opens conversations of a business whose members are there to be mentioned.
    private func begin(_ conversations: UInt64 = 1, in store: any Store) async throws {
        for number in 1...conversations {
            try await store.begin(conversation(number), customer: number)
        }
        for number in 2...3 as ClosedRange<UInt64> {
            try await store.setRole(.agent, of: agent(number), in: business(1), author: .server)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a note mentions the members of a team as they are when it is written`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await begin(in: store)
            try await store.setRole(.agent, of: agent(1), in: business(1), author: .server)
            func save(_ members: [UInt64], isNew: Bool, isRetired: Bool = false) async throws {
                var values = SaveTeam.Values()
                values.name = "Night"
                values.colour = "#336699"
                values.members = members.map { agent($0) }
                values.isRetired = isRetired
                _ = try await store.one(
                    SaveTeam(
                        team(1), of: business(1), isNew: isNew, values, permitted: .handling,
                        by: .agent(agent(1)),
                        at: dawn))
            }
            func add(_ number: UInt64, _ mentions: Mentioned) async throws -> Note {
                try await store.one(
                    AddNote(
                        NoteID(uniqueID(number)), to: conversation(1), text: "@Night",
                        mentions: mentions, by: .agent(agent(1)), at: dawn))
            }
            try await save([1, 2], isNew: true)
            // Its author is not mentioned by a team, and who is named by both is once.
            let note = try await add(
                1, Mentioned([agent(2)], teams: [team(1)], permitted: .handling))
            #expect(note.mentions == [agent(2)])
            #expect(note.teams == [team(1)])
            try await save([2, 3], isNew: false)
            #expect(try await add(2, Mentioned(teams: [team(1)])).mentions == [agent(2), agent(3)])
            let first = try await store.notes(in: conversation(1), from: .start, to: .start)
            #expect(first.map(\.mentions) == [[agent(2)], [agent(2), agent(3)]])
            #expect(first.map(\.teams) == [[team(1)], [team(1)]])
            #expect(
                try await store.unseenMentions(of: agent(3), in: [business(1)])
                    == [conversation(1)])
            try await save([2, 3], isNew: false, isRetired: true)
            for wrong in [
                Mentioned(teams: [team(1)]), Mentioned(teams: [team(9)]),
                Mentioned([agent(9)], permitted: .handling),
            ] {
                await #expect(throws: Refusal.unusable) { try await add(3, wrong) }
            }
            #expect(
                try await store.notes(in: conversation(1), from: .start, to: .start).count == 2)
        }
    }

    @Test(arguments: Kept.allCases)
    func `who answers, notes, is mentioned or added is a participant, and others follow by choice`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await begin(in: store)
            func people() async throws -> [AgentID] {
                try await store.require(conversation(1)).participants
            }
            _ = try await store.accept(submission("m", to: conversation(1)))
            #expect(try await people() == [])
            _ = try await store.accept(submission("r", to: conversation(1), direction: .outbound))
            #expect(try await people() == [agent(1)])
            #expect(try await store.types().last == .messageAccepted)
            _ = try await add(mentioning: [agent(2)], in: store)
            #expect(try await people() == [agent(1), agent(2)])
            _ = try await change(to: "Look", mentioning: [agent(3)], in: store)
            #expect(try await people() == [agent(1), agent(2), agent(3)])
            _ = try await store.change(
                conversation(1), .participate(add: [agent(3)], remove: [agent(2)]))
            #expect(try await people() == [agent(1), agent(3)])
            #expect(try await store.types().last == .conversationParticipantsChanged)
            let before = store.newest
            _ = try await store.change(
                conversation(1), .participate(add: [agent(3)], remove: [agent(2)]))
            #expect(store.newest == before)
            for watches in [true, true, false] {
                _ = try await store.change(conversation(1), .watch(agent(2), watches))
            }
            #expect(
                try await store.types().suffix(2) == [
                    .conversationWatchersChanged, .conversationWatchersChanged,
                ])
            #expect(try await store.require(conversation(1)).watchers == [])
            let changes = try await store.events(
                after: .start, in: .everything, limit: 99
            ).events.compactMap { event -> StepChange? in
                if case .conversation(let step) = event.body { step.change } else { nil }
            }
            #expect(
                changes == [
                    .participants(added: [], removed: [agent(2)]),
                    .watchers(added: [agent(2)], removed: []),
                    .watchers(added: [], removed: [agent(2)]),
                ])
        }
    }

    @Test(arguments: Kept.allCases)
    func
        `many who are added and removed at once are all there, and one beyond the limit is refused`(
            _ kept: Kept
        ) async throws
    {
        try await kept.with { store in
            try await begin(in: store)
            let most = UInt64(Conversation.mostParticipants)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...most {
                    group.addTask {
                        _ = try await store.change(
                            conversation(1), .participate(add: [agent(number)], remove: []))
                        _ = try await store.change(conversation(1), .watch(agent(number), true))
                    }
                }
                try await group.waitForAll()
            }
            let all = Set((1...most).map { agent($0) })
            let found = try await store.require(conversation(1))
            #expect(Set(found.participants) == all)
            #expect(Set(found.watchers) == all)
            await #expect(throws: Refusal.unusable) {
                try await store.change(
                    conversation(1), .participate(add: [agent(most + 1)], remove: []))
            }
            await #expect(throws: Refusal.unusable) {
                try await store.change(conversation(1), .watch(agent(most + 1), true))
            }
            // Who answers is no participant then, and is not refused.
            var reply = try submission("r", to: conversation(1), direction: .outbound)
            reply.facts.author = .agent(agent(most + 1))
            _ = try await store.accept(reply)
            #expect(try await store.require(conversation(1)).participants.count == Int(most))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a note is changed by its author alone, and says when`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await begin(in: store)
            let note = try await add(mentioning: [agent(2)], in: store)
            await #expect(throws: Refusal.notAuthor) {
                try await change(to: "Mine", by: 2, in: store)
            }
            await #expect(throws: Refusal.notFound) {
                try await change(2, to: "Mine", in: store)
            }
            let edited = try await change(to: "Look", mentioning: [agent(3)], in: store)
            #expect(edited.text == "Look")
            #expect(edited.mentions == [agent(3)])
            #expect(edited.editedAt == time(2))
            #expect(edited.time == note.time)
            #expect(
                try await store.notes(in: conversation(1), from: .start, to: .start) == [edited])
            // The same text again is no event.
            let newest = store.newest
            #expect(
                try await change(to: "Look", mentioning: [agent(3)], at: 3, in: store) == edited)
            #expect(store.newest == newest)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a note says since when it mentions each`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await begin(in: store)
            _ = try await add(mentioning: [agent(2)], in: store)
            func since(_ note: Note) -> [Timestamp] { note.mentions.map { note.mentioning($0) } }
            let both = [agent(2), agent(3)]
            #expect(
                since(try await change(to: "a", mentioning: both, in: store)) == [time(1), time(2)])
            #expect(
                since(try await change(to: "b", mentioning: both, at: 3, in: store)) == [
                    time(1), time(2),
                ])
            // Who is left out and mentioned again is mentioned anew.
            _ = try await change(to: "c", mentioning: [agent(3)], at: 4, in: store)
            let edited = try await change(to: "d", mentioning: both, at: 5, in: store)
            #expect(since(edited) == [time(5), time(2)])
            let kept = try await store.notes(in: conversation(1), from: .start, to: .start)
            #expect(kept == [edited])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a deleted note keeps its place and nothing of its text`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await begin(in: store)
            _ = try await add(mentioning: [agent(2)], in: store)
            let deleted = try await change(to: nil, in: store)
            #expect(deleted.text.isEmpty && deleted.mentions.isEmpty)
            #expect(deleted.deletedAt == time(2))
            #expect(try await change(to: nil, at: 3, in: store) == deleted)
            await #expect(throws: Refusal.noteDeleted) { try await change(to: "x", in: store) }
            #expect(
                try await store.notes(in: conversation(1), from: .start, to: .start) == [deleted])
            #expect(try await store.unseenMentions(of: agent(2), in: [business(1)]) == [])
            // Whatever is replayed has the note as it is now.
            let events = try await store.events(after: .start, in: .everything, limit: 9).events
            #expect(events.map(\.type) == [.conversationOpened, .noteAdded, .noteDeleted])
            #expect(events.suffix(2).map(\.body) == [.note(deleted), .note(deleted)])
            #expect(events.compactMap(\.revision?.value) == [1, 2, 3])
        }
    }

    @Test(arguments: Kept.allCases)
    func `who is mentioned finds the conversation until it was seen`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await begin(3, in: store)
            _ = try await add(1, mentioning: [agent(2), agent(3)], to: 1, in: store)
            _ = try await add(2, mentioning: [agent(2)], to: 2, in: store)
            _ = try await add(3, mentioning: [agent(2)], to: 1, in: store)
            func unseen(_ number: UInt64) async throws -> Set<ConversationID> {
                Set(try await store.unseenMentions(of: agent(number), in: [business(1)]))
            }
            #expect(try await unseen(2) == [conversation(1), conversation(2)])
            #expect(try await unseen(3) == [conversation(1)])
            #expect(try await unseen(1) == [])
            #expect(try await store.unseenMentions(of: agent(2), in: []) == [])
            #expect(
                try await store.markMentionsSeen(by: agent(2), in: conversation(1), at: time(9)))
            #expect(
                try await !store.markMentionsSeen(by: agent(2), in: conversation(1), at: time(9)))
            #expect(try await unseen(2) == [conversation(2)])
            #expect(try await unseen(3) == [conversation(1)])
            // A text that is changed leaves what was seen as it was.
            _ = try await change(1, to: "Look again", mentioning: [agent(2)], in: store)
            #expect(try await unseen(2) == [conversation(2)])
            #expect(try await unseen(3) == [])
            let filter = ConversationFilter(
                businesses: [business(1)], care: .mentioning(agent(2)))
            let listed = try await store.conversations(filter, at: .start, limit: 9)
            #expect(Set(listed.elements.map(\.id)) == [conversation(1), conversation(2)])
            var plain = filter
            plain.priorities = [.none]
            #expect(
                try await store.conversations(plain, at: .start, limit: 9).elements
                    == listed.elements)
            plain.priorities = [.urgent]
            #expect(try await store.conversations(plain, at: .start, limit: 9).elements.isEmpty)
            let page = try await store.conversations(filter, at: .start, limit: 1)
            #expect(page.hasMore)
            let closed = ConversationFilter(
                businesses: [business(1)], care: .mentioning(agent(2)), states: [.closed])
            #expect(
                try await store.conversations(closed, at: .start, limit: 9).elements.isEmpty)
            _ = try await store.accept(submission("a", to: conversation(2)))
            _ = try await store.accept(submission("a", to: conversation(3)))
            #expect(try await store.waitingConversations(filter).count == 1)
            #expect(
                try await store.waitingConversations(filter).longest == conversation(2))
        }
    }

    @Test(arguments: Kept.allCases)
    func `mentions in a business that is not asked for hide no others`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await begin(in: store)
            _ = try await add(mentioning: [agent(2)], in: store)
            let registries = try #require(store as? any SQLRegistries)
            try await registries.write { sql throws(StoreError) in
                let statement = try sql.statement(
                    """
                    INSERT INTO mentions (agent, note, conversation, business, made_at) \
                    VALUES (?, ?, ?, ?, ?)
                    """)
                for number in 100..<100 + UInt64(MentionBounds.maximumUnseen) {
                    try statement.bind(agent(2).value)
                    try statement.bind(uniqueID(number))
                    try statement.bind(conversation(number).value)
                    try statement.bind(business(2).value)
                    try statement.bind(time(9))
                    try statement.run()
                }
            }
            let found = try await store.unseenMentions(of: agent(2), in: [business(1)])
            #expect(found == [conversation(1)])
        }
    }
}
