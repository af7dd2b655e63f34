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
                mentions: mentions, by: .agent(agent(1)), at: time(1))
        ).get()
    }

    private func change(
        _ number: UInt64 = 1, to text: String?, mentioning mentions: [AgentID] = [],
        by author: UInt64 = 1, at seconds: Int = 2, in store: any Store
    ) async throws -> Note {
        try await store.append(
            ChangeNote(
                NoteID(uniqueID(number)), in: conversation(1), to: text, mentions: mentions,
                by: .agent(agent(author)), at: time(seconds))
        ).get()
    }

    @Test(arguments: Kept.allCases)
    func `a note is changed by its author alone, and says when`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
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
    func `a deleted note keeps its place and nothing of its text`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
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
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            try await store.begin(conversation(3), customer: 3)
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
            let listed = try await store.conversations(filter, before: nil, limit: 9)
            #expect(Set(listed.elements.map(\.id)) == [conversation(1), conversation(2)])
            var plain = filter
            plain.priorities = [.none]
            #expect(
                try await store.conversations(plain, before: nil, limit: 9).elements
                    == listed.elements)
            plain.priorities = [.urgent]
            #expect(try await store.conversations(plain, before: nil, limit: 9).elements.isEmpty)
            let page = try await store.conversations(filter, before: nil, limit: 1)
            #expect(page.hasMore)
            let closed = ConversationFilter(
                businesses: [business(1)], care: .mentioning(agent(2)), states: [.closed])
            #expect(
                try await store.conversations(closed, before: nil, limit: 9).elements.isEmpty)
            _ = try await store.accept(submission("a", to: conversation(2)))
            _ = try await store.accept(submission("a", to: conversation(3)))
            #expect(try await store.waitingConversations(filter).count == 1)
            #expect(
                try await store.waitingConversations(filter).longest == conversation(2))
        }
    }
}
