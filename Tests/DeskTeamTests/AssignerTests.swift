import DeskBroker
import DeskModel
import DeskStore
import DeskStoreSQLite
import StoreSupport
import TestSupport
import Testing

@testable import DeskTeam

/// How conversations are given to those who are there.
struct AssignerTests {
    private static let shop = Story.shop
    private static let agents = Story.agents

    /// A business with three members.
    private struct Setting {
        let store: SQLiteStore
        let broker: Broker
        let assigner: Assigner

        init(_ rule: AssignmentRule) async throws {
            store = try SQLiteStore(inMemory: Epoch(0xE))
            broker = Broker(store: store, now: { Story.dawn })
            assigner = Assigner(of: broker, permitted: [.agent])
            try await store.save(
                Business(
                    id: shop, name: "S", colour: "#000000", mode: .test, createdAt: Story.dawn),
                author: .server)
            for agent in agents {
                try await store.setRole(.agent, of: agent, in: shop, author: .server)
            }
            try await broker.saveAssignment(
                of: shop, for: nil, StoredAssignment(of: shop, rule), event: Array("{}".utf8),
                permitted: [.owner, .agent], by: .server)
        }

        func say(_ state: Availability, _ agent: Int, version: Int64 = 1) {
            let agent = agents[agent]
            broker.signal(
                ChosenAvailability(agent: agent, state: state, version: version), in: shop)
            broker.signal(.page(of: agent, in: shop, .online), by: agent.value)
        }

        /// A customer's message in a conversation of its own.
        func write(_ number: UInt64) async throws -> ConversationID {
            let id = ConversationID(UniqueID(high: 5, low: number))
            guard let customer = CustomerID("urn:mbid:AAA\(number)="),
                let message = MessageID("m\(number)")
            else { throw Unexpected("names of \(number)") }
            let facts = MessageFacts(
                direction: .inbound, kind: .text, author: .customer(device: "d"), origin: .phone)
            _ = try await broker.open(
                Opening(
                    business: shop, customer: Customer(id: customer), conversation: id,
                    message: Submission(
                        conversation: id, id: message, payload: Array("{}".utf8), facts: facts)))
            return id
        }

        func assignee(of id: ConversationID) async throws -> Int? {
            let found = try await store.findConversation(id)?.assignee
            return found.flatMap { agents.firstIndex(of: $0) }
        }
    }

    @Test func `only those who are online are given conversations, the longest wait first`()
        async throws
    {
        let setting = try await Setting(AssignmentRule(.roundRobin, capacity: 1))
        let first = try await setting.write(1)
        let second = try await setting.write(2)
        #expect(try await setting.assigner.round(of: Self.shop) == 0)
        setting.say(.busy, 0)
        setting.say(.away, 1)
        setting.say(.invisible, 2)
        #expect(try await setting.assigner.round(of: Self.shop) == 0)
        setting.say(.online, 1, version: 2)
        #expect(try await setting.assigner.round(of: Self.shop) == 1)
        #expect(try await setting.assignee(of: first) == 1)
        #expect(try await setting.assignee(of: second) == nil)
        await setting.store.close()
    }

    @Test func `while it runs, a message, an agent who comes and a closed conversation are enough`()
        async throws
    {
        let setting = try await Setting(AssignmentRule(.leastBusy, capacity: 1))
        let running = Task { await setting.assigner.run() }
        setting.say(.online, 0)
        let first = try await setting.write(1)
        try await Wait.until("the message is given to Ada") {
            try await setting.assignee(of: first) == 0
        }
        let second = try await setting.write(2)
        let third = try await setting.write(3)
        setting.say(.online, 2)
        try await Wait.until("who comes is given the next") {
            try await setting.assignee(of: second) == 2
        }
        #expect(try await setting.assignee(of: third) == nil)
        _ = try await setting.broker.change(first, .close, by: .server)
        try await Wait.until("who has room again is given the last") {
            try await setting.assignee(of: third) == 0
        }
        running.cancel()
        await running.value
        await setting.store.close()
    }

    @Test func `two that believe to hold the lease give each place once`() async throws {
        let setting = try await Setting(AssignmentRule(.roundRobin, capacity: 4))
        for agent in 0...2 { setting.say(.online, agent) }
        for number in 1...40 as ClosedRange<UInt64> { _ = try await setting.write(number) }
        let other = Assigner(of: setting.broker, permitted: [.agent])
        let assigner = setting.assigner
        async let one = assigner.round(of: Self.shop)
        async let two = other.round(of: Self.shop)
        #expect(try await one + two == 12)
        let counts = try await setting.store.countViews(of: [Self.shop]).assignees
        #expect(Self.agents.map { counts[$0] } == [4, 4, 4])
        await setting.store.close()
    }
}
