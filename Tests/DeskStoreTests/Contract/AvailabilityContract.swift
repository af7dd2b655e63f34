import DeskModel
import DeskSQL
import DeskStore
import Testing

/// What stores promise of what agents chose.
@Suite struct AvailabilityContract {
    @Test(arguments: KeptRegistries.allCases)
    func `the last choice is kept under a rising version, each agent's by itself`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            #expect(
                try await store.availability(of: agent(1)) == ChosenAvailability(agent: agent(1)))
            let first = try await store.choose(.invisible, by: agent(1))
            #expect(first == ChosenAvailability(agent: agent(1), state: .invisible, version: 1))
            #expect(try await store.choose(.busy, by: agent(2)).version == 1)
            let second = try await store.choose(.invisible, by: agent(1))
            #expect(second.version == 2)
            #expect(try await store.availability(of: agent(1)) == second)
            #expect(try await store.availability(of: agent(2)).state == .busy)
        }
    }
}
