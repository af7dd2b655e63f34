extension Migrations {
    // After how many days the content of a business's messages and notes is erased, and how far that has come.
    static let retention = """
        CREATE TABLE retentions (
            business BLOB PRIMARY KEY, days INTEGER NOT NULL, changed_at INTEGER NOT NULL,
            begins_at INTEGER NOT NULL, position INTEGER NOT NULL, note INTEGER NOT NULL,
            erased_through INTEGER);
        """

    // What is kept from being erased, by the id of the conversation or of the whole business.
    static let legalHolds = """
        CREATE TABLE legal_holds (
            number INTEGER PRIMARY KEY AUTOINCREMENT, subject BLOB NOT NULL UNIQUE,
            business BLOB NOT NULL, reason TEXT NOT NULL, author_kind TEXT NOT NULL,
            author_name TEXT NOT NULL, placed_at INTEGER NOT NULL);
        CREATE INDEX legal_holds_by_business ON legal_holds (business, number);
        """
}
