import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of agents' browsers that are notified while no console is in use.
@Suite struct AgentPushContract {
    private static let lifeSeconds = Int64(PushSubscription.agentDays) * 86_400

    static func device(_ number: UInt8) -> Digest { .sha256([number]) }

    static func subscription(
        _ number: Int, of one: AgentID = agent(1), on device: Digest = device(1),
        point: [UInt8] = [4], in zone: String = "Europe/Berlin", after seconds: Int64? = nil
    ) -> PushSubscription {
        let endpoint = "https://push.example/hush-\(number)"
        return PushSubscription(
            id: PushSubscription.id(of: endpoint, for: one),
            owner: .agent(one, device: device, zone: zone), endpoint: endpoint, point: point,
            secret: [7], createdAt: dawn.advanced(by: .seconds(seconds ?? Int64(number))))
    }

    /// Makes an agent a member of a business who signed in with a device.
    private static func join(
        _ number: UInt64, _ role: Role = .agent, in place: BusinessID = business(1),
        on device: Digest, of store: any SQLRegistries
    ) async throws {
        try await store.save(
            Agent(
                id: agent(number), name: "A\(number)", email: "a\(number)@tea.example",
                password: nil, createdAt: dawn), author: .command)
        try await store.setRole(role, of: agent(number), in: place, author: .command)
        try await store.rememberDevice(device, of: agent(number), at: dawn, atMost: 32)
    }

    private static func found(
        in businesses: [BusinessID] = [business(1)], after seconds: Int64 = 0,
        of store: any SQLRegistries
    ) async throws -> [PushSubscription] {
        try await store.agentPushSubscriptions(
            ofMembersOf: businesses, at: dawn.advanced(by: .seconds(seconds)))
    }

    @Test(arguments: KeptRegistries.allCases)
    func `one is found by its agent's businesses and by its device, and lies encrypted`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.join(1, on: Self.device(1), of: store)
            try await store.setRole(.owner, of: agent(1), in: business(2), author: .command)
            try await Self.join(2, on: Self.device(2), of: store)
            let all = [
                Self.subscription(1), Self.subscription(2),
                Self.subscription(3, of: agent(2), on: Self.device(2)),
            ]
            for one in all.reversed() { try await store.save(one, author: .agent(agent(1))) }
            #expect(try await Self.found(of: store) == all)
            #expect(try await Self.found(in: [business(2)], of: store) == Array(all[...1]))
            #expect(
                try await Self.found(in: [business(1), business(2)], of: store) == all)
            #expect(try await Self.found(in: [business(3)], of: store).isEmpty)
            func on(_ device: UInt8) async throws -> [PushSubscription] {
                try await store.agentPushSubscriptions(
                    of: agent(1), on: Self.device(device), at: dawn)
            }
            #expect(try await on(1) == Array(all[...1]))
            #expect(try await on(2).isEmpty)
            let stored = try await store.readRegistry { sql throws(StoreError) in
                try sql.statement(literal: "SELECT secrets FROM agent_push_subscriptions")
                    .all { String(decoding: $0.bytes(), as: UTF8.self) }
            }
            #expect(stored.count == 3 && stored.allSatisfy { !$0.contains("hush") })
            #expect(try await store.countSecrets() == [store.encryptionKeys.current: 3])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a browser that says it again is one, and of more than eight the oldest ends`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.join(1, on: Self.device(1), of: store)
            try await store.rememberDevice(Self.device(2), of: agent(1), at: dawn, atMost: 32)
            for number in 1...PushSubscription.mostPerAgent {
                try await store.save(Self.subscription(number), author: .agent(agent(1)))
            }
            let again = Self.subscription(
                1, on: Self.device(2), point: [5], in: "Asia/Tokyo", after: 100)
            try await store.save(again, author: .agent(agent(1)))
            #expect(try await Self.found(of: store).count == PushSubscription.mostPerAgent)
            #expect(try await Self.found(of: store).last == again)
            try await store.save(Self.subscription(50), author: .agent(agent(1)))
            let left = try await Self.found(of: store)
            #expect(left.count == PushSubscription.mostPerAgent)
            #expect(left.first == Self.subscription(3))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `one lives for fourteen days, and as long as its device is known`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.join(1, on: Self.device(1), of: store)
            try await Self.join(2, on: Self.device(2), of: store)
            let mine = Self.subscription(0)
            let other = Self.subscription(0, of: agent(2), on: Self.device(2), after: 100)
            for one in [mine, other] { try await store.save(one, author: .agent(agent(1))) }
            func all(_ seconds: Int64) async throws -> [PushSubscription] {
                try await Self.found(after: seconds, of: store)
            }
            #expect(try await all(Self.lifeSeconds) == [mine, other])
            #expect(try await all(Self.lifeSeconds + 1) == [other])
            let end = dawn.advanced(by: .seconds(Self.lifeSeconds))
            try await store.prunePushSubscriptions(at: end)
            #expect(try await all(0) == [mine, other])
            try await store.prunePushSubscriptions(at: end.advanced(by: .seconds(1)))
            #expect(try await all(0) == [other])
            try await store.forgetDevices(of: agent(2), author: .agent(agent(2)))
            #expect(try await all(0).isEmpty)
            try await store.prunePushSubscriptions(at: dawn)
            try await store.rememberDevice(Self.device(2), of: agent(2), at: dawn, atMost: 32)
            #expect(try await all(0).isEmpty)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `who signs in with a browser ends what others had in it`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.join(1, on: Self.device(1), of: store)
            try await Self.join(2, on: Self.device(2), of: store)
            let (mine, elsewhere) = (
                Self.subscription(1), Self.subscription(2, of: agent(2), on: Self.device(2))
            )
            for one in [mine, elsewhere] { try await store.save(one, author: .agent(agent(1))) }
            try await store.rememberDevice(Self.device(1), of: agent(1), at: dawn, atMost: 32)
            #expect(try await Self.found(of: store) == [mine, elsewhere])
            try await store.rememberDevice(Self.device(1), of: agent(2), at: dawn, atMost: 32)
            #expect(try await Self.found(of: store) == [elsewhere])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `one is removed by its name and its agent, or all of a device`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.join(1, on: Self.device(1), of: store)
            try await store.rememberDevice(Self.device(2), of: agent(1), at: dawn, atMost: 32)
            let all = [
                Self.subscription(1), Self.subscription(2),
                Self.subscription(3, on: Self.device(2)),
            ]
            for one in all { try await store.save(one, author: .agent(agent(1))) }
            func remove(of one: AgentID) async throws -> Bool {
                // Of any device: the name and the agent count.
                try await store.removePushSubscription(
                    all[0].id, of: .agent(one, device: Self.device(9), zone: ""),
                    author: .agent(agent(1)))
            }
            #expect(try await !remove(of: agent(2)))
            #expect(try await remove(of: agent(1)))
            #expect(try await !remove(of: agent(1)))
            #expect(try await Self.found(of: store) == Array(all[1...]))
            func removeAll(on device: UInt8) async throws {
                try await store.removeAgentPushSubscriptions(
                    of: agent(1), on: Self.device(device), author: .agent(agent(1)))
            }
            try await removeAll(on: 9)
            #expect(try await Self.found(of: store) == Array(all[1...]))
            try await removeAll(on: 1)
            #expect(try await Self.found(of: store) == [all[2]])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `one whose secrets are another's is left out, and a rotation loses none`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.join(1, on: Self.device(1), of: store)
            for number in 1...2 {
                try await store.save(Self.subscription(number), author: .agent(agent(1)))
            }
            try await store.writeRegistry { sql, entries throws(StoreError) in
                let statement = try sql.statement(
                    literal: """
                        UPDATE agent_push_subscriptions SET secrets = \
                        (SELECT secrets FROM agent_push_subscriptions WHERE id = ?) WHERE id = ?
                        """)
                try statement.bind(Self.subscription(2).id)
                try statement.bind(Self.subscription(1).id)
                try statement.run()
                entries.append(RegistryEntry(.contents(.prunePush), by: .server, at: dawn))
            }
            #expect(try await Self.found(of: store) == [Self.subscription(2)])
            let rotated = try #require(store.encryptionKeys.rotated())
            try await store.encryptAllSecrets(with: rotated)
            #expect(try await store.countSecrets()[rotated.current] == 1)
        }
    }
}
