extension RegistrySchema {
    // `secrets` are encrypted, as `Secrets.columns` names it: the endpoint at the push service and the browser's keys.
    // Nothing is of a customer's words.
    static func push(_ d: Dialect) -> String {
        """
        CREATE TABLE push_subscriptions (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            conversation \(d.bytes) NOT NULL, secrets \(d.bytes) NOT NULL,
            created_at \(d.integer) NOT NULL);
        CREATE INDEX push_subscriptions_by_conversation ON push_subscriptions (conversation);
        CREATE TABLE agent_push_subscriptions (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, agent \(d.bytes) NOT NULL,
            device \(d.bytes) NOT NULL, zone \(d.text) NOT NULL, secrets \(d.bytes) NOT NULL,
            created_at \(d.integer) NOT NULL,
            is_by_passkey \(d.claim) NOT NULL DEFAULT FALSE);
        CREATE INDEX agent_push_subscriptions_by_agent ON agent_push_subscriptions (agent);
        CREATE INDEX agent_push_subscriptions_by_device ON agent_push_subscriptions (device);

        """
    }
}
