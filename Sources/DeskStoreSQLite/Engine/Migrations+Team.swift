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

    // Teams. A list of a team is read from an index in its order; the counts of each team's
    // conversations are kept as `conversation_counts` are. A message fires neither trigger.
    static let teams = """
        CREATE TABLE teams (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
            name TEXT NOT NULL, colour TEXT NOT NULL, members TEXT NOT NULL,
            is_retired INTEGER NOT NULL);
        CREATE INDEX teams_by_business ON teams (business, name);
        ALTER TABLE conversations ADD COLUMN team BLOB;
        CREATE INDEX conversations_by_team
            ON conversations (business, team, state, activity) WHERE team IS NOT NULL;
        CREATE TABLE team_counts (
            business INTEGER NOT NULL, state TEXT NOT NULL, team BLOB NOT NULL,
            held INTEGER NOT NULL, PRIMARY KEY (business, state, team)) WITHOUT ROWID;
        CREATE TRIGGER conversation_begun_in_team AFTER INSERT ON conversations
            WHEN new.team IS NOT NULL BEGIN
            INSERT INTO team_counts VALUES (new.business, new.state, new.team, 1)
                ON CONFLICT (business, state, team) DO UPDATE SET held = held + 1;
        END;
        CREATE TRIGGER conversation_left_team AFTER UPDATE OF team, state ON conversations
            WHEN old.team IS NOT NULL
                AND (old.team IS NOT new.team OR old.state IS NOT new.state) BEGIN
            UPDATE team_counts SET held = held - 1 WHERE business = old.business
                AND state = old.state AND team = old.team;
        END;
        CREATE TRIGGER conversation_joined_team AFTER UPDATE OF team, state ON conversations
            WHEN new.team IS NOT NULL
                AND (old.team IS NOT new.team OR old.state IS NOT new.state) BEGIN
            INSERT INTO team_counts VALUES (new.business, new.state, new.team, 1)
                ON CONFLICT (business, state, team) DO UPDATE SET held = held + 1;
        END;
        """

    // What agents chose of being there.
    static let availability = """
        CREATE TABLE agent_availability (
            agent BLOB PRIMARY KEY, chosen TEXT NOT NULL, version INTEGER NOT NULL) WITHOUT ROWID;
        """

    // Readers of the log: how far each has come, and what the first of them counts. Counters lie in
    // the order in which they are read: the times of a dimension.
    static let readersAndReports = """
        CREATE TABLE readers (
            name TEXT PRIMARY KEY, epoch INTEGER NOT NULL, position INTEGER NOT NULL);
        CREATE TABLE report_counts (
            business BLOB NOT NULL, dimension TEXT NOT NULL, slot INTEGER NOT NULL,
            member TEXT NOT NULL, begun INTEGER NOT NULL, received INTEGER NOT NULL,
            sent INTEGER NOT NULL, closed INTEGER NOT NULL, resolution_ms INTEGER NOT NULL,
            answers INTEGER NOT NULL, answer_ms INTEGER NOT NULL, waits INTEGER NOT NULL,
            wait_ms INTEGER NOT NULL, cards INTEGER NOT NULL, cards_answered INTEGER NOT NULL,
            cards_paid INTEGER NOT NULL,
            PRIMARY KEY (business, dimension, slot, member)) WITHOUT ROWID;
        CREATE TABLE report_conversations (
            conversation BLOB PRIMARY KEY, business BLOB NOT NULL, begun_at INTEGER,
            asks_since INTEGER, is_answered INTEGER NOT NULL, waits_since INTEGER, entry TEXT,
            team BLOB, labels TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE report_cards (
            conversation BLOB NOT NULL, message TEXT NOT NULL, kind TEXT NOT NULL, agent BLOB,
            slot INTEGER NOT NULL, is_answered INTEGER NOT NULL,
            PRIMARY KEY (conversation, message)) WITHOUT ROWID;
        """

    // Macros, of a business or of one agent.
    static let macros = """
        CREATE TABLE macros (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE,
            business BLOB NOT NULL, owner BLOB, name TEXT NOT NULL, parameters BLOB NOT NULL,
            actions BLOB NOT NULL, is_retired INTEGER NOT NULL);
        CREATE INDEX macros_by_business ON macros (business, owner);
        """
}
