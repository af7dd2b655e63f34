/// The step of the schema's history about scripts in the sandbox.
///
/// A landed step is never edited: the fixtures of every earlier version hold these statements to it.
extension Migrations {
    // Runs of scripts: those that are played, and the last that ended.
    static let scriptRuns = """
        CREATE TABLE script_runs (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE,
            started_at INTEGER NOT NULL, ended_at INTEGER, customers BLOB NOT NULL,
            document BLOB NOT NULL, skipped_line INTEGER, is_stop_wanted INTEGER NOT NULL);
        """
}
