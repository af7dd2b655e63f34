import DeskModel

/// The tables of the registries as they are today, in the form that each engine makes.
///
/// PostgreSQL begins with them. SQLite comes to the same tables by its migrations, which stay as
/// they were written; a test compares the columns of both.
public enum RegistrySchema {
    /// The names of the tables.
    public static let tables = [
        "settings", "businesses", "entry_links", "agents", "memberships", "keys", "key_requests",
        "key_businesses",
        "sessions", "devices", "invitations", "join_codes", "templates", "attachment_holds",
        "answers", "begun_answers", "labels", "teams", "agent_availability", "business_hours",
        "automatic_answers", "assignment_rules", "assignment_turns", "contacts", "attributes",
        "contact_links",
        "outboxes", "deliveries", "webhooks", "gateway_links",
        "mmcs_objects",
        "upstream_conversations", "channel_links", "exchanges", "audit", "secrets", "used_codes",
        "drafts",
        "suggestions",
        "readers", "report_counts", "report_conversations", "report_cards", "macros",
        "rules", "rule_acts", "saved_views", "service_levels", "satisfaction", "library_files",
        "due_work", "agent_preferences",
        "mentions", "script_runs", "widgets", "bots", "controls",
        "retentions", "second_factors", "identities", "push_subscriptions",
        "agent_push_subscriptions", "passkeys", "provisioned_people", "provisioned_teams",
        "approval_rules", "approvals", "legal_holds",
    ]

    /// The statements that make the tables and their indexes.
    public static func statements(for dialect: Dialect) -> String {
        people(dialect) + entries(dialect) + files(dialect) + outboxes(dialect) + gateway(dialect)
            + audit(dialect) + secrets(dialect) + drafts(dialect) + suggestions(dialect)
            + due(dialect)
            + contacts(dialect) + readers(dialect) + macros(dialect)
            + rules(dialect) + savedViews(dialect) + library(dialect) + scripts(dialect)
            + widgets(dialect) + bots(dialect) + retention(dialect) + secondFactors(dialect)
            + identities(dialect) + push(dialect) + passkeys(dialect)
            + provisioning(dialect) + approvals(dialect) + legalHolds(dialect)
    }

    // A mode lies under the name that schema version 1 gave it.
    private static func people(_ d: Dialect) -> String {
        """
        CREATE TABLE settings (name \(d.text) PRIMARY KEY, value \(d.bytes) NOT NULL);
        CREATE TABLE businesses (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, name \(d.text) NOT NULL,
            colour \(d.text) NOT NULL, picture \(d.bytes), world TEXT NOT NULL,
            is_sandbox \(d.claim) NOT NULL, created_at \(d.integer) NOT NULL,
            assigns_on_reply \(d.claim) NOT NULL DEFAULT TRUE,
            requires_second_factor \(d.claim) NOT NULL DEFAULT FALSE);
        CREATE TABLE agents (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, name \(d.text) NOT NULL,
            email \(d.text) NOT NULL, password \(d.text), created_at \(d.integer) NOT NULL);
        CREATE INDEX agents_by_email ON agents (email);
        CREATE TABLE memberships (
            agent \(d.bytes) NOT NULL, business \(d.bytes) NOT NULL, role \(d.text) NOT NULL,
            PRIMARY KEY (agent, business));
        CREATE INDEX memberships_by_business ON memberships (business);
        \(keys(d))
        CREATE TABLE sessions (
            token \(d.bytes) PRIMARY KEY, subject_kind \(d.text) NOT NULL, subject \(d.bytes),
            created_at \(d.integer) NOT NULL, used_at \(d.integer) NOT NULL,
            expires_at \(d.integer) NOT NULL, is_by_passkey \(d.claim) NOT NULL DEFAULT FALSE);
        CREATE INDEX sessions_by_subject ON sessions (subject_kind, subject);
        CREATE TABLE devices (
            token \(d.bytes) NOT NULL, agent \(d.bytes) NOT NULL, used_at \(d.integer) NOT NULL,
            PRIMARY KEY (token, agent));
        CREATE INDEX devices_by_agent ON devices (agent, used_at);

        """
    }

    private static func entries(_ d: Dialect) -> String {
        """
        CREATE TABLE invitations (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            email \(d.text) NOT NULL, role \(d.text) NOT NULL, token \(d.bytes) NOT NULL UNIQUE,
            made_by \(d.bytes) NOT NULL, created_at \(d.integer) NOT NULL,
            expires_at \(d.integer) NOT NULL, UNIQUE (business, email));
        CREATE TABLE entry_links (
            number \(d.rowNumber), business \(d.bytes) NOT NULL, id \(d.text) NOT NULL,
            label \(d.text) NOT NULL, intent \(d.text), group_name \(d.text), body \(d.text),
            UNIQUE (business, id));
        CREATE TABLE join_codes (
            id \(d.text) PRIMARY KEY, business \(d.bytes) NOT NULL, link \(d.bytes) NOT NULL UNIQUE,
            locator \(d.text) NOT NULL, typed \(d.bytes) NOT NULL, created_at \(d.integer) NOT NULL,
            expires_at \(d.integer) NOT NULL, uses_left \(d.integer) NOT NULL,
            tries_left \(d.integer) NOT NULL, conversation \(d.bytes));
        CREATE INDEX join_codes_by_locator ON join_codes (locator);

        """
    }

    private static func files(_ d: Dialect) -> String {
        """
        CREATE TABLE templates (
            number \(d.rowNumber), business \(d.bytes) NOT NULL, name \(d.text) NOT NULL,
            version \(d.integer) NOT NULL, title \(d.text) NOT NULL, detail \(d.text) NOT NULL,
            payload \(d.bytes) NOT NULL, parameters \(d.bytes) NOT NULL, attachments \(d.text),
            author_kind \(d.text) NOT NULL, author_name \(d.text) NOT NULL,
            published_at \(d.integer) NOT NULL, UNIQUE (business, name, version));
        CREATE TABLE labels (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            name \(d.text) NOT NULL, colour \(d.text) NOT NULL, place \(d.integer) NOT NULL,
            is_retired \(d.claim) NOT NULL);
        CREATE INDEX labels_by_business ON labels (business, place);
        CREATE TABLE teams (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            name \(d.text) NOT NULL, colour \(d.text) NOT NULL, members \(d.text) NOT NULL,
            is_retired \(d.claim) NOT NULL);
        CREATE TABLE agent_availability (
            agent \(d.bytes) PRIMARY KEY, chosen \(d.text) NOT NULL,
            version \(d.integer) NOT NULL);
        CREATE INDEX teams_by_business ON teams (business, name);
        CREATE TABLE business_hours (
            business \(d.bytes) NOT NULL, team \(d.bytes) NOT NULL, data \(d.bytes) NOT NULL,
            PRIMARY KEY (business, team));
        CREATE TABLE automatic_answers (
            business \(d.bytes) PRIMARY KEY, greeting \(d.text), out_of_hours \(d.text),
            unanswered \(d.text), unanswered_minutes \(d.integer));
        CREATE TABLE assignment_rules (
            business \(d.bytes) NOT NULL, team \(d.bytes) NOT NULL, strategy \(d.text) NOT NULL,
            is_sticky \(d.claim) NOT NULL, capacity \(d.integer) NOT NULL,
            give_back \(d.integer), capacities \(d.text) NOT NULL, PRIMARY KEY (business, team));
        CREATE TABLE assignment_turns (
            business \(d.bytes) NOT NULL, agent \(d.bytes) NOT NULL,
            position \(d.integer) NOT NULL, PRIMARY KEY (business, agent));
        CREATE TABLE attachment_holds (
            holder_kind \(d.text) NOT NULL, holder \(d.bytes) NOT NULL,
            attachment \(d.bytes) NOT NULL, name \(d.text) NOT NULL, media_type \(d.text) NOT NULL,
            byte_count \(d.integer) NOT NULL, held_at \(d.integer) NOT NULL,
            kept_until \(d.integer), PRIMARY KEY (holder_kind, holder, attachment));
        CREATE INDEX attachment_holds_by_end ON attachment_holds (kept_until)
            WHERE kept_until IS NOT NULL;
        CREATE INDEX attachment_holds_by_attachment ON attachment_holds (attachment);
        CREATE TABLE answers (
            scope \(d.text) PRIMARY KEY, body \(d.bytes) NOT NULL, conversation \(d.bytes),
            message \(d.text), status \(d.integer), answer \(d.bytes),
            answered_at \(d.integer) NOT NULL, seal \(d.integer));
        CREATE TABLE begun_answers (
            scope \(d.text) PRIMARY KEY, body \(d.bytes) NOT NULL, term \(d.integer) NOT NULL,
            began_at \(d.integer) NOT NULL);

        """
    }

    // `is_first` marks what may be tried: of each conversation the earliest pending delivery, so that
    // finding what is due does not grow with what waits behind it. A webhook's deliveries lie under its id;
    // `answer` and `handshake` may hold what its program answered.
    private static func outboxes(_ d: Dialect) -> String {
        """
        CREATE TABLE outboxes (id \(d.bytes) PRIMARY KEY, cursor \(d.integer) NOT NULL);
        CREATE TABLE deliveries (
            outbox \(d.bytes) NOT NULL, position \(d.integer) NOT NULL, conversation \(d.bytes),
            state \(d.text) NOT NULL, attempts \(d.integer) NOT NULL, due_at \(d.integer) NOT NULL,
            is_first \(d.claim) NOT NULL, tried_at \(d.integer), status \(d.integer),
            detail \(d.text), claim \(d.integer), milliseconds \(d.integer), answer \(d.bytes),
            PRIMARY KEY (outbox, position));
        CREATE TABLE webhooks (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            url \(d.text) NOT NULL, description \(d.text) NOT NULL, signing \(d.text) NOT NULL,
            settings \(d.text) NOT NULL, secrets \(d.bytes) NOT NULL,
            begins_after \(d.integer) NOT NULL, disabled \(d.text), disabled_at \(d.integer),
            failing_since \(d.integer), handshake \(d.text), created_at \(d.integer) NOT NULL);
        CREATE INDEX webhooks_by_business ON webhooks (business);
        CREATE INDEX deliveries_due ON deliveries (outbox, due_at, position)
            WHERE is_first AND state = 'pending';
        CREATE INDEX deliveries_waiting ON deliveries (outbox, conversation, position)
            WHERE state = 'pending';
        CREATE INDEX deliveries_by_state ON deliveries (outbox, state, position);
        CREATE INDEX deliveries_by_end ON deliveries (state, tried_at) WHERE state != 'pending';

        """
    }

    private static func gateway(_ d: Dialect) -> String {
        """
        CREATE TABLE gateway_links (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            side \(d.text) NOT NULL, msp_id \(d.text) NOT NULL, secret \(d.bytes) NOT NULL,
            url \(d.text) NOT NULL, settings \(d.bytes) NOT NULL, created_at \(d.integer) NOT NULL,
            UNIQUE (business, side));
        CREATE TABLE mmcs_objects (
            id \(d.text) PRIMARY KEY, business \(d.bytes) NOT NULL, content \(d.bytes) NOT NULL,
            key \(d.bytes), byte_count \(d.integer) NOT NULL, signature \(d.bytes) NOT NULL,
            created_at \(d.integer) NOT NULL, kept_until \(d.integer));
        CREATE INDEX mmcs_objects_over ON mmcs_objects (kept_until) WHERE kept_until IS NOT NULL;
        CREATE INDEX mmcs_objects_by_content ON mmcs_objects (content);
        CREATE TABLE upstream_conversations (
            conversation \(d.bytes) PRIMARY KEY, link \(d.bytes) NOT NULL,
            free_form_until \(d.integer));
        CREATE TABLE channel_links (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            side \(d.text) NOT NULL, msp_id \(d.text) NOT NULL, secret \(d.bytes) NOT NULL,
            url \(d.text) NOT NULL, settings \(d.bytes) NOT NULL, created_at \(d.integer) NOT NULL,
            UNIQUE (business, side));
        CREATE TABLE exchanges (
            number \(d.rowNumber), link \(d.bytes) NOT NULL, business \(d.bytes) NOT NULL,
            conversation \(d.bytes), message \(d.text), course \(d.text) NOT NULL,
            time \(d.integer) NOT NULL, milliseconds \(d.integer) NOT NULL,
            method \(d.text) NOT NULL, target \(d.text) NOT NULL, asked_fields \(d.text),
            asked \(d.bytes) NOT NULL, asked_bytes \(d.integer) NOT NULL, status \(d.integer),
            answered_fields \(d.text), answered \(d.bytes) NOT NULL,
            answered_bytes \(d.integer) NOT NULL, findings \(d.bytes) NOT NULL);
        CREATE INDEX exchanges_by_link ON exchanges (link, number);
        CREATE INDEX exchanges_by_business ON exchanges (business, number);
        CREATE INDEX exchanges_by_conversation ON exchanges (conversation, number)
            WHERE conversation IS NOT NULL;

        """
    }

    private static func audit(_ d: Dialect) -> String {
        """
        CREATE TABLE audit (
            number \(d.rowNumber), changed_at \(d.integer) NOT NULL, kind \(d.text) NOT NULL,
            business \(d.bytes), subject \(d.text) NOT NULL, detail \(d.text) NOT NULL,
            author_kind \(d.text) NOT NULL, author_name \(d.text) NOT NULL);
        CREATE INDEX audit_by_business ON audit (business, number);
        CREATE INDEX audit_by_time ON audit (changed_at);

        """
    }

    // `data` holds the message of a delayed send, and is removed with the row when it is sent.
    private static func due(_ d: Dialect) -> String {
        """
        CREATE TABLE due_work (
            kind \(d.text) NOT NULL, conversation \(d.bytes) NOT NULL, subject \(d.text) NOT NULL,
            business \(d.bytes) NOT NULL, due_at \(d.integer) NOT NULL,
            made_at \(d.integer) NOT NULL, author_kind \(d.text) NOT NULL,
            author_name \(d.text) NOT NULL, data \(d.bytes) NOT NULL, failure \(d.text),
            failure_detail \(d.text), PRIMARY KEY (kind, conversation, subject));
        CREATE INDEX due_work_by_time ON due_work (due_at) WHERE failure IS NULL;
        CREATE TABLE agent_preferences (
            agent \(d.bytes) PRIMARY KEY, send_delay \(d.integer) NOT NULL, console \(d.text));
        CREATE TABLE mentions (
            agent \(d.bytes) NOT NULL, note \(d.bytes) NOT NULL,
            conversation \(d.bytes) NOT NULL, business \(d.bytes) NOT NULL,
            made_at \(d.integer) NOT NULL, seen_at \(d.integer), PRIMARY KEY (agent, note));
        CREATE INDEX mentions_by_note ON mentions (note);
        CREATE INDEX mentions_by_conversation ON mentions (agent, conversation);
        CREATE INDEX mentions_unseen ON mentions (agent, conversation) WHERE seen_at IS NULL;

        """
    }

    // `name`, `external_id`, `notes`, `attributes`, `metadata` and `merge` of contacts hold what agents know of a customer.
    private static func contacts(_ d: Dialect) -> String {
        """
        CREATE TABLE contacts (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            name \(d.text), external_id \(d.text), notes \(d.text) NOT NULL,
            created_at \(d.integer) NOT NULL, attributes \(d.text),
            blocked_at \(d.integer), merged_into \(d.bytes), merge \(d.text),
            is_external_id_verified \(d.claim) NOT NULL DEFAULT FALSE, metadata \(d.bytes));
        CREATE TABLE contact_links (
            number \(d.rowNumber), one \(d.bytes) NOT NULL, other \(d.bytes) NOT NULL,
            is_linked \(d.claim) NOT NULL, author_kind \(d.text) NOT NULL,
            author_name \(d.text) NOT NULL, changed_at \(d.integer) NOT NULL,
            UNIQUE (one, other));
        CREATE INDEX contact_links_by_other ON contact_links (other);
        CREATE INDEX contacts_by_merge ON contacts (merged_into) WHERE merged_into IS NOT NULL;
        CREATE TABLE attributes (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            subject \(d.text) NOT NULL, key \(d.text) NOT NULL, kind \(d.text) NOT NULL,
            name \(d.text) NOT NULL, choices \(d.text) NOT NULL, place \(d.integer) NOT NULL,
            is_retired \(d.claim) NOT NULL, UNIQUE (business, subject, key));
        CREATE INDEX contacts_by_business ON contacts (business, number);
        CREATE UNIQUE INDEX contacts_by_external_id ON contacts (business, external_id)
            WHERE external_id IS NOT NULL;

        """
    }

    // Counters are read by the times of a dimension. `entry` and `member` may hold an intent and a
    // group that a customer's link said; nothing else is of a customer's words.
    private static func readers(_ d: Dialect) -> String {
        """
        CREATE TABLE readers (
            name \(d.text) PRIMARY KEY, epoch \(d.integer) NOT NULL,
            position \(d.integer) NOT NULL);
        CREATE TABLE report_counts (
            business \(d.bytes) NOT NULL, dimension \(d.text) NOT NULL, slot \(d.integer) NOT NULL,
            member \(d.text) NOT NULL,
            \(ReportCounts.columns.map { "\($0) \(d.integer) NOT NULL," }.joined(separator: " "))
            spans \(d.text),
            PRIMARY KEY (business, dimension, slot, member));
        CREATE TABLE report_conversations (
            conversation \(d.bytes) PRIMARY KEY, business \(d.bytes) NOT NULL,
            begun_at \(d.integer), asks_since \(d.integer), is_answered \(d.claim) NOT NULL,
            waits_since \(d.integer), entry \(d.text), team \(d.bytes),
            labels \(d.text) NOT NULL, rating \(d.text));
        CREATE TABLE report_cards (
            conversation \(d.bytes) NOT NULL, message \(d.text) NOT NULL, kind \(d.text) NOT NULL,
            agent \(d.bytes), slot \(d.integer) NOT NULL, is_answered \(d.claim) NOT NULL,
            PRIMARY KEY (conversation, message));

        """
    }

    // `actions` may hold words to customers: the texts of notes, and values of templates.
    private static func macros(_ d: Dialect) -> String {
        """
        CREATE TABLE macros (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            owner \(d.bytes), name \(d.text) NOT NULL, parameters \(d.bytes) NOT NULL,
            actions \(d.bytes) NOT NULL, is_retired \(d.claim) NOT NULL);
        CREATE INDEX macros_by_business ON macros (business, owner);

        """
    }

    // `conditions` and `actions` hold what the business chose, words to customers among it. Nothing of
    // either table is a customer's. `rule_acts` is the log of rules, and says that one acted already.
    private static func rules(_ d: Dialect) -> String {
        """
        CREATE TABLE rules (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            name \(d.text) NOT NULL, is_on \(d.claim) NOT NULL, place \(d.integer) NOT NULL,
            trigger_event \(d.text) NOT NULL, conditions \(d.bytes) NOT NULL,
            actions \(d.bytes) NOT NULL);
        CREATE INDEX rules_by_business ON rules (business, place);
        CREATE TABLE rule_acts (
            number \(d.rowNumber), rule \(d.bytes) NOT NULL, position \(d.integer) NOT NULL,
            business \(d.bytes) NOT NULL, rule_name \(d.text) NOT NULL,
            conversation \(d.bytes) NOT NULL, trigger_event \(d.text) NOT NULL,
            root \(d.integer) NOT NULL, made_at \(d.integer) NOT NULL, outcome \(d.text) NOT NULL,
            data \(d.bytes) NOT NULL, UNIQUE (position, rule));
        CREATE INDEX rule_acts_by_business ON rule_acts (business, number);
        CREATE INDEX rule_acts_by_root ON rule_acts (root);

        """
    }

    // `name`, and the bytes, may be about customers: agents keep what they were sent.
    private static func library(_ d: Dialect) -> String {
        """
        CREATE TABLE library_files (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            attachment \(d.bytes) NOT NULL, name \(d.text) NOT NULL, media_type \(d.text) NOT NULL,
            byte_count \(d.integer) NOT NULL, width \(d.integer), height \(d.integer),
            author_kind \(d.text) NOT NULL, author_name \(d.text) NOT NULL,
            added_at \(d.integer) NOT NULL, UNIQUE (business, attachment));

        """
    }

    // `filter` may hold words of customers: what is looked for, and values of attributes.
    private static func savedViews(_ d: Dialect) -> String {
        """
        CREATE TABLE saved_views (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes),
            owner \(d.bytes), name \(d.text) NOT NULL, filter \(d.bytes) NOT NULL,
            place \(d.integer) NOT NULL);
        CREATE TABLE service_levels (business \(d.bytes) PRIMARY KEY, data \(d.bytes) NOT NULL);
        CREATE TABLE satisfaction (
            business \(d.bytes) PRIMARY KEY, delay_minutes \(d.integer),
            data \(d.bytes) NOT NULL);
        CREATE INDEX saved_views_by_business ON saved_views (business, owner);
        CREATE INDEX saved_views_by_owner ON saved_views (owner);

        """
    }

    // Values are encrypted; `Secrets.columns` names every column that is.
    private static func secrets(_ d: Dialect) -> String {
        """
        CREATE TABLE secrets (name \(d.text) PRIMARY KEY, value \(d.bytes) NOT NULL);
        CREATE TABLE used_codes (
            code \(d.bytes) PRIMARY KEY, expires_at \(d.integer) NOT NULL);
        CREATE INDEX used_codes_by_end ON used_codes (expires_at);

        """
    }

    // A few rows. `document` holds what simulated customers wrote and received; `customers` a line for each of them.
    private static func scripts(_ d: Dialect) -> String {
        """
        CREATE TABLE script_runs (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE,
            started_at \(d.integer) NOT NULL, ended_at \(d.integer),
            customers \(d.bytes) NOT NULL, document \(d.bytes) NOT NULL,
            skipped_line \(d.integer), is_stop_wanted \(d.claim) NOT NULL);

        """
    }
}
