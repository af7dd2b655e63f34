import DeskModel
import DeskSQL
import DeskStore
import Testing

/// What stores promise of drafts.
@Suite struct DraftContract {
    static func draft(
        _ place: UInt64, of writer: UInt64 = 1, at seconds: Int = 0, _ text: String = "Hello",
        content: [UInt8]? = nil
    ) -> Draft {
        Draft(
            agent: agent(writer), business: business(1), conversation: conversation(place),
            version: 0, savedAt: dawn.advanced(by: .seconds(seconds)), kind: "text", text: text,
            content: content)
    }

    /// Saves and returns the version; a conflict is a failure.
    private static func save(
        _ draft: Draft, over known: Int64 = 0, in store: any SQLRegistries
    ) async throws -> Draft {
        let outcome = try await store.save(draft, over: known, atMost: 9)
        guard case .saved(let saved) = outcome else { throw NotSaved(outcome: outcome) }
        return saved
    }

    private struct NotSaved: Error { let outcome: DraftOutcome }

    @Test(arguments: KeptRegistries.allCases)
    func `a draft is its agent's alone, and each save gives it a higher version`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let card = Array(#"{"title":"Café"}"#.utf8)
            let first = try await Self.save(Self.draft(1, content: card), in: store)
            #expect(first.version == dawn.milliseconds)
            #expect(first.content == card)
            #expect(try await store.findDraft(of: agent(1), in: conversation(1)) == first)
            #expect(try await store.findDraft(of: agent(2), in: conversation(1)) == nil)
            let other = try await Self.save(Self.draft(1, of: 2, "Mine"), in: store)
            // The clock has not moved, and the version still rises.
            let second = try await Self.save(
                Self.draft(1, "Hello there"), over: first.version, in: store)
            #expect(second.version > first.version)
            #expect(second.content == nil)
            #expect(try await store.findDraft(of: agent(1), in: conversation(1)) == second)
            #expect(try await store.findDraft(of: agent(2), in: conversation(1)) == other)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a device that knows another version changes nothing and is given what is stored`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let first = try await Self.save(Self.draft(1), in: store)
            let second = try await Self.save(
                Self.draft(1, "Here"), over: first.version, in: store)
            for known in [0, first.version, second.version + 1] {
                #expect(
                    try await store.save(Self.draft(1, "There"), over: known, atMost: 9)
                        == .conflict(second))
            }
            #expect(
                try await store.removeDraft(
                    of: agent(1), in: conversation(1), version: first.version)
                    == .conflict(second))
            #expect(try await store.findDraft(of: agent(1), in: conversation(1)) == second)
            #expect(
                try await store.removeDraft(
                    of: agent(1), in: conversation(1), version: second.version) == .removed)
            #expect(
                try await store.save(Self.draft(1), over: second.version, atMost: 9)
                    == .conflict(nil))
            #expect(
                try await store.removeDraft(of: agent(1), in: conversation(1), version: nil)
                    == .missing)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `drafts are listed by when they were saved, cut short and bounded`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let long = String(repeating: "日", count: Draft.shownCharacters + 1)
            _ = try await Self.save(Self.draft(1, at: 2, long, content: [0x7B, 0x7D]), in: store)
            _ = try await Self.save(Self.draft(2, at: 3), in: store)
            _ = try await Self.save(Self.draft(3, of: 2, at: 4), in: store)
            let listed = try await store.drafts(of: agent(1), limit: 9)
            #expect(listed.map(\.conversation) == [conversation(2), conversation(1)])
            #expect(listed.last?.text.count == Draft.shownCharacters)
            #expect(listed.last?.content == nil)
            #expect(try await store.drafts(of: agent(1), limit: 1).count == 1)
            #expect(try await store.save(Self.draft(4), over: 0, atMost: 2) == .tooMany)
            let known = try #require(listed.first)
            // What is stored already may change.
            guard
                case .saved = try await store.save(
                    Self.draft(2, "More"), over: known.version, atMost: 2)
            else {
                Issue.record("a stored draft was refused")
                return
            }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `drafts end with their time`(_ kept: KeptRegistries) async throws {
        try await kept.with { store in
            for second in 1...3 {
                _ = try await Self.save(Self.draft(UInt64(second), at: second), in: store)
            }
            try await store.pruneDrafts(before: dawn.advanced(by: .seconds(2)))
            #expect(
                try await store.drafts(of: agent(1), limit: 9).map(\.conversation)
                    == [conversation(3), conversation(2)])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a sent draft goes with the message's commit, and a newer one stays`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            guard case .saved(let saved) = try await store.save(Self.draft(1), over: 0, atMost: 9)
            else {
                Issue.record("the draft was not saved")
                return
            }
            let sent = SentDraft(
                agent: agent(1), conversation: conversation(1), version: saved.version)
            guard
                case .saved(let newer) = try await store.save(
                    Self.draft(1, "More"), over: saved.version, atMost: 9)
            else {
                Issue.record("the draft was not saved again")
                return
            }
            func send(_ id: String, _ draft: SentDraft) async throws {
                _ = try await store.append(
                    NewMessage(
                        submission(id, to: conversation(1), direction: .outbound), at: dawn),
                    after: [.removeDraft(draft)]
                ).get()
            }
            try await send("a", sent)
            #expect(try await store.findDraft(of: agent(1), in: conversation(1)) == newer)
            let last = SentDraft(
                agent: agent(1), conversation: conversation(1), version: newer.version)
            // A refused group removes nothing.
            _ = try await store.change(conversation(1), .leave)
            await #expect(throws: Refusal.customerLeft) { try await send("b", last) }
            #expect(try await store.findDraft(of: agent(1), in: conversation(1)) == newer)
            _ = try await store.accept(submission("c", to: conversation(1)))
            try await send("b", last)
            #expect(try await store.findDraft(of: agent(1), in: conversation(1)) == nil)
        }
    }
}
