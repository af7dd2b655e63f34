extension RegistrySchema {
    static func identities(_ d: Dialect) -> String {
        """
        CREATE TABLE identities (
            issuer \(d.text) NOT NULL, subject \(d.text) NOT NULL, agent \(d.bytes) NOT NULL,
            created_at \(d.integer) NOT NULL, PRIMARY KEY (issuer, subject));
        CREATE INDEX identities_by_agent ON identities (agent);

        """
    }
}
