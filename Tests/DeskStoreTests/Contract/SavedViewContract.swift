import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

@testable import DeskStoreSQLite

/// What every store promises of saved views, and of the lists that they show.
@Suite struct SavedViewContract {
    private static let shop = business(1)

    static func view(
        _ number: UInt64, of owner: AgentID? = nil, _ name: String = "V",
        in business: BusinessID? = shop, order: Int = 0, filter: String = "{}"
    ) -> SavedView {
        SavedView(
            id: SavedViewID(uniqueID(0xD000 + number)), business: business, owner: owner,
            name: name, filter: Array(filter.utf8), order: order)
    }

    @discardableResult
    private static func save(
        _ view: SavedView, isNew: Bool = true, by author: UInt64 = 1, in store: any Store
    ) async throws -> SavedView? {
        try await store.one(
            SaveView(view, isNew: isNew, by: .agent(agent(author)), at: dawn))
    }

    private static func remove(
        _ view: SavedView, by author: UInt64, in store: any Store
    ) async throws {
        _ = try await store.one(RemoveView(view.id, by: .agent(agent(author)), at: dawn))
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a view is kept with all that it has, and an agent sees their own and the shared ones`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            func put(_ view: SavedView) async throws {
                try await store.change(
                    .contents(.saveView(view.id, of: view.business)), author: .server
                ) { sql throws(StoreError) in try SavedViews.put(view, on: sql) }
            }
            let shared = Self.view(1, "b", order: 2, filter: #"{"text":"予約"}"#)
            var own = Self.view(2, of: agent(1), "z", order: 1)
            let everywhere = Self.view(3, of: agent(1), "a", in: nil, order: 1)
            let foreign = Self.view(4, in: business(2))
            for one in [shared, own, everywhere, foreign, Self.view(5, of: agent(2))] {
                try await put(one)
            }
            #expect(
                try await store.savedViews(of: agent(1), in: [Self.shop])
                    == [everywhere, own, shared])
            #expect(try await store.savedViews(of: nil, in: [Self.shop]) == [shared])
            #expect(
                try await store.savedViews(of: agent(1), in: [business(2)])
                    == [foreign, everywhere])
            own.owner = nil
            own.name = "y"
            own.order = 9
            own.filter = Array(#"{"state":"open"}"#.utf8)
            try await put(own)
            #expect(try await store.savedViews(of: nil, in: [Self.shop]) == [shared, own])
            try await store.change(
                .contents(.removeView(shared.id, of: Self.shop)), author: .server
            ) { sql throws(StoreError) in try SavedViews.remove(shared.id, on: sql) }
            #expect(try await store.savedViews(of: nil, in: [Self.shop]) == [own])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a shared view is an event, one of an agent is none, and no other agent changes it`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let before = store.newest
            var own = Self.view(1, of: agent(1))
            try await Self.save(own, in: store)
            own.name = "other"
            #expect(try await Self.save(own, isNew: false, in: store)?.name == "V")
            #expect(store.newest == before)
            await #expect(throws: Refusal.notFound) {
                try await Self.save(own, isNew: false, by: 2, in: store)
            }
            await #expect(throws: Refusal.notFound) {
                try await Self.remove(own, by: 2, in: store)
            }
            await #expect(throws: Refusal.notFound) { try await Self.save(own, in: store) }
            // It becomes everybody's, and then its maker's alone again.
            own.owner = nil
            try await Self.save(own, isNew: false, in: store)
            #expect(try await store.types().last == .viewSaved)
            try await Self.save(own, isNew: false, in: store)
            #expect(try await store.types().count { $0 == .viewSaved } == 1)
            own.owner = agent(1)
            try await Self.save(own, isNew: false, in: store)
            #expect(try await store.types().last == .viewRemoved)
            #expect(try await store.savedViews(of: nil, in: [Self.shop]).isEmpty)
            let shared = Self.view(2)
            try await Self.save(shared, in: store)
            try await Self.remove(shared, by: 2, in: store)
            #expect(try await store.types().last == .viewRemoved)
            await #expect(throws: Refusal.notFound) {
                try await Self.remove(shared, by: 2, in: store)
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `a business shares so many views and no more, and so has each agent`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for number in 1...UInt64(SavedView.most) {
                try await Self.save(Self.view(number, of: agent(1), in: nil), in: store)
            }
            await #expect(throws: Refusal.unusable) {
                try await Self.save(Self.view(99, of: agent(1)), in: store)
            }
            try await Self.save(Self.view(99), in: store)
            try await Self.save(Self.view(98, of: agent(2)), in: store)
            var moved = Self.view(99)
            moved.owner = agent(1)
            let full = moved
            await #expect(throws: Refusal.unusable) {
                try await Self.save(full, isNew: false, in: store)
            }
            try await Self.remove(Self.view(1, of: agent(1), in: nil), by: 1, in: store)
            try await Self.save(full, isNew: false, in: store)
        }
    }

    @Test(arguments: Kept.allCases)
    func `who leaves a business loses the views of it that were their own`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.save(
                    Agent(
                        id: agent(number), name: "A", email: "\(number)", password: "x",
                        createdAt: dawn), author: .server)
                try await store.setRole(
                    .owner, of: agent(number), in: Self.shop, author: .server)
            }
            let shared = Self.view(1)
            let everywhere = Self.view(2, of: agent(1), in: nil)
            for one in [shared, everywhere, Self.view(3, of: agent(1))] {
                try await Self.save(one, in: store)
            }
            _ = try await store.one(
                MemberChange(
                    agent: agent(1), business: Self.shop, role: nil, author: .agent(agent(2)),
                    permitted: [.owner], handling: .handling, time: dawn))
            #expect(
                Set(try await store.savedViews(of: agent(1), in: [Self.shop]))
                    == [shared, everywhere])
        }
    }
}
