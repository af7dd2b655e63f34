/// The steps of the schema's history about what the server does later, in the order of `Migrations.all`.
///
/// A landed step is never edited: the fixtures of every earlier version hold these statements to it.
extension Migrations {
    // What the server does at a moment to come, and what agents chose for their own work. Of conversations
    // that sleep until a moment the waking is such work from here on; `data` holds the message of a
    // delayed send.
    static let dueWork = """
        CREATE TABLE due_work (
            kind TEXT NOT NULL, conversation BLOB NOT NULL, subject TEXT NOT NULL,
            business BLOB NOT NULL, due_at INTEGER NOT NULL, made_at INTEGER NOT NULL,
            author_kind TEXT NOT NULL, author_name TEXT NOT NULL, data BLOB NOT NULL,
            failure TEXT, failure_detail TEXT, PRIMARY KEY (kind, conversation, subject));
        CREATE INDEX due_work_by_time ON due_work (due_at) WHERE failure IS NULL;
        INSERT INTO due_work SELECT 'wake', c.id, '', b.id, c.snoozed_until, c.snoozed_until,
            'server', '', x'', NULL, NULL
            FROM conversations c JOIN businesses b ON b.number = c.business
            WHERE c.snoozed_until IS NOT NULL;
        DROP INDEX conversations_by_wake;
        CREATE TABLE agent_preferences (
            agent BLOB PRIMARY KEY, send_delay INTEGER NOT NULL) WITHOUT ROWID;
        """

    // Notes are edited and deleted by their authors, and mention members; a row says who has seen it.
    static let changedNotes = """
        ALTER TABLE notes ADD COLUMN mentions TEXT;
        ALTER TABLE notes ADD COLUMN edited_at INTEGER;
        ALTER TABLE notes ADD COLUMN deleted_at INTEGER;
        CREATE TABLE mentions (
            agent BLOB NOT NULL, note BLOB NOT NULL, conversation BLOB NOT NULL,
            business BLOB NOT NULL, made_at INTEGER NOT NULL, seen_at INTEGER,
            PRIMARY KEY (agent, note)) WITHOUT ROWID;
        CREATE INDEX mentions_by_note ON mentions (note);
        CREATE INDEX mentions_by_conversation ON mentions (agent, conversation);
        CREATE INDEX mentions_unseen ON mentions (agent, conversation) WHERE seen_at IS NULL;
        """

    // When businesses and teams answer: of a business's own hours the team is empty.
    static let businessHours = """
        CREATE TABLE business_hours (
            business BLOB NOT NULL, team BLOB NOT NULL, data BLOB NOT NULL,
            PRIMARY KEY (business, team)) WITHOUT ROWID;
        """

    // What the server answers by itself for a business: names of its templates.
    static let automaticAnswers = """
        CREATE TABLE automatic_answers (
            business BLOB PRIMARY KEY, greeting TEXT, out_of_hours TEXT, unanswered TEXT,
            unanswered_minutes INTEGER) WITHOUT ROWID;
        """
}
