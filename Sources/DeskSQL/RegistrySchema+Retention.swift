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
}
