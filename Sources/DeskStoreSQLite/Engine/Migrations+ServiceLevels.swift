/// The step of the schema's history that came with service levels.
///
/// A landed step is never edited: the fixtures of every earlier version hold these statements to it.
extension Migrations {
    // How soon businesses want to answer, and when the answers of those who wait are due.
    static let serviceLevels = """
        CREATE TABLE service_levels (business BLOB PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
        ALTER TABLE conversations ADD COLUMN answer_kind TEXT;
        ALTER TABLE conversations ADD COLUMN answer_due INTEGER;
        CREATE INDEX conversations_due ON conversations (business, answer_due, id)
            WHERE answer_due IS NOT NULL;
        """
}
