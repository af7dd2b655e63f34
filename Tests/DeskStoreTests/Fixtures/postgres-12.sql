-- The tables of schema version 12 in PostgreSQL, as its program makes them. Never edited.
-- Coverages: answers 1 conversations 8 events 2 messages 2 notes 2
CREATE TABLE schema_version (
    version bigint PRIMARY KEY, made_at timestamptz NOT NULL DEFAULT now(),
    min_program bigint NOT NULL DEFAULT 1);
INSERT INTO schema_version (version, min_program)
    VALUES (12, 2);
CREATE TABLE log_turn (nothing bigint);
CREATE TABLE commits (
    writer bigint NOT NULL, number bigint NOT NULL, position bigint NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (writer, number));
CREATE FUNCTION instr(bytea, bytea) RETURNS integer LANGUAGE sql IMMUTABLE
    AS 'SELECT position($2 IN $1)';
CREATE TABLE settings (name text COLLATE "C" PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE businesses (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, name text COLLATE "C" NOT NULL,
    colour text COLLATE "C" NOT NULL, picture bytea, world TEXT NOT NULL,
    is_sandbox boolean NOT NULL, created_at bigint NOT NULL,
    assigns_on_reply boolean NOT NULL DEFAULT TRUE,
    requires_second_factor boolean NOT NULL DEFAULT FALSE);
CREATE TABLE agents (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, name text COLLATE "C" NOT NULL,
    email text COLLATE "C" NOT NULL, password text COLLATE "C", created_at bigint NOT NULL);
CREATE INDEX agents_by_email ON agents (email);
CREATE TABLE memberships (
    agent bytea NOT NULL, business bytea NOT NULL, role text COLLATE "C" NOT NULL,
    PRIMARY KEY (agent, business));
CREATE INDEX memberships_by_business ON memberships (business);
CREATE TABLE keys (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, name text COLLATE "C" NOT NULL,
    secret bytea NOT NULL, world TEXT NOT NULL, scopes text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL, revoked_at bigint, used_at bigint,
    addresses text COLLATE "C" NOT NULL DEFAULT '', expires_at bigint,
    predecessor bytea);
CREATE TABLE key_requests (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key bytea NOT NULL, made_at bigint NOT NULL,
    operation text COLLATE "C" NOT NULL, status bigint NOT NULL, code text COLLATE "C" NOT NULL,
    milliseconds bigint NOT NULL, address text COLLATE "C" NOT NULL,
    request text COLLATE "C" NOT NULL);
CREATE INDEX key_requests_by_key ON key_requests (key, number);
CREATE TABLE key_businesses (
    key bytea NOT NULL, business bytea NOT NULL, made_by bytea,
    made_at bigint NOT NULL DEFAULT 0, PRIMARY KEY (key, business));
CREATE INDEX key_businesses_by_maker ON key_businesses (business, made_by);
CREATE TABLE sessions (
    token bytea PRIMARY KEY, subject_kind text COLLATE "C" NOT NULL, subject bytea,
    created_at bigint NOT NULL, used_at bigint NOT NULL,
    expires_at bigint NOT NULL, is_by_passkey boolean NOT NULL DEFAULT FALSE);
CREATE INDEX sessions_by_subject ON sessions (subject_kind, subject);
CREATE TABLE devices (
    token bytea NOT NULL, agent bytea NOT NULL, used_at bigint NOT NULL,
    PRIMARY KEY (token, agent));
CREATE INDEX devices_by_agent ON devices (agent, used_at);
CREATE TABLE invitations (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    email text COLLATE "C" NOT NULL, role text COLLATE "C" NOT NULL, token bytea NOT NULL UNIQUE,
    made_by bytea NOT NULL, created_at bigint NOT NULL,
    expires_at bigint NOT NULL, UNIQUE (business, email));
CREATE TABLE entry_links (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, business bytea NOT NULL, id text COLLATE "C" NOT NULL,
    label text COLLATE "C" NOT NULL, intent text COLLATE "C", group_name text COLLATE "C", body text COLLATE "C",
    UNIQUE (business, id));
CREATE TABLE join_codes (
    id text COLLATE "C" PRIMARY KEY, business bytea NOT NULL, link bytea NOT NULL UNIQUE,
    locator text COLLATE "C" NOT NULL, typed bytea NOT NULL, created_at bigint NOT NULL,
    expires_at bigint NOT NULL, uses_left bigint NOT NULL,
    tries_left bigint NOT NULL, conversation bytea);
CREATE INDEX join_codes_by_locator ON join_codes (locator);
CREATE TABLE templates (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, business bytea NOT NULL, name text COLLATE "C" NOT NULL,
    version bigint NOT NULL, title text COLLATE "C" NOT NULL, detail text COLLATE "C" NOT NULL,
    payload bytea NOT NULL, parameters bytea NOT NULL, attachments text COLLATE "C",
    author_kind text COLLATE "C" NOT NULL, author_name text COLLATE "C" NOT NULL,
    published_at bigint NOT NULL, UNIQUE (business, name, version));
CREATE TABLE labels (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    name text COLLATE "C" NOT NULL, colour text COLLATE "C" NOT NULL, place bigint NOT NULL,
    is_retired boolean NOT NULL);
CREATE INDEX labels_by_business ON labels (business, place);
CREATE TABLE teams (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    name text COLLATE "C" NOT NULL, colour text COLLATE "C" NOT NULL, members text COLLATE "C" NOT NULL,
    is_retired boolean NOT NULL);
CREATE TABLE agent_availability (
    agent bytea PRIMARY KEY, chosen text COLLATE "C" NOT NULL,
    version bigint NOT NULL);
CREATE INDEX teams_by_business ON teams (business, name);
CREATE TABLE business_hours (
    business bytea NOT NULL, team bytea NOT NULL, data bytea NOT NULL,
    PRIMARY KEY (business, team));
CREATE TABLE automatic_answers (
    business bytea PRIMARY KEY, greeting text COLLATE "C", out_of_hours text COLLATE "C",
    unanswered text COLLATE "C", unanswered_minutes bigint);
CREATE TABLE assignment_rules (
    business bytea NOT NULL, team bytea NOT NULL, strategy text COLLATE "C" NOT NULL,
    is_sticky boolean NOT NULL, capacity bigint NOT NULL,
    give_back bigint, capacities text COLLATE "C" NOT NULL, PRIMARY KEY (business, team));
CREATE TABLE assignment_turns (
    business bytea NOT NULL, agent bytea NOT NULL,
    position bigint NOT NULL, PRIMARY KEY (business, agent));
CREATE TABLE attachment_holds (
    holder_kind text COLLATE "C" NOT NULL, holder bytea NOT NULL,
    attachment bytea NOT NULL, name text COLLATE "C" NOT NULL, media_type text COLLATE "C" NOT NULL,
    byte_count bigint NOT NULL, held_at bigint NOT NULL,
    kept_until bigint, PRIMARY KEY (holder_kind, holder, attachment));
CREATE INDEX attachment_holds_by_end ON attachment_holds (kept_until)
    WHERE kept_until IS NOT NULL;
CREATE INDEX attachment_holds_by_attachment ON attachment_holds (attachment);
CREATE TABLE answers (
    scope text COLLATE "C" PRIMARY KEY, body bytea NOT NULL, conversation bytea,
    message text COLLATE "C", status bigint, answer bytea,
    answered_at bigint NOT NULL, seal bigint);
CREATE TABLE begun_answers (
    scope text COLLATE "C" PRIMARY KEY, body bytea NOT NULL, term bigint NOT NULL,
    began_at bigint NOT NULL);
CREATE TABLE outboxes (id bytea PRIMARY KEY, cursor bigint NOT NULL);
CREATE TABLE deliveries (
    outbox bytea NOT NULL, position bigint NOT NULL, conversation bytea,
    state text COLLATE "C" NOT NULL, attempts bigint NOT NULL, due_at bigint NOT NULL,
    is_first boolean NOT NULL, tried_at bigint, status bigint,
    detail text COLLATE "C", claim bigint, milliseconds bigint, answer bytea,
    PRIMARY KEY (outbox, position));
CREATE TABLE webhooks (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    url text COLLATE "C" NOT NULL, description text COLLATE "C" NOT NULL, signing text COLLATE "C" NOT NULL,
    settings text COLLATE "C" NOT NULL, secrets bytea NOT NULL,
    begins_after bigint NOT NULL, disabled text COLLATE "C", disabled_at bigint,
    failing_since bigint, handshake text COLLATE "C", created_at bigint NOT NULL);
CREATE INDEX webhooks_by_business ON webhooks (business);
CREATE INDEX deliveries_due ON deliveries (outbox, due_at, position)
    WHERE is_first AND state = 'pending';
CREATE INDEX deliveries_waiting ON deliveries (outbox, conversation, position)
    WHERE state = 'pending';
CREATE INDEX deliveries_by_state ON deliveries (outbox, state, position);
CREATE INDEX deliveries_by_end ON deliveries (state, tried_at) WHERE state != 'pending';
CREATE TABLE gateway_links (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    side text COLLATE "C" NOT NULL, msp_id text COLLATE "C" NOT NULL, secret bytea NOT NULL,
    url text COLLATE "C" NOT NULL, settings bytea NOT NULL, created_at bigint NOT NULL,
    UNIQUE (business, side));
CREATE TABLE mmcs_objects (
    id text COLLATE "C" PRIMARY KEY, business bytea NOT NULL, content bytea NOT NULL,
    key bytea, byte_count bigint NOT NULL, signature bytea NOT NULL,
    created_at bigint NOT NULL, kept_until bigint);
CREATE INDEX mmcs_objects_over ON mmcs_objects (kept_until) WHERE kept_until IS NOT NULL;
CREATE INDEX mmcs_objects_by_content ON mmcs_objects (content);
CREATE TABLE upstream_conversations (
    conversation bytea PRIMARY KEY, link bytea NOT NULL,
    free_form_until bigint);
CREATE TABLE channel_links (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    side text COLLATE "C" NOT NULL, msp_id text COLLATE "C" NOT NULL, secret bytea NOT NULL,
    url text COLLATE "C" NOT NULL, settings bytea NOT NULL, created_at bigint NOT NULL,
    UNIQUE (business, side));
CREATE TABLE exchanges (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, link bytea NOT NULL, business bytea NOT NULL,
    conversation bytea, message text COLLATE "C", course text COLLATE "C" NOT NULL,
    time bigint NOT NULL, milliseconds bigint NOT NULL,
    method text COLLATE "C" NOT NULL, target text COLLATE "C" NOT NULL, asked_fields text COLLATE "C",
    asked bytea NOT NULL, asked_bytes bigint NOT NULL, status bigint,
    answered_fields text COLLATE "C", answered bytea NOT NULL,
    answered_bytes bigint NOT NULL, findings bytea NOT NULL);
CREATE INDEX exchanges_by_link ON exchanges (link, number);
CREATE INDEX exchanges_by_business ON exchanges (business, number);
CREATE INDEX exchanges_by_conversation ON exchanges (conversation, number)
    WHERE conversation IS NOT NULL;
CREATE TABLE audit (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, changed_at bigint NOT NULL, kind text COLLATE "C" NOT NULL,
    business bytea, subject text COLLATE "C" NOT NULL, detail text COLLATE "C" NOT NULL,
    author_kind text COLLATE "C" NOT NULL, author_name text COLLATE "C" NOT NULL);
CREATE INDEX audit_by_business ON audit (business, number);
CREATE INDEX audit_by_time ON audit (changed_at);
CREATE TABLE secrets (name text COLLATE "C" PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE used_codes (
    code bytea PRIMARY KEY, expires_at bigint NOT NULL);
CREATE INDEX used_codes_by_end ON used_codes (expires_at);
CREATE TABLE drafts (
    agent bytea NOT NULL, business bytea NOT NULL,
    conversation bytea NOT NULL, version bigint NOT NULL,
    saved_at bigint NOT NULL, kind text COLLATE "C" NOT NULL, text text COLLATE "C" NOT NULL,
    content bytea, PRIMARY KEY (agent, conversation));
CREATE INDEX drafts_by_age ON drafts (saved_at);
CREATE TABLE suggestions (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    conversation bytea NOT NULL, author_kind text COLLATE "C" NOT NULL,
    author_name text COLLATE "C" NOT NULL, created_at bigint NOT NULL, model text COLLATE "C",
    kind text COLLATE "C" NOT NULL, summary text COLLATE "C" NOT NULL, remark text COLLATE "C",
    payload bytea NOT NULL);
CREATE INDEX suggestions_by_conversation ON suggestions (conversation);
CREATE INDEX suggestions_by_age ON suggestions (created_at);
CREATE TABLE due_work (
    kind text COLLATE "C" NOT NULL, conversation bytea NOT NULL, subject text COLLATE "C" NOT NULL,
    business bytea NOT NULL, due_at bigint NOT NULL,
    made_at bigint NOT NULL, author_kind text COLLATE "C" NOT NULL,
    author_name text COLLATE "C" NOT NULL, data bytea NOT NULL, failure text COLLATE "C",
    failure_detail text COLLATE "C", PRIMARY KEY (kind, conversation, subject));
CREATE INDEX due_work_by_time ON due_work (due_at) WHERE failure IS NULL;
CREATE TABLE agent_preferences (
    agent bytea PRIMARY KEY, send_delay bigint NOT NULL, console text COLLATE "C");
CREATE TABLE mentions (
    agent bytea NOT NULL, note bytea NOT NULL,
    conversation bytea NOT NULL, business bytea NOT NULL,
    made_at bigint NOT NULL, seen_at bigint, PRIMARY KEY (agent, note));
CREATE INDEX mentions_by_note ON mentions (note);
CREATE INDEX mentions_by_conversation ON mentions (agent, conversation);
CREATE INDEX mentions_unseen ON mentions (agent, conversation) WHERE seen_at IS NULL;
CREATE TABLE contacts (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    name text COLLATE "C", external_id text COLLATE "C", notes text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL, attributes text COLLATE "C",
    blocked_at bigint, merged_into bytea, merge text COLLATE "C",
    is_external_id_verified boolean NOT NULL DEFAULT FALSE, metadata bytea);
CREATE TABLE contact_links (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, one bytea NOT NULL, other bytea NOT NULL,
    is_linked boolean NOT NULL, author_kind text COLLATE "C" NOT NULL,
    author_name text COLLATE "C" NOT NULL, changed_at bigint NOT NULL,
    UNIQUE (one, other));
CREATE INDEX contact_links_by_other ON contact_links (other);
CREATE INDEX contacts_by_merge ON contacts (merged_into) WHERE merged_into IS NOT NULL;
CREATE TABLE attributes (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    subject text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL, choices text COLLATE "C" NOT NULL, place bigint NOT NULL,
    is_retired boolean NOT NULL, UNIQUE (business, subject, key));
CREATE INDEX contacts_by_business ON contacts (business, number);
CREATE UNIQUE INDEX contacts_by_external_id ON contacts (business, external_id)
    WHERE external_id IS NOT NULL;
CREATE TABLE readers (
    name text COLLATE "C" PRIMARY KEY, epoch bigint NOT NULL,
    position bigint NOT NULL);
CREATE TABLE report_counts (
    business bytea NOT NULL, dimension text COLLATE "C" NOT NULL, slot bigint NOT NULL,
    member text COLLATE "C" NOT NULL,
    begun bigint NOT NULL, received bigint NOT NULL, sent bigint NOT NULL, closed bigint NOT NULL, resolution_ms bigint NOT NULL, answers bigint NOT NULL, answer_ms bigint NOT NULL, waits bigint NOT NULL, wait_ms bigint NOT NULL, cards bigint NOT NULL, cards_answered bigint NOT NULL, cards_paid bigint NOT NULL, asked bigint NOT NULL, scored_1 bigint NOT NULL, scored_2 bigint NOT NULL, scored_3 bigint NOT NULL, scored_4 bigint NOT NULL, scored_5 bigint NOT NULL, first_overdue bigint NOT NULL, next_overdue bigint NOT NULL,
    spans text COLLATE "C",
    PRIMARY KEY (business, dimension, slot, member));
CREATE TABLE report_conversations (
    conversation bytea PRIMARY KEY, business bytea NOT NULL,
    begun_at bigint, asks_since bigint, is_answered boolean NOT NULL,
    waits_since bigint, entry text COLLATE "C", team bytea,
    labels text COLLATE "C" NOT NULL, rating text COLLATE "C");
CREATE TABLE report_cards (
    conversation bytea NOT NULL, message text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL,
    agent bytea, slot bigint NOT NULL, is_answered boolean NOT NULL,
    PRIMARY KEY (conversation, message));
CREATE TABLE macros (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    owner bytea, name text COLLATE "C" NOT NULL, parameters bytea NOT NULL,
    actions bytea NOT NULL, is_retired boolean NOT NULL);
CREATE INDEX macros_by_business ON macros (business, owner);
CREATE TABLE rules (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    name text COLLATE "C" NOT NULL, is_on boolean NOT NULL, place bigint NOT NULL,
    trigger_event text COLLATE "C" NOT NULL, conditions bytea NOT NULL,
    actions bytea NOT NULL);
CREATE INDEX rules_by_business ON rules (business, place);
CREATE TABLE rule_acts (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, rule bytea NOT NULL, position bigint NOT NULL,
    business bytea NOT NULL, rule_name text COLLATE "C" NOT NULL,
    conversation bytea NOT NULL, trigger_event text COLLATE "C" NOT NULL,
    root bigint NOT NULL, made_at bigint NOT NULL, outcome text COLLATE "C" NOT NULL,
    data bytea NOT NULL, UNIQUE (position, rule));
CREATE INDEX rule_acts_by_business ON rule_acts (business, number);
CREATE INDEX rule_acts_by_root ON rule_acts (root);
CREATE TABLE saved_views (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea,
    owner bytea, name text COLLATE "C" NOT NULL, filter bytea NOT NULL,
    place bigint NOT NULL);
CREATE TABLE service_levels (business bytea PRIMARY KEY, data bytea NOT NULL);
CREATE TABLE satisfaction (
    business bytea PRIMARY KEY, delay_minutes bigint,
    data bytea NOT NULL);
CREATE INDEX saved_views_by_business ON saved_views (business, owner);
CREATE INDEX saved_views_by_owner ON saved_views (owner);
CREATE TABLE library_files (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    attachment bytea NOT NULL, name text COLLATE "C" NOT NULL, media_type text COLLATE "C" NOT NULL,
    byte_count bigint NOT NULL, width bigint, height bigint,
    author_kind text COLLATE "C" NOT NULL, author_name text COLLATE "C" NOT NULL,
    added_at bigint NOT NULL, UNIQUE (business, attachment));
CREATE TABLE script_runs (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE,
    started_at bigint NOT NULL, ended_at bigint,
    customers bytea NOT NULL, document bytea NOT NULL,
    skipped_line bigint, is_stop_wanted boolean NOT NULL);
CREATE TABLE widgets (
    business bytea PRIMARY KEY, settings text COLLATE "C", secrets bytea);
CREATE TABLE bots (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    name text COLLATE "C" NOT NULL, key bytea NOT NULL, webhook bytea,
    answer_seconds bigint NOT NULL, is_first boolean NOT NULL,
    intents text COLLATE "C" NOT NULL, is_retired boolean NOT NULL);
CREATE INDEX bots_by_business ON bots (business);
CREATE TABLE controls (
    conversation bytea PRIMARY KEY, business bytea NOT NULL,
    controller_kind text COLLATE "C", controller text COLLATE "C", since bigint NOT NULL,
    offer_kind text COLLATE "C", offer text COLLATE "C", answer_by bigint,
    metadata bytea NOT NULL);
CREATE INDEX controls_by_answer ON controls (answer_by) WHERE answer_by IS NOT NULL;
CREATE TABLE retentions (
    business bytea PRIMARY KEY, days bigint NOT NULL,
    changed_at bigint NOT NULL, begins_at bigint NOT NULL,
    position bigint NOT NULL, note bigint NOT NULL,
    erased_through bigint);
CREATE TABLE second_factors (
    agent bytea PRIMARY KEY, secret bytea, recovery bytea NOT NULL,
    used_step bigint NOT NULL, created_at bigint NOT NULL,
    confirmed_at bigint);
CREATE TABLE identities (
    issuer text COLLATE "C" NOT NULL, subject text COLLATE "C" NOT NULL, agent bytea NOT NULL,
    created_at bigint NOT NULL, PRIMARY KEY (issuer, subject));
CREATE INDEX identities_by_agent ON identities (agent);
CREATE TABLE push_subscriptions (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    conversation bytea NOT NULL, secrets bytea NOT NULL,
    created_at bigint NOT NULL);
CREATE INDEX push_subscriptions_by_conversation ON push_subscriptions (conversation);
CREATE TABLE agent_push_subscriptions (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, agent bytea NOT NULL,
    device bytea NOT NULL, zone text COLLATE "C" NOT NULL, secrets bytea NOT NULL,
    created_at bigint NOT NULL,
    is_by_passkey boolean NOT NULL DEFAULT FALSE);
CREATE INDEX agent_push_subscriptions_by_agent ON agent_push_subscriptions (agent);
CREATE INDEX agent_push_subscriptions_by_device ON agent_push_subscriptions (device);
CREATE TABLE passkeys (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, agent bytea NOT NULL,
    name text COLLATE "C" NOT NULL, host text COLLATE "C" NOT NULL,
    credential bytea NOT NULL UNIQUE, public_key bytea NOT NULL,
    algorithm bigint NOT NULL, counter bigint NOT NULL,
    created_at bigint NOT NULL, used_at bigint);
CREATE INDEX passkeys_by_agent ON passkeys (agent);
CREATE TABLE provisioned_people (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, business bytea NOT NULL, agent bytea NOT NULL,
    user_name text COLLATE "C" NOT NULL, name_key text COLLATE "C" NOT NULL, external_id text COLLATE "C",
    given_name text COLLATE "C", family_name text COLLATE "C", role text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL, changed_at bigint NOT NULL,
    UNIQUE (business, agent), UNIQUE (business, name_key));
CREATE TABLE provisioned_teams (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, business bytea NOT NULL, team bytea NOT NULL,
    external_id text COLLATE "C", created_at bigint NOT NULL,
    changed_at bigint NOT NULL, UNIQUE (business, team));
CREATE TABLE approval_rules (
    business bytea PRIMARY KEY, areas text COLLATE "C" NOT NULL,
    changed_at bigint NOT NULL);
CREATE TABLE approvals (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE, business bytea NOT NULL,
    area text COLLATE "C" NOT NULL, operation text COLLATE "C" NOT NULL, details bytea NOT NULL,
    digest bytea NOT NULL, author_kind text COLLATE "C" NOT NULL,
    author_name text COLLATE "C" NOT NULL, person bytea, reason text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL, made_at bigint NOT NULL,
    expires_at bigint NOT NULL, decider bytea, decided_at bigint,
    comment text COLLATE "C" NOT NULL, used_at bigint);
CREATE INDEX approvals_by_business ON approvals (business, state, number);
CREATE INDEX approvals_by_request ON approvals (digest);
CREATE TABLE legal_holds (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, subject bytea NOT NULL UNIQUE,
    business bytea NOT NULL, reason text COLLATE "C" NOT NULL,
    author_kind text COLLATE "C" NOT NULL, author_name text COLLATE "C" NOT NULL,
    placed_at bigint NOT NULL);
CREATE INDEX legal_holds_by_business ON legal_holds (business, number);
CREATE TABLE epochs (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, epoch bigint NOT NULL,
    first_position bigint NOT NULL);
CREATE TABLE pruned (position bigint NOT NULL);
INSERT INTO pruned VALUES (0);
CREATE TABLE events (
    position bigint PRIMARY KEY, type text COLLATE "C" NOT NULL, time bigint NOT NULL,
    business bigint NOT NULL, conversation bigint, subject bigint,
    data bytea, seal bigint, revision bigint);
CREATE INDEX events_of_threads ON events (conversation, position)
    WHERE conversation IS NOT NULL AND type != 'message.accepted';
CREATE TABLE messages (
    position bigint PRIMARY KEY, conversation bigint NOT NULL,
    sequence bigint NOT NULL, previous bigint NOT NULL, id text COLLATE "C" NOT NULL,
    time bigint NOT NULL, direction text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL,
    author_kind text COLLATE "C" NOT NULL, author_name text COLLATE "C" NOT NULL,
    origin text COLLATE "C" NOT NULL, digest bytea NOT NULL, posted bytea,
    checksum bigint NOT NULL, summary text COLLATE "C" NOT NULL, headers text COLLATE "C",
    warnings bytea, template text COLLATE "C", template_version bigint,
    template_values bytea, attachments text COLLATE "C", in_reply_to text COLLATE "C",
    entry_code text COLLATE "C", seal bigint, payload bytea NOT NULL,
    erased_at bigint, UNIQUE (id, conversation));
CREATE TABLE notes (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, conversation bigint NOT NULL, id bytea NOT NULL,
    time bigint NOT NULL, author_kind text COLLATE "C" NOT NULL,
    author_name text COLLATE "C" NOT NULL, text text COLLATE "C" NOT NULL,
    after_sequence bigint NOT NULL, seal bigint, mentions text COLLATE "C",
    edited_at bigint, deleted_at bigint);
CREATE INDEX notes_by_place ON notes (conversation, after_sequence);
CREATE TABLE milestones (
    key bigint PRIMARY KEY, position bigint NOT NULL);
CREATE TABLE fenced (conversation bigint PRIMARY KEY);
CREATE TABLE event_stretches (
    business bigint NOT NULL, stretch bigint NOT NULL,
    PRIMARY KEY (business, stretch));
CREATE TABLE erasures (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, position bigint NOT NULL);
CREATE TABLE conversations (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE,
    business bigint NOT NULL REFERENCES businesses (number),
    customer text COLLATE "C" NOT NULL, customer_name text COLLATE "C", locale text COLLATE "C",
    capabilities text COLLATE "C", intent text COLLATE "C", group_name text COLLATE "C",
    state text COLLATE "C" NOT NULL, assignee bytea, snoozed_until bigint,
    has_left bigint NOT NULL, is_muted bigint NOT NULL,
    customer_floor bigint NOT NULL, opened_at bigint NOT NULL,
    newest bigint NOT NULL, last_id text COLLATE "C", last_direction text COLLATE "C",
    last_kind text COLLATE "C", last_time bigint, last_summary text COLLATE "C",
    unread bigint NOT NULL, read_up_to bigint NOT NULL,
    waiting_since bigint, activity bigint NOT NULL, head bytea,
    last_position bigint, seal bigint,
    revision bigint NOT NULL DEFAULT 0, last_author_kind text COLLATE "C",
    last_author_name text COLLATE "C", priority text COLLATE "C", labels text COLLATE "C", team bytea,
    last_erased_at bigint, contact_name text COLLATE "C", attributes text COLLATE "C",
    contact bytea, blocked_at bigint, answer_kind text COLLATE "C",
    answer_due bigint, participants text COLLATE "C", watchers text COLLATE "C",
    satisfaction text COLLATE "C", UNIQUE (business, customer));
CREATE TABLE settlements (
    conversation bigint NOT NULL REFERENCES conversations (number),
    request text COLLATE "C" NOT NULL, answer text COLLATE "C" NOT NULL,
    PRIMARY KEY (conversation, request));
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
CREATE INDEX conversations_by_intent ON conversations (business, intent, state, activity)
    WHERE intent IS NOT NULL;
CREATE INDEX conversations_by_group ON conversations (business, group_name, state, activity)
    WHERE group_name IS NOT NULL;
CREATE INDEX conversations_by_language ON conversations (
    business, (lower(split_part(replace(locale, '-', '_'), '_', 1))), state, activity) WHERE locale IS NOT NULL;
CREATE TABLE customer_words (
    business bigint NOT NULL, word text COLLATE "C" NOT NULL,
    conversation bigint NOT NULL, PRIMARY KEY (business, word, conversation));
CREATE INDEX customer_words_by_conversation ON customer_words (conversation, word);
CREATE TABLE conversation_attributes (
    business bigint NOT NULL, key text COLLATE "C" NOT NULL, value text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL, activity bigint NOT NULL,
    conversation bigint NOT NULL,
    PRIMARY KEY (business, key, value, state, activity, conversation));
CREATE INDEX conversation_attributes_by_conversation
    ON conversation_attributes (conversation);
CREATE TABLE conversation_metadata (
    conversation bigint PRIMARY KEY, content bytea NOT NULL);
CREATE TABLE conversation_labels (
    business bigint NOT NULL, label text COLLATE "C" NOT NULL, state text COLLATE "C" NOT NULL,
    activity bigint NOT NULL, conversation bigint NOT NULL,
    PRIMARY KEY (business, label, state, activity, conversation));
CREATE TABLE conversation_counts (
    business bigint NOT NULL, state text COLLATE "C" NOT NULL,
    assignee bytea NOT NULL, held bigint NOT NULL,
    PRIMARY KEY (business, state, assignee));
CREATE TABLE waiting_counts (
    business bigint NOT NULL, assignee bytea NOT NULL,
    held bigint NOT NULL, PRIMARY KEY (business, assignee));
CREATE TABLE label_counts (
    business bigint NOT NULL, state text COLLATE "C" NOT NULL, label text COLLATE "C" NOT NULL,
    held bigint NOT NULL, PRIMARY KEY (business, state, label));
CREATE TABLE team_counts (
    business bigint NOT NULL, state text COLLATE "C" NOT NULL, team bytea NOT NULL,
    held bigint NOT NULL, PRIMARY KEY (business, state, team));
CREATE TABLE bot_counts (
    business bigint NOT NULL, state text COLLATE "C" NOT NULL,
    assignee bytea NOT NULL, held bigint NOT NULL,
    PRIMARY KEY (business, state, assignee));
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
CREATE TABLE leases (
    name text COLLATE "C" PRIMARY KEY, term bigint NOT NULL, until timestamptz NOT NULL);
CREATE SEQUENCE lease_terms;
CREATE TABLE nodes (
    node bigint PRIMARY KEY, seen_at timestamptz NOT NULL, applied bigint NOT NULL
) WITH (fillfactor = 20);
CREATE SEQUENCE credential_versions;
CREATE TABLE credential_changes (
    version bigint PRIMARY KEY, node bigint NOT NULL, changes text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE SEQUENCE blob_numbers;
CREATE TABLE blob_uploads (
    upload bigint PRIMARY KEY DEFAULT nextval('blob_numbers'),
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE TABLE blobs (
    digest bytea PRIMARY KEY, byte_count bigint NOT NULL, upload bigint NOT NULL UNIQUE,
    stored_at timestamptz NOT NULL);
CREATE TABLE blob_pieces (
    upload bigint NOT NULL, piece bigint NOT NULL, bytes bytea NOT NULL,
    PRIMARY KEY (upload, piece));
ALTER TABLE blob_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE search_state (
    one boolean PRIMARY KEY DEFAULT TRUE CHECK (one), version bigint NOT NULL,
    position bigint NOT NULL, erasure bigint NOT NULL);
CREATE TABLE search_terms (
    position bigint PRIMARY KEY, business bigint NOT NULL, terms tsvector NOT NULL);
CREATE INDEX search_terms_by_term ON search_terms USING gin (terms)
    WITH (fastupdate = on, gin_pending_list_limit = 4096);
CREATE TABLE search_note_state (
    one boolean PRIMARY KEY DEFAULT TRUE CHECK (one), version bigint NOT NULL,
    filled bigint, position bigint NOT NULL);
CREATE TABLE search_notes (
    number bigint PRIMARY KEY, business bigint NOT NULL, terms tsvector NOT NULL);
CREATE INDEX search_notes_by_term ON search_notes USING gin (terms)
    WITH (fastupdate = on, gin_pending_list_limit = 4096);
