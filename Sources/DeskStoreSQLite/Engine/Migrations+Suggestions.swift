/// The step of the schema's history that came with suggested answers.
///
/// A landed step is never edited: the fixtures of every earlier version hold these statements to it.
extension Migrations {
    // Answers that programs and models suggest, until an agent decides on them.
    static let suggestions = """
        CREATE TABLE suggestions (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
            conversation BLOB NOT NULL, author_kind TEXT NOT NULL, author_name TEXT NOT NULL,
            created_at INTEGER NOT NULL, model TEXT, kind TEXT NOT NULL, summary TEXT NOT NULL,
            remark TEXT, payload BLOB NOT NULL);
        CREATE INDEX suggestions_by_conversation ON suggestions (conversation);
        CREATE INDEX suggestions_by_age ON suggestions (created_at);
        """
}
