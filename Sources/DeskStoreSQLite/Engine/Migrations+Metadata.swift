extension Migrations {
    // What integrations keep beside conversations and contacts.
    static let metadata = """
        ALTER TABLE contacts ADD COLUMN metadata BLOB;
        CREATE TABLE conversation_metadata (
            conversation INTEGER PRIMARY KEY, content BLOB NOT NULL);
        """
}
