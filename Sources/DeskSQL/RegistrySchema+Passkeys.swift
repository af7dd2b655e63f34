extension RegistrySchema {
    // `credential` is the authenticator's own name, at most 1,023 bytes. Nothing of it is secret.
    static func passkeys(_ d: Dialect) -> String {
        """
        CREATE TABLE passkeys (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, agent \(d.bytes) NOT NULL,
            name \(d.text) NOT NULL, host \(d.text) NOT NULL,
            credential \(d.bytes) NOT NULL UNIQUE, public_key \(d.bytes) NOT NULL,
            algorithm \(d.integer) NOT NULL, counter \(d.integer) NOT NULL,
            created_at \(d.integer) NOT NULL, used_at \(d.integer));
        CREATE INDEX passkeys_by_agent ON passkeys (agent);

        """
    }
}
