/// The right of one holder to do something alone, for as long as it is renewed.
public struct Lease: Hashable, Sendable {
    /// What it is for; compared as bytes.
    public let name: String
    /// Higher than that of every earlier holder of the name, over the whole life of the store.
    ///
    /// What is written under a lease carries it, so that the store refuses what an earlier holder
    /// still sends.
    public let term: Int64

    /// Names a lease.
    public init(name: String, term: Int64) {
        self.name = name
        self.term = term
    }
}

/// What came of asking for a lease.
public enum LeaseAttempt: Hashable, Sendable {
    /// The caller holds it.
    case acquired(Lease)
    /// Another holds it, for so long unless it renews it; nil where the store does not say.
    case held(for: Duration?)
}

/// Leases among all that use the store, whichever process they are in; by the store's clock.
///
/// `LeaseHolder` keeps one for as long as a body runs; `withLease` and `withFreeLease` do so for a
/// single call. Calls of `SQLRegistries.requireCurrent` refuse what an earlier holder writes.
public protocol LeaseRegistry: Sendable {
    /// Those of this process who wait for a lease by name.
    var leaseLine: LeaseLine { get }

    /// Acquires a lease that is free or whose life has ended; nil while another holds it.
    ///
    /// Order: whatever the holder before wrote under its lease is durable or refused by then.
    /// - Throws: when the store cannot say who holds the lease.
    func acquireLease(_ name: String, life: Duration) async throws(StoreError) -> Lease?

    /// Acquires a lease as `acquireLease` does, and says for how long another holds it.
    func attemptLease(_ name: String, life: Duration) async throws(StoreError) -> LeaseAttempt

    /// Lets a lease live on from now; false when it was released or acquired by another since.
    ///
    /// A lease whose life has ended is renewed unless another holder acquired it.
    func renewLease(_ lease: Lease, life: Duration) async throws(StoreError) -> Bool

    /// Gives a lease back, unless another acquired it since.
    func releaseLease(_ lease: Lease) async throws(StoreError)

    /// Notes that a `LeaseHolder` of this process begins what a lease is for, or has ended it; for the operator.
    func note(_ lease: Lease, isHeld: Bool)
}

extension LeaseRegistry {
    /// Says nothing: where one process uses the store, it holds every lease.
    public func note(_ lease: Lease, isHeld: Bool) {}

    /// Acquires a lease, and does not say for how long another holds it.
    public func attemptLease(
        _ name: String, life: Duration
    ) async throws(StoreError) -> LeaseAttempt {
        guard let lease = try await acquireLease(name, life: life) else { return .held(for: nil) }
        return .acquired(lease)
    }
}
