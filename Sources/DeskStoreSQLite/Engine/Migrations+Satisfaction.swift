/// The step of the schema's history that came with questions about satisfaction.
///
/// A landed step is never edited: the fixtures of every earlier version hold these statements to it.
extension Migrations {
    // Whether and how businesses ask; of conversations what was asked last and said last. The comment in
    // `conversations.satisfaction` is customers' content. No customer was asked before.
    static let satisfaction = """
        CREATE TABLE satisfaction (
            business BLOB PRIMARY KEY, delay_minutes INTEGER, data BLOB NOT NULL) WITHOUT ROWID;
        ALTER TABLE conversations ADD COLUMN satisfaction TEXT;
        ALTER TABLE report_conversations ADD COLUMN rating TEXT;
        ALTER TABLE report_counts ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE report_counts ADD COLUMN scored_1 INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE report_counts ADD COLUMN scored_2 INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE report_counts ADD COLUMN scored_3 INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE report_counts ADD COLUMN scored_4 INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE report_counts ADD COLUMN scored_5 INTEGER NOT NULL DEFAULT 0;
        """
}
