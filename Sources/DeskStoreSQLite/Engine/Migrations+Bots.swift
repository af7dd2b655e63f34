extension Migrations {
    // Bots, and who controls conversations.
    static let bots = """
        CREATE TABLE bots (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
            name TEXT NOT NULL, key BLOB NOT NULL, webhook BLOB, answer_seconds INTEGER NOT NULL,
            is_first INTEGER NOT NULL, intents TEXT NOT NULL, is_retired INTEGER NOT NULL);
        CREATE INDEX bots_by_business ON bots (business);
        CREATE TABLE controls (
            conversation BLOB PRIMARY KEY, business BLOB NOT NULL, controller_kind TEXT,
            controller TEXT, since INTEGER NOT NULL, offer_kind TEXT, offer TEXT,
            answer_by INTEGER, metadata BLOB NOT NULL);
        CREATE INDEX controls_by_answer ON controls (answer_by) WHERE answer_by IS NOT NULL;
        """
}
