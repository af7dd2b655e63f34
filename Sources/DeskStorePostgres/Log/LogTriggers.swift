/// What keeps the kept numbers of lists and the rows of labels right, in the transaction that changes a
/// conversation's row: what SQLite's triggers do.
///
/// All writes of the log come one after the other, so that these rows are never contended.
enum LogTriggers {
    static let statements = ofConversations + ofLabels + ofBots

    private static let ofConversations = """
        CREATE FUNCTION conversation_was_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO conversation_counts AS n
                VALUES (new.business, new.state, coalesce(new.assignee, ''::bytea), 1)
                ON CONFLICT (business, state, assignee) DO UPDATE SET held = n.held + 1;
            IF new.waiting_since IS NOT NULL AND new.state = 'open' AND new.has_left = 0 THEN
                INSERT INTO waiting_counts AS n
                    VALUES (new.business, coalesce(new.assignee, ''::bytea), 1)
                    ON CONFLICT (business, assignee) DO UPDATE SET held = n.held + 1;
            END IF;
            IF new.team IS NOT NULL THEN
                INSERT INTO team_counts AS n VALUES (new.business, new.state, new.team, 1)
                    ON CONFLICT (business, state, team) DO UPDATE SET held = n.held + 1;
            END IF;
            IF new.labels IS NOT NULL THEN
                INSERT INTO conversation_labels
                    SELECT new.business, value, new.state, new.activity, new.number
                    FROM jsonb_array_elements_text(new.labels::jsonb);
            END IF;
            RETURN NULL;
        END $$;
        CREATE TRIGGER conversation_added AFTER INSERT ON conversations
            FOR EACH ROW EXECUTE FUNCTION conversation_was_added();

        CREATE FUNCTION conversation_was_moved() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            waited boolean := old.waiting_since IS NOT NULL AND old.state = 'open'
                AND old.has_left = 0;
            waits boolean := new.waiting_since IS NOT NULL AND new.state = 'open'
                AND new.has_left = 0;
            is_reassigned boolean := old.assignee IS DISTINCT FROM new.assignee;
            is_restated boolean := old.state <> new.state;
        BEGIN
            IF is_restated OR is_reassigned THEN
                UPDATE conversation_counts SET held = held - 1 WHERE business = old.business
                    AND state = old.state AND assignee = coalesce(old.assignee, ''::bytea);
                INSERT INTO conversation_counts AS n
                    VALUES (new.business, new.state, coalesce(new.assignee, ''::bytea), 1)
                    ON CONFLICT (business, state, assignee) DO UPDATE SET held = n.held + 1;
            END IF;
            IF waited <> waits OR is_reassigned THEN
                IF waited THEN
                    UPDATE waiting_counts SET held = held - 1 WHERE business = old.business
                        AND assignee = coalesce(old.assignee, ''::bytea);
                END IF;
                IF waits THEN
                    INSERT INTO waiting_counts AS n
                        VALUES (new.business, coalesce(new.assignee, ''::bytea), 1)
                        ON CONFLICT (business, assignee) DO UPDATE SET held = n.held + 1;
                END IF;
            END IF;
            IF old.team IS DISTINCT FROM new.team OR is_restated THEN
                IF old.team IS NOT NULL THEN
                    UPDATE team_counts SET held = held - 1 WHERE business = old.business
                        AND state = old.state AND team = old.team;
                END IF;
                IF new.team IS NOT NULL THEN
                    INSERT INTO team_counts AS n VALUES (new.business, new.state, new.team, 1)
                        ON CONFLICT (business, state, team) DO UPDATE SET held = n.held + 1;
                END IF;
            END IF;
            IF old.labels IS DISTINCT FROM new.labels OR old.labels IS NOT NULL AND is_restated THEN
                DELETE FROM conversation_labels WHERE business = old.business
                    AND label IN (SELECT jsonb_array_elements_text(old.labels::jsonb))
                    AND state = old.state AND activity = old.activity
                    AND conversation = old.number;
                INSERT INTO conversation_labels
                    SELECT new.business, value, new.state, new.activity, new.number
                    FROM jsonb_array_elements_text(new.labels::jsonb);
            ELSIF old.labels IS NOT NULL AND old.activity <> new.activity THEN
                UPDATE conversation_labels SET activity = new.activity
                    WHERE business = old.business
                    AND label IN (SELECT jsonb_array_elements_text(old.labels::jsonb))
                    AND state = old.state AND activity = old.activity
                    AND conversation = old.number;
            END IF;
            IF new.attributes IS NOT NULL AND (is_restated OR old.activity <> new.activity) THEN
                UPDATE conversation_attributes SET state = new.state, activity = new.activity
                    WHERE conversation = new.number;
            END IF;
            RETURN NULL;
        END $$;
        CREATE TRIGGER conversation_moved AFTER UPDATE ON conversations
            FOR EACH ROW WHEN (
                old.state <> new.state OR old.assignee IS DISTINCT FROM new.assignee
                OR old.team IS DISTINCT FROM new.team OR old.labels IS DISTINCT FROM new.labels
                OR old.has_left <> new.has_left
                OR (old.waiting_since IS NULL) <> (new.waiting_since IS NULL)
                OR old.activity <> new.activity
                    AND (new.labels IS NOT NULL OR new.attributes IS NOT NULL))
            EXECUTE FUNCTION conversation_was_moved();

        """

    // A row of `controls` says who has a conversation; what it counts as is in the conversation's own.
    private static let ofBots = """
        CREATE FUNCTION control_was_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO bot_counts AS n
                SELECT business, state, coalesce(assignee, ''::bytea),
                    CASE WHEN new.controller_kind = 'bot' THEN 1 ELSE -1 END
                FROM conversations WHERE id = new.conversation
                ON CONFLICT (business, state, assignee) DO UPDATE SET held = n.held + excluded.held;
            RETURN NULL;
        END $$;
        CREATE TRIGGER control_added AFTER INSERT ON controls
            FOR EACH ROW WHEN (new.controller_kind = 'bot')
            EXECUTE FUNCTION control_was_changed();
        CREATE TRIGGER control_changed AFTER UPDATE ON controls
            FOR EACH ROW WHEN (coalesce(old.controller_kind, '') = 'bot'
                AND coalesce(new.controller_kind, '') <> 'bot'
                OR coalesce(old.controller_kind, '') <> 'bot'
                AND coalesce(new.controller_kind, '') = 'bot')
            EXECUTE FUNCTION control_was_changed();
        CREATE FUNCTION controlled_was_moved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NOT EXISTS (SELECT 1 FROM controls
                WHERE conversation = new.id AND controller_kind = 'bot') THEN
                RETURN NULL;
            END IF;
            IF TG_OP = 'UPDATE' THEN
                UPDATE bot_counts SET held = held - 1 WHERE business = old.business
                    AND state = old.state AND assignee = coalesce(old.assignee, ''::bytea);
            END IF;
            INSERT INTO bot_counts AS n
                VALUES (new.business, new.state, coalesce(new.assignee, ''::bytea), 1)
                ON CONFLICT (business, state, assignee) DO UPDATE SET held = n.held + 1;
            RETURN NULL;
        END $$;
        CREATE TRIGGER controlled_added AFTER INSERT ON conversations
            FOR EACH ROW EXECUTE FUNCTION controlled_was_moved();
        CREATE TRIGGER controlled_moved AFTER UPDATE ON conversations
            FOR EACH ROW WHEN (
                old.state <> new.state OR old.assignee IS DISTINCT FROM new.assignee)
            EXECUTE FUNCTION controlled_was_moved();

        """

    private static let ofLabels = """
        CREATE FUNCTION label_was_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO label_counts AS n VALUES (new.business, new.state, new.label, 1)
                ON CONFLICT (business, state, label) DO UPDATE SET held = n.held + 1;
            RETURN NULL;
        END $$;
        CREATE TRIGGER label_added AFTER INSERT ON conversation_labels
            FOR EACH ROW EXECUTE FUNCTION label_was_added();
        CREATE FUNCTION label_was_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            UPDATE label_counts SET held = held - 1 WHERE business = old.business
                AND state = old.state AND label = old.label;
            RETURN NULL;
        END $$;
        CREATE TRIGGER label_removed AFTER DELETE ON conversation_labels
            FOR EACH ROW EXECUTE FUNCTION label_was_removed();

        """
}
