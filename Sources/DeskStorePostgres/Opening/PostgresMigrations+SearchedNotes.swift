extension PostgresMigrations {
    // The words of notes, which the program that holds the lease of the search index reads anew; programs of
    // version 3 read none.
    static let searchedNotes = """

        CREATE TABLE search_note_state (
            one boolean PRIMARY KEY DEFAULT TRUE CHECK (one), version bigint NOT NULL,
            filled bigint, position bigint NOT NULL);
        CREATE TABLE search_notes (
            number bigint PRIMARY KEY, business bigint NOT NULL, terms tsvector NOT NULL);
        CREATE INDEX search_notes_by_term ON search_notes USING gin (terms)
            WITH (fastupdate = on, gin_pending_list_limit = 4096);
        """
}
