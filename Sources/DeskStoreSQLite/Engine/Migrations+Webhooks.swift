extension Migrations {
    // Endpoints of businesses to which events are posted, and what an attempt came to.
    static let webhooks = """
        ALTER TABLE deliveries ADD COLUMN milliseconds INTEGER;
        ALTER TABLE deliveries ADD COLUMN answer BLOB;
        CREATE TABLE webhooks (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE,
            business BLOB NOT NULL, url TEXT NOT NULL, description TEXT NOT NULL,
            signing TEXT NOT NULL, settings TEXT NOT NULL, secrets BLOB NOT NULL,
            begins_after INTEGER NOT NULL, disabled TEXT, disabled_at INTEGER,
            failing_since INTEGER, handshake TEXT, created_at INTEGER NOT NULL);
        CREATE INDEX webhooks_by_business ON webhooks (business);
        """
}
