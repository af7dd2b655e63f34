/// The tables of the log and its views as they are today, for an engine that begins with them.
///
/// SQLite comes to the same tables and columns by its migrations; a test compares them. Claims are the
/// numbers 0 and 1 here, in both engines.
public enum LogSchema {
    /// The names of the tables.
    public static let tables = [
        "epochs", "pruned", "events", "messages", "notes", "conversations", "milestones", "fenced",
        "event_stretches", "settlements", "erasures", "customer_words", "conversation_attributes",
        "conversation_metadata", "conversation_labels", "conversation_counts", "waiting_counts",
        "label_counts",
        "team_counts", "bot_counts",
    ]

    /// The statements that make the tables, their indexes and the triggers that keep the counts.
    public static func statements(for dialect: Dialect) -> String {
        log(dialect) + conversations(dialect) + conversationIndexes + views(dialect)
    }

    private static func log(_ d: Dialect) -> String {
        """
        CREATE TABLE epochs (
            number \(d.rowNumber), epoch \(d.integer) NOT NULL,
            first_position \(d.integer) NOT NULL);
        CREATE TABLE pruned (position \(d.integer) NOT NULL);
        INSERT INTO pruned VALUES (0);
        CREATE TABLE events (
            position \(d.integer) PRIMARY KEY, type \(d.text) NOT NULL, time \(d.integer) NOT NULL,
            business \(d.integer) NOT NULL, conversation \(d.integer), subject \(d.integer),
            data \(d.bytes), seal \(d.integer), revision \(d.integer));
        CREATE INDEX events_of_threads ON events (conversation, position)
            WHERE conversation IS NOT NULL AND type != 'message.accepted';
        CREATE TABLE messages (
            position \(d.integer) PRIMARY KEY, conversation \(d.integer) NOT NULL,
            sequence \(d.integer) NOT NULL, previous \(d.integer) NOT NULL, id \(d.text) NOT NULL,
            time \(d.integer) NOT NULL, direction \(d.text) NOT NULL, kind \(d.text) NOT NULL,
            author_kind \(d.text) NOT NULL, author_name \(d.text) NOT NULL,
            origin \(d.text) NOT NULL, digest \(d.bytes) NOT NULL, posted \(d.bytes),
            checksum \(d.integer) NOT NULL, summary \(d.text) NOT NULL, headers \(d.text),
            warnings \(d.bytes), template \(d.text), template_version \(d.integer),
            template_values \(d.bytes), attachments \(d.text), in_reply_to \(d.text),
            entry_code \(d.text), seal \(d.integer), payload \(d.bytes) NOT NULL,
            erased_at \(d.integer), UNIQUE (id, conversation));
        CREATE TABLE notes (
            number \(d.rowNumber), conversation \(d.integer) NOT NULL, id \(d.bytes) NOT NULL,
            time \(d.integer) NOT NULL, author_kind \(d.text) NOT NULL,
            author_name \(d.text) NOT NULL, text \(d.text) NOT NULL,
            after_sequence \(d.integer) NOT NULL, seal \(d.integer), mentions \(d.text),
            edited_at \(d.integer), deleted_at \(d.integer));
        CREATE INDEX notes_by_place ON notes (conversation, after_sequence);
        CREATE TABLE milestones (
            key \(d.integer) PRIMARY KEY, position \(d.integer) NOT NULL);
        CREATE TABLE fenced (conversation \(d.integer) PRIMARY KEY);
        CREATE TABLE event_stretches (
            business \(d.integer) NOT NULL, stretch \(d.integer) NOT NULL,
            PRIMARY KEY (business, stretch));
        CREATE TABLE erasures (number \(d.rowNumber), position \(d.integer) NOT NULL);

        """
    }

    private static func conversations(_ d: Dialect) -> String {
        """
        CREATE TABLE conversations (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE,
            business \(d.integer) NOT NULL REFERENCES businesses (number),
            customer \(d.text) NOT NULL, customer_name \(d.text), locale \(d.text),
            capabilities \(d.text), intent \(d.text), group_name \(d.text),
            state \(d.text) NOT NULL, assignee \(d.bytes), snoozed_until \(d.integer),
            has_left \(d.integer) NOT NULL, is_muted \(d.integer) NOT NULL,
            customer_floor \(d.integer) NOT NULL, opened_at \(d.integer) NOT NULL,
            newest \(d.integer) NOT NULL, last_id \(d.text), last_direction \(d.text),
            last_kind \(d.text), last_time \(d.integer), last_summary \(d.text),
            unread \(d.integer) NOT NULL, read_up_to \(d.integer) NOT NULL,
            waiting_since \(d.integer), activity \(d.integer) NOT NULL, head \(d.bytes),
            last_position \(d.integer), seal \(d.integer),
            revision \(d.integer) NOT NULL DEFAULT 0, last_author_kind \(d.text),
            last_author_name \(d.text), priority \(d.text), labels \(d.text), team \(d.bytes),
            last_erased_at \(d.integer), contact_name \(d.text), attributes \(d.text),
            contact \(d.bytes), blocked_at \(d.integer), answer_kind \(d.text),
            answer_due \(d.integer), participants \(d.text), watchers \(d.text),
            satisfaction \(d.text), UNIQUE (business, customer));
        CREATE TABLE settlements (
            conversation \(d.integer) NOT NULL REFERENCES conversations (number),
            request \(d.text) NOT NULL, answer \(d.text) NOT NULL,
            PRIMARY KEY (conversation, request));

        """
    }

    private static let conversationIndexes = """
        CREATE INDEX conversations_by_activity ON conversations (business, activity);
        CREATE INDEX conversations_by_state ON conversations (business, state, activity);
        CREATE INDEX conversations_by_assignee ON conversations (business, assignee, activity)
            WHERE assignee IS NOT NULL;
        CREATE INDEX conversations_by_priority
            ON conversations (business, priority, state, activity) WHERE priority IS NOT NULL;
        CREATE INDEX conversations_by_team
            ON conversations (business, team, state, activity) WHERE team IS NOT NULL;
        CREATE INDEX conversations_waiting ON conversations (business, waiting_since)
            WHERE waiting_since IS NOT NULL AND state = 'open' AND has_left = 0;
        CREATE INDEX conversations_waiting_for ON conversations (business, assignee, waiting_since)
            WHERE waiting_since IS NOT NULL AND state = 'open' AND has_left = 0;
        CREATE INDEX conversations_due ON conversations (business, answer_due, id)
            WHERE answer_due IS NOT NULL;

        """

    private static func views(_ d: Dialect) -> String {
        """
        CREATE INDEX conversations_by_intent ON conversations (business, intent, state, activity)
            WHERE intent IS NOT NULL;
        CREATE INDEX conversations_by_group ON conversations (business, group_name, state, activity)
            WHERE group_name IS NOT NULL;
        CREATE INDEX conversations_by_language ON conversations (
            business, (\(d.language(of: "locale"))), state, activity) WHERE locale IS NOT NULL;
        CREATE TABLE customer_words (
            business \(d.integer) NOT NULL, word \(d.text) NOT NULL,
            conversation \(d.integer) NOT NULL, PRIMARY KEY (business, word, conversation));
        CREATE INDEX customer_words_by_conversation ON customer_words (conversation, word);
        CREATE TABLE conversation_attributes (
            business \(d.integer) NOT NULL, key \(d.text) NOT NULL, value \(d.text) NOT NULL,
            state \(d.text) NOT NULL, activity \(d.integer) NOT NULL,
            conversation \(d.integer) NOT NULL,
            PRIMARY KEY (business, key, value, state, activity, conversation));
        CREATE INDEX conversation_attributes_by_conversation
            ON conversation_attributes (conversation);
        CREATE TABLE conversation_metadata (
            conversation \(d.integer) PRIMARY KEY, content \(d.bytes) NOT NULL);
        CREATE TABLE conversation_labels (
            business \(d.integer) NOT NULL, label \(d.text) NOT NULL, state \(d.text) NOT NULL,
            activity \(d.integer) NOT NULL, conversation \(d.integer) NOT NULL,
            PRIMARY KEY (business, label, state, activity, conversation));
        CREATE TABLE conversation_counts (
            business \(d.integer) NOT NULL, state \(d.text) NOT NULL,
            assignee \(d.bytes) NOT NULL, held \(d.integer) NOT NULL,
            PRIMARY KEY (business, state, assignee));
        CREATE TABLE waiting_counts (
            business \(d.integer) NOT NULL, assignee \(d.bytes) NOT NULL,
            held \(d.integer) NOT NULL, PRIMARY KEY (business, assignee));
        CREATE TABLE label_counts (
            business \(d.integer) NOT NULL, state \(d.text) NOT NULL, label \(d.text) NOT NULL,
            held \(d.integer) NOT NULL, PRIMARY KEY (business, state, label));
        CREATE TABLE team_counts (
            business \(d.integer) NOT NULL, state \(d.text) NOT NULL, team \(d.bytes) NOT NULL,
            held \(d.integer) NOT NULL, PRIMARY KEY (business, state, team));
        CREATE TABLE bot_counts (
            business \(d.integer) NOT NULL, state \(d.text) NOT NULL,
            assignee \(d.bytes) NOT NULL, held \(d.integer) NOT NULL,
            PRIMARY KEY (business, state, assignee));

        """
    }
}
