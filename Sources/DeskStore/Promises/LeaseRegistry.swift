/// What is done by one at a time, among all who use the store.
///
/// Names are compared as bytes.
public protocol LeaseRegistry: Sendable {
    /// Runs `body` once nobody else runs one under the same name, whichever node they are on.
    ///
    /// Order: those of one node come in the order of asking. Limit: who waits is a request, and
    /// requests are bounded by the connections.
    /// - Throws: that the store cannot say who has the lease.
    func withLease<Value: Sendable>(
        _ name: String, _ body: () async -> Value
    ) async throws(StoreError) -> Value

    /// Runs `body` unless somebody runs one under the same name; nil when somebody does.
    ///
    /// - Throws: that the store cannot say who has the lease.
    func withFreeLease<Value: Sendable>(
        _ name: String, _ body: () async -> Value
    ) async throws(StoreError) -> Value?
}
