import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of rules and of the log of what they did.
@Suite struct RuleContract {
    private static let reader = ReaderName("rules")

    private static func rule(
        _ number: UInt64, name: String = "R", order: Int = 0, in shop: UInt64 = 1
    ) -> TeamRule {
        TeamRule(
            id: TeamRuleID(uniqueID(number)), business: business(shop), name: name, isOn: true,
            order: order, trigger: .customerMessage, conditions: Array(#"[{"text":"予約"}]"#.utf8),
            actions: Array(#"[{"priority":"high"}]"#.utf8))
    }

    private static func act(
        _ rule: UInt64, on event: Int64, _ outcome: RuleAct.Outcome = .done, root: Int64 = 1,
        in shop: UInt64 = 1
    ) -> RuleAct {
        RuleAct(
            RuleAct.Name(TeamRuleID(uniqueID(rule)), on: Position(event)), of: business(shop),
            named: "R \(rule)", in: conversation(1), trigger: .closed, root: Position(root),
            at: dawn, outcome, data: Array(#"{"detail":"é"}"#.utf8))
    }

    private static func put(
        _ acts: [RuleAct], in store: any SQLRegistries
    ) async throws {
        try await store.change(.contents(.advanceReader(reader)), author: .server) {
            sql throws(StoreError) in for act in acts { try Rules.add(act, on: sql) }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `rules are kept whole, and listed in the order in which they act`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            func put(_ rule: TeamRule) async throws {
                try await store.change(
                    .contents(.saveRule(rule.id, of: rule.business)), author: .server
                ) { sql throws(StoreError) in try Rules.save(rule, on: sql) }
            }
            var first = Self.rule(1, order: 2)
            let second = Self.rule(2, order: 1)
            for one in [first, second, Self.rule(3, in: 2)] { try await put(one) }
            #expect(try await store.rules(of: business(1)) == [second, first])
            first.order = 0
            first.isOn = false
            first.name = "名"
            first.trigger = .snoozeEnded
            first.conditions = Array("[]".utf8)
            try await put(first)
            #expect(try await store.rules(of: business(1)) == [first, second])
            let id = first.id
            try await store.change(
                .contents(.removeRule(id, of: business(1))), author: .server
            ) { sql throws(StoreError) in try Rules.remove(id, on: sql) }
            #expect(try await store.rules(of: business(1)) == [second])
            #expect(try await store.rules(of: business(2)).count == 1)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what rules did is read newest first, of all rules or of one`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            #expect(try await store.lastRuleActs() == nil)
            let acts = [
                Self.act(1, on: 5), Self.act(2, on: 5, .refused), Self.act(1, on: 7, .unchanged),
            ]
            try await Self.put(acts, in: store)
            try await Self.put([Self.act(3, on: 9, root: 2, in: 2)], in: store)
            let all = try await store.ruleActs(of: business(1), by: nil, at: .start, limit: 9)
                .elements
            #expect(all.map(\.act) == acts.reversed())
            let page = try await store.ruleActs(
                of: business(1), by: TeamRuleID(uniqueID(1)), at: .after(all[0].number), limit: 9)
            #expect(page.elements.map(\.act) == [acts[0]] && !page.hasMore)
            let back = try await store.ruleActs(
                of: business(1), by: nil, at: .before(all[2].number), limit: 1)
            #expect(back.elements.map(\.act) == [acts[1]] && back.hasMore)
            let last = try await store.lastRuleActs()
            #expect(last?.event == Position(9) && last?.rules == [TeamRuleID(uniqueID(3))])
            #expect(try await store.countRuleActs(of: Position(1)) == 3)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `the newest thousand entries of a business are kept, once the cursor is behind them`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let lease = try await store.leaseOfTest()
            let many = (1...1_010).map { Self.act(1, on: $0) }
            try await Self.put(many, in: store)
            try await Self.put([Self.act(2, on: 1, in: 2)], in: store)
            #expect(
                try await store.ruleActs(of: business(1), by: nil, at: .after(11), limit: 300)
                    .elements.count
                    == 10)
            try await store.advance(
                Self.reader, from: nil, to: EventID(epoch: Epoch(1), position: Position(1_010)),
                storing: .rules(of: [business(1)]), under: lease)
            #expect(
                try await store.ruleActs(of: business(1), by: nil, at: .after(11), limit: 300)
                    .elements == [])
            #expect(
                try await store.ruleActs(of: business(1), by: nil, at: .after(12), limit: 300)
                    .elements.count
                    == 1)
            #expect(
                try await store.ruleActs(of: business(2), by: nil, at: .start, limit: 9).elements
                    .count == 1
            )
        }
    }

    @Test(arguments: Kept.allCases)
    func `rules are made, changed and removed with an event, and there are so many and no more`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            func save(_ rule: TeamRule, isNew: Bool) async throws {
                try await store.one(
                    SaveRule(rule, isNew: isNew, by: .agent(agent(1)), at: dawn))
            }
            try await save(Self.rule(1), isNew: true)
            try await save(Self.rule(1), isNew: false)
            try await save(Self.rule(1, name: "New"), isNew: false)
            #expect(try await store.types().suffix(2) == [.ruleSaved, .ruleSaved])
            #expect(try await store.types().count { $0 == .ruleSaved } == 2)
            await #expect(throws: Refusal.notFound) { try await save(Self.rule(2), isNew: false) }
            await #expect(throws: Refusal.notFound) {
                try await save(Self.rule(2, in: 9), isNew: true)
            }
            for number in 2...UInt64(TeamRule.most) {
                try await save(Self.rule(number), isNew: true)
            }
            await #expect(throws: Refusal.unusable) {
                try await save(Self.rule(999), isNew: true)
            }
            let removal = RemoveRule(
                TeamRuleID(uniqueID(1)), of: business(1), by: .agent(agent(1)), at: dawn)
            try await store.one(removal)
            await #expect(throws: Refusal.notFound) { try await store.one(removal) }
            #expect(try await store.rules(of: business(1)).count == TeamRule.most - 1)
            let last = try await store.events(after: .start, in: .everything, limit: 300).events
                .last
            guard case .json(let data)? = last?.body else { throw Unexpected("another body") }
            #expect(String(decoding: data, as: UTF8.self).contains(#""removed":true"#))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a rule acts on an event once: what it does the second time is not stored`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let mark = RuleMark(
                id: TeamRuleID(uniqueID(1)), name: "R 1", causes: [TeamRuleID(uniqueID(2))],
                root: Position(1))
            func act(_ priority: Priority) async throws {
                let change = ChangeConversation(
                    conversation(1), .prioritize(priority), by: .rule(mark), at: dawn)
                _ = try await store.append(change, after: [.act(Self.act(1, on: 1))]).get()
            }
            try await act(.high)
            await #expect(throws: Refusal.idempotencyConflict) { try await act(.low) }
            #expect(try await store.require(conversation(1)).priority == .high)
            #expect(
                try await store.ruleActs(of: business(1), by: nil, at: .start, limit: 9).elements
                    .count == 1
            )
            let last = try await store.events(after: .start, in: .everything, limit: 99).events.last
            guard case .conversation(let step)? = last?.body else { throw Unexpected("no step") }
            #expect(step.author == .rule(mark))
        }
    }
}
