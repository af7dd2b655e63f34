/// The steps of the schema's history that came with the work of teams.
///
/// A landed step is never edited: the fixtures of every earlier version hold these statements to it.
extension Migrations {
    // Labels and priorities. Lists of a label or a priority are read from an index in the order of the
    // list. A conversation's labels are a JSON array in its row, which triggers spread over
    // `conversation_labels`; the counts of the open conversations of each label are kept as
    // `conversation_counts` are. A message of a conversation without labels fires no trigger's body.
    //
    // And whether an agent's answer assigns a conversation that has no assignee.
    static let labelsAndAssigning = """
        ALTER TABLE businesses ADD COLUMN assigns_on_reply INTEGER NOT NULL DEFAULT 1;
        CREATE TABLE labels (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
            name TEXT NOT NULL, colour TEXT NOT NULL, place INTEGER NOT NULL,
            is_retired INTEGER NOT NULL);
        CREATE INDEX labels_by_business ON labels (business, place);
        ALTER TABLE conversations ADD COLUMN priority TEXT;
        ALTER TABLE conversations ADD COLUMN labels TEXT;
        CREATE INDEX conversations_by_priority
            ON conversations (business, priority, state, activity) WHERE priority IS NOT NULL;
        CREATE TABLE conversation_labels (
            business INTEGER NOT NULL, label TEXT NOT NULL, state TEXT NOT NULL,
            activity INTEGER NOT NULL, conversation INTEGER NOT NULL,
            PRIMARY KEY (business, label, state, activity, conversation)) WITHOUT ROWID;
        CREATE TABLE label_counts (
            business INTEGER NOT NULL, state TEXT NOT NULL, label TEXT NOT NULL,
            held INTEGER NOT NULL, PRIMARY KEY (business, state, label)) WITHOUT ROWID;
        CREATE TRIGGER conversation_label_added AFTER INSERT ON conversation_labels BEGIN
            INSERT INTO label_counts VALUES (new.business, new.state, new.label, 1)
                ON CONFLICT (business, state, label) DO UPDATE SET held = held + 1;
        END;
        CREATE TRIGGER conversation_label_removed AFTER DELETE ON conversation_labels BEGIN
            UPDATE label_counts SET held = held - 1 WHERE business = old.business
                AND state = old.state AND label = old.label;
        END;
        CREATE TRIGGER conversation_begun_labelled AFTER INSERT ON conversations
            WHEN new.labels IS NOT NULL BEGIN
            INSERT INTO conversation_labels
                SELECT new.business, value, new.state, new.activity, new.number
                FROM json_each(new.labels);
        END;
        CREATE TRIGGER conversation_labelled
            AFTER UPDATE OF labels, state, activity ON conversations
            WHEN (old.labels IS NOT NULL OR new.labels IS NOT NULL)
                AND (old.labels IS NOT new.labels OR old.state IS NOT new.state) BEGIN
            DELETE FROM conversation_labels WHERE business = old.business
                AND label IN (SELECT value FROM json_each(old.labels)) AND state = old.state
                AND activity = old.activity AND conversation = old.number;
            INSERT INTO conversation_labels
                SELECT new.business, value, new.state, new.activity, new.number
                FROM json_each(new.labels);
        END;
        CREATE TRIGGER conversation_labels_moved AFTER UPDATE OF activity ON conversations
            WHEN new.labels IS NOT NULL AND old.labels IS new.labels
                AND old.state IS new.state AND old.activity IS NOT new.activity BEGIN
            UPDATE conversation_labels SET activity = new.activity WHERE business = old.business
                AND label IN (SELECT value FROM json_each(old.labels)) AND state = old.state
                AND activity = old.activity AND conversation = old.number;
        END;
        """
}
