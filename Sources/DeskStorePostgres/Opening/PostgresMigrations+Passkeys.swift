extension PostgresMigrations {
    // Keys of authenticators that sign accounts in; programs of version 7 know none, and remove none with a password.
    static let passkeys = """
        CREATE TABLE passkeys (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE,
            agent bytea NOT NULL, name text COLLATE "C" NOT NULL, host text COLLATE "C" NOT NULL,
            credential bytea NOT NULL UNIQUE, public_key bytea NOT NULL,
            algorithm bigint NOT NULL, counter bigint NOT NULL, created_at bigint NOT NULL,
            used_at bigint);
        CREATE INDEX passkeys_by_agent ON passkeys (agent);
        ALTER TABLE sessions ADD COLUMN is_by_passkey boolean NOT NULL DEFAULT FALSE;

        """
}
