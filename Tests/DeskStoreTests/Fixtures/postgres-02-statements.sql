-- What a program of schema version 2 sends to PostgreSQL, one statement a line.
-- Written by scripts/record-statements from the program of that version. Never edited.
DELETE FROM agent_availability
DELETE FROM agent_preferences
DELETE FROM agents
DELETE FROM answers
DELETE FROM answers WHERE answered_at < $1
DELETE FROM answers WHERE scope = $1
DELETE FROM assignment_rules
DELETE FROM assignment_rules WHERE business = $1 AND team = $2
DELETE FROM assignment_turns
DELETE FROM attachment_holds
DELETE FROM attachment_holds AS one WHERE kept_until = 0 AND (EXISTS (SELECT 1 FROM attachment_holds AS other WHERE other.attachment = one.attachment AND other.kept_until IS DISTINCT FROM 0) OR EXISTS (SELECT 1 FROM mmcs_objects WHERE content = one.attachment) OR EXISTS (SELECT 1 FROM businesses WHERE picture = one.attachment))
DELETE FROM attachment_holds WHERE attachment = $1 AND kept_until = 0
DELETE FROM attributes
DELETE FROM audit
DELETE FROM audit WHERE changed_at < $1
DELETE FROM automatic_answers
DELETE FROM begun_answers
DELETE FROM begun_answers WHERE began_at < $1
DELETE FROM begun_answers WHERE scope = $1 AND term = $2
DELETE FROM blob_pieces WHERE piece = 1
DELETE FROM blob_pieces WHERE upload = $1
DELETE FROM blob_uploads WHERE upload = $1
DELETE FROM blob_uploads WHERE upload = $1 AND begun_at > '-infinity'
DELETE FROM blob_uploads WHERE upload = (SELECT upload FROM blob_uploads WHERE begun_at <= clock_timestamp() - $1::bigint * interval '1 second' LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING upload
DELETE FROM blob_uploads WHERE upload = (SELECT upload FROM blob_uploads WHERE upload > 0 AND begun_at <= clock_timestamp() - $1::bigint * interval '1 second' LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING upload
DELETE FROM blobs WHERE digest = $1 AND ($2::bigint IS NULL OR stored_at <= clock_timestamp() - $2::bigint * interval '1 second') RETURNING upload
DELETE FROM business_hours
DELETE FROM business_hours WHERE business = $1 AND team = $2
DELETE FROM businesses
DELETE FROM commits WHERE made_at < now() - interval '1 hour'
DELETE FROM contact_links
DELETE FROM contacts
DELETE FROM conversation_attributes
DELETE FROM conversation_attributes WHERE conversation = $1
DELETE FROM conversation_counts
DELETE FROM conversation_labels
DELETE FROM conversations
DELETE FROM customer_words
DELETE FROM customer_words WHERE conversation = $1
DELETE FROM deliveries
DELETE FROM deliveries WHERE outbox = $1
DELETE FROM deliveries WHERE state = $1 AND tried_at < $2
DELETE FROM devices
DELETE FROM devices WHERE agent = $1
DELETE FROM devices WHERE agent = $1 AND token IN (SELECT token FROM devices WHERE agent = $1 ORDER BY token = $2 DESC, used_at DESC LIMIT 1000000 OFFSET $3)
DELETE FROM devices WHERE used_at < $1
DELETE FROM drafts
DELETE FROM drafts WHERE agent = $1 AND business = $2
DELETE FROM drafts WHERE agent = $1 AND conversation = $2 AND version = $3
DELETE FROM drafts WHERE saved_at < $1
DELETE FROM due_work
DELETE FROM due_work WHERE failure IS NOT NULL AND due_at < $1
DELETE FROM due_work WHERE kind = $1 AND conversation = $2 AND subject = $3
DELETE FROM entry_links
DELETE FROM entry_links WHERE business = $1 AND id = $2
DELETE FROM epochs
DELETE FROM erasures
DELETE FROM event_stretches
DELETE FROM event_stretches WHERE stretch < $1
DELETE FROM events
DELETE FROM events WHERE position <= $1
DELETE FROM exchanges
DELETE FROM exchanges WHERE link = $1
DELETE FROM exchanges WHERE link = $1 AND number <= (SELECT number FROM exchanges WHERE link = $1 ORDER BY number DESC LIMIT 1 OFFSET $2)
DELETE FROM fenced
DELETE FROM gateway_links
DELETE FROM gateway_links WHERE id = $1
DELETE FROM invitations
DELETE FROM invitations WHERE business = $1 AND email = $2
DELETE FROM invitations WHERE business = $1 AND made_by = $2
DELETE FROM invitations WHERE expires_at < $1
DELETE FROM invitations WHERE id = $1 AND business = $2
DELETE FROM invitations WHERE token = $1
DELETE FROM join_codes
DELETE FROM join_codes WHERE expires_at < $1
DELETE FROM key_businesses
DELETE FROM key_businesses WHERE business = $1 AND made_by = $2
DELETE FROM key_businesses WHERE key = $1 AND business = $2
DELETE FROM keys
DELETE FROM label_counts
DELETE FROM labels
DELETE FROM leases WHERE name = $1 AND term = $2
DELETE FROM library_files
DELETE FROM library_files WHERE id = $1
DELETE FROM macros
DELETE FROM macros WHERE business = $1 AND owner = $2
DELETE FROM memberships
DELETE FROM memberships WHERE agent = $1 AND business = $2
DELETE FROM mentions
DELETE FROM mentions WHERE agent = $1 AND note = $2
DELETE FROM messages
DELETE FROM milestones
DELETE FROM mmcs_objects
DELETE FROM mmcs_objects WHERE id = $1
DELETE FROM nodes WHERE node <> $1::bigint AND applied < $2::bigint
DELETE FROM nodes WHERE node = $1::bigint
DELETE FROM notes
DELETE FROM outboxes
DELETE FROM outboxes WHERE id = $1
DELETE FROM pruned
DELETE FROM readers
DELETE FROM readers WHERE name = $1
DELETE FROM report_cards
DELETE FROM report_cards WHERE conversation = $1 AND message = $2
DELETE FROM report_conversations
DELETE FROM report_counts
DELETE FROM rule_acts
DELETE FROM rule_acts WHERE business = $1 AND number <= (SELECT number FROM rule_acts WHERE business = $1 ORDER BY number DESC LIMIT 1 OFFSET $2)
DELETE FROM rules
DELETE FROM rules WHERE id = $1
DELETE FROM satisfaction
DELETE FROM saved_views
DELETE FROM saved_views WHERE business = $1 AND owner = $2
DELETE FROM saved_views WHERE id = $1
DELETE FROM search_terms WHERE position = $1
DELETE FROM secrets
DELETE FROM service_levels
DELETE FROM service_levels WHERE business = $1
DELETE FROM sessions
DELETE FROM sessions WHERE expires_at < $1
DELETE FROM sessions WHERE subject_kind = $1 AND subject IS NOT DISTINCT FROM $2
DELETE FROM sessions WHERE token = $1
DELETE FROM settings
DELETE FROM settings WHERE name = $1
DELETE FROM settlements
DELETE FROM team_counts
DELETE FROM teams
DELETE FROM templates
DELETE FROM upstream_conversations
DELETE FROM used_codes
DELETE FROM used_codes WHERE expires_at < $1
DELETE FROM waiting_counts
INSERT INTO agent_availability (agent, chosen, version) VALUES ($1, $2, $3) ON CONFLICT (agent) DO UPDATE SET chosen = excluded.chosen, version = excluded.version
INSERT INTO agent_preferences (agent, send_delay, console) VALUES ($1, $2, $3) ON CONFLICT (agent) DO UPDATE SET send_delay = excluded.send_delay, console = excluded.console
INSERT INTO agents (created_at, email, id, name, number, password) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6)
INSERT INTO agents (created_at, email, id, name, number, password) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6), ($7, $8, $9, $10, $11, $12)
INSERT INTO agents (id, name, email, password, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO UPDATE SET name = excluded.name, email = excluded.email, password = excluded.password
INSERT INTO answers (answer, answered_at, body, conversation, message, scope, seal, status) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
INSERT INTO answers (answer, answered_at, body, conversation, message, scope, seal, status) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8), ($9, $10, $11, $12, $13, $14, $15, $16)
INSERT INTO answers (scope, body, conversation, message, status, answer, answered_at, seal) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (scope) DO NOTHING
INSERT INTO assignment_rules (business, team, strategy, is_sticky, capacity, give_back, capacities) VALUES ($1, $2, $3, $4, $5, $6, $7)
INSERT INTO assignment_turns (business, agent, position) VALUES ($1, $2, $3) ON CONFLICT (business, agent) DO UPDATE SET position = excluded.position
INSERT INTO attachment_holds (attachment, byte_count, held_at, holder, holder_kind, kept_until, media_type, name) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
INSERT INTO attachment_holds (attachment, byte_count, held_at, holder, holder_kind, kept_until, media_type, name) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8), ($9, $10, $11, $12, $13, $14, $15, $16)
INSERT INTO attachment_holds (holder_kind, holder, attachment, name, media_type, byte_count, held_at, kept_until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (holder_kind, holder, attachment) DO UPDATE SET name = excluded.name, media_type = excluded.media_type, kept_until = CASE WHEN attachment_holds.kept_until < excluded.kept_until OR excluded.kept_until IS NULL THEN excluded.kept_until ELSE attachment_holds.kept_until END
INSERT INTO attributes (id, business, subject, key, kind, name, choices, place, is_retired) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO UPDATE SET name = excluded.name, choices = excluded.choices, place = excluded.place, is_retired = excluded.is_retired
INSERT INTO audit (author_kind, author_name, business, changed_at, detail, kind, number, subject) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
INSERT INTO audit (author_kind, author_name, business, changed_at, detail, kind, number, subject) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8), ($9, $10, $11, $12, $13, $14, $15, $16)
INSERT INTO audit (author_kind, author_name, business, changed_at, detail, kind, number, subject) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8), ($9, $10, $11, $12, $13, $14, $15, $16), ($17, $18, $19, $20, $21, $22, $23, $24), ($25, $26, $27, $28, $29, $30, $31, $32), ($33, $34, $35, $36, $37, $38, $39, $40), ($41, $42, $43, $44, $45, $46, $47, $48), ($49, $50, $51, $52, $53, $54, $55, $56), ($57, $58, $59, $60, $61, $62, $63, $64)
INSERT INTO audit (changed_at, kind, business, subject, detail, author_kind, author_name) VALUES ($1, $2, $3, $4, $5, $6, $7)
INSERT INTO audit (changed_at, kind, business, subject, detail, author_kind, author_name) VALUES ($1, $2, $3, $4, $5, $6, $7), ($8, $9, $10, $11, $12, $13, $14)
INSERT INTO automatic_answers (business, greeting, out_of_hours, unanswered, unanswered_minutes) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (business) DO UPDATE SET greeting = excluded.greeting, out_of_hours = excluded.out_of_hours, unanswered = excluded.unanswered, unanswered_minutes = excluded.unanswered_minutes
INSERT INTO begun_answers (scope, body, term, began_at) VALUES ($1, $2, $3, $4) ON CONFLICT (scope) DO UPDATE SET term = excluded.term, began_at = excluded.began_at
INSERT INTO blob_pieces (upload, piece, bytes) SELECT upload, $2::bigint, $3::bytea FROM blob_uploads WHERE upload = $1 FOR KEY SHARE
INSERT INTO blob_pieces (upload, piece, bytes) VALUES ($1, $2, $3)
INSERT INTO blob_uploads (upload) VALUES ($1)
INSERT INTO blob_uploads (upload, begun_at) VALUES ($1, '-infinity')
INSERT INTO blob_uploads DEFAULT VALUES RETURNING upload
INSERT INTO blobs (digest, byte_count, upload, stored_at) VALUES ($1, $2, $3, clock_timestamp()) ON CONFLICT (digest) DO UPDATE SET stored_at = clock_timestamp() RETURNING upload
INSERT INTO business_hours (business, team, data) VALUES ($1, $2, $3)
INSERT INTO businesses (assigns_on_reply, colour, created_at, id, is_sandbox, name, number, picture, world) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
INSERT INTO businesses (assigns_on_reply, colour, created_at, id, is_sandbox, name, number, picture, world) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9), ($10, $11, $12, $13, $14, $15, $16, $17, $18)
INSERT INTO businesses (id, name, colour, picture, world, is_sandbox, created_at, assigns_on_reply) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO UPDATE SET name = excluded.name, colour = excluded.colour, picture = excluded.picture, assigns_on_reply = excluded.assigns_on_reply
INSERT INTO commits (writer, number, position) VALUES ($1, $2, $3)
INSERT INTO contact_links (one, other, is_linked, author_kind, author_name, changed_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (one, other) DO UPDATE SET is_linked = excluded.is_linked, author_kind = excluded.author_kind, author_name = excluded.author_name, changed_at = excluded.changed_at
INSERT INTO contacts (attributes, blocked_at, business, created_at, external_id, id, is_external_id_verified, merge, merged_into, name, notes, number) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
INSERT INTO contacts (attributes, blocked_at, business, created_at, external_id, id, is_external_id_verified, merge, merged_into, name, notes, number) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12), ($13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)
INSERT INTO contacts (id, business, name, external_id, is_external_id_verified, notes, attributes, blocked_at, merged_into, merge, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (id) DO UPDATE SET name = excluded.name, external_id = excluded.external_id, is_external_id_verified = excluded.is_external_id_verified, notes = excluded.notes, attributes = excluded.attributes, blocked_at = excluded.blocked_at, merged_into = excluded.merged_into, merge = excluded.merge
INSERT INTO conversation_attributes (business, key, value, state, activity, conversation) VALUES ($1, $2, $3, $4, $5, $6)
INSERT INTO conversation_attributes (business, key, value, state, activity, conversation) VALUES ($1, $2, $3, $4, $5, $6), ($7, $8, $9, $10, $11, $12)
INSERT INTO conversation_attributes (business, key, value, state, activity, conversation) VALUES ($1, $2, $3, $4, $5, $6), ($7, $8, $9, $10, $11, $12), ($13, $14, $15, $16, $17, $18), ($19, $20, $21, $22, $23, $24), ($25, $26, $27, $28, $29, $30), ($31, $32, $33, $34, $35, $36), ($37, $38, $39, $40, $41, $42), ($43, $44, $45, $46, $47, $48)
INSERT INTO conversation_counts (assignee, business, held, state) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4)
INSERT INTO conversation_counts (assignee, business, held, state) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4), ($5, $6, $7, $8)
INSERT INTO conversations (activity, answer_due, answer_kind, assignee, attributes, blocked_at, business, capabilities, contact, contact_name, customer, customer_floor, customer_name, group_name, has_left, head, id, intent, is_muted, labels, last_author_kind, last_author_name, last_direction, last_erased_at, last_id, last_kind, last_position, last_summary, last_time, locale, newest, number, opened_at, participants, priority, read_up_to, revision, satisfaction, seal, snoozed_until, state, team, unread, waiting_since, watchers) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45)
INSERT INTO conversations (activity, answer_due, answer_kind, assignee, attributes, blocked_at, business, capabilities, contact, contact_name, customer, customer_floor, customer_name, group_name, has_left, head, id, intent, is_muted, labels, last_author_kind, last_author_name, last_direction, last_erased_at, last_id, last_kind, last_position, last_summary, last_time, locale, newest, number, opened_at, participants, priority, read_up_to, revision, satisfaction, seal, snoozed_until, state, team, unread, waiting_since, watchers) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45), ($46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90)
INSERT INTO conversations (id, business, customer, customer_name, locale, capabilities, intent, group_name, state, assignee, snoozed_until, has_left, is_muted, customer_floor, opened_at, newest, last_id, last_direction, last_kind, last_time, last_summary, unread, read_up_to, waiting_since, activity, head, last_position, revision, last_author_kind, last_author_name, priority, labels, team, last_erased_at, contact_name, attributes, contact, blocked_at, answer_kind, answer_due, participants, watchers, satisfaction, seal) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44) RETURNING number
INSERT INTO credential_changes (version, node, changes) VALUES (nextval('credential_versions'), 0, '')
INSERT INTO customer_words (business, conversation, word) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3)
INSERT INTO customer_words (business, conversation, word) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3), ($4, $5, $6)
INSERT INTO customer_words (business, word, conversation) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
INSERT INTO deliveries (attempts, claim, conversation, detail, due_at, is_first, outbox, position, state, status, tried_at) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
INSERT INTO deliveries (attempts, claim, conversation, detail, due_at, is_first, outbox, position, state, status, tried_at) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11), ($12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
INSERT INTO deliveries (outbox, position, conversation, state, attempts, due_at, is_first) VALUES ($1, $2, $3, $4, $5, $6, NOT EXISTS ( SELECT 1 FROM deliveries WHERE outbox = $1 AND conversation = $3 AND state = 'pending'))
INSERT INTO devices (agent, token, used_at) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3)
INSERT INTO devices (token, agent, used_at) VALUES ($1, $2, $3) ON CONFLICT (token, agent) DO UPDATE SET used_at = excluded.used_at
INSERT INTO drafts (agent, business, conversation, version, saved_at, kind, text, content) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (agent, conversation) DO UPDATE SET business = excluded.business, version = excluded.version, saved_at = excluded.saved_at, kind = excluded.kind, text = excluded.text, content = excluded.content
INSERT INTO due_work (author_kind, author_name, business, conversation, data, due_at, failure, failure_detail, kind, made_at, subject) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
INSERT INTO due_work (kind, conversation, subject, business, due_at, made_at, author_kind, author_name, data, failure, failure_detail) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (kind, conversation, subject) DO UPDATE SET due_at = excluded.due_at, made_at = excluded.made_at, author_kind = excluded.author_kind, author_name = excluded.author_name, data = excluded.data, failure = excluded.failure, failure_detail = excluded.failure_detail
INSERT INTO entry_links (body, business, group_name, id, intent, label, number) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7)
INSERT INTO entry_links (business, id, label, intent, group_name, body) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (business, id) DO UPDATE SET label = excluded.label, intent = excluded.intent, group_name = excluded.group_name, body = excluded.body
INSERT INTO epochs (epoch, first_position) SELECT $1, (SELECT coalesce(max(position), 0) FROM events) + 1 WHERE (SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1) = $2
INSERT INTO epochs (epoch, first_position) SELECT $1, coalesce(max(position), 0) + 1 FROM events
INSERT INTO epochs (epoch, first_position) VALUES ($1, $2)
INSERT INTO epochs (epoch, first_position, number) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3)
INSERT INTO erasures (number, position) OVERRIDING SYSTEM VALUE VALUES ($1, $2)
INSERT INTO erasures (position) VALUES ($1)
INSERT INTO event_stretches (business, stretch) OVERRIDING SYSTEM VALUE VALUES ($1, $2)
INSERT INTO event_stretches (business, stretch) OVERRIDING SYSTEM VALUE VALUES ($1, $2), ($3, $4)
INSERT INTO event_stretches (business, stretch) VALUES ($1, $2) ON CONFLICT DO NOTHING
INSERT INTO events (business, conversation, data, position, revision, seal, subject, time, type) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
INSERT INTO events (business, conversation, data, position, revision, seal, subject, time, type) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9), ($10, $11, $12, $13, $14, $15, $16, $17, $18)
INSERT INTO events (business, conversation, data, position, revision, seal, subject, time, type) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9), ($10, $11, $12, $13, $14, $15, $16, $17, $18), ($19, $20, $21, $22, $23, $24, $25, $26, $27), ($28, $29, $30, $31, $32, $33, $34, $35, $36), ($37, $38, $39, $40, $41, $42, $43, $44, $45), ($46, $47, $48, $49, $50, $51, $52, $53, $54), ($55, $56, $57, $58, $59, $60, $61, $62, $63), ($64, $65, $66, $67, $68, $69, $70, $71, $72)
INSERT INTO events (business, conversation, data, position, revision, seal, subject, time, type) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9), ($10, $11, $12, $13, $14, $15, $16, $17, $18), ($19, $20, $21, $22, $23, $24, $25, $26, $27), ($28, $29, $30, $31, $32, $33, $34, $35, $36), ($37, $38, $39, $40, $41, $42, $43, $44, $45), ($46, $47, $48, $49, $50, $51, $52, $53, $54), ($55, $56, $57, $58, $59, $60, $61, $62, $63), ($64, $65, $66, $67, $68, $69, $70, $71, $72), ($73, $74, $75, $76, $77, $78, $79, $80, $81), ($82, $83, $84, $85, $86, $87, $88, $89, $90), ($91, $92, $93, $94, $95, $96, $97, $98, $99), ($100, $101, $102, $103, $104, $105, $106, $107, $108), ($109, $110, $111, $112, $113, $114, $115, $116, $117), ($118, $119, $120, $121, $122, $123, $124, $125, $126), ($127, $128, $129, $130, $131, $132, $133, $134, $135), ($136, $137, $138, $139, $140, $141, $142, $143, $144), ($145, $146, $147, $148, $149, $150, $151, $152, $153), ($154, $155, $156, $157, $158, $159, $160, $161, $162), ($163, $164, $165, $166, $167, $168, $169, $170, $171), ($172, $173, $174, $175, $176, $177, $178, $179, $180), ($181, $182, $183, $184, $185, $186, $187, $188, $189), ($190, $191, $192, $193, $194, $195, $196, $197, $198), ($199, $200, $201, $202, $203, $204, $205, $206, $207), ($208, $209, $210, $211, $212, $213, $214, $215, $216), ($217, $218, $219, $220, $221, $222, $223, $224, $225), ($226, $227, $228, $229, $230, $231, $232, $233, $234), ($235, $236, $237, $238, $239, $240, $241, $242, $243), ($244, $245, $246, $247, $248, $249, $250, $251, $252), ($253, $254, $255, $256, $257, $258, $259, $260, $261), ($262, $263, $264, $265, $266, $267, $268, $269, $270), ($271, $272, $273, $274, $275, $276, $277, $278, $279), ($280, $281, $282, $283, $284, $285, $286, $287, $288)
INSERT INTO events (position, type, time, business, conversation, subject, data, revision, seal) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
INSERT INTO events (position, type, time, business, conversation, subject, data, revision, seal) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9), ($10, $11, $12, $13, $14, $15, $16, $17, $18)
INSERT INTO events (position, type, time, business, conversation, subject, data, revision, seal) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9), ($10, $11, $12, $13, $14, $15, $16, $17, $18), ($19, $20, $21, $22, $23, $24, $25, $26, $27), ($28, $29, $30, $31, $32, $33, $34, $35, $36), ($37, $38, $39, $40, $41, $42, $43, $44, $45), ($46, $47, $48, $49, $50, $51, $52, $53, $54), ($55, $56, $57, $58, $59, $60, $61, $62, $63), ($64, $65, $66, $67, $68, $69, $70, $71, $72)
INSERT INTO events (position, type, time, business, conversation, subject, data, revision, seal) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9), ($10, $11, $12, $13, $14, $15, $16, $17, $18), ($19, $20, $21, $22, $23, $24, $25, $26, $27), ($28, $29, $30, $31, $32, $33, $34, $35, $36), ($37, $38, $39, $40, $41, $42, $43, $44, $45), ($46, $47, $48, $49, $50, $51, $52, $53, $54), ($55, $56, $57, $58, $59, $60, $61, $62, $63), ($64, $65, $66, $67, $68, $69, $70, $71, $72), ($73, $74, $75, $76, $77, $78, $79, $80, $81), ($82, $83, $84, $85, $86, $87, $88, $89, $90), ($91, $92, $93, $94, $95, $96, $97, $98, $99), ($100, $101, $102, $103, $104, $105, $106, $107, $108), ($109, $110, $111, $112, $113, $114, $115, $116, $117), ($118, $119, $120, $121, $122, $123, $124, $125, $126), ($127, $128, $129, $130, $131, $132, $133, $134, $135), ($136, $137, $138, $139, $140, $141, $142, $143, $144), ($145, $146, $147, $148, $149, $150, $151, $152, $153), ($154, $155, $156, $157, $158, $159, $160, $161, $162), ($163, $164, $165, $166, $167, $168, $169, $170, $171), ($172, $173, $174, $175, $176, $177, $178, $179, $180), ($181, $182, $183, $184, $185, $186, $187, $188, $189), ($190, $191, $192, $193, $194, $195, $196, $197, $198), ($199, $200, $201, $202, $203, $204, $205, $206, $207), ($208, $209, $210, $211, $212, $213, $214, $215, $216), ($217, $218, $219, $220, $221, $222, $223, $224, $225), ($226, $227, $228, $229, $230, $231, $232, $233, $234), ($235, $236, $237, $238, $239, $240, $241, $242, $243), ($244, $245, $246, $247, $248, $249, $250, $251, $252), ($253, $254, $255, $256, $257, $258, $259, $260, $261), ($262, $263, $264, $265, $266, $267, $268, $269, $270), ($271, $272, $273, $274, $275, $276, $277, $278, $279), ($280, $281, $282, $283, $284, $285, $286, $287, $288)
INSERT INTO exchanges (answered, answered_bytes, answered_fields, asked, asked_bytes, asked_fields, business, conversation, course, findings, link, message, method, milliseconds, number, status, target, time) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
INSERT INTO exchanges (link, business, conversation, message, course, time, milliseconds, method, target, asked_fields, asked, asked_bytes, status, answered_fields, answered, answered_bytes, findings) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) RETURNING number
INSERT INTO gateway_links (business, created_at, id, msp_id, number, secret, settings, side, url) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
INSERT INTO gateway_links (id, business, side, msp_id, secret, url, settings, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (business, side) DO NOTHING
INSERT INTO invitations (business, created_at, email, expires_at, id, made_by, number, role, token) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
INSERT INTO invitations (id, business, email, role, token, made_by, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
INSERT INTO join_codes (business, conversation, created_at, expires_at, id, link, locator, tries_left, typed, uses_left) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
INSERT INTO join_codes (id, business, link, locator, typed, created_at, expires_at, uses_left, tries_left, conversation) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
INSERT INTO key_businesses (business, key, made_at, made_by) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4)
INSERT INTO key_businesses (business, key, made_at, made_by) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4), ($5, $6, $7, $8)
INSERT INTO key_businesses (key, business, made_by, made_at) VALUES ($1, $2, $3, $4) ON CONFLICT (key, business) DO NOTHING
INSERT INTO keys (created_at, id, name, number, revoked_at, scopes, secret, used_at, world) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
INSERT INTO keys (id, name, secret, world, scopes, created_at, revoked_at, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
INSERT INTO labels (id, business, name, colour, place, is_retired) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET name = excluded.name, colour = excluded.colour, place = excluded.place, is_retired = excluded.is_retired
INSERT INTO leases (name, term, until) VALUES ($1, nextval('lease_terms'), clock_timestamp() + $2::bigint * interval '1 millisecond') ON CONFLICT (name) DO UPDATE SET term = excluded.term, until = excluded.until WHERE leases.until <= clock_timestamp() RETURNING term
INSERT INTO leases (name, term, until) VALUES ($1, nextval('lease_terms'), clock_timestamp() + $2::bigint * interval '1 millisecond') ON CONFLICT (name) DO UPDATE SET term = excluded.term, until = excluded.until WHERE leases.until <= clock_timestamp() RETURNING term, xmax <> 0
INSERT INTO library_files (id, business, attachment, name, media_type, byte_count, width, height, author_kind, author_name, added_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
INSERT INTO macros (id, business, owner, name, parameters, actions, is_retired) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO UPDATE SET name = excluded.name, parameters = excluded.parameters, actions = excluded.actions, is_retired = excluded.is_retired
INSERT INTO memberships (agent, business, role) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3)
INSERT INTO memberships (agent, business, role) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3), ($4, $5, $6)
INSERT INTO memberships (agent, business, role) VALUES ($1, $2, $3) ON CONFLICT (agent, business) DO UPDATE SET role = excluded.role
INSERT INTO mentions (agent, note, conversation, business, made_at) VALUES ($1, $2, $3, $4, $5)
INSERT INTO mentions (agent, note, conversation, business, made_at) VALUES ($1, $2, $3, $4, $5), ($6, $7, $8, $9, $10)
INSERT INTO messages (attachments, author_kind, author_name, checksum, conversation, digest, direction, entry_code, erased_at, headers, id, in_reply_to, kind, origin, payload, position, posted, previous, seal, sequence, summary, template, template_values, template_version, time, warnings) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)
INSERT INTO messages (attachments, author_kind, author_name, checksum, conversation, digest, direction, entry_code, erased_at, headers, id, in_reply_to, kind, origin, payload, position, posted, previous, seal, sequence, summary, template, template_values, template_version, time, warnings) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26), ($27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52)
INSERT INTO messages (attachments, author_kind, author_name, checksum, conversation, digest, direction, entry_code, erased_at, headers, id, in_reply_to, kind, origin, payload, position, posted, previous, seal, sequence, summary, template, template_values, template_version, time, warnings) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26), ($27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52), ($53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78), ($79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95, $96, $97, $98, $99, $100, $101, $102, $103, $104), ($105, $106, $107, $108, $109, $110, $111, $112, $113, $114, $115, $116, $117, $118, $119, $120, $121, $122, $123, $124, $125, $126, $127, $128, $129, $130), ($131, $132, $133, $134, $135, $136, $137, $138, $139, $140, $141, $142, $143, $144, $145, $146, $147, $148, $149, $150, $151, $152, $153, $154, $155, $156), ($157, $158, $159, $160, $161, $162, $163, $164, $165, $166, $167, $168, $169, $170, $171, $172, $173, $174, $175, $176, $177, $178, $179, $180, $181, $182), ($183, $184, $185, $186, $187, $188, $189, $190, $191, $192, $193, $194, $195, $196, $197, $198, $199, $200, $201, $202, $203, $204, $205, $206, $207, $208), ($209, $210, $211, $212, $213, $214, $215, $216, $217, $218, $219, $220, $221, $222, $223, $224, $225, $226, $227, $228, $229, $230, $231, $232, $233, $234), ($235, $236, $237, $238, $239, $240, $241, $242, $243, $244, $245, $246, $247, $248, $249, $250, $251, $252, $253, $254, $255, $256, $257, $258, $259, $260), ($261, $262, $263, $264, $265, $266, $267, $268, $269, $270, $271, $272, $273, $274, $275, $276, $277, $278, $279, $280, $281, $282, $283, $284, $285, $286), ($287, $288, $289, $290, $291, $292, $293, $294, $295, $296, $297, $298, $299, $300, $301, $302, $303, $304, $305, $306, $307, $308, $309, $310, $311, $312), ($313, $314, $315, $316, $317, $318, $319, $320, $321, $322, $323, $324, $325, $326, $327, $328, $329, $330, $331, $332, $333, $334, $335, $336, $337, $338), ($339, $340, $341, $342, $343, $344, $345, $346, $347, $348, $349, $350, $351, $352, $353, $354, $355, $356, $357, $358, $359, $360, $361, $362, $363, $364), ($365, $366, $367, $368, $369, $370, $371, $372, $373, $374, $375, $376, $377, $378, $379, $380, $381, $382, $383, $384, $385, $386, $387, $388, $389, $390), ($391, $392, $393, $394, $395, $396, $397, $398, $399, $400, $401, $402, $403, $404, $405, $406, $407, $408, $409, $410, $411, $412, $413, $414, $415, $416), ($417, $418, $419, $420, $421, $422, $423, $424, $425, $426, $427, $428, $429, $430, $431, $432, $433, $434, $435, $436, $437, $438, $439, $440, $441, $442), ($443, $444, $445, $446, $447, $448, $449, $450, $451, $452, $453, $454, $455, $456, $457, $458, $459, $460, $461, $462, $463, $464, $465, $466, $467, $468), ($469, $470, $471, $472, $473, $474, $475, $476, $477, $478, $479, $480, $481, $482, $483, $484, $485, $486, $487, $488, $489, $490, $491, $492, $493, $494), ($495, $496, $497, $498, $499, $500, $501, $502, $503, $504, $505, $506, $507, $508, $509, $510, $511, $512, $513, $514, $515, $516, $517, $518, $519, $520), ($521, $522, $523, $524, $525, $526, $527, $528, $529, $530, $531, $532, $533, $534, $535, $536, $537, $538, $539, $540, $541, $542, $543, $544, $545, $546), ($547, $548, $549, $550, $551, $552, $553, $554, $555, $556, $557, $558, $559, $560, $561, $562, $563, $564, $565, $566, $567, $568, $569, $570, $571, $572), ($573, $574, $575, $576, $577, $578, $579, $580, $581, $582, $583, $584, $585, $586, $587, $588, $589, $590, $591, $592, $593, $594, $595, $596, $597, $598), ($599, $600, $601, $602, $603, $604, $605, $606, $607, $608, $609, $610, $611, $612, $613, $614, $615, $616, $617, $618, $619, $620, $621, $622, $623, $624), ($625, $626, $627, $628, $629, $630, $631, $632, $633, $634, $635, $636, $637, $638, $639, $640, $641, $642, $643, $644, $645, $646, $647, $648, $649, $650), ($651, $652, $653, $654, $655, $656, $657, $658, $659, $660, $661, $662, $663, $664, $665, $666, $667, $668, $669, $670, $671, $672, $673, $674, $675, $676), ($677, $678, $679, $680, $681, $682, $683, $684, $685, $686, $687, $688, $689, $690, $691, $692, $693, $694, $695, $696, $697, $698, $699, $700, $701, $702), ($703, $704, $705, $706, $707, $708, $709, $710, $711, $712, $713, $714, $715, $716, $717, $718, $719, $720, $721, $722, $723, $724, $725, $726, $727, $728), ($729, $730, $731, $732, $733, $734, $735, $736, $737, $738, $739, $740, $741, $742, $743, $744, $745, $746, $747, $748, $749, $750, $751, $752, $753, $754), ($755, $756, $757, $758, $759, $760, $761, $762, $763, $764, $765, $766, $767, $768, $769, $770, $771, $772, $773, $774, $775, $776, $777, $778, $779, $780), ($781, $782, $783, $784, $785, $786, $787, $788, $789, $790, $791, $792, $793, $794, $795, $796, $797, $798, $799, $800, $801, $802, $803, $804, $805, $806), ($807, $808, $809, $810, $811, $812, $813, $814, $815, $816, $817, $818, $819, $820, $821, $822, $823, $824, $825, $826, $827, $828, $829, $830, $831, $832)
INSERT INTO messages (position, conversation, sequence, previous, id, time, direction, kind, author_kind, author_name, origin, digest, posted, checksum, summary, headers, warnings, template, template_version, template_values, attachments, in_reply_to, entry_code, erased_at, seal, payload) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)
INSERT INTO messages (position, conversation, sequence, previous, id, time, direction, kind, author_kind, author_name, origin, digest, posted, checksum, summary, headers, warnings, template, template_version, template_values, attachments, in_reply_to, entry_code, erased_at, seal, payload) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26), ($27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52)
INSERT INTO milestones (key, position) OVERRIDING SYSTEM VALUE VALUES ($1, $2)
INSERT INTO milestones (key, position) VALUES ($1, $2)
INSERT INTO mmcs_objects (business, byte_count, content, created_at, id, kept_until, key, signature) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
INSERT INTO mmcs_objects (id, business, content, key, byte_count, signature, created_at, kept_until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING
INSERT INTO nodes (node, seen_at, applied) VALUES ($1::bigint, clock_timestamp(), (SELECT coalesce(max(version), 0) FROM credential_changes)) ON CONFLICT (node) DO UPDATE SET applied = excluded.applied, seen_at = excluded.seen_at RETURNING applied
INSERT INTO notes (after_sequence, author_kind, author_name, conversation, deleted_at, edited_at, id, mentions, number, seal, text, time) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
INSERT INTO notes (conversation, id, time, author_kind, author_name, text, after_sequence, mentions, edited_at, deleted_at, seal) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING number
INSERT INTO outboxes (cursor, id) OVERRIDING SYSTEM VALUE VALUES ($1, $2)
INSERT INTO outboxes (id, cursor) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING
INSERT INTO pruned (position) OVERRIDING SYSTEM VALUE VALUES ($1)
INSERT INTO readers (epoch, name, position) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3)
INSERT INTO readers (name, epoch, position) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, position = excluded.position
INSERT INTO report_cards (conversation, message, kind, agent, slot, is_answered) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (conversation, message) DO UPDATE SET is_answered = excluded.is_answered
INSERT INTO report_conversations (conversation, business, begun_at, asks_since, is_answered, waits_since, entry, team, labels, rating) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (conversation) DO UPDATE SET begun_at = excluded.begun_at, asks_since = excluded.asks_since, is_answered = excluded.is_answered, waits_since = excluded.waits_since, entry = excluded.entry, team = excluded.team, labels = excluded.labels, rating = excluded.rating
INSERT INTO report_counts (business, dimension, slot, member, begun, received, sent, closed, resolution_ms, answers, answer_ms, waits, wait_ms, cards, cards_answered, cards_paid, asked, scored_1, scored_2, scored_3, scored_4, scored_5, first_overdue, next_overdue, spans) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25) ON CONFLICT (business, dimension, slot, member) DO UPDATE SET begun = report_counts.begun + excluded.begun, received = report_counts.received + excluded.received, sent = report_counts.sent + excluded.sent, closed = report_counts.closed + excluded.closed, resolution_ms = report_counts.resolution_ms + excluded.resolution_ms, answers = report_counts.answers + excluded.answers, answer_ms = report_counts.answer_ms + excluded.answer_ms, waits = report_counts.waits + excluded.waits, wait_ms = report_counts.wait_ms + excluded.wait_ms, cards = report_counts.cards + excluded.cards, cards_answered = report_counts.cards_answered + excluded.cards_answered, cards_paid = report_counts.cards_paid + excluded.cards_paid, asked = report_counts.asked + excluded.asked, scored_1 = report_counts.scored_1 + excluded.scored_1, scored_2 = report_counts.scored_2 + excluded.scored_2, scored_3 = report_counts.scored_3 + excluded.scored_3, scored_4 = report_counts.scored_4 + excluded.scored_4, scored_5 = report_counts.scored_5 + excluded.scored_5, first_overdue = report_counts.first_overdue + excluded.first_overdue, next_overdue = report_counts.next_overdue + excluded.next_overdue, spans = coalesce(excluded.spans, report_counts.spans)
INSERT INTO rule_acts (rule, position, business, rule_name, conversation, trigger_event, root, made_at, outcome, data) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
INSERT INTO rules (id, business, name, is_on, place, trigger_event, conditions, actions) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO UPDATE SET name = excluded.name, is_on = excluded.is_on, place = excluded.place, trigger_event = excluded.trigger_event, conditions = excluded.conditions, actions = excluded.actions
INSERT INTO satisfaction (business, delay_minutes, data) VALUES ($1, $2, $3) ON CONFLICT (business) DO UPDATE SET delay_minutes = excluded.delay_minutes, data = excluded.data
INSERT INTO saved_views (id, business, owner, name, filter, place) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET business = excluded.business, owner = excluded.owner, name = excluded.name, filter = excluded.filter, place = excluded.place
INSERT INTO search_state (version, position, erasure) VALUES ($1, 0, 0) ON CONFLICT (one) DO UPDATE SET version = excluded.version, position = 0, erasure = 0 WHERE search_state.version < excluded.version
INSERT INTO search_terms (position, business, terms) SELECT $1::bigint, number, array_to_tsvector(string_to_array($2, ' ') || ('#' || number)) FROM businesses WHERE id = $3
INSERT INTO search_terms SELECT n, 1, array_to_tsvector(ARRAY['common', 'rare' || n, 'w' || n % 97, '#1']) FROM generate_series(1, 40000) AS g(n)
INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING
INSERT INTO service_levels (business, data) VALUES ($1, $2)
INSERT INTO sessions (created_at, expires_at, subject, subject_kind, token, used_at) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6)
INSERT INTO sessions (created_at, expires_at, subject, subject_kind, token, used_at) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6), ($7, $8, $9, $10, $11, $12)
INSERT INTO sessions (token, subject_kind, subject, created_at, used_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
INSERT INTO settings (name, value) OVERRIDING SYSTEM VALUE VALUES ($1, $2)
INSERT INTO settings (name, value) OVERRIDING SYSTEM VALUE VALUES ($1, $2), ($3, $4)
INSERT INTO settings (name, value) VALUES ($1, $2)
INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value
INSERT INTO settings (name, value) VALUES ('first_start', $1) ON CONFLICT (name) DO NOTHING
INSERT INTO settlements (answer, conversation, request) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3)
INSERT INTO settlements (conversation, request, answer) VALUES ($1, $2, $3)
INSERT INTO teams (id, business, name, colour, members, is_retired) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET name = excluded.name, colour = excluded.colour, members = excluded.members, is_retired = excluded.is_retired
INSERT INTO templates (attachments, author_kind, author_name, business, detail, name, number, parameters, payload, published_at, title, version) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
INSERT INTO templates (business, name, version, title, detail, payload, parameters, attachments, author_kind, author_name, published_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
INSERT INTO upstream_conversations (conversation, link) OVERRIDING SYSTEM VALUE VALUES ($1, $2)
INSERT INTO upstream_conversations (conversation, link) VALUES ($1, $2) ON CONFLICT (conversation) DO UPDATE SET link = excluded.link
INSERT INTO used_codes (code, expires_at) VALUES ($1, $2) ON CONFLICT (code) DO NOTHING
INSERT INTO waiting_counts (assignee, business, held) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3)
INSERT INTO waiting_counts (assignee, business, held) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3), ($4, $5, $6)
LOCK TABLE log_turn IN EXCLUSIVE MODE
LOCK TABLE log_turn IN ROW SHARE MODE
SELECT ('frontdesk_confirmations_' || substr(md5(current_schema()), 1, 16))
SELECT ('frontdesk_counters_' || substr(md5(current_schema()), 1, 16))
SELECT ('frontdesk_credentials_' || substr(md5(current_schema()), 1, 16))
SELECT ('frontdesk_items_' || substr(md5(current_schema()), 1, 16))
SELECT ('frontdesk_log_' || substr(md5(current_schema()), 1, 16))
SELECT ('frontdesk_outbox_' || substr(md5(current_schema()), 1, 16))
SELECT ('frontdesk_signals_' || substr(md5(current_schema()), 1, 16))
SELECT (SELECT coalesce(max(version), 0) FROM credential_changes), (SELECT min(applied) FROM nodes WHERE node <> $1::bigint)
SELECT (SELECT count(*) FROM blobs), (SELECT count(*) FROM blob_uploads)
SELECT (SELECT count(*) FROM blobs), (SELECT count(*) FROM blob_uploads), (SELECT count(*) FROM blob_pieces)
SELECT (SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1), (SELECT coalesce(max(position), 0) FROM events), (SELECT position FROM pruned)
SELECT (SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1), (SELECT coalesce(max(position), 0) FROM events), (SELECT position FROM pruned), (SELECT coalesce(max(number), 0) FROM erasures), (SELECT coalesce(max(number), 0) FROM audit)
SELECT (SELECT position FROM pruned), (SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1), (SELECT coalesce(max(position), 0) FROM events)
SELECT (SELECT position FROM pruned), (SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1), (SELECT coalesce(max(position), 0) FROM events), (SELECT max(min_program) FROM schema_version)
SELECT (current_schema())::text
SELECT (current_setting('data_checksums'))::text
SELECT (current_setting('fsync'))::text
SELECT (current_setting('full_page_writes'))::text
SELECT (current_setting('server_encoding'))::text
SELECT (current_setting('transaction_read_only'))::text
SELECT (has_schema_privilege(current_schema(), 'CREATE'))::text
SELECT (to_regclass('moved') IS NULL)::text
SELECT (to_regclass('moving') IS NOT NULL)::text
SELECT (to_regclass('schema_version') IS NULL AND to_regclass('events') IS NOT NULL OR to_regclass('schema_version') IS NOT NULL AND to_regclass('epochs') IS NULL)::text
SELECT 1 FROM agents WHERE id = $1 AND password IS NOT NULL
SELECT 1 FROM blobs WHERE upload = $1
SELECT 1 FROM leases WHERE name = $1 AND term = $2 FOR SHARE
SELECT 1 FROM mentions WHERE agent = $1 AND conversation = $2 AND seen_at IS NULL LIMIT 1
SELECT 1 FROM rule_acts WHERE position = $1 AND rule = $2
SELECT 1 FROM settings WHERE name = $1
SELECT CAST(coalesce(sum(byte_count), 0) AS BIGINT) FROM attachment_holds WHERE holder_kind = $1 AND holder = $2 AND held_at >= $3
SELECT CAST(coalesce(sum(c.held), 0) AS BIGINT), CAST(coalesce(sum(CASE WHEN length(c.assignee) = 0 THEN c.held END), 0) AS BIGINT), CAST(coalesce(sum(CASE WHEN c.assignee = $1 THEN c.held END), 0) AS BIGINT) FROM conversation_counts c JOIN businesses b ON b.number = c.business WHERE b.id = $2
SELECT CAST(coalesce(sum(held), 0) AS BIGINT) FROM waiting_counts WHERE business = $1
SELECT CAST(coalesce(sum(held), 0) AS BIGINT) FROM waiting_counts WHERE business = $1 AND assignee = $2
SELECT DISTINCT attachment FROM attachment_holds WHERE kept_until = 0 LIMIT $1
SELECT DISTINCT conversation FROM deliveries WHERE outbox = $1 AND state = 'dead' AND position BETWEEN $2 AND $3 AND conversation IS NOT NULL
SELECT EXISTS (SELECT 1 FROM attachment_holds WHERE attachment = $1 AND kept_until IS DISTINCT FROM 0)
SELECT EXISTS (SELECT 1 FROM mmcs_objects WHERE content = $1) OR EXISTS (SELECT 1 FROM attachment_holds WHERE attachment = $1) OR EXISTS (SELECT 1 FROM businesses WHERE picture = $1)
SELECT a.id FROM memberships m JOIN agents a ON a.id = m.agent WHERE m.business = $1 AND m.role = $2 AND a.password IS NOT NULL
SELECT a.scope, a.body, a.conversation, a.message, a.status, a.answer, a.answered_at, a.seal FROM answers a WHERE a.scope = $1
SELECT a.scope, a.body, a.conversation, a.message, a.status, a.answer, a.answered_at, a.seal, a.scope FROM answers a WHERE a.scope > $1 ORDER BY a.scope LIMIT 200
SELECT actions, business, conditions, id, is_on, name, number, place, trigger_event FROM rules ORDER BY number LIMIT $1
SELECT actions, business, id, is_retired, name, number, owner, parameters FROM macros ORDER BY number LIMIT $1
SELECT activity, answer_due, answer_kind, assignee, attributes, blocked_at, business, capabilities, contact, contact_name, customer, customer_floor, customer_name, group_name, has_left, head, id, intent, is_muted, labels, last_author_kind, last_author_name, last_direction, last_erased_at, last_id, last_kind, last_position, last_summary, last_time, locale, newest, number, opened_at, participants, priority, read_up_to, revision, satisfaction, seal, snoozed_until, state, team, unread, waiting_since, watchers FROM conversations ORDER BY number LIMIT $1
SELECT activity, business, conversation, key, state, value FROM conversation_attributes ORDER BY business, key, value, state, activity, conversation LIMIT $1
SELECT activity, business, conversation, label, state FROM conversation_labels ORDER BY business, label, state, activity, conversation LIMIT $1
SELECT added_at, attachment, author_kind, author_name, business, byte_count, height, id, media_type, name, number, width FROM library_files ORDER BY number LIMIT $1
SELECT after_sequence, author_kind, author_name, conversation, deleted_at, edited_at, id, mentions, number, seal, text, time FROM notes ORDER BY number LIMIT $1
SELECT agent FROM devices WHERE token = $1 AND used_at >= $2
SELECT agent FROM mentions WHERE note = $1
SELECT agent, business, content, conversation, kind, saved_at, text, version FROM drafts ORDER BY agent, conversation LIMIT $1
SELECT agent, business, conversation, made_at, note, seen_at FROM mentions ORDER BY agent, note LIMIT $1
SELECT agent, business, conversation, version, saved_at, kind, substr(text, 1, 200), NULL FROM drafts WHERE agent = $1 ORDER BY saved_at DESC, version DESC LIMIT $2
SELECT agent, business, conversation, version, saved_at, kind, text, content FROM drafts WHERE agent = $1 AND conversation = $2
SELECT agent, business, position FROM assignment_turns ORDER BY business, agent LIMIT $1
SELECT agent, business, role FROM memberships ORDER BY agent, business LIMIT $1
SELECT agent, chosen, version FROM agent_availability ORDER BY agent LIMIT $1
SELECT agent, chosen, version FROM agent_availability WHERE agent = $1
SELECT agent, console, send_delay FROM agent_preferences ORDER BY agent LIMIT $1
SELECT agent, conversation, is_answered, kind, message, slot FROM report_cards ORDER BY conversation, message LIMIT $1
SELECT agent, position FROM assignment_turns WHERE business = $1
SELECT agent, role FROM memberships WHERE business = $1
SELECT agent, send_delay, console FROM agent_preferences WHERE agent = $1
SELECT agent, token, used_at FROM devices ORDER BY token, agent LIMIT $1
SELECT answer FROM settlements WHERE conversation = $1 AND request = $2
SELECT answer, answered_at, body, conversation, message, scope, seal, status FROM answers ORDER BY scope LIMIT $1
SELECT answer, conversation, request FROM settlements ORDER BY conversation, request LIMIT $1
SELECT answer_ms, answers, asked, begun, business, cards, cards_answered, cards_paid, closed, dimension, first_overdue, member, next_overdue, received, resolution_ms, scored_1, scored_2, scored_3, scored_4, scored_5, sent, slot, spans, wait_ms, waits FROM report_counts ORDER BY business, dimension, slot, member LIMIT $1
SELECT answered, answered_bytes, answered_fields, asked, asked_bytes, asked_fields, business, conversation, course, findings, link, message, method, milliseconds, number, status, target, time FROM exchanges ORDER BY number LIMIT $1
SELECT asks_since, begun_at, business, conversation, entry, is_answered, labels, rating, team, waits_since FROM report_conversations ORDER BY conversation LIMIT $1
SELECT assignee, business, held FROM waiting_counts ORDER BY business, assignee LIMIT $1
SELECT assignee, business, held, state FROM conversation_counts ORDER BY business, state, assignee LIMIT $1
SELECT assigns_on_reply FROM businesses WHERE id = $1
SELECT assigns_on_reply, colour, created_at, id, is_sandbox, name, number, picture, world FROM businesses ORDER BY number LIMIT $1
SELECT attachment, byte_count, held_at, holder, holder_kind, kept_until, media_type, name FROM attachment_holds ORDER BY holder_kind, holder, attachment LIMIT $1
SELECT attachment, min(byte_count), max(byte_count) FROM (SELECT attachment, byte_count FROM attachment_holds WHERE kept_until IS NULL UNION ALL SELECT picture, NULL FROM businesses WHERE picture IS NOT NULL) AS named WHERE attachment = $1 GROUP BY attachment
SELECT attachment, min(byte_count), max(byte_count) FROM (SELECT attachment, byte_count FROM attachment_holds WHERE kept_until IS NULL UNION ALL SELECT picture, NULL FROM businesses WHERE picture IS NOT NULL) AS named WHERE attachment > $1 GROUP BY attachment ORDER BY attachment LIMIT $2
SELECT attachments, author_kind, author_name, business, detail, name, number, parameters, payload, published_at, title, version FROM templates ORDER BY number LIMIT $1
SELECT attachments, author_kind, author_name, checksum, conversation, digest, direction, entry_code, erased_at, headers, id, in_reply_to, kind, origin, payload, position, posted, previous, seal, sequence, summary, template, template_values, template_version, time, warnings FROM messages ORDER BY position LIMIT $1
SELECT attempts, claim, conversation, detail, due_at, is_first, outbox, position, state, status, tried_at FROM deliveries ORDER BY outbox, position LIMIT $1
SELECT attributes, blocked_at, business, created_at, external_id, id, is_external_id_verified, merge, merged_into, name, notes, number FROM contacts ORDER BY number LIMIT $1
SELECT author_kind, author_name, business, changed_at, detail, kind, number, subject FROM audit ORDER BY number LIMIT $1
SELECT author_kind, author_name, business, conversation, data, due_at, failure, failure_detail, kind, made_at, subject FROM due_work ORDER BY kind, conversation, subject LIMIT $1
SELECT author_kind, author_name, changed_at, is_linked, number, one, other FROM contact_links ORDER BY number LIMIT $1
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM (SELECT CAST(j.value AS bigint) AS value FROM json_array_elements_text(CAST($1 AS json)) AS j(value)) g JOIN conversations c ON c.number = g.value LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $2 AND c.state = $3 AND c.activity < $4 ORDER BY c.activity DESC LIMIT $5
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM (SELECT CAST(j.value AS bigint) AS value FROM json_array_elements_text(CAST($1 AS json)) AS j(value)) g JOIN conversations c ON c.number = g.value LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $2 AND c.state = $3 ORDER BY c.activity DESC LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM (SELECT conversation FROM customer_words WHERE business = $1 AND word = $2 LIMIT 20000) w JOIN conversations c ON c.number = w.conversation LEFT JOIN businesses b ON b.number = c.business LIMIT 1000
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM (SELECT conversation FROM customer_words WHERE business = $1 AND word = $2 LIMIT 20000) w JOIN conversations c ON c.number = w.conversation LEFT JOIN businesses b ON b.number = c.business WHERE EXISTS (SELECT 1 FROM customer_words o WHERE o.conversation = w.conversation AND o.word = $3) AND EXISTS (SELECT 1 FROM customer_words o WHERE o.conversation = w.conversation AND o.word = $4) LIMIT 1000
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM (SELECT conversation FROM customer_words WHERE business = $1 AND word = $2 LIMIT 20000) w JOIN conversations c ON c.number = w.conversation LEFT JOIN businesses b ON b.number = c.business WHERE EXISTS (SELECT 1 FROM customer_words o WHERE o.conversation = w.conversation AND o.word = $3) LIMIT 1000
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM (SELECT conversation FROM customer_words WHERE business = $1 AND word >= $2 AND word < $3 LIMIT 20000) w JOIN conversations c ON c.number = w.conversation LEFT JOIN businesses b ON b.number = c.business LIMIT 1000
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM (SELECT conversation FROM customer_words WHERE business = $1 AND word >= $2 AND word < $3 LIMIT 20000) w JOIN conversations c ON c.number = w.conversation LEFT JOIN businesses b ON b.number = c.business WHERE EXISTS (SELECT 1 FROM customer_words o WHERE o.conversation = w.conversation AND o.word >= $4 AND o.word < $5) LIMIT 1000
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversation_attributes a JOIN conversations c ON c.number = a.conversation LEFT JOIN businesses b ON b.number = c.business WHERE a.business = $1 AND a.key = $2 AND a.value = $3 AND a.state = $4 AND EXISTS (SELECT 1 FROM conversation_attributes v WHERE v.business = c.business AND v.key = $5 AND v.value = $6 AND v.state = c.state AND v.activity = c.activity AND v.conversation = c.number) ORDER BY a.activity DESC LIMIT $7
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversation_attributes a JOIN conversations c ON c.number = a.conversation LEFT JOIN businesses b ON b.number = c.business WHERE a.business = $1 AND a.key = $2 AND a.value = $3 AND a.state = $4 AND a.activity < $5 ORDER BY a.activity DESC LIMIT $6
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversation_attributes a JOIN conversations c ON c.number = a.conversation LEFT JOIN businesses b ON b.number = c.business WHERE a.business = $1 AND a.key = $2 AND a.value = $3 AND a.state = $4 ORDER BY a.activity DESC LIMIT $5
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversation_labels l JOIN conversations c ON c.number = l.conversation LEFT JOIN businesses b ON b.number = c.business WHERE l.business = $1 AND l.label = $2 AND l.state = $3 AND EXISTS (SELECT 1 FROM json_array_elements_text(CAST(c.labels AS json)) WHERE value = $4) ORDER BY l.activity DESC LIMIT $5
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversation_labels l JOIN conversations c ON c.number = l.conversation LEFT JOIN businesses b ON b.number = c.business WHERE l.business = $1 AND l.label = $2 AND l.state = $3 AND c.priority = $4 ORDER BY l.activity DESC LIMIT $5
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversation_labels l JOIN conversations c ON c.number = l.conversation LEFT JOIN businesses b ON b.number = c.business WHERE l.business = $1 AND l.label = $2 AND l.state = $3 AND l.activity < $4 ORDER BY l.activity DESC LIMIT $5
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversation_labels l JOIN conversations c ON c.number = l.conversation LEFT JOIN businesses b ON b.number = c.business WHERE l.business = $1 AND l.label = $2 AND l.state = $3 ORDER BY l.activity DESC LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE b.id = $1 AND c.activity < $2 ORDER BY c.activity DESC LIMIT $3
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE b.id = $1 AND c.assignee = $2 AND c.activity < $3 ORDER BY c.activity DESC LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE b.id = $1 AND c.customer = $2
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE b.id = $1 AND c.id IN (SELECT conversation FROM mentions WHERE agent = $2) AND +c.activity < $3 ORDER BY +c.activity DESC LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE b.id = $1 AND c.state = $2 AND c.activity < $3 ORDER BY c.activity DESC LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE b.id = $1 AND c.state = $2 AND c.assignee IS NULL AND c.activity < $3 ORDER BY c.activity DESC LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE b.id = $1 AND c.state = $2 AND c.id IN (SELECT conversation FROM mentions WHERE agent = $3) AND +c.activity < $4 ORDER BY +c.activity DESC LIMIT $5
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.answer_due IS NOT NULL AND c.answer_due <= $2 ORDER BY c.answer_due, c.id LIMIT $3
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND EXISTS (SELECT 1 FROM upstream_conversations u WHERE u.conversation = c.id) ORDER BY c.activity DESC LIMIT $3
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND NOT EXISTS (SELECT 1 FROM upstream_conversations u WHERE u.conversation = c.id) ORDER BY c.activity DESC LIMIT $3
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.activity > $3 AND c.assignee IS NULL ORDER BY c.activity ASC LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.activity > $3 ORDER BY c.activity ASC LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.assignee IS NULL ORDER BY c.activity ASC LIMIT $3
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.locale IS NOT NULL AND lower(split_part(replace(c.locale, '-', '_'), '_', 1)) = $3 AND c.activity < $4 ORDER BY c.activity DESC LIMIT $5
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.locale IS NOT NULL AND lower(split_part(replace(c.locale, '-', '_'), '_', 1)) = $3 AND c.assignee = $4 ORDER BY c.activity DESC LIMIT $5
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.locale IS NOT NULL AND lower(split_part(replace(c.locale, '-', '_'), '_', 1)) = $3 ORDER BY c.activity DESC LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.priority = $3 AND c.activity < $4 ORDER BY c.activity DESC LIMIT $5
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.priority = $3 AND c.id IN (SELECT conversation FROM mentions WHERE agent = $4) ORDER BY c.activity DESC LIMIT $5
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.priority = $3 ORDER BY c.activity DESC LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.priority IS NULL AND c.id IN (SELECT conversation FROM mentions WHERE agent = $3) ORDER BY c.activity DESC LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.priority IS NULL ORDER BY c.activity DESC LIMIT $3
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.team = $3 AND c.activity < $4 ORDER BY c.activity DESC LIMIT $5
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.team = $3 ORDER BY c.activity DESC LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.team IS NULL ORDER BY c.activity DESC LIMIT $3
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 ORDER BY c.activity ASC LIMIT $3
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.waiting_since >= $2 AND (c.waiting_since > $2 OR c.id > $3) AND c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0 AND EXISTS (SELECT 1 FROM conversation_attributes v WHERE v.business = c.business AND v.key = $4 AND v.value = $5 AND v.state = c.state AND v.activity = c.activity AND v.conversation = c.number) ORDER BY c.waiting_since, c.id LIMIT $6
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.waiting_since >= $2 AND (c.waiting_since > $2 OR c.id > $3) AND c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0 AND EXISTS (SELECT 1 FROM json_array_elements_text(CAST(c.labels AS json)) WHERE value = $4) AND (c.priority IN ($5) OR c.priority IS NULL) ORDER BY c.waiting_since, c.id LIMIT $6
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.waiting_since >= $2 AND (c.waiting_since > $2 OR c.id > $3) AND c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0 AND c.assignee = $4 ORDER BY c.waiting_since, c.id LIMIT $5
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.waiting_since >= $2 AND (c.waiting_since > $2 OR c.id > $3) AND c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0 AND c.assignee IS NULL ORDER BY c.waiting_since, c.id LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.waiting_since >= $2 AND (c.waiting_since > $2 OR c.id > $3) AND c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0 AND c.team = $4 ORDER BY c.waiting_since, c.id LIMIT $5
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.waiting_since >= $2 AND (c.waiting_since > $2 OR c.id > $3) AND c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0 AND c.team IS NULL ORDER BY c.waiting_since, c.id LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.waiting_since >= $2 AND (c.waiting_since > $2 OR c.id > $3) AND c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0 ORDER BY c.waiting_since, c.id LIMIT $4
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.id = $1
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.id = ANY($1::bytea[])
SELECT b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.number > $1 ORDER BY c.number LIMIT 50
SELECT began_at, body, scope, term FROM begun_answers ORDER BY scope LIMIT $1
SELECT body FROM begun_answers WHERE scope = $1
SELECT body, business, group_name, id, intent, label, number FROM entry_links ORDER BY number LIMIT $1
SELECT business, begun_at, asks_since, is_answered, waits_since, entry, team, labels, rating FROM report_conversations WHERE conversation = $1
SELECT business, byte_count, content, created_at, id, kept_until, key, signature FROM mmcs_objects ORDER BY id LIMIT $1
SELECT business, capacities, capacity, give_back, is_sticky, strategy, team FROM assignment_rules ORDER BY business, team LIMIT $1
SELECT business, choices, id, is_retired, key, kind, name, number, place, subject FROM attributes ORDER BY number LIMIT $1
SELECT business, colour, id, is_retired, members, name, number FROM teams ORDER BY number LIMIT $1
SELECT business, colour, id, is_retired, name, number, place FROM labels ORDER BY number LIMIT $1
SELECT business, conversation, created_at, expires_at, id, link, locator, tries_left, typed, uses_left FROM join_codes ORDER BY id LIMIT $1
SELECT business, conversation, data, made_at, number, outcome, position, root, rule, rule_name, trigger_event FROM rule_acts ORDER BY number LIMIT $1
SELECT business, conversation, data, position, revision, seal, subject, time, type FROM events ORDER BY position LIMIT $1
SELECT business, conversation, word FROM customer_words ORDER BY business, word, conversation LIMIT $1
SELECT business, created_at, email, expires_at, id, made_by, number, role, token FROM invitations ORDER BY number LIMIT $1
SELECT business, created_at, id, msp_id, number, secret, settings, side, url FROM gateway_links ORDER BY number LIMIT $1
SELECT business, data FROM service_levels ORDER BY business LIMIT $1
SELECT business, data, delay_minutes FROM satisfaction ORDER BY business LIMIT $1
SELECT business, data, team FROM business_hours ORDER BY business, team LIMIT $1
SELECT business, delay_minutes, data FROM satisfaction WHERE business = $1
SELECT business, filter, id, name, number, owner, place FROM saved_views ORDER BY number LIMIT $1
SELECT business, greeting, out_of_hours, unanswered, unanswered_minutes FROM automatic_answers ORDER BY business LIMIT $1
SELECT business, greeting, out_of_hours, unanswered, unanswered_minutes FROM automatic_answers WHERE business = $1
SELECT business, held, label, state FROM label_counts ORDER BY business, state, label LIMIT $1
SELECT business, held, state, team FROM team_counts ORDER BY business, state, team LIMIT $1
SELECT business, key, made_at, made_by FROM key_businesses ORDER BY key, business LIMIT $1
SELECT business, made_by, made_at FROM key_businesses WHERE key = $1 ORDER BY business
SELECT business, name, version, title, detail, payload, parameters, attachments, author_kind, author_name, published_at FROM templates WHERE business = $1 AND name = $2 AND version = coalesce($3, version) ORDER BY version DESC LIMIT 1
SELECT business, name, version, title, detail, payload, parameters, attachments, author_kind, author_name, published_at FROM templates t WHERE business = $1 AND name > $2 AND version = (SELECT max(version) FROM templates n WHERE n.business = t.business AND n.name = t.name) ORDER BY name LIMIT $3
SELECT business, role FROM memberships WHERE agent = $1
SELECT business, stretch FROM event_stretches ORDER BY business, stretch LIMIT $1
SELECT business, team, data FROM business_hours WHERE business = $1 ORDER BY team
SELECT business, team, strategy, is_sticky, capacity, give_back, capacities FROM assignment_rules WHERE business = $1 ORDER BY team
SELECT business, uses_left, expires_at FROM join_codes WHERE link = $1
SELECT bytes FROM blob_pieces WHERE upload = $1 AND piece = $2
SELECT c.assignee, c.held FROM businesses b JOIN conversation_counts c ON c.business = b.number WHERE b.id = $1 AND c.state = 'open' AND length(c.assignee) > 0 AND c.held > 0
SELECT c.id FROM businesses b JOIN conversations c ON c.business = b.number WHERE b.id = $1 AND c.assignee = $2 ORDER BY c.activity LIMIT $3
SELECT c.id FROM businesses b JOIN conversations c ON c.business = b.number WHERE b.id = $1 AND c.customer = $2
SELECT c.id FROM conversation_counts n JOIN businesses b ON b.number = n.business JOIN conversations c ON c.business = n.business AND c.assignee = n.assignee AND c.state = n.state WHERE n.held > 0 AND length(n.assignee) > 0 AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.agent = n.assignee AND m.business = b.id) LIMIT 300
SELECT c.id, c.waiting_since FROM conversations c WHERE c.business = $1 AND c.assignee = $2 AND c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0 ORDER BY c.waiting_since LIMIT 1
SELECT c.id, c.waiting_since FROM conversations c WHERE c.business = $1 AND c.assignee IS NULL AND c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0 ORDER BY c.waiting_since LIMIT 1
SELECT c.id, c.waiting_since FROM conversations c WHERE c.business = $1 AND c.id IN (SELECT conversation FROM mentions WHERE agent = $2) AND c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0 ORDER BY c.waiting_since LIMIT 1
SELECT c.id, c.waiting_since FROM conversations c WHERE c.business = $1 AND c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0 ORDER BY c.waiting_since LIMIT 1
SELECT coalesce((SELECT max(position) FROM events), 0), (SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1)
SELECT coalesce(max(position), 0) FROM events
SELECT coalesce(max(version), 0) FROM templates WHERE business = $1 AND name = $2
SELECT coalesce(posted, digest) FROM messages WHERE position = $1
SELECT coalesce(sum(length(bytes)), 0)::bigint FROM blob_pieces WHERE upload = $1
SELECT code, expires_at FROM used_codes ORDER BY code LIMIT $1
SELECT conversation FROM fenced ORDER BY conversation LIMIT $1
SELECT conversation, business FROM mentions WHERE agent = $1 AND seen_at IS NULL GROUP BY conversation, business ORDER BY max(made_at) DESC LIMIT 1000
SELECT conversation, link FROM upstream_conversations ORDER BY conversation LIMIT $1
SELECT conversation, sequence, previous FROM messages WHERE position = $1
SELECT conversation, sequence, previous, digest, checksum, attachments FROM messages WHERE position = $1
SELECT count(*) FROM (SELECT 1 FROM (SELECT CAST(j.value AS bigint) AS value FROM json_array_elements_text(CAST($1 AS json)) AS j(value)) g JOIN conversations c ON c.number = g.value LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $2 AND c.state = $3 ORDER BY c.activity DESC LIMIT $4) r
SELECT count(*) FROM (SELECT 1 FROM conversation_attributes a JOIN conversations c ON c.number = a.conversation LEFT JOIN businesses b ON b.number = c.business WHERE a.business = $1 AND a.key = $2 AND a.value = $3 AND a.state = $4 AND EXISTS (SELECT 1 FROM conversation_attributes v WHERE v.business = c.business AND v.key = $5 AND v.value = $6 AND v.state = c.state AND v.activity = c.activity AND v.conversation = c.number) ORDER BY a.activity DESC LIMIT $7) r
SELECT count(*) FROM (SELECT 1 FROM conversation_attributes a JOIN conversations c ON c.number = a.conversation LEFT JOIN businesses b ON b.number = c.business WHERE a.business = $1 AND a.key = $2 AND a.value = $3 AND a.state = $4 ORDER BY a.activity DESC LIMIT $5) r
SELECT count(*) FROM (SELECT 1 FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.answer_due IS NOT NULL AND c.answer_due <= $2 ORDER BY c.answer_due, c.id LIMIT $3) r
SELECT count(*) FROM (SELECT 1 FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND EXISTS (SELECT 1 FROM upstream_conversations u WHERE u.conversation = c.id) ORDER BY c.activity DESC LIMIT $3) r
SELECT count(*) FROM (SELECT 1 FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND NOT EXISTS (SELECT 1 FROM upstream_conversations u WHERE u.conversation = c.id) ORDER BY c.activity DESC LIMIT $3) r
SELECT count(*) FROM (SELECT 1 FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.assignee IS NULL ORDER BY c.activity ASC LIMIT $3) r
SELECT count(*) FROM (SELECT 1 FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.locale IS NOT NULL AND lower(split_part(replace(c.locale, '-', '_'), '_', 1)) = $3 AND c.assignee = $4 ORDER BY c.activity DESC LIMIT $5) r
SELECT count(*) FROM (SELECT 1 FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 AND c.locale IS NOT NULL AND lower(split_part(replace(c.locale, '-', '_'), '_', 1)) = $3 ORDER BY c.activity DESC LIMIT $4) r
SELECT count(*) FROM (SELECT 1 FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.state = $2 ORDER BY c.activity ASC LIMIT $3) r
SELECT count(*) FROM (SELECT 1 FROM conversations c LEFT JOIN businesses b ON b.number = c.business WHERE c.business = $1 AND c.waiting_since >= $2 AND (c.waiting_since > $2 OR c.id > $3) AND c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0 AND EXISTS (SELECT 1 FROM conversation_attributes v WHERE v.business = c.business AND v.key = $4 AND v.value = $5 AND v.state = c.state AND v.activity = c.activity AND v.conversation = c.number) ORDER BY c.waiting_since, c.id LIMIT $6) r
SELECT count(*) FROM agent_availability
SELECT count(*) FROM agent_preferences
SELECT count(*) FROM agents
SELECT count(*) FROM answers
SELECT count(*) FROM assignment_rules
SELECT count(*) FROM assignment_turns
SELECT count(*) FROM attachment_holds
SELECT count(*) FROM attributes
SELECT count(*) FROM audit
SELECT count(*) FROM automatic_answers
SELECT count(*) FROM begun_answers
SELECT count(*) FROM business_hours
SELECT count(*) FROM businesses
SELECT count(*) FROM contact_links
SELECT count(*) FROM contacts
SELECT count(*) FROM conversation_attributes
SELECT count(*) FROM conversation_counts
SELECT count(*) FROM conversation_labels
SELECT count(*) FROM conversations
SELECT count(*) FROM conversations c WHERE c.business = $1 AND c.id IN (SELECT conversation FROM mentions WHERE agent = $2) AND c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0
SELECT count(*) FROM customer_words
SELECT count(*) FROM deliveries
SELECT count(*) FROM devices
SELECT count(*) FROM drafts
SELECT count(*) FROM drafts WHERE agent = $1
SELECT count(*) FROM due_work
SELECT count(*) FROM entry_links
SELECT count(*) FROM epochs
SELECT count(*) FROM erasures
SELECT count(*) FROM event_stretches
SELECT count(*) FROM events
SELECT count(*) FROM exchanges
SELECT count(*) FROM fenced
SELECT count(*) FROM gateway_links
SELECT count(*) FROM invitations
SELECT count(*) FROM join_codes
SELECT count(*) FROM key_businesses
SELECT count(*) FROM keys
SELECT count(*) FROM label_counts
SELECT count(*) FROM labels
SELECT count(*) FROM leases WHERE name LIKE 'node %' AND until > clock_timestamp()
SELECT count(*) FROM library_files
SELECT count(*) FROM macros
SELECT count(*) FROM macros WHERE business = $1 AND owner IS NOT DISTINCT FROM $2 AND id != $3
SELECT count(*) FROM memberships
SELECT count(*) FROM mentions
SELECT count(*) FROM messages
SELECT count(*) FROM milestones
SELECT count(*) FROM mmcs_objects
SELECT count(*) FROM notes
SELECT count(*) FROM outboxes
SELECT count(*) FROM pruned
SELECT count(*) FROM readers
SELECT count(*) FROM report_cards
SELECT count(*) FROM report_conversations
SELECT count(*) FROM report_counts
SELECT count(*) FROM rule_acts
SELECT count(*) FROM rule_acts WHERE root = $1
SELECT count(*) FROM rules
SELECT count(*) FROM satisfaction
SELECT count(*) FROM saved_views
SELECT count(*) FROM saved_views WHERE business = $1 AND owner IS NULL
SELECT count(*) FROM saved_views WHERE owner = $1
SELECT count(*) FROM search_terms WHERE terms @@ 'secret'::tsquery OR terms @@ '3'::tsquery
SELECT count(*) FROM secrets
SELECT count(*) FROM service_levels
SELECT count(*) FROM sessions
SELECT count(*) FROM settings
SELECT count(*) FROM settlements
SELECT count(*) FROM team_counts
SELECT count(*) FROM teams
SELECT count(*) FROM templates
SELECT count(*) FROM upstream_conversations
SELECT count(*) FROM used_codes
SELECT count(*) FROM waiting_counts
SELECT created_at, email, id, name, number, password FROM agents ORDER BY number LIMIT $1
SELECT created_at, expires_at, subject, subject_kind, token, used_at FROM sessions ORDER BY token LIMIT $1
SELECT created_at, id, name, number, revoked_at, scopes, secret, used_at, world FROM keys ORDER BY number LIMIT $1
SELECT cursor FROM outboxes WHERE id = $1
SELECT cursor, id FROM outboxes ORDER BY id LIMIT $1
SELECT data FROM service_levels WHERE business = $1
SELECT due_at FROM due_work WHERE failure IS NULL ORDER BY due_at LIMIT 1
SELECT e.position, e.type, e.time, e.business, e.conversation, e.subject, e.data, e.revision, e.seal FROM events e WHERE e.conversation = $1 AND e.position > $2 AND e.position < $3 AND e.type != 'message.accepted' AND e.type NOT IN ('message.accepted', 'message.scheduled', 'message.unscheduled', 'message.unsent', 'message.erased', 'message.delivered_upstream', 'message.refused_upstream', 'label.saved', 'team.saved', 'hours.saved', 'automatic_answers.saved', 'assignment.saved', 'rule.saved', 'view.saved', 'view.removed', 'service_levels.saved', 'conversation.answer_due_changed', 'satisfaction.saved', 'conversation.satisfaction_asked', 'note.added', 'note.edited', 'note.deleted', 'template.published', 'contact.saved', 'contact.merged', 'contact.unmerged', 'attribute.saved', 'library.file_saved', 'library.file_removed', 'contact.links_changed', 'delivery.failed', 'delivery.dead', 'event.damaged') ORDER BY e.position DESC LIMIT 300
SELECT e.position, e.type, e.time, e.business, e.conversation, e.subject, e.data, e.revision, e.seal, b.id, c.id, c.number, c.revision, m.conversation, s.stretch FROM events e LEFT JOIN businesses b ON b.number = e.business LEFT JOIN conversations c ON c.number = e.conversation LEFT JOIN messages m ON m.position = e.position LEFT JOIN event_stretches s ON s.business = e.business AND s.stretch = e.position >> 6 WHERE e.position > $1 AND e.position <= $2 ORDER BY e.position
SELECT e.position, e.type, e.time, e.business, e.conversation, e.subject, e.data, e.revision, e.seal, eb.id, b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal, m.position, m.conversation, m.sequence, m.previous, m.id, m.time, m.direction, m.kind, m.author_kind, m.author_name, m.origin, m.digest, m.posted, m.checksum, m.summary, m.headers, m.warnings, m.template, m.template_version, m.template_values, m.attachments, m.in_reply_to, m.entry_code, m.erased_at, m.seal, length(m.payload), CASE WHEN length(m.payload) <= 32768 THEN m.payload END FROM events e LEFT JOIN businesses eb ON eb.number = e.business LEFT JOIN conversations c ON c.number = e.conversation LEFT JOIN businesses b ON b.number = c.business LEFT JOIN messages m ON m.position = e.position AND e.type = 'message.accepted' WHERE e.position > $1 AND e.position <= $2 AND e.business = (SELECT number FROM businesses WHERE id = $3) ORDER BY e.position LIMIT $4
SELECT e.position, e.type, e.time, e.business, e.conversation, e.subject, e.data, e.revision, e.seal, eb.id, b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal, m.position, m.conversation, m.sequence, m.previous, m.id, m.time, m.direction, m.kind, m.author_kind, m.author_name, m.origin, m.digest, m.posted, m.checksum, m.summary, m.headers, m.warnings, m.template, m.template_version, m.template_values, m.attachments, m.in_reply_to, m.entry_code, m.erased_at, m.seal, length(m.payload), CASE WHEN length(m.payload) <= 32768 THEN m.payload END FROM events e LEFT JOIN businesses eb ON eb.number = e.business LEFT JOIN conversations c ON c.number = e.conversation LEFT JOIN businesses b ON b.number = c.business LEFT JOIN messages m ON m.position = e.position AND e.type = 'message.accepted' WHERE e.position > $1 AND e.position <= $2 AND e.conversation = (SELECT number FROM conversations WHERE id = $3) AND e.type IN ('message.accepted', 'message.erased') ORDER BY e.position LIMIT $4
SELECT e.position, e.type, e.time, e.business, e.conversation, e.subject, e.data, e.revision, e.seal, eb.id, b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal, m.position, m.conversation, m.sequence, m.previous, m.id, m.time, m.direction, m.kind, m.author_kind, m.author_name, m.origin, m.digest, m.posted, m.checksum, m.summary, m.headers, m.warnings, m.template, m.template_version, m.template_values, m.attachments, m.in_reply_to, m.entry_code, m.erased_at, m.seal, length(m.payload), CASE WHEN length(m.payload) <= 32768 THEN m.payload END FROM events e LEFT JOIN businesses eb ON eb.number = e.business LEFT JOIN conversations c ON c.number = e.conversation LEFT JOIN businesses b ON b.number = c.business LEFT JOIN messages m ON m.position = e.position AND e.type = 'message.accepted' WHERE e.position > $1 AND e.position <= $2 AND e.conversation = (SELECT number FROM conversations WHERE id = $3) ORDER BY e.position LIMIT $4
SELECT e.position, e.type, e.time, e.business, e.conversation, e.subject, e.data, e.revision, e.seal, eb.id, b.id, c.number, c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, c.last_position, c.revision, c.last_author_kind, c.last_author_name, c.priority, c.labels, c.team, c.last_erased_at, c.contact_name, c.attributes, c.contact, c.blocked_at, c.answer_kind, c.answer_due, c.participants, c.watchers, c.satisfaction, c.seal, m.position, m.conversation, m.sequence, m.previous, m.id, m.time, m.direction, m.kind, m.author_kind, m.author_name, m.origin, m.digest, m.posted, m.checksum, m.summary, m.headers, m.warnings, m.template, m.template_version, m.template_values, m.attachments, m.in_reply_to, m.entry_code, m.erased_at, m.seal, length(m.payload), CASE WHEN length(m.payload) <= 32768 THEN m.payload END FROM events e LEFT JOIN businesses eb ON eb.number = e.business LEFT JOIN conversations c ON c.number = e.conversation LEFT JOIN businesses b ON b.number = c.business LEFT JOIN messages m ON m.position = e.position AND e.type = 'message.accepted' WHERE e.position > $1 AND e.position <= $2 ORDER BY e.position LIMIT $3
SELECT epoch, first_position, number FROM epochs ORDER BY number LIMIT $1
SELECT epoch, name, position FROM readers ORDER BY name LIMIT $1
SELECT epoch, position FROM readers WHERE name = $1
SELECT greatest((SELECT coalesce(max(position), 0) FROM events), (SELECT coalesce(max(position), 0) FROM messages), (SELECT coalesce(max(position), 0) FROM commits))
SELECT id FROM businesses
SELECT id FROM contacts WHERE business = $1 AND external_id = $2
SELECT id, business, attachment, name, media_type, byte_count, width, height, author_kind, author_name, added_at, number FROM library_files WHERE business = $1 ORDER BY number DESC
SELECT id, business, content, key, byte_count, signature, created_at, kept_until FROM mmcs_objects WHERE id = $1
SELECT id, business, email, role, token, made_by, created_at, expires_at FROM invitations WHERE business = $1 ORDER BY number
SELECT id, business, email, role, token, made_by, created_at, expires_at FROM invitations WHERE token = $1
SELECT id, business, link, locator, typed, created_at, expires_at, uses_left, tries_left, conversation FROM join_codes WHERE id = $1
SELECT id, business, link, locator, typed, created_at, expires_at, uses_left, tries_left, conversation FROM join_codes WHERE link = $1 AND expires_at > $2 AND uses_left > 0
SELECT id, business, link, locator, typed, created_at, expires_at, uses_left, tries_left, conversation FROM join_codes WHERE locator = $1 AND expires_at > $2 AND uses_left > 0 AND tries_left > 0
SELECT id, business, name, colour, members, is_retired FROM teams WHERE business = $1 ORDER BY name, number
SELECT id, business, name, colour, place, is_retired FROM labels WHERE business = $1 ORDER BY place, name
SELECT id, business, name, external_id, is_external_id_verified, notes, attributes, blocked_at, merge, created_at FROM contacts WHERE id = $1
SELECT id, business, name, external_id, is_external_id_verified, notes, attributes, blocked_at, merge, created_at, number FROM contacts WHERE business = $1 AND number < $2 AND merged_into IS NULL ORDER BY number DESC LIMIT $3
SELECT id, business, name, is_on, place, trigger_event, conditions, actions FROM rules WHERE business = $1 ORDER BY place, number
SELECT id, business, owner, name, filter, place FROM saved_views WHERE business = $1 AND owner IS NULL
SELECT id, business, owner, name, filter, place FROM saved_views WHERE id = $1
SELECT id, business, owner, name, filter, place FROM saved_views WHERE owner = $1
SELECT id, business, owner, name, parameters, actions, is_retired FROM macros WHERE business = $1 AND (owner IS NULL OR owner = $2) ORDER BY name, number
SELECT id, business, owner, name, parameters, actions, is_retired FROM macros WHERE id = $1 AND business = $2 AND (owner IS NULL OR owner = $3)
SELECT id, business, side, msp_id, secret, url, settings, created_at FROM gateway_links ORDER BY number
SELECT id, business, subject, key, kind, name, choices, place, is_retired FROM attributes WHERE business = $1 ORDER BY place, name
SELECT id, content FROM mmcs_objects WHERE kept_until < $1 ORDER BY kept_until LIMIT $2
SELECT id, label, intent, group_name, body FROM entry_links WHERE business = $1 ORDER BY number
SELECT id, name, colour, picture, world, is_sandbox, created_at, assigns_on_reply FROM businesses ORDER BY number
SELECT id, name, colour, picture, world, is_sandbox, created_at, assigns_on_reply FROM businesses WHERE id = $1
SELECT id, name, email, password, created_at FROM agents ORDER BY number
SELECT id, name, email, password, created_at FROM agents WHERE email = $1 ORDER BY number
SELECT id, name, email, password, created_at FROM agents WHERE id = $1
SELECT id, name, email, password, created_at FROM agents WHERE id IN (SELECT agent FROM memberships WHERE business = $1) ORDER BY number
SELECT id, name, secret, world, scopes, created_at, revoked_at, used_at FROM keys ORDER BY number
SELECT id, name, secret, world, scopes, created_at, revoked_at, used_at FROM keys WHERE id = $1
SELECT id, secret FROM gateway_links
SELECT key FROM key_businesses WHERE business = $1 AND made_by = $2
SELECT key, position FROM milestones ORDER BY key LIMIT $1
SELECT kind, agent, slot, is_answered FROM report_cards WHERE conversation = $1 AND message = $2
SELECT kind, conversation, subject, business, due_at, made_at, author_kind, author_name, data, failure, failure_detail FROM due_work WHERE failure IS NULL AND due_at <= $1 ORDER BY due_at, made_at, subject LIMIT $2
SELECT kind, conversation, subject, business, due_at, made_at, author_kind, author_name, data, failure, failure_detail FROM due_work WHERE kind = $1 AND conversation = $2 AND subject = $3
SELECT kind, conversation, subject, business, due_at, made_at, author_kind, author_name, data, failure, failure_detail FROM due_work WHERE kind = $1 AND conversation = $2 ORDER BY due_at, made_at, subject LIMIT 300
SELECT l.id FROM library_files l WHERE NOT EXISTS (SELECT 1 FROM attachment_holds h WHERE h.holder_kind = 'library' AND h.holder = l.business AND h.attachment = l.attachment AND h.kept_until IS NULL) UNION ALL SELECT h.attachment FROM attachment_holds h WHERE h.holder_kind = 'library' AND h.kept_until IS NULL AND NOT EXISTS (SELECT 1 FROM library_files l WHERE l.business = h.holder AND l.attachment = h.attachment) LIMIT 100
SELECT label, held FROM label_counts WHERE business = $1 AND state = 'open' AND held > 0
SELECT link FROM upstream_conversations WHERE conversation = $1
SELECT m.position, c.id, b.id, m.position, m.conversation, m.sequence, m.previous, m.id, m.time, m.direction, m.kind, m.author_kind, m.author_name, m.origin, m.digest, m.posted, m.checksum, m.summary, m.headers, m.warnings, m.template, m.template_version, m.template_values, m.attachments, m.in_reply_to, m.entry_code, m.erased_at, m.seal, length(m.payload), m.payload FROM messages m JOIN conversations c ON c.number = m.conversation JOIN businesses b ON b.number = c.business WHERE m.position = $1
SELECT m.position, c.id, b.id, m.position, m.conversation, m.sequence, m.previous, m.id, m.time, m.direction, m.kind, m.author_kind, m.author_name, m.origin, m.digest, m.posted, m.checksum, m.summary, m.headers, m.warnings, m.template, m.template_version, m.template_values, m.attachments, m.in_reply_to, m.entry_code, m.erased_at, m.seal, length(m.payload), m.payload FROM messages m JOIN conversations c ON c.number = m.conversation JOIN businesses b ON b.number = c.business WHERE m.position > $1 AND m.position <= $2 ORDER BY m.position LIMIT $3
SELECT m.position, m.conversation, m.sequence, m.previous, m.id, m.time, m.direction, m.kind, m.author_kind, m.author_name, m.origin, m.digest, m.posted, m.checksum, m.summary, m.headers, m.warnings, m.template, m.template_version, m.template_values, m.attachments, m.in_reply_to, m.entry_code, m.erased_at, m.seal, length(m.payload), m.payload FROM messages m WHERE id = $1 AND conversation = $2
SELECT m.position, m.conversation, m.sequence, m.previous, m.id, m.time, m.direction, m.kind, m.author_kind, m.author_name, m.origin, m.digest, m.posted, m.checksum, m.summary, m.headers, m.warnings, m.template, m.template_version, m.template_values, m.attachments, m.in_reply_to, m.entry_code, m.erased_at, m.seal, length(m.payload), m.payload FROM messages m WHERE m.position = $1
SELECT m.position, m.conversation, m.sequence, m.previous, m.id, m.time, m.direction, m.kind, m.author_kind, m.author_name, m.origin, m.digest, m.posted, m.checksum, m.summary, m.headers, m.warnings, m.template, m.template_version, m.template_values, m.attachments, m.in_reply_to, m.entry_code, m.erased_at, m.seal, length(m.payload), m.payload, c.id, c.number, c.last_position, p.conversation, p.sequence, x.position, e.type, e.conversation, k.position FROM messages m LEFT JOIN conversations c ON c.number = m.conversation LEFT JOIN messages p ON p.position = m.previous LEFT JOIN messages x ON x.id = m.id AND x.conversation = m.conversation LEFT JOIN events e ON e.position = m.position LEFT JOIN milestones k ON k.key = (m.conversation << 32 | m.sequence) WHERE m.position > $1 AND m.position <= $2 ORDER BY m.position
SELECT max(min_program) FROM schema_version
SELECT max(number) FROM agents
SELECT max(number) FROM attributes
SELECT max(number) FROM audit
SELECT max(number) FROM businesses
SELECT max(number) FROM contact_links
SELECT max(number) FROM contacts
SELECT max(number) FROM conversations
SELECT max(number) FROM entry_links
SELECT max(number) FROM epochs
SELECT max(number) FROM erasures
SELECT max(number) FROM exchanges
SELECT max(number) FROM gateway_links
SELECT max(number) FROM invitations
SELECT max(number) FROM keys
SELECT max(number) FROM labels
SELECT max(number) FROM library_files
SELECT max(number) FROM macros
SELECT max(number) FROM notes
SELECT max(number) FROM rule_acts
SELECT max(number) FROM rules
SELECT max(number) FROM saved_views
SELECT max(number) FROM teams
SELECT max(number) FROM templates
SELECT max(version) FROM schema_version
SELECT member, CAST(sum(begun) AS bigint), CAST(sum(received) AS bigint), CAST(sum(sent) AS bigint), CAST(sum(closed) AS bigint), CAST(sum(resolution_ms) AS bigint), CAST(sum(answers) AS bigint), CAST(sum(answer_ms) AS bigint), CAST(sum(waits) AS bigint), CAST(sum(wait_ms) AS bigint), CAST(sum(cards) AS bigint), CAST(sum(cards_answered) AS bigint), CAST(sum(cards_paid) AS bigint), CAST(sum(asked) AS bigint), CAST(sum(scored_1) AS bigint), CAST(sum(scored_2) AS bigint), CAST(sum(scored_3) AS bigint), CAST(sum(scored_4) AS bigint), CAST(sum(scored_5) AS bigint), CAST(sum(first_overdue) AS bigint), CAST(sum(next_overdue) AS bigint) FROM report_counts WHERE business = $1 AND dimension = $2 AND slot >= $3 AND slot < $4 GROUP BY member ORDER BY sum(begun) + sum(received) + sum(sent) + sum(closed) DESC, member LIMIT $5
SELECT member, spans FROM report_counts WHERE business = $1 AND dimension = $2 AND slot >= $3 AND slot < $4 AND spans IS NOT NULL
SELECT min(needed) FROM ( SELECT cursor + 1 AS needed FROM outboxes UNION ALL SELECT (SELECT min(position) FROM deliveries WHERE outbox = outboxes.id AND state = 'pending') FROM outboxes UNION ALL SELECT (SELECT min(position) FROM deliveries WHERE outbox = outboxes.id AND state = 'dead') FROM outboxes UNION ALL SELECT position + 1 FROM readers) AS each_reader
SELECT n.conversation, n.id, n.time, n.author_kind, n.author_name, n.text, n.after_sequence, n.mentions, n.edited_at, n.deleted_at, n.seal FROM notes n JOIN conversations c ON c.number = n.conversation WHERE c.id = $1 AND n.after_sequence BETWEEN $2 AND $3 ORDER BY n.after_sequence DESC, n.number DESC LIMIT 300
SELECT n.conversation, n.id, n.time, n.author_kind, n.author_name, n.text, n.after_sequence, n.mentions, n.edited_at, n.deleted_at, n.seal FROM notes n WHERE n.number = $1
SELECT n.conversation, n.id, n.time, n.author_kind, n.author_name, n.text, n.after_sequence, n.mentions, n.edited_at, n.deleted_at, n.seal, n.number, c.id FROM notes n LEFT JOIN conversations c ON c.number = n.conversation WHERE n.number > $1 ORDER BY n.number LIMIT 200
SELECT n.number, n.conversation, n.id, n.time, n.author_kind, n.author_name, n.text, n.after_sequence, n.mentions, n.edited_at, n.deleted_at, n.seal FROM notes n WHERE n.conversation = $1 AND n.id = $2
SELECT name, media_type, byte_count FROM attachment_holds WHERE holder_kind = $1 AND holder = $2 AND attachment = $3 AND kept_until IS DISTINCT FROM 0
SELECT name, value FROM secrets
SELECT name, value FROM secrets ORDER BY name LIMIT $1
SELECT name, value FROM settings ORDER BY name LIMIT $1
SELECT nextval('blob_numbers')
SELECT number FROM businesses
SELECT number FROM businesses WHERE id = $1
SELECT number FROM conversations WHERE id = $1
SELECT number, changed_at, kind, business, subject, detail, author_kind, author_name FROM audit WHERE number < $1 AND business = $3 ORDER BY number DESC LIMIT $2
SELECT number, changed_at, kind, business, subject, detail, author_kind, author_name FROM audit WHERE number < $1 ORDER BY number DESC LIMIT $2
SELECT number, link, business, conversation, message, course, time, milliseconds, method, target, asked_fields, asked, asked_bytes, status, answered_fields, answered, answered_bytes, findings FROM exchanges WHERE business = $1 AND number < $2 AND conversation = $4 AND message = $5 ORDER BY number DESC LIMIT $3
SELECT number, link, business, conversation, message, course, time, milliseconds, method, target, asked_fields, asked, asked_bytes, status, answered_fields, answered, answered_bytes, findings FROM exchanges WHERE business = $1 AND number < $2 AND conversation = $4 ORDER BY number DESC LIMIT $3
SELECT number, link, business, conversation, message, course, time, milliseconds, method, target, asked_fields, asked, asked_bytes, status, answered_fields, answered, answered_bytes, findings FROM exchanges WHERE business = $1 AND number < $2 ORDER BY number DESC LIMIT $3
SELECT number, position FROM erasures ORDER BY number LIMIT $1
SELECT number, position FROM erasures WHERE number > $1 ORDER BY number LIMIT 300
SELECT number, rule, position, business, rule_name, conversation, trigger_event, root, made_at, outcome, data FROM rule_acts WHERE business = $1 AND number < $2 AND rule = $3 ORDER BY number DESC LIMIT $4
SELECT number, rule, position, business, rule_name, conversation, trigger_event, root, made_at, outcome, data FROM rule_acts WHERE business = $1 AND number < $2 ORDER BY number DESC LIMIT $3
SELECT one, other, is_linked, author_kind, author_name, changed_at FROM contact_links WHERE one = $1 OR other = $1 ORDER BY number
SELECT pg_notify(('frontdesk_confirmations_' || substr(md5(current_schema()), 1, 16)), $1)
SELECT pg_notify(('frontdesk_counters_' || substr(md5(current_schema()), 1, 16)), $1)
SELECT pg_notify(('frontdesk_items_' || substr(md5(current_schema()), 1, 16)), $1)
SELECT pg_notify(('frontdesk_log_' || substr(md5(current_schema()), 1, 16)), $1::text)
SELECT pg_notify(('frontdesk_outbox_' || substr(md5(current_schema()), 1, 16)), $1)
SELECT pg_notify(('frontdesk_signals_' || substr(md5(current_schema()), 1, 16)), $1)
SELECT position FROM events ORDER BY position DESC LIMIT 1
SELECT position FROM events WHERE conversation = $1 AND type != 'message.accepted' AND type IN ('conversation.reopened', 'conversation.opened') ORDER BY position DESC LIMIT 1
SELECT position FROM messages ORDER BY position DESC LIMIT 1
SELECT position FROM pruned
SELECT position, conversation, state, attempts, due_at, tried_at, status, detail, claim FROM deliveries WHERE outbox = $1 AND is_first AND state = 'pending' ORDER BY due_at, position LIMIT $2
SELECT position, conversation, state, attempts, due_at, tried_at, status, detail, claim FROM deliveries WHERE outbox = $1 AND position = $2
SELECT position, conversation, state, attempts, due_at, tried_at, status, detail, claim FROM deliveries WHERE outbox = $1 AND state = $2 AND position > $3 ORDER BY position LIMIT $4
SELECT position, rule FROM rule_acts WHERE position = (SELECT max(position) FROM rule_acts)
SELECT previous FROM messages WHERE position = $1
SELECT previous, direction, author_kind, author_name FROM messages WHERE position = $1
SELECT scope, answered_at FROM answers WHERE conversation = $1 AND message = $2 OR instr(answer, $3) > 0
SELECT secret FROM gateway_links
SELECT sequence, previous, direction, author_kind, author_name FROM messages WHERE position = $1
SELECT setval(($1::text)::regclass, $2)
SELECT slot, begun, received, sent, closed, resolution_ms, answers, answer_ms, waits, wait_ms, cards, cards_answered, cards_paid, asked, scored_1, scored_2, scored_3, scored_4, scored_5, first_overdue, next_overdue, spans FROM report_counts WHERE business = $1 AND dimension = $2 AND member = $3 AND slot >= $4 AND slot < $5 ORDER BY slot
SELECT spans FROM report_counts WHERE business = $1 AND dimension = $2 AND slot = $3 AND member = $4
SELECT state, assignee, held FROM conversation_counts WHERE business = $1 AND held > 0
SELECT state, count(*) FROM deliveries WHERE outbox = $1 GROUP BY state
SELECT team, held FROM team_counts WHERE business = $1 AND state = 'open' AND held > 0
SELECT time, data FROM events WHERE conversation = $1 AND type != 'message.accepted' AND type = 'conversation.assigned' ORDER BY position DESC LIMIT 1
SELECT to_regclass('moving') IS NOT NULL
SELECT to_regclass('schema_version') IS NOT NULL
SELECT to_regclass('schema_version') IS NOT NULL, to_regclass('moving') IS NOT NULL
SELECT token, subject_kind, subject, created_at, used_at, expires_at FROM sessions WHERE token = $1
SELECT upload FROM blobs WHERE upload < 0 AND byte_count > 0 ORDER BY upload LIMIT 3
SELECT upload, byte_count FROM blobs WHERE digest = $1
SELECT value FROM secrets
SELECT value FROM secrets WHERE name = $1
SELECT value FROM settings WHERE name = $1
SELECT version FROM schema_version ORDER BY version
SELECT version, node, changes FROM credential_changes WHERE version > $1::bigint ORDER BY version
SELECT version, position, erasure FROM search_state
UPDATE attachment_holds SET kept_until = $1 WHERE holder_kind = $2 AND holder = $3 AND attachment = $4
UPDATE attachment_holds SET kept_until = 0 WHERE (holder_kind, holder, attachment) IN (SELECT holder_kind, holder, attachment FROM attachment_holds WHERE kept_until < $1 ORDER BY kept_until LIMIT $2)
UPDATE attachment_holds SET name = '', media_type = '', kept_until = 0 WHERE holder_kind = 'conversation' AND holder = $1 AND attachment = $2
UPDATE blob_uploads SET begun_at = '-infinity' WHERE upload IN (SELECT upload FROM blob_uploads WHERE upload < 0 AND begun_at <= clock_timestamp() - $1::bigint * interval '1 second' LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING upload
UPDATE blob_uploads SET begun_at = begun_at - $1::bigint * interval '1 second'
UPDATE blobs SET stored_at = clock_timestamp() WHERE digest = $1
UPDATE blobs SET stored_at = clock_timestamp() WHERE digest = $1 RETURNING upload
UPDATE blobs SET stored_at = stored_at - $1::bigint * interval '1 second'
UPDATE blobs SET upload = $1 WHERE digest = $2 AND upload = $3
UPDATE commits SET made_at = now() WHERE writer = $1 AND number = $2
UPDATE conversations AS c SET newest = v.newest, last_id = v.last_id, last_direction = v.last_direction, last_kind = v.last_kind, last_time = v.last_time, last_summary = v.last_summary, unread = v.unread, read_up_to = v.read_up_to, waiting_since = v.waiting_since, activity = v.activity, head = v.head, last_position = v.last_position, revision = v.revision, last_author_kind = v.last_author_kind, last_author_name = v.last_author_name, last_erased_at = v.last_erased_at, answer_kind = v.answer_kind, answer_due = v.answer_due, seal = v.seal FROM (VALUES (CAST($1 AS bigint), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS bigint), CAST($6 AS TEXT), CAST($7 AS bigint), CAST($8 AS bigint), CAST($9 AS bigint), CAST($10 AS bigint), CAST($11 AS bytea), CAST($12 AS bigint), CAST($13 AS bigint), CAST($14 AS TEXT), CAST($15 AS TEXT), CAST($16 AS bigint), CAST($17 AS TEXT), CAST($18 AS bigint), CAST($19 AS bigint), CAST($20 AS bigint)), (CAST($21 AS bigint), CAST($22 AS TEXT), CAST($23 AS TEXT), CAST($24 AS TEXT), CAST($25 AS bigint), CAST($26 AS TEXT), CAST($27 AS bigint), CAST($28 AS bigint), CAST($29 AS bigint), CAST($30 AS bigint), CAST($31 AS bytea), CAST($32 AS bigint), CAST($33 AS bigint), CAST($34 AS TEXT), CAST($35 AS TEXT), CAST($36 AS bigint), CAST($37 AS TEXT), CAST($38 AS bigint), CAST($39 AS bigint), CAST($40 AS bigint))) AS v(newest, last_id, last_direction, last_kind, last_time, last_summary, unread, read_up_to, waiting_since, activity, head, last_position, revision, last_author_kind, last_author_name, last_erased_at, answer_kind, answer_due, seal, number) WHERE c.number = v.number
UPDATE conversations SET customer_name = $1, locale = $2, capabilities = $3, intent = $4, group_name = $5, state = $6, assignee = $7, snoozed_until = $8, has_left = $9, is_muted = $10, customer_floor = $11, newest = $12, last_id = $13, last_direction = $14, last_kind = $15, last_time = $16, last_summary = $17, unread = $18, read_up_to = $19, waiting_since = $20, activity = $21, head = $22, last_position = $23, revision = $24, last_author_kind = $25, last_author_name = $26, priority = $27, labels = $28, team = $29, last_erased_at = $30, contact_name = $31, attributes = $32, contact = $33, blocked_at = $34, answer_kind = $35, answer_due = $36, participants = $37, watchers = $38, satisfaction = $39, seal = $40 WHERE number = $41
UPDATE conversations SET newest = $1, last_id = $2, last_direction = $3, last_kind = $4, last_time = $5, last_summary = $6, unread = $7, read_up_to = $8, waiting_since = $9, activity = $10, head = $11, last_position = $12, revision = $13, last_author_kind = $14, last_author_name = $15, last_erased_at = $16, answer_kind = $17, answer_due = $18, seal = $19 WHERE number = $20
UPDATE deliveries SET claim = $1 WHERE outbox = $2 AND position = $3 AND state = 'pending' AND is_first AND (claim IS NULL OR claim < $1)
UPDATE deliveries SET claim = NULL
UPDATE deliveries SET detail = NULL WHERE detail IS NOT NULL AND position = $1 AND outbox IN (SELECT id FROM outboxes)
UPDATE deliveries SET due_at = $1 WHERE outbox = $2 AND state = 'pending' AND attempts = $3 AND due_at > $1
UPDATE deliveries SET is_first = FALSE WHERE outbox = $1 AND conversation = $2 AND state = 'pending' AND is_first
UPDATE deliveries SET is_first = TRUE WHERE outbox = $1 AND position = ( SELECT min(position) FROM deliveries WHERE outbox = $1 AND conversation = $2 AND state = 'pending')
UPDATE deliveries SET state = $1, attempts = $2, due_at = $3, tried_at = $4, status = $5, detail = $6, claim = NULL WHERE outbox = $7 AND position = $8 AND claim = $9
UPDATE deliveries SET state = 'pending', attempts = 0, due_at = $1, is_first = (conversation IS NULL) WHERE outbox = $2 AND state = 'dead' AND position BETWEEN $3 AND $4
UPDATE exchanges SET asked_fields = NULL, asked = $1, answered_fields = NULL, answered = $1, findings = $1 WHERE conversation = $2 AND (message = $3 OR message IS NULL)
UPDATE gateway_links SET msp_id = $1, secret = $2, url = $3, settings = $4 WHERE id = $5
UPDATE gateway_links SET secret = $1 WHERE id = $2
UPDATE gateway_links SET secret = (SELECT secret FROM gateway_links WHERE msp_id = 'msp-2')
UPDATE join_codes SET tries_left = tries_left - 1 WHERE id = $1
UPDATE join_codes SET uses_left = uses_left - 1, conversation = $1 WHERE link = $2
UPDATE key_businesses SET made_by = $1, made_at = $2 WHERE key = $3 AND business = $4
UPDATE keys SET name = 'other'
UPDATE keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL
UPDATE keys SET used_at = $1 WHERE id = $2
UPDATE leases SET until = clock_timestamp() + $3::bigint * interval '1 millisecond' WHERE name = $1 AND term = $2
UPDATE library_files SET name = $1 WHERE id = $2
UPDATE mentions SET seen_at = $1 WHERE agent = $2 AND conversation = $3 AND seen_at IS NULL
UPDATE messages SET (position, conversation, sequence, previous, id, time, direction, kind, author_kind, author_name, origin, digest, posted, checksum, summary, headers, warnings, template, template_version, template_values, attachments, in_reply_to, entry_code, erased_at, seal, payload) = ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26) WHERE position = $27
UPDATE messages SET payload = 'parcel X'::bytea WHERE id = 'm3'
UPDATE messages SET summary = '!' WHERE position = (SELECT max(position) FROM messages)
UPDATE mmcs_objects SET kept_until = $1 WHERE content = $2 AND business = $3 AND NOT EXISTS (SELECT 1 FROM attachment_holds WHERE attachment = $2 AND kept_until IS DISTINCT FROM 0)
UPDATE mmcs_objects SET kept_until = NULL WHERE id = $1
UPDATE nodes SET seen_at = clock_timestamp(), applied = $2::bigint WHERE node = $1::bigint RETURNING (SELECT coalesce(max(version), 0) FROM credential_changes)
UPDATE notes SET (conversation, id, time, author_kind, author_name, text, after_sequence, mentions, edited_at, deleted_at, seal) = ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) WHERE number = $12
UPDATE outboxes SET cursor = $1 WHERE id = $2 AND cursor < $1
UPDATE pruned SET position = $1
UPDATE readers SET epoch = $1 WHERE epoch = (SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1)
UPDATE search_state SET position = $1, erasure = $2 WHERE version = $3 AND position = $4 AND erasure = $5
UPDATE search_state SET version = 0
UPDATE search_state SET version = 99
UPDATE search_terms SET terms = array_to_tsvector('{old}'::text[])
UPDATE search_terms SET terms = array_to_tsvector(ARRAY['letter', '#' || business])
UPDATE secrets SET value = $1 WHERE name = $2
UPDATE sessions SET expires_at = $1 WHERE subject_kind = $2 AND subject IS NOT DISTINCT FROM $3 AND token != $4 AND expires_at > $1
UPDATE sessions SET used_at = $1, expires_at = $2 WHERE token = $3
WITH RECURSIVE chain (position, conversation, sequence, previous, digest, checksum) AS (SELECT position, conversation, sequence, previous, digest, checksum FROM messages WHERE position = $1 UNION ALL SELECT m.position, m.conversation, m.sequence, m.previous, m.digest, m.checksum FROM chain c JOIN messages m ON m.position = c.previous WHERE c.previous < c.position AND c.sequence > 1) SELECT position, conversation, sequence, previous, digest, checksum FROM chain LIMIT 500
WITH RECURSIVE tree(id) AS (SELECT id FROM contacts WHERE id = $1 UNION ALL SELECT k.id FROM contacts k JOIN tree t ON k.merged_into = t.id) SELECT id FROM tree LIMIT 101
WITH found AS MATERIALIZED (SELECT position FROM search_terms WHERE terms @@ ($1::text)::tsquery AND business = ANY (($2::text)::bigint[]) AND position + 0 >= $3 AND position + 0 < $4) SELECT position FROM found ORDER BY position DESC LIMIT $5
WITH found AS MATERIALIZED (SELECT position FROM search_terms WHERE terms @@ ($1::text)::tsquery AND business = ANY (($2::text)::bigint[]) AND position >= $3 AND position < $4) SELECT position FROM found ORDER BY position DESC LIMIT $5
