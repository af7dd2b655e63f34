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
        let sandbox = business("Sandbox", colour: "#7a5af5", mode: .test, isSandbox: true)
        let all = try await store.beginBusinesses(
            business(name, colour: "#0b6bcb", mode: .live, isSandbox: false), sandbox: sandbox)
        return Businesses(
            sandbox: all.first(where: \.isSandbox) ?? sandbox, own: all.first { $0.mode == .live })
    }

    private func business(
        _ name: String, colour: String, mode: Mode, isSandbox: Bool
    ) -> Business {
        var random = SystemRandomNumberGenerator()
        return Business(
            id: BusinessID(using: &random), name: name, colour: colour, mode: mode,
            isSandbox: isSandbox, createdAt: time.now())
    }
}
