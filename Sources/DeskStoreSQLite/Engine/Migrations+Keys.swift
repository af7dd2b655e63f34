extension Migrations {
    // What keys are limited to, and what they were used for lately.
    static let keyLimits = """
        ALTER TABLE keys ADD COLUMN addresses TEXT NOT NULL DEFAULT '';
        ALTER TABLE keys ADD COLUMN expires_at INTEGER;
        ALTER TABLE keys ADD COLUMN predecessor BLOB;
        CREATE TABLE key_requests (
            number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL, made_at INTEGER NOT NULL,
            operation TEXT NOT NULL, status INTEGER NOT NULL, code TEXT NOT NULL,
            milliseconds INTEGER NOT NULL, address TEXT NOT NULL, request TEXT NOT NULL);
        CREATE INDEX key_requests_by_key ON key_requests (key, number);
        """

    // Conversations by what their customers came for.
    static let intents = """
        CREATE INDEX conversations_by_intent ON conversations (business, intent, state, activity)
            WHERE intent IS NOT NULL;
        """

    // Conversations by the group of the business that their customers came to.
    static let groups = """
        CREATE INDEX conversations_by_group ON conversations (business, group_name, state, activity)
            WHERE group_name IS NOT NULL;
        """
}
