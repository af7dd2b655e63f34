import DeskModel
import DeskSQL
import DeskStore
import Testing

/// What every store promises of automatic answers.
@Suite struct AutomaticAnswerContract {
    private static func answers() -> AutomaticAnswers {
        var answers = AutomaticAnswers()
        answers.greeting = TemplateName("welcome")
        answers.outOfHours = TemplateName("closed")
        answers.unanswered = TemplateName("sorry")
        answers.unansweredMinutes = 10
        return answers
    }

    private static func choose(_ answers: AutomaticAnswers, in store: any Store) async throws {
        try await store.one(
            SaveAutomaticAnswers(
                answers, of: business(1), event: Array("{}".utf8), by: .agent(agent(1)), at: dawn))
    }

    private static func due(in store: any Store) async throws -> [String] {
        try await store.dueWork(.answer, in: conversation(1)).map {
            "\($0.name.subject) \($0.dueAt.since($0.madeAt))"
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what a business chose is kept whole`(_ kept: KeptRegistries) async throws {
        try await kept.with { store in
            func put(_ answers: AutomaticAnswers) async throws {
                try await store.change(
                    .contents(.saveAutomaticAnswers(of: business(1))), author: .server
                ) { sql throws(StoreError) in
                    try AutomaticAnswerRows.put(answers, of: business(1), on: sql)
                }
            }
            #expect(try await store.automaticAnswers(of: business(1)) == AutomaticAnswers())
            try await put(Self.answers())
            #expect(try await store.automaticAnswers(of: business(1)) == (Self.answers()))
            #expect(try await store.automaticAnswers(of: business(2)) == AutomaticAnswers())
            try await put(AutomaticAnswers())
            #expect(try await store.automaticAnswers(of: business(1)) == AutomaticAnswers())
        }
    }

    @Test(arguments: Kept.allCases)
    func `a customer's message brings its answers' work in its own commit`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("a", to: conversation(1)))
            #expect(try await Self.due(in: store) == [])
            try await Self.choose(Self.answers(), in: store)
            #expect(try await store.types().last == .automaticAnswersSaved)
            // It is neither the first message nor the first that waits.
            _ = try await store.accept(submission("b", to: conversation(1)))
            #expect(try await Self.due(in: store) == ["outOfHours 0.0 seconds"])
            _ = try await store.accept(
                submission("c", to: conversation(1), direction: .outbound))
            _ = try await store.one(
                ChangeConversation(conversation(1), .close, by: .server, at: dawn))
            _ = try await store.accept(submission("d", to: conversation(1)))
            #expect(
                Set(try await Self.due(in: store)) == [
                    "greeting 0.0 seconds", "outOfHours 0.0 seconds", "unanswered 600.0 seconds",
                ])
        }
    }

    @Test(arguments: Kept.allCases)
    func `the server's own message ends no waiting and is no agent's answer`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("a", to: conversation(1)))
            let before = try #require(try await store.findConversation(conversation(1)))
            var own = try submission("b", to: conversation(1), direction: .outbound)
            own.facts.author = .server
            own.facts.headers = [MessageFacts.automatic]
            _ = try await store.accept(own)
            let after = try #require(try await store.findConversation(conversation(1)))
            #expect(after.waitingSince == before.waitingSince && after.waitingSince != nil)
            #expect(after.unread == 1)
            var reply = try submission("c", to: conversation(1), direction: .outbound)
            reply.lastSeen = SequenceNumber(1)
            _ = try await store.one(
                ChangeConversation(
                    conversation(1), .markRead(SequenceNumber(1)), by: .server, at: dawn))
            let read = try #require(try await store.findConversation(conversation(1)))
            #expect(read.unread == 0)
            #expect(read.readUpTo == SequenceNumber(2))
            _ = try await store.accept(reply)
            #expect(
                try await store.findConversation(conversation(1))?.newest == SequenceNumber(3))
        }
    }
}
