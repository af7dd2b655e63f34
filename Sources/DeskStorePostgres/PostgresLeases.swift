public import DeskSQL
public import DeskStore

/// The leases of all processes that share the database: rows, by the database's clock.
enum PostgresLeases {
    /// A row is deleted when its lease is released; terms come from a sequence, and so rise for ever.
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

extension PostgresRegistries {
    /// Those of this process who wait for a lease.
    public var leaseLine: LeaseLine { line }

    /// Acquires a lease that is free or whose life has ended; nil while another holds it.
    public func acquireLease(
        _ name: String, life: Duration
    ) async throws(StoreError) -> Lease? {
        try await writeRegistry { sql, _ throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    INSERT INTO leases (name, term, until) VALUES (?1, nextval('lease_terms'), \
                    clock_timestamp() + ?2::bigint * interval '1 millisecond') \
                    ON CONFLICT (name) DO UPDATE SET term = excluded.term, until = excluded.until \
                    WHERE leases.until <= clock_timestamp() RETURNING term
                    """)
            try statement.bind(name)
            try statement.bind(PostgresLeases.milliseconds(life))
            defer { statement.reset() }
            guard try statement.step(), let term = statement.integerIfAny() else { return nil }
            return Lease(name: name, term: term)
        }
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
