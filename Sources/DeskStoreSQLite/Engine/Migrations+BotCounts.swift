extension Migrations {
    // How many conversations bots have, which are not among the unassigned ones; kept as `conversation_counts`
    // are. A row of `controls` says who has a conversation; what it counts as is in the conversation's own.
    static let botCounts = """

        CREATE TABLE bot_counts (
            business INTEGER NOT NULL, state TEXT NOT NULL, assignee BLOB NOT NULL,
            held INTEGER NOT NULL, PRIMARY KEY (business, state, assignee)) WITHOUT ROWID;
        INSERT INTO bot_counts
            SELECT c.business, c.state, coalesce(c.assignee, x''), count(*)
            FROM controls k JOIN conversations c ON c.id = k.conversation
            WHERE k.controller_kind = 'bot' GROUP BY 1, 2, 3;
        CREATE TRIGGER control_added AFTER INSERT ON controls
            WHEN new.controller_kind = 'bot' BEGIN
            INSERT INTO bot_counts
                SELECT business, state, coalesce(assignee, x''), 1 FROM conversations
                WHERE id = new.conversation
                ON CONFLICT (business, state, assignee) DO UPDATE SET held = held + 1;
        END;
        CREATE TRIGGER control_changed AFTER UPDATE OF controller_kind ON controls
            WHEN (old.controller_kind IS 'bot') <> (new.controller_kind IS 'bot') BEGIN
            INSERT INTO bot_counts
                SELECT business, state, coalesce(assignee, x''),
                    CASE WHEN new.controller_kind = 'bot' THEN 1 ELSE -1 END
                FROM conversations WHERE id = new.conversation
                ON CONFLICT (business, state, assignee) DO UPDATE SET held = held + excluded.held;
        END;
        CREATE TRIGGER controlled_added AFTER INSERT ON conversations
            WHEN EXISTS (SELECT 1 FROM controls
                WHERE conversation = new.id AND controller_kind = 'bot') BEGIN
            INSERT INTO bot_counts
                VALUES (new.business, new.state, coalesce(new.assignee, x''), 1)
                ON CONFLICT (business, state, assignee) DO UPDATE SET held = held + 1;
        END;
        CREATE TRIGGER controlled_moved AFTER UPDATE OF state, assignee ON conversations
            WHEN (old.state IS NOT new.state OR old.assignee IS NOT new.assignee)
                AND EXISTS (SELECT 1 FROM controls
                    WHERE conversation = new.id AND controller_kind = 'bot') BEGIN
            UPDATE bot_counts SET held = held - 1 WHERE business = old.business
                AND state = old.state AND assignee = coalesce(old.assignee, x'');
            INSERT INTO bot_counts
                VALUES (new.business, new.state, coalesce(new.assignee, x''), 1)
                ON CONFLICT (business, state, assignee) DO UPDATE SET held = held + 1;
        END;
        """
}
