extension RegistrySchema {
    // `areas` are words with commas between; `person` is NULL where no person answers for the author.
    static func approvals(_ d: Dialect) -> String {
        """
        CREATE TABLE approval_rules (
            business \(d.bytes) PRIMARY KEY, areas \(d.text) NOT NULL,
            changed_at \(d.integer) NOT NULL);
        CREATE TABLE approvals (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            area \(d.text) NOT NULL, operation \(d.text) NOT NULL, details \(d.bytes) NOT NULL,
            digest \(d.bytes) NOT NULL, author_kind \(d.text) NOT NULL,
            author_name \(d.text) NOT NULL, person \(d.bytes), reason \(d.text) NOT NULL,
            state \(d.text) NOT NULL, made_at \(d.integer) NOT NULL,
            expires_at \(d.integer) NOT NULL, decider \(d.bytes), decided_at \(d.integer),
            comment \(d.text) NOT NULL, used_at \(d.integer));
        CREATE INDEX approvals_by_business ON approvals (business, state, number);
        CREATE INDEX approvals_by_request ON approvals (digest);

        """
    }
}
