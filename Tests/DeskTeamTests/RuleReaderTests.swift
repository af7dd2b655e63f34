import DeskBroker
import DeskCalendar
import DeskModel
import DeskStore
import DeskStoreSQLite
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskTeam

/// What the server is to rules in these tests.
private struct Host: RuleHost {
    /// What happens between judging a conversation and acting on it.
    var meanwhile: @Sendable () async -> Void = {}

    func submission(
        of template: TemplateName, values: [UInt8], to conversation: Conversation,
        by author: Author
    ) async throws(RuleFailure) -> Submission {
        await meanwhile()
        var random = SystemRandomNumberGenerator()
        guard template.text != "gone", let id = MessageID(UniqueID(using: &random).text) else {
            throw .refused(code: "invalid", detail: "There is no template \(template.text).")
        }
        return Submission(
            conversation: conversation.id, id: id, payload: Array(#"{"type":"text"}"#.utf8),
            facts: MessageFacts(
                direction: .outbound, kind: .text, author: author, origin: .server,
                headers: [MessageFacts.automatic]))
    }

    func openingTimes(of team: TeamID?, _ stored: [StoredHours]) -> OpeningTimes? { nil }

    var handlingRoles: Set<Role> { [.owner, .supervisor, .agent] }

    func words(for refusal: Refusal) -> String { "Refused: \(refusal.code)." }
}

/// A store with one business, one customer and rules, and a reader that is asked by hand.
private struct Setting {
    let store: SQLiteStore
    let broker: Broker
    let runner: ReaderRunner
    let talk = ConversationID(UniqueID(high: 3, low: 1))

    init() async throws {
        store = try SQLiteStore(inMemory: Epoch(0xE))
        broker = Broker(store: store, now: { Story.dawn })
        runner = ReaderRunner(RuleReader(broker, host: Host()), of: broker)
        try await store.save(
            Business(
                id: Story.shop, name: "S", colour: "#000000", mode: .test, createdAt: Story.dawn),
            author: .server)
        try await run()
    }

    @discardableResult
    func add(
        _ number: UInt64, _ trigger: TeamRule.Trigger, if conditions: String = "[]",
        then actions: String
    ) async throws -> TeamRule {
        let rule = TeamRule(
            id: Self.id(number), business: Story.shop, name: "Rule \(number)", isOn: true,
            order: Int(number), trigger: trigger, conditions: Array(conditions.utf8),
            actions: Array(actions.utf8))
        try await broker.save(rule, isNew: true, by: .server)
        return rule
    }

    static func id(_ number: UInt64) -> TeamRuleID { TeamRuleID(UniqueID(high: 6, low: number)) }

    /// Brings the reader to the end of the log, until nothing it did is left to be read.
    func run() async throws {
        _ = try await runner.readOn(under: try await store.leaseOfTest())
    }

    func begin(headers: [HeaderField] = []) async throws {
        let customer = Customer(id: try #require(CustomerID("urn:mbid:AAA=")))
        _ = try await store.append(
            OpenConversation(talk, business: Story.shop, customer: customer, at: Story.dawn)
        ).get()
        try await write("m1", headers: headers)
    }

    func write(_ id: String, headers: [HeaderField] = [], at time: Timestamp = Story.dawn)
        async throws
    {
        let facts = MessageFacts(
            direction: .inbound, kind: .text, author: .customer(device: "d"), origin: .phone,
            headers: headers)
        _ = try await store.append(
            NewMessage(
                Submission(
                    conversation: talk, id: try #require(MessageID(id)),
                    payload: Array(#"{"body":"Hello"}"#.utf8), facts: facts), at: time)
        ).get()
    }

    func conversation() async throws -> Conversation {
        try #require(try await store.findConversation(talk))
    }

    func acts() async throws -> [String] {
        try await store.ruleActs(of: Story.shop, by: nil, at: .start, limit: 300).elements
            .reversed().map {
                "\($0.act.ruleName) \($0.act.outcome.rawValue)"
            }
    }

    func count(_ type: EventType) async throws -> Int {
        try await store.events(after: .start, in: .everything, limit: 300).events.count {
            $0.type == type
        }
    }
}

/// How rules act on events.
struct RuleReaderTests {
    @Test func `a rule acts on what comes after it was made, and is named as the author`()
        async throws
    {
        let setting = try await Setting()
        try await setting.begin()
        try await setting.run()
        let rule = try await setting.add(
            1, .customerMessage, if: #"[{"text":"hello"}]"#,
            then: #"[{"priority":"high"},{"note":"Look"},{"template":{"name":"hi"}}]"#)
        try await setting.write("m2")
        try await setting.run()
        let after = try await setting.conversation()
        #expect(after.priority == .high)
        #expect(after.newest == SequenceNumber(3))
        // What a rule sends ends no waiting.
        #expect(after.waitingSince != nil && after.unread == 2)
        guard case .rule(let mark)? = after.last?.author else { throw Unexpected("no rule") }
        #expect(mark.id == rule.id && mark.name == "Rule 1" && mark.causes == [])
        #expect(try await setting.acts() == ["Rule 1 done"])
        try await setting.write("m3")
        try await setting.run()
        #expect(try await setting.acts() == ["Rule 1 done", "Rule 1 done"])
        await setting.store.close()
    }

    @Test func `a rule acts although others change its conversation each time it has judged it`()
        async throws
    {
        let setting = try await Setting()
        try await setting.add(
            1, .customerMessage, if: #"[{"text":"hello"}]"#,
            then: #"[{"note":"Look"},{"template":{"name":"hi"}}]"#)
        try await setting.begin()
        let written = Mutex(1)
        let reader = RuleReader(
            setting.broker,
            host: Host {
                let count = written.withLock { count in
                    count += 1
                    return count
                }
                guard count < 12 else { return }
                try? await setting.write("m\(count)")
            })
        let page = try await setting.store.events(after: .start, in: .everything, limit: 99)
        let events = page.events.filter { reader.wants($0.type) }
        _ = try await reader.apply(events)
        #expect(try await setting.acts() == ["Rule 1 done"])
        #expect(try await setting.count(.noteAdded) == 1)
        #expect(written.withLock { $0 } == 12)
        await setting.store.close()
    }

    @Test func `a batch that comes again changes nothing`() async throws {
        let setting = try await Setting()
        try await setting.add(1, .customerMessage, then: #"[{"note":"one"}]"#)
        try await setting.add(2, .customerMessage, then: #"[{"note":"two"}]"#)
        try await setting.begin()
        let reader = RuleReader(setting.broker, host: Host())
        let page = try await setting.store.events(after: .start, in: .everything, limit: 99)
        let events = page.events.filter { reader.wants($0.type) }
        for _ in 0..<3 { _ = try await reader.apply(events) }
        #expect(try await setting.count(.noteAdded) == 2)
        #expect(try await setting.acts() == ["Rule 1 done", "Rule 2 done"])
        await setting.store.close()
    }

    @Test func `what was judged before a crash is not judged again when a later rule has acted`()
        async throws
    {
        let setting = try await Setting()
        try await setting.add(
            1, .customerMessage, if: #"[{"priority":"high"}]"#, then: #"[{"note":"one"}]"#)
        try await setting.add(2, .customerMessage, then: #"[{"priority":"high"}]"#)
        try await setting.begin()
        let reader = RuleReader(setting.broker, host: Host())
        let page = try await setting.store.events(after: .start, in: .everything, limit: 99)
        let events = page.events.filter { reader.wants($0.type) }
        _ = try await reader.apply(events)
        // The process ended before the cursor was stored: the second rule made the first one's condition
        // true.
        _ = try await reader.apply(events)
        #expect(try await setting.acts() == ["Rule 2 done"])
        await setting.store.close()
    }

    @Test func `a rule does not act on what it caused, by itself or through others`() async throws {
        let setting = try await Setting()
        try await setting.add(
            1, .priorityChanged, then: #"[{"priority":"low"},{"note":"one"}]"#)
        try await setting.add(
            2, .priorityChanged, then: #"[{"priority":"high"},{"note":"two"}]"#)
        try await setting.begin()
        _ = try await setting.broker.change(setting.talk, .prioritize(.urgent), by: .command)
        try await setting.run()
        #expect(
            try await setting.acts() == [
                "Rule 1 done", "Rule 2 done", "Rule 2 done", "Rule 1 done",
            ])
        await setting.store.close()
    }

    @Test func `a chain of rules ends after five, and the log says so`() async throws {
        let setting = try await Setting()
        try await setting.add(1, .customerMessage, then: #"[{"priority":"low"}]"#)
        try await setting.add(
            2, .priorityChanged, if: #"[{"priority":"low"}]"#, then: #"[{"state":"closed"}]"#)
        try await setting.add(3, .closed, then: #"[{"state":"open"}]"#)
        try await setting.add(4, .reopened, then: #"[{"template":{"name":"hi"}}]"#)
        try await setting.add(5, .messageSent, then: #"[{"priority":"urgent"}]"#)
        try await setting.add(
            6, .priorityChanged, if: #"[{"priority":"urgent"}]"#, then: #"[{"note":"n"}]"#)
        try await setting.begin()
        try await setting.run()
        #expect(
            try await setting.acts()
                == (1...5).map { "Rule \($0) done" } + ["Rule 6 chainEnded"])
        await setting.store.close()
    }

    @Test func `one event makes rules act so often and no more`() async throws {
        let setting = try await Setting()
        for number in 1...UInt64(10) {
            try await setting.add(
                number, .priorityChanged, if: #"[{"hours":"within"}]"#,
                then: #"[{"priority":"low"},{"priority":"high"},{"priority":"urgent"}]"#)
        }
        try await setting.begin()
        _ = try await setting.broker.change(setting.talk, .prioritize(.normal), by: .command)
        for _ in 0..<3 { try await setting.run() }
        let acts = try await setting.store.ruleActs(
            of: Story.shop, by: nil, at: .start, limit: 300
        ).elements
        #expect(acts.count == RuleAct.mostOfRoot + 1)
        #expect(acts.first?.act.outcome == .tooMany)
        await setting.store.close()
    }

    @Test func `what cannot be done is refused whole, and the log says why`() async throws {
        let setting = try await Setting()
        let outsider = AgentID(UniqueID(high: 9, low: 9)).text
        try await setting.add(
            1, .customerMessage, then: #"[{"priority":"high"},{"assign":"\#(outsider)"}]"#)
        try await setting.add(2, .customerMessage, then: #"[{"template":{"name":"gone"}}]"#)
        try await setting.begin()
        try await setting.run()
        #expect(try await setting.conversation().priority == Priority.none)
        #expect(try await setting.acts() == ["Rule 1 refused", "Rule 2 refused"])
        let acts = try await setting.store.ruleActs(
            of: Story.shop, by: nil, at: .start, limit: 9
        ).elements
        #expect(String(decoding: acts[0].act.data, as: UTF8.self).contains("no template gone"))
        #expect(String(decoding: acts[1].act.data, as: UTF8.self).contains("Refused: invalid."))
        await setting.store.close()
    }

    @Test func `a program's message and what came with an archive are not acted on`() async throws {
        let setting = try await Setting()
        try await setting.add(1, .customerMessage, then: #"[{"note":"n"}]"#)
        try await setting.begin(headers: [MessageFacts.automatic])
        try await setting.write("m2", at: Story.dawn.advanced(by: .seconds(-90_000)))
        try await setting.run()
        #expect(try await setting.acts() == [])
        await setting.store.close()
    }

    @Test func `a dry run says where a rule would have acted, and changes nothing`() async throws {
        let setting = try await Setting()
        try await setting.begin()
        for number in 2...5 { try await setting.write("m\(number)") }
        let program = try RuleProgramTests.program(
            .customerMessage, if: #"[{"state":"open"}]"#, then: #"[{"priority":"high"}]"#)
        let before = setting.store.newest
        let run = try await RuleDryRun(of: program, in: setting.store, host: Host())
        #expect(run.matches.count == 5)
        #expect(run.lookedAt == Int(before.value))
        #expect(run.matches.first?.found == ["open"])
        #expect(
            run.matches.map(\.event.id.position)
                == run.matches.map(\.event.id.position).sorted(by: >))
        #expect(setting.store.newest == before)
        await setting.store.close()
    }

    @Test func `a dry run looks at the newest events alone, without a gap between its strides`()
        async throws
    {
        let setting = try await Setting()
        try await setting.begin()
        for number in 2...600 { try await setting.write("m\(number)") }
        // Those of others lie between, so that more than one stride is needed.
        let other = BusinessID(UniqueID(high: 1, low: 2))
        try await setting.store.save(
            Business(id: other, name: "O", colour: "#000000", mode: .test, createdAt: Story.dawn),
            author: .server)
        for _ in 0..<700 {
            _ = try await setting.broker.append(
                .assistantAsked, of: other, data: Array("{}".utf8))
        }
        for number in 601...1_100 { try await setting.write("m\(number)") }
        let program = try RuleProgramTests.program(
            .customerMessage, if: "[]", then: #"[{"priority":"high"}]"#)
        let run = try await RuleDryRun(of: program, in: setting.store, host: Host())
        #expect(run.lookedAt == RuleDryRun.mostEvents)
        let places = run.matches.map(\.event.id.position.value)
        #expect(places.first == setting.store.newest.value)
        #expect(places == places.sorted(by: >) && Set(places).count == places.count)
        await setting.store.close()
    }
}
