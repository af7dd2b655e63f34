extension PostgresMigrations {
    // How many conversations bots have, which are not among the unassigned ones: kept by triggers, for programs of
    // version 3 too.
    static let botCounts = """

        CREATE TABLE bot_counts (
            business bigint NOT NULL, state text COLLATE "C" NOT NULL, assignee bytea NOT NULL,
            held bigint NOT NULL, PRIMARY KEY (business, state, assignee));
        INSERT INTO bot_counts
            SELECT c.business, c.state, coalesce(c.assignee, ''::bytea), count(*)
            FROM controls k JOIN conversations c ON c.id = k.conversation
            WHERE k.controller_kind = 'bot' GROUP BY 1, 2, 3;
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
}
