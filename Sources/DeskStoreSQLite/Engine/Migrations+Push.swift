extension Migrations {
    // Browsers of customers that are notified of answers.
    static let push = """
        CREATE TABLE push_subscriptions (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
            conversation BLOB NOT NULL, secrets BLOB NOT NULL, created_at INTEGER NOT NULL);
        CREATE INDEX push_subscriptions_by_conversation ON push_subscriptions (conversation);
        """
}

extension Migrations {
    // Browsers of agents that are notified while no console is in use.
    static let agentPush = """
        CREATE TABLE agent_push_subscriptions (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, agent BLOB NOT NULL,
            device BLOB NOT NULL, zone TEXT NOT NULL, secrets BLOB NOT NULL,
            created_at INTEGER NOT NULL);
        CREATE INDEX agent_push_subscriptions_by_agent ON agent_push_subscriptions (agent);
        CREATE INDEX agent_push_subscriptions_by_device ON agent_push_subscriptions (device);
        """
}
