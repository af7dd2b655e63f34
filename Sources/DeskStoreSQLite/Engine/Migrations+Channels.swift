extension Migrations {
    // Links to channels other than our own, and until when those accept what a business writes.
    static let channels = """
        CREATE TABLE channel_links (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
            side TEXT NOT NULL, msp_id TEXT NOT NULL, secret BLOB NOT NULL, url TEXT NOT NULL,
            settings BLOB NOT NULL, created_at INTEGER NOT NULL, UNIQUE (business, side));
        ALTER TABLE upstream_conversations ADD COLUMN free_form_until INTEGER;
        """

    // Deliveries lie as they were noted, beside the others of their event, and few indexes are written with
    // each: where an endpoint's lay together, an event for a hundred endpoints wrote some 800 pages.
    static let deliveriesByEvent = """
        ALTER TABLE deliveries RENAME TO deliveries_by_outbox;
        CREATE TABLE deliveries (
            outbox BLOB NOT NULL, position INTEGER NOT NULL, conversation BLOB,
            state TEXT NOT NULL, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL,
            is_first INTEGER NOT NULL, tried_at INTEGER, status INTEGER, detail TEXT,
            claim INTEGER, milliseconds INTEGER, answer BLOB,
            PRIMARY KEY (outbox, position));
        INSERT INTO deliveries
            SELECT outbox, position, conversation, state, attempts, due_at, is_first, tried_at,
                status, detail, claim, milliseconds, answer
            FROM deliveries_by_outbox ORDER BY position, outbox;
        DROP TABLE deliveries_by_outbox;
        CREATE INDEX deliveries_due ON deliveries (outbox, due_at, position)
            WHERE is_first AND state = 'pending';
        CREATE INDEX deliveries_waiting ON deliveries (state, outbox, conversation, position)
            WHERE state = 'pending';
        CREATE INDEX deliveries_dead ON deliveries (state, outbox, position) WHERE state = 'dead';
        CREATE INDEX deliveries_by_end ON deliveries (state, tried_at) WHERE state != 'pending';
        """
}
