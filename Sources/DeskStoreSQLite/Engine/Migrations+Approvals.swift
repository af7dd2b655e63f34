extension Migrations {
    // What needs a second person's approval, the requests that wait for one, and whether a browser that is notified
    // was signed in with a passkey.
    static let approvals = """
        CREATE TABLE approval_rules (
            business BLOB PRIMARY KEY, areas TEXT NOT NULL, changed_at INTEGER NOT NULL);
        CREATE TABLE approvals (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
            area TEXT NOT NULL, operation TEXT NOT NULL, details BLOB NOT NULL,
            digest BLOB NOT NULL, author_kind TEXT NOT NULL, author_name TEXT NOT NULL,
            person BLOB, reason TEXT NOT NULL, state TEXT NOT NULL, made_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL, decider BLOB, decided_at INTEGER,
            comment TEXT NOT NULL, used_at INTEGER);
        CREATE INDEX approvals_by_business ON approvals (business, state, number);
        CREATE INDEX approvals_by_request ON approvals (digest);
        ALTER TABLE agent_push_subscriptions
            ADD COLUMN is_by_passkey INTEGER NOT NULL DEFAULT FALSE;
        """
}
