extension RegistrySchema {
    /// Keys, the businesses that they may act for, and what they were used for lately.
    static func keys(_ d: Dialect) -> String {
        """
        CREATE TABLE keys (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, name \(d.text) NOT NULL,
            secret \(d.bytes) NOT NULL, world TEXT NOT NULL, scopes \(d.text) NOT NULL,
            created_at \(d.integer) NOT NULL, revoked_at \(d.integer), used_at \(d.integer),
            addresses \(d.text) NOT NULL DEFAULT '', expires_at \(d.integer),
            predecessor \(d.bytes));
        CREATE TABLE key_requests (
            number \(d.rowNumber), key \(d.bytes) NOT NULL, made_at \(d.integer) NOT NULL,
            operation \(d.text) NOT NULL, status \(d.integer) NOT NULL, code \(d.text) NOT NULL,
            milliseconds \(d.integer) NOT NULL, address \(d.text) NOT NULL,
            request \(d.text) NOT NULL);
        CREATE INDEX key_requests_by_key ON key_requests (key, number);
        CREATE TABLE key_businesses (
            key \(d.bytes) NOT NULL, business \(d.bytes) NOT NULL, made_by \(d.bytes),
            made_at \(d.integer) NOT NULL DEFAULT 0, PRIMARY KEY (key, business));
        CREATE INDEX key_businesses_by_maker ON key_businesses (business, made_by);
        """
    }
}
