extension RegistrySchema {
    // After how many days content is erased, and how far that has come: positions of messages, numbers of notes.
    static func retention(_ d: Dialect) -> String {
        """
        CREATE TABLE retentions (
            business \(d.bytes) PRIMARY KEY, days \(d.integer) NOT NULL,
            changed_at \(d.integer) NOT NULL, begins_at \(d.integer) NOT NULL,
            position \(d.integer) NOT NULL, note \(d.integer) NOT NULL,
            erased_through \(d.integer));

        """
    }

    // What is kept from being erased, by the id of the conversation or of the whole business.
    static func legalHolds(_ d: Dialect) -> String {
        """
        CREATE TABLE legal_holds (
            number \(d.rowNumber), subject \(d.bytes) NOT NULL UNIQUE,
            business \(d.bytes) NOT NULL, reason \(d.text) NOT NULL,
            author_kind \(d.text) NOT NULL, author_name \(d.text) NOT NULL,
            placed_at \(d.integer) NOT NULL);
        CREATE INDEX legal_holds_by_business ON legal_holds (business, number);

        """
    }
}
