import DeskBroker
import DeskModel
import DeskStore
import DeskStoreSQLite
import StoreSupport
import TestSupport
import Testing

@testable import DeskTeam

/// The counters of reports, against what was made to happen.
struct ReportReaderTests {
    private static func with(
        seed: UInt64, _ body: (Story, ReaderRunner, Lease) async throws -> Void
    ) async throws {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        let story = try await Story(store, seed: seed)
        let runner = ReaderRunner(
            ReportReader(store), of: Broker(store: store, now: { Story.dawn }))
        try await body(story, runner, try await store.leaseOfTest())
        await store.close()
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `counters are what happened, as they are counted and after a replay from zero`(
        seed: UInt64
    ) async throws {
        try await Self.with(seed: seed) { story, runner, lease in
            for step in 1...900 {
                try await story.goOn()
                if step % 37 == 0 { _ = try await runner.readOn(under: lease) }
            }
            let end = try await runner.readOn(under: lease)
            #expect(end.position == story.store.newest)
            let counted = try await Counted(story.store)
            #expect(counted.total == story.expected, "seed \(seed)")
            #expect(counted.total.cardsPaid > 0 && counted.total.closed > 0)
            let byAgent = Dictionary(
                uniqueKeysWithValues: (counted.members[.agent] ?? []).map { ($0.member, $0.counts) }
            )
            for agent in Story.agents {
                var work = byAgent[agent.text] ?? ReportCounts()
                // Answers of customers are counted under the sender of the card, which the story leaves out.
                work.cardsAnswered = 0
                work.cardsPaid = 0
                #expect(work == story.byAgent[agent], "\(agent) seed \(seed)")
            }
            // Another life of the log: everything is counted again from its beginning.
            let reader = ReportReader(story.store)
            try await story.store.advance(
                reader.name, from: end, to: EventID(epoch: Epoch(9), position: end.position),
                storing: .nothing, under: lease)
            #expect(try await runner.readOn(under: lease) == end)
            #expect(try await Counted(story.store) == counted, "seed \(seed)")
        }
    }

    @Test func `an entry link is counted by what the first message says`() async throws {
        try await Self.with(seed: 4) { story, runner, lease in
            try await story.goOn()
            _ = try await runner.readOn(under: lease)
            let entries = try await Counted(story.store).members[.entry] ?? []
            #expect(entries.map(\.member) == [ReportEntry(intent: "order", group: nil).text])
            #expect(entries.map(\.counts.begun) == [1])
        }
    }

    @Test(arguments: [(nil, nil), ("a:b", "c"), ("3:x", nil), ("", "予約")] as [(String?, String?)])
    func `an entry's text is read back`(intent: String?, group: String?) {
        let entry = ReportEntry(intent: intent, group: group)
        #expect(ReportEntry(entry.text) == entry)
    }

    @Test func `an entry's parts are cut within whole characters`() {
        let entry = ReportEntry(intent: String(repeating: "予", count: 100), group: nil)
        #expect(entry.intent == String(repeating: "予", count: 42))
        #expect(ReportEntry(entry.text) == entry)
    }

    @Test(arguments: ["", "x", "5:ab", "-1:a"])
    func `no other text is an entry`(text: String) { #expect(ReportEntry(text) == nil) }
}
