import DeskModel
import DeskStore
import Testing

@testable import DeskStorePostgres

/// What one process erases of what another one has just stored.
@Suite struct ErasureNodesTests {
    @Test func `what names a person is found though the process has not heard of it`() async throws
    {
        try await KeptRegistries.withPostgres(2) { stores in
            try await stores[0].begin(conversation(1))
            var isBehind = false
            for round in 1...50 {
                var values = SaveContact.Values()
                values.name = .some("Name \(round)")
                _ = try await stores[0].one(
                    SaveContact(
                        contact(1), of: business(1), values, by: .agent(agent(1)), at: dawn))
                let heard = stores[1].newest
                let found = try await stores[1].contactEvents(
                    naming: [contact(1)], of: business(1), after: nil)
                #expect(found.positions.count == round && found.next == nil)
                if let last = found.positions.last, heard < last { isBehind = true }
            }
            // Else nothing was tried.
            #expect(isBehind)
        }
    }
}
