import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of questions about satisfaction.
@Suite struct SatisfactionContract {
    private static let shop = business(1)
    private static let chosen = StoredSatisfaction(
        SatisfactionPlan(delayMinutes: 5), Array(#"{"isOn":true}"#.utf8))

    private static func begin(_ store: any Store) async throws {
        try await store.begin(conversation(1))
        try await choose(chosen, in: store)
        _ = try await store.accept(submission("a", to: conversation(1)))
        _ = try await store.accept(submission("b", to: conversation(1), direction: .outbound))
    }

    private static func choose(
        _ chosen: StoredSatisfaction, in store: any Store
    ) async throws {
        try await store.one(
            SaveSatisfaction(
                chosen, of: shop, event: Array("{}".utf8), by: .agent(agent(1)), at: dawn))
    }

    private static func work(
        _ kind: DueWork.Kind, in store: any Store
    ) async throws -> DueWork? {
        try await store.findDueWork(DueWork.Name(kind, in: conversation(1)))
    }

    private static func question(
        _ name: String, at time: Timestamp = dawn
    ) throws -> Satisfaction.Question {
        Satisfaction.Question(
            try messageID(name), at: time,
            about: Satisfaction.Work(
                assignee: agent(1), team: nil, labels: [LabelID(uniqueID(7))]))
    }

    /// A card that answers a request.
    private static func card(
        _ id: String, to request: String, score: Int, by device: String = "d"
    ) throws -> Submission {
        let payload = """
            {"interactiveData":{"data":{"requestIdentifier":"\(request)",\
            "quick-reply":{"selectedIdentifier":"satisfaction-\(score)"}}}}
            """
        return Submission(
            conversation: conversation(1), id: try messageID(id), payload: Array(payload.utf8),
            facts: MessageFacts(
                direction: .inbound, kind: .quickReply, author: .customer(device: device),
                origin: .phone, summary: "\(score)"))
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what a business chose is kept whole and replaced`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            func put(_ chosen: StoredSatisfaction, _ owner: BusinessID) async throws {
                try await store.change(
                    .contents(.saveSatisfaction(of: owner)), author: .server
                ) { sql throws(StoreError) in
                    try SatisfactionRows.put(chosen, of: owner, on: sql)
                }
            }
            #expect(try await store.satisfaction(of: Self.shop) == nil)
            try await put(Self.chosen, Self.shop)
            #expect(try await store.satisfaction(of: Self.shop) == Self.chosen)
            #expect(try await store.satisfaction(of: business(2)) == nil)
            let off = StoredSatisfaction(nil, Array("{}".utf8))
            try await put(off, Self.shop)
            #expect(try await store.satisfaction(of: Self.shop) == off)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a closing asks later where the business asks, with who looked after it then`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            _ = try await store.change(conversation(1), .assign(agent(1)))
            _ = try await store.change(conversation(1), .close)
            let work = try #require(try await Self.work(.ask, in: store))
            #expect(work.dueAt == dawn.advanced(by: .seconds(300)))
            let about = RowFields.readWork(String(decoding: work.data, as: UTF8.self))
            #expect(about?.assignee == agent(1))
            // Closing what is closed plans nothing, and a business that does not ask neither.
            _ = try await store.one(Write.finish(work))
            _ = try await store.change(conversation(1), .close)
            #expect(try await Self.work(.ask, in: store) == nil)
            try await Self.choose(StoredSatisfaction(nil, Array("{}".utf8)), in: store)
            _ = try await store.change(conversation(1), .reopen)
            _ = try await store.change(conversation(1), .close)
            #expect(try await Self.work(.ask, in: store) == nil)
        }
    }

    @Test(arguments: Kept.allCases)
    func `an answer to the question asked last is kept, and opens nothing`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            _ = try await store.change(conversation(1), .close)
            let question = try Self.question("q")
            _ = try await store.change(conversation(1), .ask(question))
            _ = try await store.accept(try Self.card("c", to: "q", score: 4))
            let found = try await store.require(conversation(1))
            #expect(found.state == .closed)
            #expect(found.unread == 0)
            #expect(found.waitingSince == nil)
            #expect(found.readUpTo == found.newest)
            let answer = Satisfaction.Answer(
                to: question, by: try messageID("c"), score: 4, comment: nil, at: dawn)
            #expect(found.satisfaction == Satisfaction(question, answer))
            #expect(
                try await store.types().suffix(3)
                    == [.satisfactionAsked, .satisfactionAnswered, .messageAccepted])
            #expect(try await Self.work(.thank, in: store) != nil)
            // The same card once more is the same message; another one replaces the score.
            _ = try await store.accept(try Self.card("c", to: "q", score: 4))
            _ = try await store.accept(try Self.card("d", to: "q", score: 1))
            let events = try await store.events(after: .start, in: .everything, limit: 300).events
            let steps = events.compactMap { event -> Satisfaction.Step? in
                guard case .conversation(let step) = event.body,
                    case .satisfaction(let one) = step.change
                else { return nil }
                return one
            }
            #expect(
                try steps == [
                    Satisfaction.Step(question),
                    Satisfaction.Step(
                        question, Satisfaction.Given(messageID("c"), score: 4, before: nil)),
                    Satisfaction.Step(
                        question, Satisfaction.Given(messageID("d"), score: 1, before: 4)),
                ])
            #expect(try await store.require(conversation(1)).satisfaction?.answer?.score == 1)
        }
    }

    @Test(arguments: Kept.allCases)
    func `an answer to another request opens the conversation as every message does`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            _ = try await store.change(conversation(1), .close)
            _ = try await store.accept(try Self.card("c", to: "q", score: 4))
            #expect(try await store.require(conversation(1)).state == .open)
            _ = try await store.change(conversation(1), .ask(try Self.question("q")))
            _ = try await store.change(conversation(1), .ask(try Self.question("r")))
            _ = try await store.change(conversation(1), .close)
            _ = try await store.accept(try Self.card("d", to: "q", score: 4))
            let found = try await store.require(conversation(1))
            #expect(found.state == .open)
            #expect(found.satisfaction == Satisfaction(try Self.question("r")))
        }
    }

    @Test(arguments: Kept.allCases)
    func `whether it was answered is counted from its last opening, without what the server says`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            func wasAnswered() async throws -> Bool {
                try await store.wasAnswered(sinceOpening: conversation(1))
            }
            #expect(try await store.wasAnswered(sinceOpening: conversation(9)) == false)
            _ = try await store.accept(submission("a", to: conversation(1)))
            #expect(try await wasAnswered() == false)
            var said = try submission("s", to: conversation(1), direction: .outbound)
            said.facts.author = .server
            _ = try await store.accept(said)
            #expect(try await wasAnswered() == false)
            _ = try await store.accept(submission("b", to: conversation(1), direction: .outbound))
            #expect(try await wasAnswered())
            _ = try await store.change(conversation(1), .close)
            #expect(try await wasAnswered())
            _ = try await store.accept(submission("c", to: conversation(1)))
            #expect(try await wasAnswered() == false)
        }
    }

    @Test func `what rows have of it is read as it was written`() throws {
        let question = try Self.question("q")
        for answer in [
            nil,
            Satisfaction.Answer(
                to: question, by: try messageID("c"), score: 5, comment: "とても {良い}, \"5\"",
                at: dawn),
        ] {
            let satisfaction = Satisfaction(question, answer)
            let text = try #require(RowFields.write(satisfaction as Satisfaction?))
            #expect(RowFields.readSatisfaction(text) == satisfaction)
        }
        #expect(RowFields.readSatisfaction("{}") == nil)
    }
}
