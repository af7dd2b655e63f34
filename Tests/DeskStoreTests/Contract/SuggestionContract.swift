import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

/// What every store promises of suggested answers.
@Suite struct SuggestionContract {
    static func suggestion(
        _ number: UInt64, in place: UInt64 = 1, of owner: BusinessID = business(1),
        by author: Author = .agent(agent(1)), at seconds: Int = 0, model: String? = "a-model",
        remark: String? = "Rechnung 100 %"
    ) -> Suggestion {
        Suggestion(
            id: SuggestionID(uniqueID(0x5000 + number)), business: owner,
            conversation: conversation(place), author: author,
            createdAt: dawn.advanced(by: .seconds(seconds)), model: model, kind: .quickReply,
            summary: "Grün oder Schwarz?", remark: remark,
            payload: Array(#"{"type":"text","body":"é"}"#.utf8))
    }

    private static func settle(
        _ one: Suggestion, as outcome: Suggestion.Outcome, _ message: MessageID? = nil
    ) -> SettleSuggestion {
        SettleSuggestion(
            one.id, in: one.conversation, as: outcome, message: message, by: .agent(agent(2)),
            at: dawn)
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a suggestion is kept with all that it has, the oldest first, until its days have passed`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let all = [
                Self.suggestion(1),
                Self.suggestion(
                    2, by: .key(KeyID(uniqueID(7))), at: 60, model: nil, remark: nil),
                Self.suggestion(3, in: 2),
            ]
            for one in all {
                try await store.change(
                    .contents(.addSuggestion(one.id, of: one.business)), author: one.author
                ) { sql throws(StoreError) in try Suggestions.add(one, on: sql) }
            }
            #expect(try await store.suggestions(in: conversation(1)) == [all[0], all[1]])
            #expect(try await store.suggestions(in: conversation(2)) == [all[2]])
            try await store.pruneSuggestions(before: dawn)
            #expect(try await store.suggestions(in: conversation(1)).count == 2)
            try await store.pruneSuggestions(before: dawn.advanced(by: .seconds(60)))
            #expect(try await store.suggestions(in: conversation(1)) == [all[1]])
            #expect(try await store.suggestions(in: conversation(2)) == [])
        }
    }

    @Test(arguments: Kept.allCases)
    func `its events say what it is and who asked and decided, and nothing that it says`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let before = store.newest
            let one = try await store.one(AddSuggestion(Self.suggestion(1)))
            _ = try await store.one(Self.settle(one, as: .edited, try messageID("m9")))
            let events = try await store.events(after: before, in: .everything, limit: 9).events
            #expect(events.map(\.type) == [.suggestionAdded, .suggestionSettled])
            #expect(events.allSatisfy { $0.conversation?.id == conversation(1) })
            let head =
                #""suggestion":{"id":"\#(one.id.text)","kind":"quickReply","model":"a-model"}"#
            func by(_ number: UInt64) -> String {
                #""by":{"type":"agent","id":"\#(agent(number).text)"}"#
            }
            #expect(events[0].body == .json(Array("{\(head),\(by(1))}".utf8)))
            let outcome = #""outcome":"edited","message":"m9""#
            #expect(events[1].body == .json(Array("{\(head),\(outcome),\(by(2))}".utf8)))
            // Neither is a customer's to see.
            #expect(
                try await store.types(.customer(conversation(1)))
                    .allSatisfy { $0 != .suggestionAdded && $0 != .suggestionSettled })
        }
    }

    @Test(arguments: Kept.allCases)
    func
        `of two agents who decide on a suggestion one does, and what the other sends is not stored`(
            _ kept: Kept
        ) async throws
    {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let one = try await store.one(AddSuggestion(Self.suggestion(1)))
            let message = NewMessage(try submission("m1", to: conversation(1)), at: dawn)
            _ = try await store.append(
                message, after: [.settleSuggestion(Self.settle(one, as: .sent))]
            ).get()
            let newest = store.newest
            await #expect(throws: Refusal.suggestionSettled) {
                try await store.one(Self.settle(one, as: .rejected))
            }
            let second = NewMessage(try submission("m2", to: conversation(1)), at: dawn)
            let late = try await store.append(
                second, after: [.settleSuggestion(Self.settle(one, as: .sent))])
            #expect(throws: Refusal.suggestionSettled) { try late.get() }
            #expect(store.newest == newest)
            #expect(
                try await store.findMessage(try messageID("m2"), in: conversation(1)) == nil)
        }
    }

    @Test(arguments: Kept.allCases)
    func `so many suggestions wait in a conversation and not one more`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for number in 1...UInt64(Suggestion.mostPerConversation) {
                _ = try await store.one(AddSuggestion(Self.suggestion(number)))
            }
            await #expect(throws: Refusal.unusable) {
                try await store.one(AddSuggestion(Self.suggestion(99)))
            }
            _ = try await store.one(Self.settle(Self.suggestion(1), as: .rejected))
            _ = try await store.one(AddSuggestion(Self.suggestion(99)))
            await #expect(throws: Refusal.notFound) {
                try await store.one(AddSuggestion(Self.suggestion(98, in: 77)))
            }
            await #expect(throws: Refusal.notFound) {
                try await store.one(AddSuggestion(Self.suggestion(98, of: business(2))))
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `a suggestion that may repeat an erased message is not added`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("m1", to: conversation(1)))
            _ = try await store.accept(submission("m2", to: conversation(1)))
            let (first, second) = (try messageID("m1"), try messageID("m2"))
            _ = try await store.one(
                AddSuggestion(Self.suggestion(1), quoting: [first, second]))
            _ = try await store.one(
                Erasing([first], in: conversation(1), by: .agent(agent(1)), at: dawn))
            await #expect(throws: Refusal.messageErased) {
                try await store.one(
                    AddSuggestion(Self.suggestion(2), quoting: [second, first]))
            }
            #expect(try await store.suggestions(in: conversation(1)) == [])
            let kept = try await store.one(
                AddSuggestion(
                    Self.suggestion(3), quoting: [second, try messageID("m9")]))
            #expect(try await store.suggestions(in: conversation(1)) == [kept])
        }
    }

    @Test(arguments: Kept.allCases)
    func `an erasure removes the suggestions of its conversation`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            _ = try await store.accept(submission("m1", to: conversation(1)))
            _ = try await store.one(AddSuggestion(Self.suggestion(1)))
            let other = try await store.one(AddSuggestion(Self.suggestion(2, in: 2)))
            _ = try await store.one(
                Erasing(
                    [try messageID("m1")], in: conversation(1), by: .agent(agent(1)), at: dawn))
            #expect(try await store.suggestions(in: conversation(1)) == [])
            #expect(try await store.suggestions(in: conversation(2)) == [other])
        }
    }
}
