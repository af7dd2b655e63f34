extension PostgresMigrations {
    // What integrations keep beside conversations and contacts; programs of version 2 neither read nor write any.
    static let metadata = """

        ALTER TABLE contacts ADD COLUMN metadata bytea;
        CREATE TABLE conversation_metadata (
            conversation bigint PRIMARY KEY, content bytea NOT NULL);
        """
}
