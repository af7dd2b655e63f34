/// The step of the schema's history that came with saved views.
///
/// A landed step is never edited: the fixtures of every earlier version hold these statements to it.
extension Migrations {
    // Saved views, of a business or of one agent. And what their lists are read by: the values of
    // attributes, which `AttributeRows.fillIfDue` writes for the rows that are there, and the languages
    // of customers.
    static let savedViews = """
        CREATE TABLE saved_views (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, business BLOB,
            owner BLOB, name TEXT NOT NULL, filter BLOB NOT NULL, place INTEGER NOT NULL);
        CREATE INDEX saved_views_by_business ON saved_views (business, owner);
        CREATE INDEX saved_views_by_owner ON saved_views (owner);
        CREATE TABLE conversation_attributes (
            business INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
            state TEXT NOT NULL, activity INTEGER NOT NULL, conversation INTEGER NOT NULL,
            PRIMARY KEY (business, key, value, state, activity, conversation)) WITHOUT ROWID;
        CREATE INDEX conversation_attributes_by_conversation
            ON conversation_attributes (conversation);
        CREATE TRIGGER conversation_attributes_moved
            AFTER UPDATE OF state, activity ON conversations
            WHEN new.attributes IS NOT NULL
                AND (old.state IS NOT new.state OR old.activity IS NOT new.activity) BEGIN
            UPDATE conversation_attributes SET state = new.state, activity = new.activity
                WHERE conversation = new.number;
        END;
        INSERT OR REPLACE INTO settings VALUES ('conversation_attributes_due', x'01');
        CREATE INDEX conversations_by_language ON conversations (
            business,
            lower(substr(locale, 1, instr(replace(locale, '-', '_') || '_', '_') - 1)),
            state, activity) WHERE locale IS NOT NULL;
        """
}
