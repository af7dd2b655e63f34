import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

@testable import DeskStoreSQLite

func label(_ number: UInt64) -> LabelID { LabelID(uniqueID(0x1A00 + number)) }

/// What every store promises of labels and priorities.
@Suite struct LabelContract {
    private static let shop = business(1)

    @discardableResult
    private static func save(
        _ number: UInt64, _ name: String? = nil, of owner: BusinessID = shop, isNew: Bool = true,
        isRetired: Bool? = nil, in store: any Store
    ) async throws -> Label {
        var values = SaveLabel.Values()
        values.name = name
        values.colour = isNew ? "#336699" : nil
        values.isRetired = isRetired
        return try await store.one(
            SaveLabel(
                label(number), of: owner, isNew: isNew, values, by: .agent(agent(1)), at: dawn))
    }

    private static func list(
        _ store: any Store, _ labels: [UInt64] = [], _ priorities: Set<Priority> = [],
        _ states: Set<ConversationState>? = [.open], by size: Int = 9
    ) async throws -> [UInt64] {
        var filter = ConversationFilter(businesses: [shop], states: states)
        filter.labels = labels.map { label($0) }
        filter.priorities = priorities
        var found: [Conversation] = []
        while true {
            let page = try await store.conversations(
                filter, at: PageEdge(after: found.last?.activity), limit: size)
            found += page.elements
            guard page.hasMore, found.count < 99 else {
                return found.map { $0.id.value.low - 0xC000 }
            }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a label is kept with all that it has, and a business's are in order`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let one = Label(
                id: label(1), business: Self.shop, name: "VIP", colour: "#336699", order: 2)
            let two = Label(
                id: label(2), business: Self.shop, name: "Returns", colour: "#cc0000", order: 1,
                isRetired: true)
            let foreign = Label(
                id: label(3), business: business(2), name: "VIP", colour: "#000000")
            for label in [one, two, foreign] {
                try await store.change(
                    .contents(.saveLabel(label.id, of: label.business)), author: .server
                ) { sql throws(StoreError) in try Labels.save(label, on: sql) }
            }
            #expect(try await store.labels(of: Self.shop) == [two, one])
            #expect(try await store.labels(of: business(2)) == [foreign])
            var renamed = one
            renamed.name = "Very important"
            renamed.order = 0
            let changed = renamed
            try await store.change(
                .contents(.saveLabel(label(1), of: Self.shop)), author: .server
            ) { sql throws(StoreError) in try Labels.save(changed, on: sql) }
            #expect(try await store.labels(of: Self.shop) == [changed, two])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a name is one label's in a business, whatever its case`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), in: business(2), customer: 2)
            try await Self.save(1, "VIP", in: store)
            await #expect(throws: Refusal.nameTaken) { try await Self.save(2, "vip", in: store) }
            try await Self.save(2, "vip", of: business(2), in: store)
            await #expect(throws: Refusal.notFound) {
                try await Self.save(3, "none", isNew: false, in: store)
            }
            await #expect(throws: Refusal.notFound) {
                try await Self.save(2, "stolen", isNew: false, in: store)
            }
            let before = store.newest
            #expect(try await Self.save(1, "VIP", isNew: false, in: store).name == "VIP")
            #expect(store.newest == before)
            #expect(try await Self.save(1, "Vip", isNew: false, in: store).name == "Vip")
            #expect(try await store.types().last == .labelSaved)
        }
    }

    @Test(arguments: Kept.allCases)
    func `labels come and go one by one, and the same twice is one event`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for number in 1...3 as ClosedRange<UInt64> {
                try await Self.save(number, "Label \(number)", in: store)
            }
            try await Self.save(4, "Old", in: store)
            try await Self.save(4, isNew: false, isRetired: true, in: store)
            // At once: each is decided by itself, and none is lost.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in [1, 2, 3, 1, 2, 3] as [UInt64] {
                    group.addTask {
                        _ = try await store.change(
                            conversation(1), .label(add: [label(number)], remove: []))
                    }
                }
                try await group.waitForAll()
            }
            let labelled = try await store.require(conversation(1))
            #expect(Set(labelled.labels) == [label(1), label(2), label(3)])
            #expect(try await store.types().count { $0 == .conversationLabelsChanged } == 3)
            let fewer = try await store.change(
                conversation(1), .label(add: [label(1)], remove: [label(2), label(9)]))
            #expect(Set(fewer.labels) == [label(1), label(3)])
            for wrong in [4, 9] as [UInt64] {
                await #expect(throws: Refusal.unusable) {
                    try await store.change(
                        conversation(1), .label(add: [label(wrong)], remove: []))
                }
            }
            // One that is there stays after it is retired, and is removed for good.
            try await Self.save(3, isNew: false, isRetired: true, in: store)
            let same = try await store.change(
                conversation(1), .label(add: [label(3)], remove: []))
            #expect(same.labels == fewer.labels)
            _ = try await store.change(conversation(1), .label(add: [], remove: [label(3)]))
            await #expect(throws: Refusal.unusable) {
                try await store.change(conversation(1), .label(add: [label(3)], remove: []))
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `a conversation has its most labels and no more`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for number in 1...21 as ClosedRange<UInt64> {
                try await Self.save(number, "Label \(number)", in: store)
            }
            let all = (1...20 as ClosedRange<UInt64>).map { label($0) }
            _ = try await store.change(conversation(1), .label(add: all, remove: []))
            await #expect(throws: Refusal.unusable) {
                try await store.change(conversation(1), .label(add: [label(21)], remove: []))
            }
            let other = try await store.change(
                conversation(1), .label(add: [label(21)], remove: [label(1)]))
            #expect(other.labels.count == Label.mostOfConversation)
        }
    }

    @Test(arguments: Kept.allCases)
    func `lists and counts follow labels and priorities through every change`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            for number in 1...6 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
            }
            for number in 1...2 as ClosedRange<UInt64> {
                try await Self.save(number, "Label \(number)", in: store)
            }
            for number in 1...4 as ClosedRange<UInt64> {
                _ = try await store.change(
                    conversation(number), .label(add: [label(1)], remove: []))
            }
            _ = try await store.change(conversation(2), .label(add: [label(2)], remove: []))
            _ = try await store.change(conversation(3), .prioritize(.urgent))
            _ = try await store.change(conversation(5), .prioritize(.low))
            #expect(try await Self.list(store, [1], by: 2) == [3, 2, 4, 1])
            #expect(try await Self.list(store, [2, 1]) == [2])
            #expect(try await Self.list(store, [], [.urgent, .low], by: 1) == [5, 3])
            #expect(try await Self.list(store, [], [.none]) == [2, 4, 1, 6])
            #expect(try await Self.list(store, [1], [.urgent]) == [3])
            #expect(
                try await store.countViews(of: [Self.shop]).labels == [label(1): 4, label(2): 1])
            // A message moves a conversation up, closing removes it, and it comes back.
            _ = try await store.accept(submission("a", to: conversation(1)))
            _ = try await store.change(conversation(2), .close)
            #expect(try await Self.list(store, [1]) == [1, 3, 4])
            #expect(try await Self.list(store, [1], [], [.closed]) == [2])
            #expect(try await Self.list(store, [1], [], nil) == [2, 1, 3, 4])
            #expect(try await store.countViews(of: [Self.shop]).labels == [label(1): 3])
            _ = try await store.accept(submission("a", to: conversation(2)))
            _ = try await store.change(conversation(3), .prioritize(.none))
            #expect(try await Self.list(store, [2]) == [2])
            #expect(try await Self.list(store, [], [.urgent]) == [])
            #expect(
                try await store.countViews(of: [Self.shop]).labels == [label(1): 4, label(2): 1])
            // Of those who wait too.
            var filter = ConversationFilter(businesses: [Self.shop])
            filter.labels = [label(1)]
            filter.priorities = [.none, .high]
            let waiting = try await store.waitingConversations(filter, at: .start, limit: 9)
            #expect(Set(waiting.elements.map(\.id)) == [conversation(1), conversation(2)])
        }
    }

    @Test(arguments: Kept.allCases)
    func `an event of a priority or a label says what was before`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await Self.save(1, "VIP", in: store)
            _ = try await store.change(conversation(1), .prioritize(.high))
            _ = try await store.change(conversation(1), .prioritize(.high))
            _ = try await store.change(conversation(1), .label(add: [label(1)], remove: []))
            let events = try await store.events(after: .start, in: .everything, limit: 99).events
            let changes = events.compactMap { event -> StepChange? in
                if case .conversation(let step) = event.body { step.change } else { nil }
            }
            #expect(
                changes == [
                    .priority(from: .none, to: .high), .labels(added: [label(1)], removed: []),
                ])
            let found = try await store.require(conversation(1))
            #expect(found.priority == .high)
            #expect(found.labels == [label(1)])
        }
    }
}
