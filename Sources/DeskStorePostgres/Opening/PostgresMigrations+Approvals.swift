extension PostgresMigrations {
    // What needs a second person's approval, the requests that wait for one, and whether a browser that is notified
    // was signed in with a passkey; programs of version 9 know none of it.
    static let approvals = """
        CREATE TABLE approval_rules (
            business bytea PRIMARY KEY, areas text COLLATE "C" NOT NULL,
            changed_at bigint NOT NULL);
        CREATE TABLE approvals (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE,
            business bytea NOT NULL, area text COLLATE "C" NOT NULL,
            operation text COLLATE "C" NOT NULL, details bytea NOT NULL,
            digest bytea NOT NULL, author_kind text COLLATE "C" NOT NULL,
            author_name text COLLATE "C" NOT NULL, person bytea,
            reason text COLLATE "C" NOT NULL, state text COLLATE "C" NOT NULL,
            made_at bigint NOT NULL, expires_at bigint NOT NULL, decider bytea,
            decided_at bigint, comment text COLLATE "C" NOT NULL, used_at bigint);
        CREATE INDEX approvals_by_business ON approvals (business, state, number);
        CREATE INDEX approvals_by_request ON approvals (digest);
        ALTER TABLE agent_push_subscriptions
            ADD COLUMN is_by_passkey boolean NOT NULL DEFAULT FALSE;

        """
}
