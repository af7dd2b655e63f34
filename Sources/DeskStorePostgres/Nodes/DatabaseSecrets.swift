package import DeskModel
import DeskSQL
package import DeskStore

/// What is done to the secrets of a database while no node runs on it.
package struct DatabaseSecrets: Sendable {
    private let address: String

    /// The keys that the stored secrets need.
    package let needed: [EncryptionKeyID]

    /// Checks the database, brings its tables up to date, and waits for nodes that were killed to be given up.
    ///
    /// `patience` is how long a node may seem to run that was killed.
    /// - Throws: `busy` while a node runs on it, `refused` when it has no data or cannot be used,
    ///   `unavailable`, `tooNew`, `failed`.
    package init(
        at address: String, patience: Duration = LeaseTimes.life + LeaseTimes.renewal
    ) async throws(StoreError) {
        guard try PostgresImport.hasStore(at: address) else {
            throw StoreError(
                .refused,
                "the database cannot be used: it has no data of Frontdesk's in the first schema of "
                    + "its search path")
        }
        try await ImportLock.requireFree(at: address)
        self.address = address
        _ = try await PostgresRegistries.makeReady(
            at: address, newEpoch: Epoch(.random(in: 1...UInt64.max)))
        needed = try await Self.use(address, .random()) { registries throws(StoreError) in
            try await Self.waitForNodes(of: registries, patience)
            // Not before: a node that ends may still encrypt.
            return try await registries.readRegistry { sql throws(StoreError) in
                try Secrets.count(on: sql).keys.sorted { $0.text < $1.text }
            }
        }
    }

    /// Encrypts every secret with the first of these keys, in one commit.
    ///
    /// `prepare` is called before anything is encrypted, when no node can begin any more; once more where
    /// the commit has to be repeated.
    /// - Throws: `busy` when a node has begun, `keyMissing`, what `prepare` throws, `unknown` when the
    ///   connection broke while it was committed.
    package func encryptAll(
        with keys: EncryptionKeys, after prepare: @escaping @Sendable () throws(StoreError) -> Void
    ) async throws(StoreError) {
        try await Self.use(address, keys) { registries throws(StoreError) in
            try await registries.change(
                .contents(.encryptSecrets(keys.current)), author: .command
            ) { sql throws(StoreError) in
                try Self.requireNoNode(on: sql)
                try prepare()
                try Secrets.encryptAll(keys, on: sql)
            }
        }
    }

    /// Gives up every secret that other keys encrypt; returned are the links that need a new one.
    ///
    /// - Throws: `busy` when a node has begun, `unknown` when the connection broke while it was committed.
    package func forgetAll(but keys: EncryptionKeys) async throws(StoreError) -> [GatewayLink] {
        try await Self.use(address, keys) { registries throws(StoreError) in
            let forgotten = try await registries.writeRegistry {
                sql, _ throws(StoreError) -> [GatewayLinkID] in
                try Self.requireNoNode(on: sql)
                return try Secrets.forgetAll(but: keys, on: sql)
            }
            return try await registries.gatewayLinks().filter { forgotten.contains($0.id) }
        }
    }

    // MARK: Parts

    private static func use<Value: Sendable>(
        _ address: String, _ keys: EncryptionKeys,
        _ body: (PostgresRegistries) async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let registries = PostgresRegistries(
            PostgresRegistries.Options(address: address, keys: keys))
        let answer: Result<Value, StoreError>
        do throws(StoreError) {
            answer = .success(try await body(registries))
        } catch {
            answer = .failure(error)
        }
        await registries.close()
        return try answer.get()
    }

    private static func waitForNodes(
        of registries: PostgresRegistries, _ patience: Duration
    ) async throws(StoreError) {
        let end = ContinuousClock.now + patience
        while true {
            let running = try await registries.readRegistry { sql throws(StoreError) -> Int in
                try NodeKeys.ofRunning(on: sql).count
            }
            guard running > 0 else { return }
            guard ContinuousClock.now < end else { throw busy(running) }
            do { try await Task.sleep(for: .milliseconds(200)) } catch {
                throw StoreError(.closed)
            }
        }
    }

    /// Keeps nodes from beginning until the transaction ends, and refuses where one has begun.
    ///
    /// One that is about to begin finds out then whether its keys are still those that are needed.
    private static func requireNoNode(on sql: any SQLSession) throws(StoreError) {
        try NodeKeys.lockLeases(on: sql)
        let running = try NodeKeys.ofRunning(on: sql).count
        guard running == 0 else { throw busy(running) }
    }

    private static func busy(_ nodes: Int) -> StoreError {
        StoreError(.busy, "\(nodes == 1 ? "a node runs" : "\(nodes) nodes run") on the database")
    }
}
