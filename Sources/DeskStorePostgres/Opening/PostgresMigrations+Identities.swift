extension PostgresMigrations {
    // Who accounts are to identity providers; programs of version 4 know none, and sign in with passwords.
    static let identities = """

        CREATE TABLE identities (
            issuer text COLLATE "C" NOT NULL, subject text COLLATE "C" NOT NULL,
            agent bytea NOT NULL, created_at bigint NOT NULL, PRIMARY KEY (issuer, subject));
        CREATE INDEX identities_by_agent ON identities (agent);
        """
}
