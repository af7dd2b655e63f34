/// The steps of the schema's history that came with contacts.
///
/// A landed step is never edited: the fixtures of every earlier version hold these statements to it.
extension Migrations {
    // A contact for each customer, with the id of the conversation; conversations have its name for
    // the lists.
    static let contacts = """
        CREATE TABLE contacts (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
            name TEXT, external_id TEXT, notes TEXT NOT NULL, created_at INTEGER NOT NULL);
        CREATE INDEX contacts_by_business ON contacts (business, number);
        CREATE UNIQUE INDEX contacts_by_external_id ON contacts (business, external_id)
            WHERE external_id IS NOT NULL;
        INSERT INTO contacts (id, business, notes, created_at)
            SELECT c.id, b.id, '', c.opened_at FROM conversations c
            JOIN businesses b ON b.number = c.business ORDER BY c.number;
        ALTER TABLE conversations ADD COLUMN contact_name TEXT;
        """

    // Attributes: their definitions, and the values in the rows of conversations and contacts.
    static let attributes = """
        CREATE TABLE attributes (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
            subject TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
            choices TEXT NOT NULL, place INTEGER NOT NULL, is_retired INTEGER NOT NULL,
            UNIQUE (business, subject, key));
        ALTER TABLE contacts ADD COLUMN attributes TEXT;
        ALTER TABLE conversations ADD COLUMN attributes TEXT;
        """

    // Merged and blocked contacts.
    static let mergedContacts = """
        ALTER TABLE contacts ADD COLUMN blocked_at INTEGER;
        ALTER TABLE contacts ADD COLUMN merged_into BLOB;
        ALTER TABLE contacts ADD COLUMN merge TEXT;
        CREATE INDEX contacts_by_merge ON contacts (merged_into) WHERE merged_into IS NOT NULL;
        ALTER TABLE conversations ADD COLUMN contact BLOB;
        ALTER TABLE conversations ADD COLUMN blocked_at INTEGER;
        """
}
