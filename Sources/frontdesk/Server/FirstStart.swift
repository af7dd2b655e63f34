import DeskAPI
import DeskModel
import DeskStore

/// What an empty data directory gets: the sandbox's business and one for the owner.
struct FirstStart: Sendable {
    /// The businesses that a server has from its first start on.
    struct Businesses: Sendable {
        let sandbox: Business
        /// The oldest live one; nil when none is left.
        let own: Business?
    }

    let store: any Store
    let time: TimeSource

    /// Finds the businesses, or makes them: once, however many servers start at the same time.
    func requireBusinesses(named name: String) async throws(StoreError) -> Businesses {
        let result = try await store.withLease("first start") {
            () async -> Result<Businesses, StoreError> in
            do throws(StoreError) {
                return .success(try await findOrMake(named: name))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func findOrMake(named name: String) async throws(StoreError) -> Businesses {
        let known = try await store.businesses()
        let own = known.first { $0.mode == .live }
        let sandbox = known.first(where: \.isSandbox)
        if let sandbox { return Businesses(sandbox: sandbox, own: own) }
        // In this order: the sandbox's business marks that the first start is complete.
        let mine =
            known.isEmpty
            ? try await make(name, colour: "#0b6bcb", mode: .live, isSandbox: false) : own
        let made = try await make("Sandbox", colour: "#7a5af5", mode: .test, isSandbox: true)
        return Businesses(sandbox: made, own: mine)
    }

    private func make(
        _ name: String, colour: String, mode: Mode, isSandbox: Bool
    ) async throws(StoreError) -> Business {
        var random = SystemRandomNumberGenerator()
        let business = Business(
            id: BusinessID(using: &random), name: name, colour: colour, mode: mode,
            isSandbox: isSandbox, createdAt: time.now())
        try await store.save(business, author: .server)
        return business
    }
}
