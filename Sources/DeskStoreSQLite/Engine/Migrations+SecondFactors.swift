extension Migrations {
    // Second factors of accounts, and whether the members of a business need one.
    static let secondFactors = """
        CREATE TABLE second_factors (
            agent BLOB PRIMARY KEY, secret BLOB, recovery BLOB NOT NULL, used_step INTEGER NOT NULL,
            created_at INTEGER NOT NULL, confirmed_at INTEGER);
        ALTER TABLE businesses ADD COLUMN requires_second_factor INTEGER NOT NULL DEFAULT 0;
        """
}
