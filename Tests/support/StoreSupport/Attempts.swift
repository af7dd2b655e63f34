package import DeskModel
package import DeskStore
import TestSupport

extension LeaseRegistry {
    /// A lease that only the caller holds, for as long as any test runs.
    package func leaseOfTest() async throws -> Lease {
        var random = SystemRandomNumberGenerator()
        let name = "test \(UniqueID(using: &random).text)"
        guard let lease = try await acquireLease(name, life: .seconds(86_400)) else {
            throw Unexpected("somebody holds \(name)")
        }
        return lease
    }
}

extension Registry {
    /// Claims a delivery and stores the result of its attempt, as an outbox does.
    package func attempt(_ tried: Delivery, under lease: Lease? = nil) async throws {
        let own: Lease
        if let lease { own = lease } else { own = try await leaseOfTest() }
        let claimed = try await claim([tried.position], of: tried.outbox, under: own)
        guard claimed == [tried.position], try await settle(tried, under: own) != nil else {
            throw Unexpected("the delivery of \(tried.position.value) cannot be attempted")
        }
    }
}
