extension Migrations {
    // Browsers of customers that are notified of answers.
    static let push = """
        CREATE TABLE push_subscriptions (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
            conversation BLOB NOT NULL, secrets BLOB NOT NULL, created_at INTEGER NOT NULL);
        CREATE INDEX push_subscriptions_by_conversation ON push_subscriptions (conversation);
        """
}
