extension Migrations {
    // Keys of authenticators that sign accounts in.
    static let passkeys = """
        CREATE TABLE passkeys (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, agent BLOB NOT NULL,
            name TEXT NOT NULL, host TEXT NOT NULL, credential BLOB NOT NULL UNIQUE,
            public_key BLOB NOT NULL, algorithm INTEGER NOT NULL, counter INTEGER NOT NULL,
            created_at INTEGER NOT NULL, used_at INTEGER);
        CREATE INDEX passkeys_by_agent ON passkeys (agent);
        ALTER TABLE sessions ADD COLUMN is_by_passkey INTEGER NOT NULL DEFAULT 0;
        """
}
