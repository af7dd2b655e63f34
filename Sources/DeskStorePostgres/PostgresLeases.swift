public import DeskSQL
public import DeskStore

/// The leases of all processes that share the database: rows, by the database's clock.
enum PostgresLeases {
    /// A row is deleted when its lease is released; terms come from a sequence, and so rise for ever.
    ///
    /// `NodeKeys` has rows beside those of places.
    static let tables = """
        CREATE TABLE leases (
            name text COLLATE "C" PRIMARY KEY, term bigint NOT NULL, until timestamptz NOT NULL);
        CREATE SEQUENCE lease_terms;

        """

    /// A duration's whole milliseconds.
    static func milliseconds(_ life: Duration) -> Int64 {
        Int64(clamping: Int(life / .milliseconds(1)))
    }
}

/// What happens to the leases that this process acquires.
public enum LeaseOccurrence: Sendable {
    /// It was acquired from a holder that had not released it, such as one that was killed.
    case takenOver
    /// This process begins what the lease is for.
    case begun(Lease)
    /// This process has ended it.
    case ended(Lease)
}

extension PostgresRegistries {
    /// Those of this process who wait for a lease.
    public var leaseLine: LeaseLine { line }

    /// Acquires a lease that is free or whose life has ended; nil while another holds it.
    public func acquireLease(
        _ name: String, life: Duration
    ) async throws(StoreError) -> Lease? {
        switch try await attemptLease(name, life: life) {
        case .acquired(let lease): lease
        case .held: nil
        }
    }

    /// Acquires a lease as `acquireLease` does, and says for how long another holds it.
    public func attemptLease(
        _ name: String, life: Duration
    ) async throws(StoreError) -> LeaseAttempt {
        let (attempt, isTakenOver) = try await writeRegistry {
            sql, _ throws(StoreError) -> (LeaseAttempt, Bool) in
            // A row that was there before has been locked by this transaction.
            let statement = try sql.statement(
                literal: """
                    INSERT INTO leases (name, term, until) VALUES (?1, nextval('lease_terms'), \
                    clock_timestamp() + ?2::bigint * interval '1 millisecond') \
                    ON CONFLICT (name) DO UPDATE SET term = excluded.term, until = excluded.until \
                    WHERE leases.until <= clock_timestamp() RETURNING term, xmax <> 0
                    """)
            try statement.bind(name)
            try statement.bind(PostgresLeases.milliseconds(life))
            if let (term, isTakenOver) = try statement.first({ ($0.integer(), $0.bool()) }) {
                return (.acquired(Lease(name: name, term: term)), isTakenOver)
            }
            // Afterwards: a look before it would be in conflict with those that acquire other leases meanwhile.
            let held = try sql.statement(
                literal: """
                    SELECT (extract(epoch FROM until - clock_timestamp()) * 1000)::bigint \
                    FROM leases WHERE name = ?
                    """)
            try held.bind(name)
            let left = try held.first { Duration.milliseconds($0.integer()) }
            return (.held(for: left), false)
        }
        if isTakenOver { report(.takenOver) }
        return attempt
    }

    /// Reports what this process does under a lease.
    public func note(_ lease: Lease, isHeld: Bool) {
        report(isHeld ? .begun(lease) : .ended(lease))
    }

    /// Lets a lease live on; false when it was released or acquired by another since.
    public func renewLease(_ lease: Lease, life: Duration) async throws(StoreError) -> Bool {
        try await writeRegistry { sql, _ throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    UPDATE leases SET until = \
                    clock_timestamp() + ?3::bigint * interval '1 millisecond' \
                    WHERE name = ?1 AND term = ?2
                    """)
            try statement.bind(lease.name)
            try statement.bind(lease.term)
            try statement.bind(PostgresLeases.milliseconds(life))
            return try statement.runCounting() == 1
        }
    }

    /// Gives a lease back, unless another acquired it since.
    public func releaseLease(_ lease: Lease) async throws(StoreError) {
        try await writeRegistry { sql, _ throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM leases WHERE name = ? AND term = ?")
            try statement.bind(lease.name)
            try statement.bind(lease.term)
            _ = try statement.runCounting()
        }
    }

    /// Refuses what is written under a lease that was released or acquired by another since.
    ///
    /// The row stays locked until the transaction ends, so that no other holder acquires the lease before.
    public func requireCurrent(_ lease: Lease, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: "SELECT 1 FROM leases WHERE name = ? AND term = ? FOR SHARE")
        try statement.bind(lease.name)
        try statement.bind(lease.term)
        defer { statement.reset() }
        guard try statement.step() else { throw StoreError(.superseded) }
    }
}
