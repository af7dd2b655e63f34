import DeskModel
import DeskStore
import TestSupport
import Testing

/// What every store promises of bots and of who controls a conversation.
@Suite struct BotContract {
    static let shop = business(1)
    static let owner = Author.agent(agent(1))
    static let key = KeyID(uniqueID(0xB1))
    static let place = conversation(1)

    /// A business with a bot that is first and has 30 seconds, and a conversation without messages.
    static func begin(_ store: any Store) async throws -> Bot {
        try await store.begin(place)
        for number in 1...2 as ClosedRange<UInt64> {
            try await store.setRole(.agent, of: agent(number), in: shop, author: .server)
        }
        try await store.add(
            APIKey(
                id: key, name: "bot", secret: .sha256([1]), mode: .live, businesses: [shop],
                createdAt: dawn), author: .server, permitted: [])
        return try await save(1, in: store) {
            $0.name = "Ada"
            $0.key = key
            $0.isFirst = true
        }
    }

    static func save(
        _ number: UInt64, isNew: Bool = true, in store: any Store,
        _ fill: (inout SaveBot.Values) -> Void
    ) async throws -> Bot {
        var values = SaveBot.Values()
        fill(&values)
        return try await store.one(
            SaveBot(
                BotID(uniqueID(0xB00 + number)), of: shop, isNew: isNew, values, by: owner,
                at: dawn))
    }

    static func say(
        _ id: String, at seconds: Int = 0, in store: any Store
    ) async throws -> Acceptance {
        try await store.one(
            NewMessage(
                submission(id, to: place), at: dawn.advanced(by: .seconds(seconds))))
    }

    static func answer(
        _ id: String, by author: Author = .key(key), at seconds: Int = 0, in store: any Store
    ) async throws -> Acceptance {
        var one = try submission(id, to: place, direction: .outbound)
        one.facts.author = author
        return try await store.one(NewMessage(one, at: dawn.advanced(by: .seconds(seconds))))
    }

    static func control(
        _ action: ChangeControl.Action, to target: Controller? = nil, isFailure: Bool = false,
        metadata: [UInt8]? = nil, by author: Author = .key(key), at seconds: Int = 0,
        in store: any Store
    ) async throws -> Control {
        try await store.one(
            ChangeControl(
                action, of: place, to: target, isFailure: isFailure, metadata: metadata,
                permitted: .handling, by: author, at: dawn.advanced(by: .seconds(seconds))))
    }

    /// The reasons of all changes of control.
    static func reasons(_ store: any Store) async throws -> [String] {
        try await store.events(after: .start, in: .everything, limit: 300).events.compactMap {
            guard $0.type == .conversationControlChanged, case .json(let data) = $0.body else {
                return nil
            }
            let text = String(decoding: data, as: UTF8.self)
            let rest = text.split(separator: "\"reason\":\"").last
            return rest?.split(separator: "\"").first.map { String($0) }
        }
    }

    static func found(_ store: any Store) async throws -> Control? {
        try await store.findControl(of: place)
    }

    private static func row(_ store: any Store) async throws -> Conversation {
        try #require(try await store.findConversation(place))
    }

    @Test(arguments: Kept.allCases)
    func `a bot is kept whole, and its name and its key are its own in the business`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let bot = try await Self.begin(store)
            let other = try await Self.save(2, in: store) {
                $0.name = "Bo"
                $0.key = KeyID(uniqueID(9))
                $0.webhook = .some(WebhookID(uniqueID(8)))
                $0.answerSeconds = 3_600
                $0.intents = ["order a", "返品"]
            }
            #expect(try await store.bots(of: Self.shop) == [bot, other])
            #expect(try await store.bots(of: business(2)) == [])
            await #expect(throws: Refusal.nameTaken) {
                try await Self.save(3, in: store) {
                    $0.name = "ADA"
                    $0.key = KeyID(uniqueID(10))
                }
            }
            await #expect(throws: Refusal.nameTaken) {
                try await Self.save(3, in: store) {
                    $0.name = "Cy"
                    $0.key = Self.key
                }
            }
            await #expect(throws: Refusal.notFound) {
                try await Self.save(7, isNew: false, in: store) { $0.name = "Cy" }
            }
            let count = try await store.types().filter { $0 == .botSaved }.count
            _ = try await Self.save(2, isNew: false, in: store) { $0.answerSeconds = 3_600 }
            #expect(try await store.types().filter { $0 == .botSaved }.count == count)
            let retired = try await Self.save(2, isNew: false, in: store) { $0.isRetired = true }
            #expect(try await store.bots(of: Self.shop) == [bot, retired])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a new conversation is the first bot's, which has its seconds until it answers`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let bot = try await Self.begin(store)
            _ = try await Self.say("a", in: store)
            let control = try #require(try await Self.found(store))
            #expect(control.controller == .bot(bot.id))
            #expect(control.answerBy == dawn.advanced(by: .seconds(30)))
            // Further messages do not give it more time.
            _ = try await Self.say("b", at: 20, in: store)
            #expect(try await Self.found(store)?.answerBy == control.answerBy)
            let answer = try await Self.answer("c", at: 21, in: store)
            #expect(answer.message.facts.isAutomatic)
            #expect(try await Self.found(store)?.answerBy == nil)
            _ = try await Self.say("d", at: 60, in: store)
            #expect(
                try await Self.found(store)?.answerBy == dawn.advanced(by: .seconds(90)))
            #expect(try await Self.reasons(store) == ["opened"])
            let types = try await store.types(.conversation(Self.place))
            let changed = try #require(types.firstIndex(of: .conversationControlChanged))
            #expect(types[changed + 1] == .messageAccepted)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a customer who waits anew gives the bot all of its seconds`(_ kept: Kept) async throws {
        try await kept.with { store in
            let bot = try await Self.begin(store)
            func answerBy() async throws -> Timestamp? {
                let control = try #require(try await Self.found(store))
                #expect(control.controller == .bot(bot.id))
                return control.answerBy
            }
            _ = try await Self.say("a", in: store)
            // The bot may say in this way that there is nothing to answer.
            _ = try await store.change(Self.place, .close)
            _ = try await Self.say("b", at: 25, in: store)
            #expect(try await answerBy() == dawn.advanced(by: .seconds(55)))
            _ = try await Self.answer("k", by: .key(KeyID(uniqueID(77))), at: 26, in: store)
            _ = try await Self.say("c", at: 50, in: store)
            #expect(try await answerBy() == dawn.advanced(by: .seconds(80)))
            _ = try await store.change(Self.place, .leave)
            _ = try await Self.say("d", at: 70, in: store)
            #expect(try await answerBy() == dawn.advanced(by: .seconds(100)))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a bot of an intent is first for it, before one that is first for all`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let bot = try await Self.begin(store)
            try await store.add(
                APIKey(
                    id: KeyID(uniqueID(9)), name: "other", secret: .sha256([2]), mode: .live,
                    businesses: [Self.shop], createdAt: dawn), author: .server, permitted: [])
            let own = try await Self.save(2, in: store) {
                $0.name = "Bo"
                $0.key = KeyID(uniqueID(9))
                $0.intents = ["order"]
            }
            for (number, intent) in [(2, "order"), (3, "Order"), (4, nil)] as [(UInt64, String?)] {
                let id = try customer(number).id
                _ = try await store.one(
                    OpenConversation(
                        conversation(number), business: Self.shop,
                        customer: Customer(id: id, intent: intent), at: dawn))
                _ = try await store.accept(submission("m", to: conversation(number)))
                let control = try await store.findControl(of: conversation(number))
                #expect(control?.controller == .bot(number == 2 ? own.id : bot.id), "\(number)")
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `without control a bot's sends are refused, and what it sent before is answered as it was`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let bot = try await Self.begin(store)
            _ = try await Self.say("a", in: store)
            let first = try await Self.answer("b", in: store)
            _ = try await Self.answer("p", by: Self.owner, at: 5, in: store)
            let control = try #require(try await Self.found(store))
            #expect(control.controller == .agent(agent(1)))
            #expect(control.answerBy == nil)
            await #expect(throws: Refusal.notInControl) { try await Self.answer("c", in: store) }
            let again = try await Self.answer("b", at: 6, in: store)
            #expect(again.isRepeat && again.message == first.message)
            // Keys that are no bots send as before, and what they send is not the server's own doing.
            let other = try await Self.answer("k", by: .key(KeyID(uniqueID(77))), in: store)
            #expect(!other.message.facts.isAutomatic)
            for action in [ChangeControl.Action.pass, .offer, .accept, .take, .release] {
                await #expect(throws: Refusal.notInControl, "\(action)") {
                    try await Self.control(action, to: .bot(bot.id), in: store)
                }
            }
            #expect(try await Self.reasons(store) == ["opened", "taken_over"])
        }
    }

    @Test(arguments: Kept.allCases)
    func `people who get a conversation have a customer who waits from then on`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            _ = try await Self.begin(store)
            try await store.one(
                SaveServiceLevels(
                    Array("{}".utf8), of: Self.shop, event: Array("{}".utf8), by: Self.owner,
                    at: dawn))
            try await store.one(
                SaveAssignment(
                    of: Self.shop, for: nil,
                    StoredAssignment(of: Self.shop, AssignmentRule(.roundRobin)),
                    event: Array("{}".utf8), by: Self.owner, at: dawn))
            var answers = AutomaticAnswers()
            answers.outOfHours = TemplateName("closed")
            try await store.one(
                SaveAutomaticAnswers(
                    answers, of: Self.shop, event: Array("{}".utf8), by: Self.owner, at: dawn))
            func assign() async throws -> AssignmentOutcome {
                try await store.one(
                    AssignAutomatically(
                        Self.place, to: [agent(2)], permitted: [.agent], at: dawn))
            }
            _ = try await Self.say("a", in: store)
            #expect(try await Self.row(store).answerDue == nil)
            #expect(try await store.dueWork(.answer, in: Self.place) == [])
            #expect(try await store.dueWork(.due, in: Self.place) == [])
            #expect(try await assign() == .notDue)
            _ = try await Self.answer("b", at: 3, in: store)
            #expect(try await Self.row(store).waitingSince == nil)
            let metadata = Array(#"{"order":"A-17"}"#.utf8)
            let control = try await Self.control(.pass, metadata: metadata, at: 9, in: store)
            #expect(control.controller == nil && control.metadata == metadata)
            let row = try await Self.row(store)
            #expect(row.waitingSince == dawn.advanced(by: .seconds(9)))
            #expect(row.answerDue == AnswerDue(.first))
            #expect(
                try await store.dueWork(.due, in: Self.place).map(\.dueAt) == [row.waitingSince])
            #expect(try await store.dueWork(.answer, in: Self.place).count == 1)
            #expect(try await assign() == .assigned(agent(2)))
            // Returned to the bot, the conversation is no one's, and the clocks stop.
            let bot = try #require(try await store.bots(of: Self.shop).first)
            let returned = try await Self.control(
                .pass, to: .bot(bot.id), by: Self.owner, at: 20, in: store)
            #expect(returned.answerBy == dawn.advanced(by: .seconds(50)))
            #expect(returned.metadata == metadata)
            let after = try await Self.row(store)
            #expect(after.assignee == nil && after.answerDue == nil)
            #expect(try await store.dueWork(.due, in: Self.place) == [])
            #expect(try await assign() == .notDue)
            #expect(try await Self.reasons(store) == ["opened", "passed", "returned"])
            // Assigning to a person gives control to them.
            _ = try await store.change(Self.place, .assign(agent(2)))
            #expect(try await Self.found(store)?.controller == .agent(agent(2)))
            #expect(try await Self.row(store).answerDue == AnswerDue(.first))
            #expect(try await Self.reasons(store).last == "taken_over")
        }
    }

    @Test(arguments: Kept.allCases)
    func `a bot that is late, or cannot be reached, hands over once`(_ kept: Kept) async throws {
        try await kept.with { store in
            let bot = try await Self.begin(store)
            _ = try await Self.say("a", in: store)
            let early = try await store.overdueControls(
                until: dawn.advanced(by: .seconds(29)), after: nil, limit: 9)
            #expect(early == [])
            let late = dawn.advanced(by: .seconds(30))
            let overdue = try await store.overdueControls(until: late, after: nil, limit: 9)
            let control = try #require(overdue.first)
            #expect(overdue.count == 1)
            await #expect(throws: Refusal.notFound) {
                try await store.one(EndBotWait(control, at: dawn))
            }
            try await store.one(EndBotWait(control, at: late))
            await #expect(throws: Refusal.notFound) {
                try await store.one(EndBotWait(control, at: late))
            }
            #expect(try await Self.found(store)?.controller == nil)
            #expect(try await store.overdueControls(until: late, after: nil, limit: 9) == [])
            #expect(try await Self.reasons(store) == ["opened", "timeout"])
            #expect(try await Self.row(store).waitingSince == late)
            // Its key ends: the next message is people's at once.
            _ = try await Self.control(
                .pass, to: .bot(bot.id), by: Self.owner, at: 40, in: store)
            #expect(try await store.revokeKey(Self.key, at: dawn, author: .server))
            _ = try await Self.say("b", at: 41, in: store)
            #expect(try await Self.found(store)?.controller == nil)
            #expect(try await Self.reasons(store).suffix(2) == ["returned", "error"])
            await #expect(throws: Refusal.unusable) {
                try await Self.control(.pass, to: .bot(bot.id), by: Self.owner, in: store)
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `what is offered stays where it is until who may accepts it`(_ kept: Kept) async throws {
        try await kept.with { store in
            let bot = try await Self.begin(store)
            _ = try await Self.say("a", in: store)
            let offered = try await Self.control(.offer, to: .agent(agent(2)), in: store)
            #expect(offered.controller == .bot(bot.id) && offered.offer == .agent(agent(2)))
            await #expect(throws: Refusal.notInControl) {
                try await Self.control(.accept, by: Self.owner, in: store)
            }
            _ = try await Self.answer("b", in: store)
            let accepted = try await Self.control(.accept, by: .agent(agent(2)), in: store)
            #expect(accepted.controller == .agent(agent(2)) && accepted.offer == nil)
            #expect(try await Self.row(store).assignee == agent(2))
            let released = try await Self.control(.release, by: Self.owner, in: store)
            #expect(released.controller == nil)
            await #expect(throws: Refusal.unusable) {
                try await Self.control(.pass, to: .agent(agent(9)), by: Self.owner, in: store)
            }
            try await store.setRole(.auditor, of: agent(9), in: Self.shop, author: .server)
            await #expect(throws: Refusal.unusable) {
                try await Self.control(.offer, to: .agent(agent(9)), by: Self.owner, in: store)
            }
            _ = try await Self.control(.offer, to: .bot(bot.id), by: Self.owner, in: store)
            let own = try await Self.control(.accept, in: store)
            #expect(own.controller == .bot(bot.id))
            #expect(
                try await Self.reasons(store)
                    == ["opened", "offered", "accepted", "released", "offered", "accepted"])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a closed conversation begins again with the bot, and its metadata goes with an erasure`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let bot = try await Self.begin(store)
            _ = try await Self.say("a", in: store)
            _ = try await Self.control(
                .pass, metadata: Array(#"{"name":"Ben"}"#.utf8), in: store)
            _ = try await store.change(Self.place, .assign(agent(1)))
            _ = try await store.change(Self.place, .close)
            _ = try await Self.say("b", at: 60, in: store)
            let control = try #require(try await Self.found(store))
            #expect(control.controller == .bot(bot.id))
            #expect(control.answerBy == dawn.advanced(by: .seconds(90)))
            #expect(!control.metadata.isEmpty)
            #expect(try await Self.row(store).assignee == nil)
            _ = try await store.change(Self.place, .close)
            try await store.one(EndBotWait(control, at: dawn.advanced(by: .seconds(90))))
            #expect(try await Self.found(store)?.controller == .bot(bot.id))
            await #expect(throws: Refusal.notForBots) {
                try await store.one(
                    ChangeConversation(Self.place, .pend, by: .key(Self.key), at: dawn))
            }
        }
    }
}
