/// The step of the schema's history that came with contacts across businesses.
///
/// A landed step is never edited: the fixtures of every earlier version hold these statements to it.
extension Migrations {
    // Whether an external id came from the other system itself, and what agents say of two contacts of
    // different businesses.
    static let contactLinks = """
        ALTER TABLE contacts ADD COLUMN is_external_id_verified INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE contact_links (
            number INTEGER PRIMARY KEY, one BLOB NOT NULL, other BLOB NOT NULL,
            is_linked INTEGER NOT NULL, author_kind TEXT NOT NULL, author_name TEXT NOT NULL,
            changed_at INTEGER NOT NULL, UNIQUE (one, other));
        CREATE INDEX contact_links_by_other ON contact_links (other);
        """
}
