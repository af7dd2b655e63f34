extension LeaseRegistry {
    /// Runs `body` once no other call runs one under the same name, whichever process it is in.
    ///
    /// Order: those of one process in the order of the calls. The lease is renewed while `body` runs;
    /// where that fails `body` goes on, so that a rule that must hold in spite of it is a row of the
    /// store.
    /// - Throws: when the store cannot say who holds the lease; `unavailable` when the task was
    ///   cancelled while another process held it.
    public func withLease<Value: Sendable>(
        _ name: String, _ body: () async -> Value
    ) async throws(StoreError) -> Value {
        await leaseLine.enter(name)
        defer { leaseLine.leave(name) }
        while true {
            if let lease = try await acquireLease(name, life: LeaseTimes.life) {
                return await run(under: lease, body)
            }
            do {
                try await Task.sleep(for: LeaseTimes.pause)
            } catch {
                throw StoreError(.unavailable, "cancelled while another process held a lease")
            }
        }
    }

    /// Runs `body` unless another call runs one under the same name; nil when one does.
    ///
    /// - Throws: when the store cannot say who holds the lease.
    public func withFreeLease<Value: Sendable>(
        _ name: String, _ body: () async -> Value
    ) async throws(StoreError) -> Value? {
        try await withFreeLease(name) { (_: Lease) async -> Value in await body() }
    }

    /// Runs `body` with its lease unless a call runs under the same name; nil when one does.
    ///
    /// - Throws: when the store cannot say who holds the lease.
    public func withFreeLease<Value: Sendable>(
        _ name: String, _ body: (Lease) async -> Value
    ) async throws(StoreError) -> Value? {
        guard leaseLine.enterIfFree(name) else { return nil }
        defer { leaseLine.leave(name) }
        guard let lease = try await acquireLease(name, life: LeaseTimes.life) else { return nil }
        return await run(under: lease) { await body(lease) }
    }

    private func run<Value: Sendable>(
        under lease: Lease, _ body: () async -> Value
    ) async -> Value {
        let holder = LeaseHolder(of: self, named: lease.name)
        let value = await withTaskGroup(of: Void.self) { group in
            group.addTask { await holder.renew(lease) }
            let value = await body()
            group.cancelAll()
            return value
        }
        // Safe: a lease that is not released ends by itself.
        try? await releaseLease(lease)
        return value
    }
}
