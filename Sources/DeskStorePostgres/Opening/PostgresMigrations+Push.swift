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

extension PostgresMigrations {
    // Browsers of agents that are notified while no console is in use; programs of version 6 notify none.
    static let agentPush = """
        CREATE TABLE agent_push_subscriptions (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE,
            agent bytea NOT NULL, device bytea NOT NULL, zone text COLLATE "C" NOT NULL,
            secrets bytea NOT NULL, created_at bigint NOT NULL);
        CREATE INDEX agent_push_subscriptions_by_agent ON agent_push_subscriptions (agent);
        CREATE INDEX agent_push_subscriptions_by_device ON agent_push_subscriptions (device);

        """
}
