extension PostgresMigrations {
    // Retention by age; programs of version 4 erase nothing by it.
    static let retention = """
        CREATE TABLE retentions (
            business bytea PRIMARY KEY, days bigint NOT NULL, changed_at bigint NOT NULL,
            begins_at bigint NOT NULL, position bigint NOT NULL, note bigint NOT NULL,
            erased_through bigint);
        """
}
