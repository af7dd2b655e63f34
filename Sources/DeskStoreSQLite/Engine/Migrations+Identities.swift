extension Migrations {
    // Who accounts are to identity providers.
    static let identities = """

        CREATE TABLE identities (
            issuer TEXT NOT NULL, subject TEXT NOT NULL, agent BLOB NOT NULL,
            created_at INTEGER NOT NULL, PRIMARY KEY (issuer, subject));
        CREATE INDEX identities_by_agent ON identities (agent);
        """
}
