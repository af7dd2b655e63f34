extension Migrations {
    // After how many days the content of a business's messages and notes is erased, and how far that has come.
    static let retention = """
        CREATE TABLE retentions (
            business BLOB PRIMARY KEY, days INTEGER NOT NULL, changed_at INTEGER NOT NULL,
            begins_at INTEGER NOT NULL, position INTEGER NOT NULL, note INTEGER NOT NULL,
            erased_through INTEGER);
        """
}
