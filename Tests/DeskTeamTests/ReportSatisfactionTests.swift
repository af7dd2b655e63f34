import DeskBroker
import DeskModel
import DeskStore
import DeskStoreSQLite
import StoreSupport
import TestSupport
import Testing

@testable import DeskTeam

/// What reports count of questions about satisfaction.
struct ReportSatisfactionTests {
    private static let shop = Story.shop
    private static let agent = Story.agents[0]
    private static let team = TeamID(UniqueID(high: 5, low: 1))
    private static let talk = ConversationID(UniqueID(high: 3, low: 1))

    private static func message(
        _ id: String, _ direction: Direction, _ payload: String, _ kind: MessageKind = .text,
        at time: Timestamp
    ) throws -> Write {
        guard let name = MessageID(id) else { throw Unexpected(id) }
        return .message(
            NewMessage(
                Submission(
                    conversation: talk, id: name, payload: Array(payload.utf8),
                    facts: MessageFacts(
                        direction: direction, kind: kind,
                        author: direction == .inbound
                            ? .customer(device: "d")
                            : kind == .quickReply ? .server : .agent(agent),
                        origin: direction == .inbound ? .phone : .console, summary: "s")),
                at: time))
    }

    private static func rating(_ id: String, _ score: Int, at time: Timestamp) throws -> Write {
        try message(
            id, .inbound,
            """
            {"interactiveData":{"data":{"requestIdentifier":"q",\
            "quick-reply":{"selectedIdentifier":"satisfaction-\(score)"}}}}
            """, .quickReply, at: time)
    }

    /// A conversation is begun, answered, closed, asked about and rated.
    private static func begin(_ store: SQLiteStore) async throws {
        let dawn = Story.dawn
        try await store.save(
            Business(id: shop, name: "S", colour: "#000000", mode: .test, createdAt: dawn),
            author: .server)
        guard let customer = CustomerID("urn:mbid:AAA1="), let asked = MessageID("q") else {
            throw Unexpected("a name")
        }
        let question = Satisfaction.Question(
            asked, at: dawn, about: Satisfaction.Work(assignee: agent, team: team, labels: []))
        func change(_ change: ConversationChange) -> Write {
            .change(ChangeConversation(talk, change, by: .agent(agent), at: dawn))
        }
        let groups: [[Write]] = [
            [
                .open(
                    OpenConversation(
                        talk, business: shop, customer: Customer(id: customer), at: dawn)),
                try message("a", .inbound, #"{"intent":"order"}"#, at: dawn),
            ],
            [try message("b", .outbound, "{}", at: dawn)], [change(.close)],
            [change(.ask(question)), try message("q", .outbound, "{}", .quickReply, at: dawn)],
            [try rating("r", 2, at: dawn.advanced(by: .seconds(3_600)))],
        ]
        for group in groups { try await append(group, to: store) }
    }

    private static func append(_ group: [Write], to store: SQLiteStore) async throws {
        for refusal in try await store.append([group]) where refusal != nil {
            throw Unexpected("\(String(describing: refusal))")
        }
    }

    private static func counts(
        _ dimension: ReportDimension, _ member: String, in store: SQLiteStore
    ) async throws -> ReportCounts {
        try await store.reportSlots(
            of: shop, dimension, member, from: Story.dawn.advanced(by: .seconds(-900)),
            until: Story.dawn.advanced(by: .seconds(900_000))
        ).reduce(into: ReportCounts()) { $0 += $1.counts }
    }

    @Test(arguments: [1, 2, 300])
    func `a score is counted for the work that was closed, begins nothing, and may be replaced`(
        batch: Int
    ) async throws {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        let reader = ReportReader(store)
        try await Self.begin(store)
        let lease = try await store.leaseOfTest()
        let runner = ReaderRunner(reader, of: Broker(store: store, now: { Story.dawn }))
        // Batches of every size: the event of a score and its message may come apart.
        var known: EventID?
        let events = try await store.events(after: .start, in: .everything, limit: 300).events
        for first in stride(from: 0, to: events.count, by: batch) {
            let part = events[first..<min(events.count, first + batch)]
            guard let last = part.last else { continue }
            let writes = try await reader.apply(part.filter { reader.wants($0.type) })
            try await store.advance(
                reader.name, from: known, to: last.id, storing: writes, under: lease)
            known = last.id
        }
        for (dimension, member) in [
            (ReportDimension.total, ""), (.agent, Self.agent.text), (.team, Self.team.text),
        ] {
            let counted = try await Self.counts(dimension, member, in: store)
            #expect(counted.asked == 1, "\(dimension)")
            #expect(counted.scored == [0, 1, 0, 0, 0], "\(dimension)")
        }
        let total = try await Self.counts(.total, "", in: store)
        #expect(total.begun == 1)
        #expect(total.closed == 1)
        #expect(total.received == 2)
        #expect(total.answers == 1)
        #expect(total.waits == 1)
        // Another answer replaces the first, and erasing it changes no number.
        try await Self.append(
            [try Self.rating("s", 5, at: Story.dawn.advanced(by: .seconds(7_200)))], to: store)
        let erased = try #require(MessageID("s"))
        _ = try await store.append(
            Erasing([erased], in: Self.talk, by: .command, at: Story.dawn)
        ).get()
        let end = try await runner.readOn(under: lease)
        let after = try await Self.counts(.total, "", in: store)
        #expect(after.asked == 1)
        #expect(after.scored == [0, 0, 0, 0, 1])
        #expect(after.begun == 1)
        // Another life of the log: everything is counted again from its beginning.
        try await store.advance(
            reader.name, from: end, to: EventID(epoch: Epoch(9), position: end.position),
            storing: .nothing, under: lease)
        #expect(try await runner.readOn(under: lease) == end)
        #expect(try await Self.counts(.total, "", in: store) == after)
        await store.close()
    }
}
