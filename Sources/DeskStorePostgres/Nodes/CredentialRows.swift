import DeskStore

/// The rows by which nodes learn of each other's changes of credentials, and who has applied them.
enum CredentialRows {
    /// The tables: changes are only added, and a node has its row for as long as others wait for it.
    ///
    /// Each change comes in the transaction that makes it, numbered in the order of commits; a number may
    /// be missing.
    static let tables = """
        CREATE TABLE nodes (
            node bigint PRIMARY KEY, seen_at timestamptz NOT NULL, applied bigint NOT NULL
        ) WITH (fillfactor = 20);
        CREATE SEQUENCE credential_versions;
        CREATE TABLE credential_changes (
            version bigint PRIMARY KEY, node bigint NOT NULL, changes text NOT NULL,
            at timestamptz NOT NULL DEFAULT clock_timestamp());

        """

    private static let newest = "(SELECT coalesce(max(version), 0) FROM credential_changes)"

    /// Records changes in the transaction that makes them, as its last statements: from the lock on, which
    /// the commit releases, numbers rise as commits do.
    static func record(_ changes: [RegistryChange], of node: Int64) -> String? {
        let text = CredentialText.text(of: changes)
        guard !text.isEmpty else { return nil }
        // Ids, digests and words of ours; a quote would end the literal.
        precondition(!text.utf8.contains(0x27), "a change of credentials holds a quote")
        return """
            SELECT pg_advisory_xact_lock(hashtextextended('frontdesk credentials ' || \
            current_schema(), 0)); \
            INSERT INTO credential_changes (version, node, changes) \
            VALUES (nextval('credential_versions'), \(node), '\(text)'); \
            SELECT pg_notify(\(NoticeChannel.credentials.expression), '');
            """
    }

    /// Adds a node that has applied everything so far, since it remembers nothing; returns the newest version.
    static func join(
        _ node: Int64, on connection: ListeningConnection
    ) throws(StoreError) -> Int64 {
        let rows = try connection.rows(
            """
            INSERT INTO nodes (node, seen_at, applied) \
            VALUES ($1::bigint, clock_timestamp(), \(newest)) \
            ON CONFLICT (node) DO UPDATE SET applied = excluded.applied, \
            seen_at = excluded.seen_at RETURNING applied
            """, ["\(node)"])
        return try number(rows.first?.first)
    }

    /// Confirms what a node has applied; returns the newest version, or nil when others wait for the node no
    /// more.
    static func beat(
        _ node: Int64, applied: Int64, on connection: ListeningConnection
    ) throws(StoreError) -> Int64? {
        let rows = try connection.rows(
            """
            UPDATE nodes SET seen_at = clock_timestamp(), applied = $2::bigint \
            WHERE node = $1::bigint RETURNING \(newest)
            """, ["\(node)", "\(applied)"])
        return try rows.first.map { row throws(StoreError) in try number(row.first) }
    }

    /// One transaction's changes, with who made them.
    struct Change {
        let version: Int64
        let node: Int64
        let notice: CredentialNotice
    }

    /// The changes after a version, in the order of their commits.
    static func changes(
        after version: Int64, on connection: ListeningConnection
    ) throws(StoreError) -> [Change] {
        try connection.rows(
            """
            SELECT version, node, changes FROM credential_changes WHERE version > $1::bigint \
            ORDER BY version
            """, ["\(version)"]
        ).map { row throws(StoreError) in
            Change(
                version: try number(row[0]), node: try number(row[1]),
                notice: CredentialText.notice((row[2] ?? CredentialText.everything)))
        }
    }

    /// The newest version, and up to which all other nodes have confirmed; without others there is no bound.
    static func confirmed(
        besides node: Int64, on connection: ListeningConnection
    ) throws(StoreError) -> (newest: Int64, confirmed: Int64) {
        let rows = try connection.rows(
            """
            SELECT \(newest), (SELECT min(applied) FROM nodes WHERE node <> $1::bigint)
            """, ["\(node)"])
        let confirmed = rows.first?.last ?? nil
        return (try number(rows.first?.first), confirmed.flatMap { Int64($0) } ?? .max)
    }

    /// Removes the nodes that did not confirm a version while their leases lived.
    static func expel(
        below version: Int64, besides node: Int64, on connection: ListeningConnection
    ) throws(StoreError) {
        _ = try connection.rows(
            "DELETE FROM nodes WHERE node <> $1::bigint AND applied < $2::bigint",
            ["\(node)", "\(version)"])
    }

    /// Removes a node, for which no publisher waits from then on.
    static func leave(
        _ node: Int64, on connection: ListeningConnection
    ) throws(StoreError) {
        _ = try connection.rows("DELETE FROM nodes WHERE node = $1::bigint", ["\(node)"])
    }

    /// Deletes changes that are an hour old; a node that did not read them has lost its lease long ago.
    static func prune(on connection: ListeningConnection) throws(StoreError) {
        _ = try connection.rows(
            """
            DELETE FROM credential_changes WHERE version < \(newest) \
            AND at < clock_timestamp() - interval '1 hour'
            """)
    }

    private static func number(_ text: String??) throws(StoreError) -> Int64 {
        guard let text, let text, let number = Int64(text) else {
            throw StoreError(.damaged, "a number of a node's is none")
        }
        return number
    }
}
