extension PostgresMigrations {
    // Browsers of customers that are notified of answers; programs of version 5 notify none.
    static let push = """
        CREATE TABLE push_subscriptions (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE,
            business bytea NOT NULL, conversation bytea NOT NULL, secrets bytea NOT NULL,
            created_at bigint NOT NULL);
        CREATE INDEX push_subscriptions_by_conversation ON push_subscriptions (conversation);

        """
}
