import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of customers' browsers that are notified of answers.
@Suite struct PushContract {
    static let me = Author.customer(device: "")

    static func subscription(
        _ number: Int, in conversation: ConversationID = DeskStoreTests.conversation(1)
    ) -> PushSubscription {
        let endpoint = "https://push.example/hush-\(number)"
        return PushSubscription(
            id: PushSubscription.id(of: endpoint, in: conversation),
            owner: .customer(conversation, of: business(1)), endpoint: endpoint,
            point: [4, UInt8(number)], secret: [7],
            createdAt: dawn.advanced(by: .seconds(Int64(number))))
    }

    private static func begin(
        _ conversation: ConversationID, _ number: UInt8, until end: Timestamp,
        in store: any SQLRegistries
    ) async throws {
        try await store.add(
            Session(
                token: .sha256([number]), subject: .customer(conversation), createdAt: dawn,
                expiresAt: end), author: .server)
    }

    private static let end = dawn.advanced(by: .seconds(100))

    @Test(arguments: KeptRegistries.allCases)
    func `a subscription is kept with all that it has, and its secrets lie encrypted`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.begin(conversation(1), 1, until: Self.end, in: store)
            try await Self.begin(conversation(2), 2, until: Self.end, in: store)
            let all = [
                Self.subscription(1), Self.subscription(2),
                Self.subscription(1, in: conversation(2)),
            ]
            for one in all.reversed() { try await store.save(one, author: Self.me) }
            func found(_ numbers: [UInt64]) async throws -> [PushSubscription] {
                try await store.pushSubscriptions(in: numbers.map { conversation($0) }, at: dawn)
            }
            #expect(try await found([1]) == [all[0], all[1]])
            #expect(try await found([1, 2]) == all)
            #expect(try await found([3, 2]) == [all[2]])
            let stored = try await store.readRegistry { sql throws(StoreError) in
                try sql.statement(literal: "SELECT secrets FROM push_subscriptions")
                    .all { String(decoding: $0.bytes(), as: UTF8.self) }
            }
            #expect(stored.count == 3 && stored.allSatisfy { !$0.contains("hush") })
            #expect(
                try await store.countSecrets() == [store.encryptionKeys.current: 3])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a browser that says it again is one, and of more than eight the oldest ends`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.begin(conversation(1), 1, until: Self.end, in: store)
            for number in 1...PushSubscription.mostPerConversation {
                try await store.save(Self.subscription(number), author: Self.me)
            }
            // The first one again, later: it is the newest then.
            let again = Self.subscription(1)
            try await store.save(
                PushSubscription(
                    id: again.id, owner: again.owner, endpoint: again.endpoint, point: [5],
                    secret: [6], createdAt: Self.end),
                author: Self.me)
            func found() async throws -> [PushSubscription] {
                try await store.pushSubscriptions(in: [conversation(1)], at: dawn)
            }
            #expect(try await found().count == PushSubscription.mostPerConversation)
            #expect(try await found().last?.point == [5])
            try await store.save(Self.subscription(50), author: Self.me)
            let left = try await found()
            #expect(left.count == PushSubscription.mostPerConversation)
            #expect(left.first == Self.subscription(3))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `without a session nothing is found, and what is pruned is gone`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            for number: UInt8 in 1...2 {
                try await Self.begin(
                    conversation(UInt64(number)), number,
                    until: dawn.advanced(by: .seconds(Int64(number) * 100)), in: store)
                try await store.save(
                    Self.subscription(1, in: conversation(UInt64(number))), author: Self.me)
            }
            func found(_ seconds: Int64) async throws -> [PushOwner] {
                try await store.pushSubscriptions(
                    in: [conversation(1), conversation(2)],
                    at: dawn.advanced(by: .seconds(seconds))
                ).map(\.owner)
            }
            let owners = (1...2).map { PushOwner.customer(conversation($0), of: business(1)) }
            #expect(try await found(100) == owners)
            #expect(try await found(101) == [owners[1]])
            try await store.prunePushSubscriptions(at: Self.end)
            #expect(try await found(0).count == 2)
            try await store.prunePushSubscriptions(at: Self.end.advanced(by: .seconds(1)))
            #expect(try await found(0) == [owners[1]])
            try await store.endSessions(of: .customer(conversation(2)), author: .server)
            #expect(try await found(0).isEmpty)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `one is removed by its name in its conversation, or all of that`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.begin(conversation(1), 1, until: Self.end, in: store)
            for number in 1...3 {
                try await store.save(Self.subscription(number), author: Self.me)
            }
            let id = Self.subscription(1).id
            func remove(in conversation: ConversationID) async throws -> Bool {
                try await store.removePushSubscription(
                    id, of: .customer(conversation, of: business(1)), author: Self.me)
            }
            #expect(try await !remove(in: conversation(2)))
            #expect(try await remove(in: conversation(1)))
            #expect(try await !remove(in: conversation(1)))
            func found() async throws -> [PushSubscription] {
                try await store.pushSubscriptions(in: [conversation(1)], at: dawn)
            }
            #expect(try await found() == [Self.subscription(2), Self.subscription(3)])
            try await store.removePushSubscriptions(in: conversation(2), author: Self.me)
            #expect(try await found().count == 2)
            try await store.removePushSubscriptions(in: conversation(1), author: Self.me)
            #expect(try await found().isEmpty)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `one that cannot be decrypted keeps no other back, and a rotation loses none`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.begin(conversation(1), 1, until: Self.end, in: store)
            for number in 1...2 {
                try await store.save(Self.subscription(number), author: Self.me)
            }
            // Another's secrets: they are bound to their row.
            try await store.writeRegistry { sql, entries throws(StoreError) in
                let statement = try sql.statement(
                    literal: """
                        UPDATE push_subscriptions SET secrets = \
                        (SELECT secrets FROM push_subscriptions WHERE id = ?) WHERE id = ?
                        """)
                try statement.bind(Self.subscription(2).id)
                try statement.bind(Self.subscription(1).id)
                try statement.run()
                entries.append(RegistryEntry(.contents(.prunePush), by: .server, at: dawn))
            }
            #expect(
                try await store.pushSubscriptions(in: [conversation(1)], at: dawn)
                    == [Self.subscription(2)])
            let rotated = try #require(store.encryptionKeys.rotated())
            try await store.encryptAllSecrets(with: rotated)
            #expect(try await store.countSecrets()[rotated.current] == 1)
        }
    }
}
