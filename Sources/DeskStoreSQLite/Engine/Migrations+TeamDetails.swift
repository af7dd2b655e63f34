/// The step of the schema's history that came with choices of agents on every device.
///
/// A landed step is never edited: the fixtures of every earlier version hold these statements to it.
extension Migrations {
    // What agents chose for the console, and what reports say of broken promises and of percentiles. The counters
    // begin anew: their reader goes through the log from its beginning.
    static let teamDetails = """
        ALTER TABLE agent_preferences ADD COLUMN console TEXT;
        ALTER TABLE report_counts ADD COLUMN first_overdue INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE report_counts ADD COLUMN next_overdue INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE report_counts ADD COLUMN spans TEXT;
        DELETE FROM readers WHERE name = 'reports';
        """
}
