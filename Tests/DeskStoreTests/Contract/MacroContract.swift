import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import Testing

/// What every store promises of macros.
@Suite struct MacroContract {
    static func macro(
        _ number: UInt64, of owner: AgentID? = nil, name: String = "M", in shop: UInt64 = 1
    ) -> Macro {
        Macro(
            id: MacroID(uniqueID(number)), business: business(shop), owner: owner, name: name,
            parameters: Array("[]".utf8), actions: Array(#"[{"note":"予約"}]"#.utf8))
    }

    private func save(_ macro: Macro, in store: any SQLRegistries) async throws {
        #expect(try await store.save(macro, author: .server))
    }

    @Test(arguments: KeptRegistries.allCases)
    func `shared macros are everybody's, own ones are one agent's`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let shared = Self.macro(1, name: "b")
            var own = Self.macro(2, of: agent(1), name: "a")
            let other = Self.macro(3, of: agent(2))
            let foreign = Self.macro(4, in: 2)
            for one in [shared, own, other, foreign] { try await save(one, in: store) }
            #expect(try await store.macros(of: business(1), seenBy: agent(1)) == [own, shared])
            #expect(try await store.macros(of: business(1), seenBy: nil) == [shared])
            #expect(
                try await store.findMacro(own.id, of: business(1), seenBy: agent(1)) == own)
            #expect(try await store.findMacro(own.id, of: business(1), seenBy: agent(2)) == nil)
            #expect(try await store.findMacro(shared.id, of: business(2), seenBy: nil) == nil)
            own.name = "z"
            own.isRetired = true
            own.actions = Array("[]".utf8)
            try await save(own, in: store)
            #expect(try await store.macros(of: business(1), seenBy: agent(1)) == [shared, own])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a business shares so many macros and no more, and so has each agent`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            for number in 1...UInt64(Macro.most) { try await save(Self.macro(number), in: store) }
            #expect(try await !store.save(Self.macro(1_000), author: .server))
            try await save(Self.macro(5, name: "changed"), in: store)
            try await save(Self.macro(1_001, of: agent(1)), in: store)
            try await save(Self.macro(1_002, in: 2), in: store)
            #expect(
                try await store.macros(of: business(1), seenBy: nil).count == Macro.most)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a macro that was changed since it was read is not replaced`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let known = Self.macro(1)
            try await save(known, in: store)
            var first = known
            first.name = "first"
            #expect(try await store.save(first, over: known, author: .server))
            var second = known
            second.isRetired = true
            #expect(try await !store.save(second, over: known, author: .server))
            #expect(try await store.macros(of: business(1), seenBy: nil) == [first])
            let absent = Self.macro(2)
            #expect(try await !store.save(absent, over: absent, author: .server))
        }
    }
}
