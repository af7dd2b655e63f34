/// The steps of the schema's history that are statements alone, in the order of `Migrations.all`.
///
/// A landed step is never edited: the fixtures of every earlier version hold these statements to it.
extension Migrations {
    // Messages lie in the log's order, each naming the one before it in its conversation: accepting
    // writes at the table's end only, however many conversations there are. A skip index has an
    // entry every 32 messages (key: the conversation's number << 32 | the sequence) and leads into
    // old ranges. Ids of our own making begin with the time, so that the index of ids grows at its
    // end too.
    static let first = """
        CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE epochs (
            number INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, first_position INTEGER NOT NULL);

        CREATE TABLE businesses (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, name TEXT NOT NULL,
            colour TEXT NOT NULL, picture BLOB, world TEXT NOT NULL, is_sandbox INTEGER NOT NULL,
            created_at INTEGER NOT NULL);
        CREATE TABLE entry_links (
            number INTEGER PRIMARY KEY, business BLOB NOT NULL, id TEXT NOT NULL,
            label TEXT NOT NULL, intent TEXT, group_name TEXT, body TEXT, UNIQUE (business, id));

        CREATE TABLE agents (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, name TEXT NOT NULL,
            email TEXT NOT NULL UNIQUE, password TEXT, created_at INTEGER NOT NULL);
        CREATE TABLE memberships (
            agent BLOB NOT NULL, business BLOB NOT NULL, role TEXT NOT NULL,
            PRIMARY KEY (agent, business)) WITHOUT ROWID;
        CREATE TABLE keys (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, name TEXT NOT NULL,
            secret BLOB NOT NULL, world TEXT NOT NULL, scopes TEXT NOT NULL,
            created_at INTEGER NOT NULL, revoked_at INTEGER, used_at INTEGER);
        CREATE TABLE key_businesses (
            key BLOB NOT NULL, business BLOB NOT NULL, PRIMARY KEY (key, business)) WITHOUT ROWID;
        CREATE TABLE sessions (
            token BLOB PRIMARY KEY, subject_kind TEXT NOT NULL, subject BLOB,
            created_at INTEGER NOT NULL, used_at INTEGER NOT NULL, expires_at INTEGER NOT NULL)
            WITHOUT ROWID;
        CREATE TABLE join_codes (
            id TEXT PRIMARY KEY, business BLOB NOT NULL, link BLOB NOT NULL UNIQUE,
            locator TEXT NOT NULL, typed BLOB NOT NULL, created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL, uses_left INTEGER NOT NULL, tries_left INTEGER NOT NULL,
            conversation BLOB) WITHOUT ROWID;
        CREATE INDEX join_codes_by_locator ON join_codes (locator);
        CREATE TABLE templates (
            number INTEGER PRIMARY KEY, business BLOB NOT NULL, name TEXT NOT NULL,
            version INTEGER NOT NULL, title TEXT NOT NULL, detail TEXT NOT NULL, payload BLOB NOT NULL,
            parameters BLOB NOT NULL, attachments TEXT, author_kind TEXT NOT NULL,
            author_name TEXT NOT NULL, published_at INTEGER NOT NULL,
            UNIQUE (business, name, version));
        CREATE TABLE attachment_holds (
            holder_kind TEXT NOT NULL, holder BLOB NOT NULL, attachment BLOB NOT NULL,
            name TEXT NOT NULL, media_type TEXT NOT NULL, byte_count INTEGER NOT NULL,
            held_at INTEGER NOT NULL,
            PRIMARY KEY (holder_kind, holder, attachment)) WITHOUT ROWID;
        CREATE TABLE answers (
            scope TEXT PRIMARY KEY, body BLOB NOT NULL, conversation BLOB, message TEXT,
            status INTEGER, answer BLOB, answered_at INTEGER NOT NULL) WITHOUT ROWID;

        CREATE TABLE conversations (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE,
            business INTEGER NOT NULL REFERENCES businesses (number),
            customer TEXT NOT NULL, customer_name TEXT, locale TEXT, capabilities TEXT,
            intent TEXT, group_name TEXT, state TEXT NOT NULL, assignee BLOB,
            snoozed_until INTEGER, has_left INTEGER NOT NULL, is_muted INTEGER NOT NULL,
            customer_floor INTEGER NOT NULL, opened_at INTEGER NOT NULL,
            newest INTEGER NOT NULL, last_id TEXT, last_direction TEXT, last_kind TEXT,
            last_time INTEGER, last_summary TEXT, unread INTEGER NOT NULL,
            read_up_to INTEGER NOT NULL, waiting_since INTEGER, activity INTEGER NOT NULL,
            head BLOB, last_position INTEGER, UNIQUE (business, customer));
        CREATE INDEX conversations_by_activity ON conversations (business, activity);
        CREATE INDEX conversations_by_wake ON conversations (snoozed_until)
            WHERE snoozed_until IS NOT NULL;
        CREATE TABLE messages (
            position INTEGER PRIMARY KEY, conversation INTEGER NOT NULL,
            sequence INTEGER NOT NULL, previous INTEGER NOT NULL, id TEXT NOT NULL,
            time INTEGER NOT NULL, direction TEXT NOT NULL,
            kind TEXT NOT NULL, author_kind TEXT NOT NULL, author_name TEXT NOT NULL,
            origin TEXT NOT NULL, digest BLOB NOT NULL, posted BLOB, checksum INTEGER NOT NULL,
            summary TEXT NOT NULL, headers TEXT, warnings BLOB, template TEXT,
            template_version INTEGER, template_values BLOB, attachments TEXT, in_reply_to TEXT,
            entry_code TEXT, payload BLOB NOT NULL, UNIQUE (id, conversation));
        CREATE TABLE milestones (key INTEGER PRIMARY KEY, position INTEGER NOT NULL);
        CREATE TABLE notes (
            number INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, id BLOB NOT NULL,
            time INTEGER NOT NULL, author_kind TEXT NOT NULL, author_name TEXT NOT NULL,
            text TEXT NOT NULL, after_sequence INTEGER NOT NULL);
        CREATE INDEX notes_by_place ON notes (conversation, after_sequence);
        CREATE TABLE events (
            position INTEGER PRIMARY KEY, type TEXT NOT NULL, time INTEGER NOT NULL,
            business INTEGER NOT NULL, conversation INTEGER, subject INTEGER, data BLOB);
        """

    // What a message changes of its conversation's row may be written later; up to this position
    // nothing is missing.
    static let second = """
        CREATE TABLE settled (position INTEGER NOT NULL);
        INSERT INTO settled SELECT coalesce(max(position), 0) FROM events;
        """

    // All sessions of one person end or are shortened at once, whatever the number of other
    // sessions.
    static let third = """
        CREATE INDEX sessions_by_subject ON sessions (subject_kind, subject);
        """

    // The events for delivery targets. `is_first` marks what may be tried: of each conversation the
    // earliest pending delivery, so that finding what is due does not grow with what waits behind
    // it.
    static let fourth = """
        CREATE TABLE outboxes (id BLOB PRIMARY KEY, cursor INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE deliveries (
            outbox BLOB NOT NULL, position INTEGER NOT NULL, conversation BLOB,
            state TEXT NOT NULL, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL,
            is_first INTEGER NOT NULL, tried_at INTEGER, status INTEGER, detail TEXT,
            PRIMARY KEY (outbox, position)) WITHOUT ROWID;
        CREATE INDEX deliveries_due ON deliveries (outbox, due_at, position)
            WHERE is_first AND state = 'pending';
        CREATE INDEX deliveries_waiting ON deliveries (outbox, conversation, position)
            WHERE state = 'pending';
        CREATE INDEX deliveries_by_state ON deliveries (outbox, state, position);
        CREATE INDEX deliveries_by_end ON deliveries (state, tried_at) WHERE state != 'pending';
        """

    // Lists show how many conversations they have: counting a million is too slow, so the numbers
    // are kept, by triggers that a message alone never fires. Lists of a state or an agent are read
    // from indexes of their own, however few of all conversations they have.
    static let sixth = """
        CREATE TABLE conversation_counts (
            business INTEGER NOT NULL, state TEXT NOT NULL, assignee BLOB NOT NULL,
            held INTEGER NOT NULL, PRIMARY KEY (business, state, assignee)) WITHOUT ROWID;
        INSERT INTO conversation_counts SELECT business, state, coalesce(assignee, x''), count(*)
            FROM conversations GROUP BY business, state, coalesce(assignee, x'');
        CREATE TRIGGER conversation_opened AFTER INSERT ON conversations BEGIN
            INSERT INTO conversation_counts
                VALUES (new.business, new.state, coalesce(new.assignee, x''), 1)
                ON CONFLICT (business, state, assignee) DO UPDATE SET held = held + 1;
        END;
        CREATE TRIGGER conversation_moved AFTER UPDATE OF state, assignee ON conversations
            WHEN old.state IS NOT new.state OR old.assignee IS NOT new.assignee BEGIN
            UPDATE conversation_counts SET held = held - 1 WHERE business = old.business
                AND state = old.state AND assignee = coalesce(old.assignee, x'');
            INSERT INTO conversation_counts
                VALUES (new.business, new.state, coalesce(new.assignee, x''), 1)
                ON CONFLICT (business, state, assignee) DO UPDATE SET held = held + 1;
        END;
        CREATE INDEX conversations_by_state ON conversations (business, state, activity);
        CREATE INDEX conversations_by_assignee ON conversations (business, assignee, activity)
            WHERE assignee IS NOT NULL;
        """

    // The links to providers and upstreams, the ciphertext exchanged over them, and the wire log.
    static let seventh = """
        CREATE TABLE gateway_links (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
            side TEXT NOT NULL, msp_id TEXT NOT NULL, secret BLOB NOT NULL, url TEXT NOT NULL,
            settings BLOB NOT NULL, created_at INTEGER NOT NULL, UNIQUE (business, side));
        CREATE TABLE mmcs_objects (
            id TEXT PRIMARY KEY, business BLOB NOT NULL, content BLOB NOT NULL, key BLOB,
            byte_count INTEGER NOT NULL, signature BLOB NOT NULL, created_at INTEGER NOT NULL)
            WITHOUT ROWID;
        CREATE TABLE upstream_conversations (
            conversation BLOB PRIMARY KEY, link BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE exchanges (
            number INTEGER PRIMARY KEY AUTOINCREMENT, link BLOB NOT NULL, business BLOB NOT NULL,
            conversation BLOB, message TEXT, course TEXT NOT NULL, time INTEGER NOT NULL,
            milliseconds INTEGER NOT NULL, method TEXT NOT NULL, target TEXT NOT NULL,
            asked_fields TEXT, asked BLOB NOT NULL, asked_bytes INTEGER NOT NULL, status INTEGER,
            answered_fields TEXT, answered BLOB NOT NULL, answered_bytes INTEGER NOT NULL,
            findings BLOB NOT NULL);
        CREATE INDEX exchanges_by_link ON exchanges (link, number);
        CREATE INDEX exchanges_by_business ON exchanges (business, number);
        CREATE INDEX exchanges_by_conversation ON exchanges (conversation, number)
            WHERE conversation IS NOT NULL;
        """

    // Which ranges of 256 positions have events of a business, so that its readers find them
    // however many events others have between. A row is written once for all events of a range.
    static let ninth = """
        CREATE TABLE event_stretches (
            business INTEGER NOT NULL, stretch INTEGER NOT NULL,
            PRIMARY KEY (business, stretch)) WITHOUT ROWID;
        INSERT INTO event_stretches SELECT DISTINCT business, position >> 8 FROM events;
        """

    // Ranges of 64 positions: of one in 256 a reader looked at too many events of others.
    static let tenth = """
        DELETE FROM event_stretches;
        INSERT INTO event_stretches SELECT DISTINCT business, position >> 6 FROM events;
        """

    // Until when ciphertext is kept that no message names, and what names a file, of any kind.
    static let eleventh = """
        ALTER TABLE mmcs_objects ADD COLUMN kept_until INTEGER;
        CREATE INDEX mmcs_objects_over ON mmcs_objects (kept_until) WHERE kept_until IS NOT NULL;
        CREATE INDEX mmcs_objects_by_content ON mmcs_objects (content);
        CREATE INDEX attachment_holds_by_attachment ON attachment_holds (attachment);
        """

    // The browsers that agents signed in with: failures of unknown callers never lock these out.
    static let devices = """
        CREATE TABLE devices (
            token BLOB NOT NULL, agent BLOB NOT NULL, used_at INTEGER NOT NULL,
            PRIMARY KEY (token, agent)) WITHOUT ROWID;
        CREATE INDEX devices_by_agent ON devices (agent, used_at);
        """

    // What a key may do is the sum of its grants; an earlier key has one for each of its
    // businesses, of an unknown maker. An invitation creates no membership, so it is a row of its
    // own; and two accounts may have the same address, when the first was never its owner's.
    static let members = """
        ALTER TABLE key_businesses ADD COLUMN made_by BLOB;
        ALTER TABLE key_businesses ADD COLUMN made_at INTEGER NOT NULL DEFAULT 0;
        UPDATE key_businesses SET made_at =
            coalesce((SELECT created_at FROM keys WHERE keys.id = key_businesses.key), 0);
        CREATE INDEX key_businesses_by_maker ON key_businesses (business, made_by);
        CREATE TABLE invitations (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
            email TEXT NOT NULL, role TEXT NOT NULL, token BLOB NOT NULL UNIQUE,
            made_by BLOB NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
            UNIQUE (business, email));
        CREATE TABLE accounts (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, name TEXT NOT NULL,
            email TEXT NOT NULL, password TEXT, created_at INTEGER NOT NULL);
        INSERT INTO accounts SELECT number, id, name, email, password, created_at FROM agents;
        DROP TABLE agents;
        ALTER TABLE accounts RENAME TO agents;
        CREATE INDEX agents_by_email ON agents (email);
        CREATE INDEX memberships_by_business ON memberships (business);
        """

    // Lists show how many customers wait and who has waited longest: a number for each assignee of a
    // business, changed by triggers. The first index gives the longest waiter of all, the other that of
    // an agent.
    static let waiting = """
        CREATE TABLE waiting_counts (
            business INTEGER NOT NULL, assignee BLOB NOT NULL, held INTEGER NOT NULL,
            PRIMARY KEY (business, assignee)) WITHOUT ROWID;
        INSERT INTO waiting_counts SELECT business, coalesce(assignee, x''), count(*)
            FROM conversations c
            WHERE c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0
            GROUP BY business, coalesce(assignee, x'');
        CREATE TRIGGER conversation_waits AFTER INSERT ON conversations
            WHEN new.waiting_since IS NOT NULL AND new.state = 'open' AND new.has_left = 0 BEGIN
            INSERT INTO waiting_counts VALUES (new.business, coalesce(new.assignee, x''), 1)
                ON CONFLICT (business, assignee) DO UPDATE SET held = held + 1;
        END;
        CREATE TRIGGER conversation_waited
            AFTER UPDATE OF waiting_since, state, assignee, has_left ON conversations
            WHEN (old.waiting_since IS NOT NULL AND old.state = 'open' AND old.has_left = 0)
                IS NOT (new.waiting_since IS NOT NULL AND new.state = 'open' AND new.has_left = 0)
                OR old.assignee IS NOT new.assignee BEGIN
            UPDATE waiting_counts SET held = held - 1
                WHERE (old.waiting_since IS NOT NULL AND old.state = 'open' AND old.has_left = 0)
                AND business = old.business AND assignee = coalesce(old.assignee, x'');
            INSERT INTO waiting_counts SELECT new.business, coalesce(new.assignee, x''), 1
                WHERE new.waiting_since IS NOT NULL AND new.state = 'open' AND new.has_left = 0
                ON CONFLICT (business, assignee) DO UPDATE SET held = held + 1;
        END;
        CREATE INDEX conversations_waiting ON conversations (business, waiting_since)
            WHERE waiting_since IS NOT NULL AND state = 'open' AND has_left = 0;
        CREATE INDEX conversations_waiting_for ON conversations (business, assignee, waiting_since)
            WHERE waiting_since IS NOT NULL AND state = 'open' AND has_left = 0;
        """

    // The words by which customers are found. How a name is cut into words is the program's rule, and
    // may change: this step asks for them, and `CustomerWords.fillIfDue` writes them.
    static let customerWords = """
        CREATE TABLE customer_words (
            business INTEGER NOT NULL, word TEXT NOT NULL, conversation INTEGER NOT NULL,
            PRIMARY KEY (business, word, conversation)) WITHOUT ROWID;
        CREATE INDEX customer_words_by_conversation ON customer_words (conversation, word);
        INSERT OR REPLACE INTO settings VALUES ('customer_words_due', x'01');
        """

    // Until when an upload is kept that nothing names; earlier ones are kept without an end.
    static let uploads = """
        ALTER TABLE attachment_holds ADD COLUMN kept_until INTEGER;
        CREATE INDEX attachment_holds_by_end ON attachment_holds (kept_until)
            WHERE kept_until IS NOT NULL;
        """

    // From when on customers' cookies over TLS have a prefix: earlier ones are accepted once more.
    static let prefixedCookies = """
        INSERT OR IGNORE INTO settings VALUES (
            'customer_cookies_prefixed', CAST(unixepoch() || '000' AS BLOB));
        """

    // From here on a row's checksum says which columns it covers, and records in text columns name
    // their fields. Earlier rows stay as they are; an earlier program would report new ones as
    // damage, and refuses the version instead.
    static let selfDescribing = "-- Nothing moves."

    // Which answer settled a request that is settled once, such as a payment. What was settled before
    // has no row, and is found in its conversation.
    static let settlements = """
        CREATE TABLE settlements (
            conversation INTEGER NOT NULL REFERENCES conversations (number), request TEXT NOT NULL,
            answer TEXT NOT NULL, PRIMARY KEY (conversation, request)) WITHOUT ROWID;
        """

    // What was settled before there were rows for it: the first answer that says that it paid, or signed
    // in. An import of an archive without settlements makes them likewise. An answer that was erased
    // says nothing any more.
    static let settlementsOfAnswers = """
        INSERT OR IGNORE INTO settlements (conversation, request, answer)
            SELECT a.conversation, a.in_reply_to, a.id FROM messages a
            JOIN messages r ON r.id = a.in_reply_to AND r.conversation = a.conversation
            WHERE a.direction = 'inbound' AND a.kind IN ('payment', 'authentication')
                AND r.direction = 'outbound' AND r.kind = a.kind AND r.sequence < a.sequence
                AND CASE WHEN json_valid(CAST(a.payload AS TEXT)) THEN coalesce(
                    json_extract(CAST(a.payload AS TEXT),
                        '$.interactiveData.data.payment.state') = 'success', 0)
                    OR coalesce(json_extract(CAST(a.payload AS TEXT),
                        '$.interactiveData.data.authenticate.status') = 'authenticated', 0)
                ELSE 0 END
            ORDER BY a.position;
        """

    // Why the last message of a conversation has no summary: its content was erased.
    static let erasedLast = "ALTER TABLE conversations ADD COLUMN last_erased_at INTEGER;"

    // When a message's content was erased. The list is for readers that keep something of messages, such
    // as the search index: each goes through it from where it was.
    static let erasing = """
        ALTER TABLE messages ADD COLUMN erased_at INTEGER;
        CREATE TABLE erasures (
            number INTEGER PRIMARY KEY AUTOINCREMENT, position INTEGER NOT NULL);
        """

    // The term of the lease under which an attempt at a delivery is under way.
    static let deliveryClaims = "ALTER TABLE deliveries ADD COLUMN claim INTEGER;"

    // Who changed what of the registries. A row has no checksum: nothing is answered from it.
    static let audit = """
        CREATE TABLE audit (
            number INTEGER PRIMARY KEY AUTOINCREMENT, changed_at INTEGER NOT NULL,
            kind TEXT NOT NULL, business BLOB, subject TEXT NOT NULL, detail TEXT NOT NULL,
            author_kind TEXT NOT NULL, author_name TEXT NOT NULL);
        CREATE INDEX audit_by_business ON audit (business, number);
        CREATE INDEX audit_by_time ON audit (changed_at);
        """

    // The requests with an `Idempotency-Key` that are under way, each with the term of the lease under
    // which it is answered.
    static let begunAnswers = """
        CREATE TABLE begun_answers (
            scope TEXT PRIMARY KEY, body BLOB NOT NULL, term INTEGER NOT NULL,
            began_at INTEGER NOT NULL);
        """

    // The server's own secrets, and the signed codes that were used. Links' secrets were plain until
    // here: the setting asks the next start, which has a key, to encrypt them (`Secrets.encryptAll`).
    static let secrets = """
        CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE used_codes (code BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX used_codes_by_end ON used_codes (expires_at);
        INSERT OR REPLACE INTO settings VALUES ('encryption_due', x'01');
        """

    // What agents have begun to write and not sent. `text` and `content` hold an agent's words to a
    // customer.
    //
    // And the events of a conversation beside its messages, which are most of a log: a thread shows who
    // changed what between its messages.
    static let draftsAndThreadEvents = """
        CREATE TABLE drafts (
            agent BLOB NOT NULL, business BLOB NOT NULL, conversation BLOB NOT NULL,
            version INTEGER NOT NULL, saved_at INTEGER NOT NULL, kind TEXT NOT NULL,
            text TEXT NOT NULL, content BLOB, PRIMARY KEY (agent, conversation));
        CREATE INDEX drafts_by_age ON drafts (saved_at);
        CREATE INDEX events_of_threads ON events (conversation, position)
            WHERE conversation IS NOT NULL AND type != 'message.accepted';
        """
}
