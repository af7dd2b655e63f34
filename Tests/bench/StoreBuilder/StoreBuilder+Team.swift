import DeskModel
import DeskStore
import DeskStoreSQLite

extension StoreBuilder {
    static let labels = 50
    static let members = 200
    static let teams = 20
    /// Conversations that are worked on; more would take as long as all messages.
    static let worked = 200_000
    private static let priorities: [Priority] = [.none, .none, .low, .normal, .high, .urgent]

    static func label(_ number: Int) -> LabelID {
        LabelID(UniqueID(high: 0x1A, low: UInt64(number)))
    }

    static func team(_ number: Int) -> TeamID {
        TeamID(UniqueID(high: 0x1B, low: UInt64(number)))
    }

    static func agent(_ number: Int) -> AgentID {
        AgentID(UniqueID(high: 0xA, low: UInt64(number)))
    }

    /// Makes a team of the business, with all that people put on conversations.
    static func makeTeam(in store: SQLiteStore) async throws {
        for number in 0..<members {
            try await store.save(
                Agent(
                    id: agent(number), name: "Agent \(number)", email: "agent\(number)@example.com",
                    password: nil, createdAt: start), author: .server)
            try await store.setRole(
                .agent, of: agent(number), in: shop, author: .server)
        }
        for number in 0..<labels {
            var values = SaveLabel.Values()
            values.name = "Label \(number)"
            values.colour = "#336699"
            _ = try await store.append(
                SaveLabel(
                    label(number), of: shop, isNew: true, values, by: .agent(agent(0)), at: start))
        }
        for number in 0..<teams {
            var values = SaveTeam.Values()
            values.name = "Team \(number)"
            values.colour = "#336699"
            values.members = (0..<members / teams).map { agent(number * members / teams + $0) }
            _ = try await store.append(
                SaveTeam(
                    team(number), of: shop, isNew: true, values, permitted: [.owner, .agent],
                    by: .agent(agent(0)), at: start))
        }
    }

    /// Works on conversations: nine of ten have an assignee and a team, all have labels, and half are closed.
    static func work(_ conversations: Int, in store: SQLiteStore) async throws {
        let half = messagesPerGroup / 2
        let count = min(conversations, worked)
        for first in stride(from: 0, to: count, by: half) {
            var group: [WriteGroup<ChangeConversation>] = []
            for number in first..<min(first + half, count) {
                var changes: [ConversationChange] = [
                    .label(
                        add: [label(number % labels), label(number / labels % labels)], remove: [])
                ]
                if !number.isMultiple(of: 10) {
                    changes += [
                        .move(to: team(number % teams)), .assign(agent(number / 3 % members)),
                    ]
                }
                let priority = priorities[number % priorities.count]
                if priority != .none { changes.append(.prioritize(priority)) }
                if number / 7 % 2 == 0 { changes.append(.close) }
                let steps = changes.map {
                    ChangeConversation(
                        conversation(number), $0, by: .agent(agent(number % members)), at: start)
                }
                group += steps.map { WriteGroup($0) }
            }
            _ = try await store.append(group)
        }
    }
}
