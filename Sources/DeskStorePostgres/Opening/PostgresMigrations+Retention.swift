extension PostgresMigrations {
    // Retention by age; programs of version 4 erase nothing by it.
    static let retention = """
        CREATE TABLE retentions (
            business bytea PRIMARY KEY, days bigint NOT NULL, changed_at bigint NOT NULL,
            begins_at bigint NOT NULL, position bigint NOT NULL, note bigint NOT NULL,
            erased_through bigint);
        """

    // Legal holds; programs of version 11 know of none, and erase what is kept.
    static let legalHolds = """
        CREATE TABLE legal_holds (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            subject bytea NOT NULL UNIQUE, business bytea NOT NULL,
            reason text COLLATE "C" NOT NULL, author_kind text COLLATE "C" NOT NULL,
            author_name text COLLATE "C" NOT NULL, placed_at bigint NOT NULL);
        CREATE INDEX legal_holds_by_business ON legal_holds (business, number);
        """
}
