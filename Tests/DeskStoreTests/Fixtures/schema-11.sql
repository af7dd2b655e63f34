-- A store of schema version 11.
-- Tables: the statements of steps 1 to 11 as they lie in commit 1f759ee, read back from SQLite. Rows: what the insert
-- statements of that commit write, with its row checksums, computed apart from the Swift code. Never edited.
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
    status INTEGER, answer BLOB, answered_at INTEGER NOT NULL, seal INTEGER) WITHOUT ROWID;
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
    head BLOB, last_position INTEGER, seal INTEGER, UNIQUE (business, customer));
CREATE TABLE milestones (key INTEGER PRIMARY KEY, position INTEGER NOT NULL);
CREATE TABLE notes (
    number INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, id BLOB NOT NULL,
    time INTEGER NOT NULL, author_kind TEXT NOT NULL, author_name TEXT NOT NULL,
    text TEXT NOT NULL, after_sequence INTEGER NOT NULL, seal INTEGER);
CREATE TABLE events (
    position INTEGER PRIMARY KEY, type TEXT NOT NULL, time INTEGER NOT NULL,
    business INTEGER NOT NULL, conversation INTEGER, subject INTEGER, data BLOB, seal INTEGER);
CREATE TABLE settled (position INTEGER NOT NULL);
CREATE TABLE outboxes (id BLOB PRIMARY KEY, cursor INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE deliveries (
    outbox BLOB NOT NULL, position INTEGER NOT NULL, conversation BLOB,
    state TEXT NOT NULL, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL,
    is_first INTEGER NOT NULL, tried_at INTEGER, status INTEGER, detail TEXT,
    PRIMARY KEY (outbox, position)) WITHOUT ROWID;
CREATE TABLE messages (
    position INTEGER PRIMARY KEY, conversation INTEGER NOT NULL,
    sequence INTEGER NOT NULL, previous INTEGER NOT NULL, id TEXT NOT NULL,
    time INTEGER NOT NULL, direction TEXT NOT NULL,
    kind TEXT NOT NULL, author_kind TEXT NOT NULL, author_name TEXT NOT NULL,
    origin TEXT NOT NULL, digest BLOB NOT NULL, posted BLOB, checksum INTEGER NOT NULL,
    summary TEXT NOT NULL, headers TEXT, warnings BLOB, template TEXT,
    template_version INTEGER, template_values BLOB, attachments TEXT, in_reply_to TEXT,
    entry_code TEXT, seal INTEGER, payload BLOB NOT NULL, UNIQUE (id, conversation));
CREATE TABLE fenced (conversation INTEGER PRIMARY KEY);
CREATE TABLE pruned (position INTEGER NOT NULL);
CREATE TABLE conversation_counts (
    business INTEGER NOT NULL, state TEXT NOT NULL, assignee BLOB NOT NULL,
    held INTEGER NOT NULL, PRIMARY KEY (business, state, assignee)) WITHOUT ROWID;
CREATE TABLE gateway_links (
    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, business BLOB NOT NULL,
    side TEXT NOT NULL, msp_id TEXT NOT NULL, secret BLOB NOT NULL, url TEXT NOT NULL,
    settings BLOB NOT NULL, created_at INTEGER NOT NULL, UNIQUE (business, side));
CREATE TABLE mmcs_objects (
    id TEXT PRIMARY KEY, business BLOB NOT NULL, content BLOB NOT NULL, key BLOB,
    byte_count INTEGER NOT NULL, signature BLOB NOT NULL, created_at INTEGER NOT NULL, kept_until INTEGER)
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
CREATE TABLE event_stretches (
    business INTEGER NOT NULL, stretch INTEGER NOT NULL,
    PRIMARY KEY (business, stretch)) WITHOUT ROWID;
INSERT INTO settings VALUES ('secret', x'010203');
INSERT INTO epochs VALUES (1, 14, 1);
INSERT INTO businesses VALUES (1, x'00000000000040000000000000000001', 'Shop', '#336699', x'b2917681b4f4fee3ef345ae33557fbe7ddbee9e0851efbff9cad5708ef1ad247', 'live', 0, 1800000000000);
INSERT INTO businesses VALUES (2, x'00000000000040000000000000000002', 'Café', '#993366', NULL, 'test', 1, 1800000000001);
INSERT INTO entry_links VALUES (1, x'00000000000040000000000000000001', 'poster', 'Poster', 'hours', NULL, 'Hello');
INSERT INTO agents VALUES (1, x'0000000000004000000000000000a001', 'Ada', 'ada@example.com', 'scrypt$1', 1800000000000);
INSERT INTO agents VALUES (2, x'0000000000004000000000000000a002', 'Ben', 'ben@example.com', NULL, 1800000000001);
INSERT INTO memberships VALUES (x'0000000000004000000000000000a001', x'00000000000040000000000000000001', 'owner');
INSERT INTO memberships VALUES (x'0000000000004000000000000000a001', x'00000000000040000000000000000002', 'owner');
INSERT INTO memberships VALUES (x'0000000000004000000000000000a002', x'00000000000040000000000000000001', 'agent');
INSERT INTO keys VALUES (1, x'0000000000004000000000000000b001', 'till', x'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 'live', 'messages:write messages:read', 1800000000000, NULL, 1800000000005);
INSERT INTO key_businesses VALUES (x'0000000000004000000000000000b001', x'00000000000040000000000000000001');
INSERT INTO key_businesses VALUES (x'0000000000004000000000000000b001', x'00000000000040000000000000000002');
INSERT INTO sessions VALUES (x'3f3af1ecebbd1410ab417ec0d27bbfcb5d340e177ae159b59fc8626c2dfd9175', 'agent', x'0000000000004000000000000000a001', 1800000000000, 1800000000000, 1801000000000);
INSERT INTO sessions VALUES (x'45569da57f4b7bf472d7a864ef4781451cae6383fee9fb0ae40c59aa1ce475b7', 'customer', x'0000000000004000000000000000c001', 1800000000000, 1800000000000, 1801000000000);
INSERT INTO join_codes VALUES ('code1', x'00000000000040000000000000000001', x'b1b1bdb480c61d075300d9bff7d9cb69cf31695ea048e478facadf426e8d0fb0', 'AB', x'2259e961582c9ae17235db655c751ddb198605c3bea788a4170a8baa3511c614', 1800000000000, 1800000600000, 0, 5, x'0000000000004000000000000000c001');
INSERT INTO templates VALUES (1, x'00000000000040000000000000000001', 'welcome', 1, 'Welcome', '', x'7b2274797065223a2274657874222c22626f6479223a224869207b7b6e616d657d7d227d', x'5b5d', '64:92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b,5:a.png,9:image/png,1:9,', 'agent', '00000000-0000-4000-0000-00000000a001', 1800000000000);
INSERT INTO attachment_holds VALUES ('business', x'00000000000040000000000000000001', x'92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b', 'a.png', 'image/png', 9, 1800000000000);
INSERT INTO attachment_holds VALUES ('conversation', x'0000000000004000000000000000c001', x'92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b', 'a.png', 'image/png', 9, 1800000000000);
INSERT INTO answers VALUES ('key one', x'6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b', NULL, NULL, 201, x'6d616465', 1800000000000, 114869706);
INSERT INTO answers VALUES ('key two', x'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35', x'0000000000004000000000000000c001', 'a2', NULL, NULL, 1800000000000, 1690985414);
INSERT INTO conversations VALUES (1, x'0000000000004000000000000000c001', 1, 'urn:mbid:AAA1=', 'Mika Tanaka', 'ja', 'LIST,TIME', 'hours', NULL, 'open', x'0000000000004000000000000000a001', NULL, 0, 0, 0, 1800000000000, 34, 'a34', 'inbound', 'text', 1800000034000, '{"type":"text","body":"line 34"}', 32, 2, 1800000003000, 40, x'1b1b6ff472aeccb4b6a6455ea8fb9dde3fd4c10e61a518fe79b251ed2ffbe3e6', 40, 2919270112);
INSERT INTO conversations VALUES (2, x'0000000000004000000000000000c002', 2, 'urn:mbid:AAA2=', NULL, 'ja', NULL, NULL, NULL, 'snoozed', NULL, 1800100000000, 1, 0, 1, 1800000000000, 1, 'b1', 'inbound', 'text', 1800000009000, '{"type":"text","body":"こんにちは"}', 1, 0, 1800000009000, 44, x'2e3c347fb4dc116b30876041023893340ac5ff324b000ea0a312ccb907e5928e', 42, 3663908556);
INSERT INTO conversations VALUES (3, x'0000000000004000000000000000c003', 1, 'urn:mbid:AAA3=', 'Ken', 'ja', NULL, NULL, NULL, 'open', NULL, NULL, 0, 0, 0, 1800000000000, 1, 'c1', 'inbound', 'text', 1800000009400, '{"type":"text","body":"first"}', 1, 0, 1800000009400, 47, x'36c6345a223e5bfc5f6cba7853872da05d04099c368006060f789ad4d1deeeb3', 47, 3639768246);
INSERT INTO milestones VALUES (4294967328, 38);
INSERT INTO notes VALUES (1, 1, x'0000000000004000000000000000e001', 1800000002500, 'agent', '00000000-0000-4000-0000-00000000a001', 'call back', 2, 3262331031);
INSERT INTO events VALUES (1, 'conversation.opened', 1800000000000, 1, 1, NULL, '8:customer,0:,4:open,-,-,', 3901178067);
INSERT INTO events VALUES (2, 'message.accepted', 1800000001000, 1, 1, NULL, NULL, 3380734778);
INSERT INTO events VALUES (3, 'conversation.assigned', 1800000002000, 1, 1, NULL, '5:agent,36:00000000-0000-4000-0000-00000000a001,4:open,36:00000000-0000-4000-0000-00000000a001,-,', 895139689);
INSERT INTO events VALUES (4, 'message.accepted', 1800000002000, 1, 1, NULL, NULL, 688916232);
INSERT INTO events VALUES (5, 'note.added', 1800000002500, 1, 1, 1, NULL, 3955328106);
INSERT INTO events VALUES (6, 'conversation.closed', 1800000002600, 1, 1, NULL, '5:agent,36:00000000-0000-4000-0000-00000000a001,6:closed,36:00000000-0000-4000-0000-00000000a001,-,', 846497115);
INSERT INTO events VALUES (7, 'conversation.reopened', 1800000003000, 1, 1, NULL, '8:customer,1:d,4:open,36:00000000-0000-4000-0000-00000000a001,-,', 1247626778);
INSERT INTO events VALUES (8, 'message.accepted', 1800000003000, 1, 1, NULL, NULL, 83730928);
INSERT INTO events VALUES (9, 'template.published', 1800000003100, 1, NULL, NULL, x'7b226e616d65223a2277656c636f6d65222c2276657273696f6e223a317d', 2063944184);
INSERT INTO events VALUES (10, 'message.accepted', 1800000004000, 1, 1, NULL, NULL, 1765527631);
INSERT INTO events VALUES (11, 'message.accepted', 1800000005000, 1, 1, NULL, NULL, 1619897762);
INSERT INTO events VALUES (12, 'message.accepted', 1800000006000, 1, 1, NULL, NULL, 3413161146);
INSERT INTO events VALUES (13, 'message.accepted', 1800000007000, 1, 1, NULL, NULL, 3079202325);
INSERT INTO events VALUES (14, 'message.accepted', 1800000008000, 1, 1, NULL, NULL, 2554112835);
INSERT INTO events VALUES (15, 'message.accepted', 1800000009000, 1, 1, NULL, NULL, 3473628051);
INSERT INTO events VALUES (16, 'message.accepted', 1800000010000, 1, 1, NULL, NULL, 1161008310);
INSERT INTO events VALUES (17, 'message.accepted', 1800000011000, 1, 1, NULL, NULL, 3509189011);
INSERT INTO events VALUES (18, 'message.accepted', 1800000012000, 1, 1, NULL, NULL, 4271748293);
INSERT INTO events VALUES (19, 'message.accepted', 1800000013000, 1, 1, NULL, NULL, 671023825);
INSERT INTO events VALUES (20, 'message.accepted', 1800000014000, 1, 1, NULL, NULL, 2182518091);
INSERT INTO events VALUES (21, 'message.accepted', 1800000015000, 1, 1, NULL, NULL, 4277061604);
INSERT INTO events VALUES (22, 'message.accepted', 1800000016000, 1, 1, NULL, NULL, 3512371890);
INSERT INTO events VALUES (23, 'message.accepted', 1800000017000, 1, 1, NULL, NULL, 2289693920);
INSERT INTO events VALUES (24, 'message.accepted', 1800000018000, 1, 1, NULL, NULL, 852700817);
INSERT INTO events VALUES (25, 'message.accepted', 1800000019000, 1, 1, NULL, NULL, 1226914687);
INSERT INTO events VALUES (26, 'message.accepted', 1800000020000, 1, 1, NULL, NULL, 1721071145);
INSERT INTO events VALUES (27, 'message.accepted', 1800000021000, 1, 1, NULL, NULL, 1864567748);
INSERT INTO events VALUES (28, 'message.accepted', 1800000022000, 1, 1, NULL, NULL, 3812065014);
INSERT INTO events VALUES (29, 'message.accepted', 1800000023000, 1, 1, NULL, NULL, 2681154649);
INSERT INTO events VALUES (30, 'message.accepted', 1800000024000, 1, 1, NULL, NULL, 2960875791);
INSERT INTO events VALUES (31, 'message.accepted', 1800000025000, 1, 1, NULL, NULL, 3880554975);
INSERT INTO events VALUES (32, 'message.accepted', 1800000026000, 1, 1, NULL, NULL, 206599250);
INSERT INTO events VALUES (33, 'message.accepted', 1800000027000, 1, 1, NULL, NULL, 2042031934);
INSERT INTO events VALUES (34, 'message.accepted', 1800000028000, 1, 1, NULL, NULL, 1443013224);
INSERT INTO events VALUES (35, 'message.accepted', 1800000029000, 1, 1, NULL, NULL, 3970124669);
INSERT INTO events VALUES (36, 'message.accepted', 1800000030000, 1, 1, NULL, NULL, 1229642983);
INSERT INTO events VALUES (37, 'message.accepted', 1800000031000, 1, 1, NULL, NULL, 900894280);
INSERT INTO events VALUES (38, 'message.accepted', 1800000032000, 1, 1, NULL, NULL, 436650782);
INSERT INTO events VALUES (39, 'message.accepted', 1800000033000, 1, 1, NULL, NULL, 2732149509);
INSERT INTO events VALUES (40, 'message.accepted', 1800000034000, 1, 1, NULL, NULL, 410227060);
INSERT INTO events VALUES (41, 'conversation.opened', 1800000000000, 2, 2, NULL, '8:customer,0:,4:open,-,-,', 1352651185);
INSERT INTO events VALUES (42, 'message.accepted', 1800000009000, 2, 2, NULL, NULL, 3995062551);
INSERT INTO events VALUES (43, 'conversation.snoozed', 1800000009100, 2, 2, NULL, '5:agent,36:00000000-0000-4000-0000-00000000a001,7:snoozed,-,13:1800100000000,', 719781600);
INSERT INTO events VALUES (44, 'customer.left', 1800000009200, 2, 2, NULL, '8:customer,1:d,7:snoozed,-,13:1800100000000,', 476421520);
INSERT INTO events VALUES (45, 'message.delivered_upstream', 1800000009300, 2, 2, NULL, x'7b226d657373616765223a226231227d', 1816087310);
INSERT INTO events VALUES (46, 'conversation.opened', 1800000000000, 1, 3, NULL, '8:customer,0:,4:open,-,-,', 2556485478);
INSERT INTO events VALUES (47, 'message.accepted', 1800000009400, 1, 3, NULL, NULL, 4049986934);
INSERT INTO events VALUES (48, 'message.accepted', 1800000009500, 1, 3, NULL, NULL, 1840855534);
INSERT INTO settled VALUES (47);
INSERT INTO outboxes VALUES (x'0000000000004000000000000000f001', 48);
INSERT INTO deliveries VALUES (x'0000000000004000000000000000f001', 2, x'0000000000004000000000000000c001', 'delivered', 1, 1800000000000, 0, 1800000000010, 200, '');
INSERT INTO deliveries VALUES (x'0000000000004000000000000000f001', 4, x'0000000000004000000000000000c001', 'pending', 1, 1800000000000, 1, 1800000000020, 503, 'busy');
INSERT INTO deliveries VALUES (x'0000000000004000000000000000f001', 8, x'0000000000004000000000000000c001', 'pending', 0, 1800000000000, 0, NULL, NULL, NULL);
INSERT INTO deliveries VALUES (x'0000000000004000000000000000f001', 42, x'0000000000004000000000000000c002', 'dead', 9, 1800000000000, 0, 1800000000030, 400, 'no');
INSERT INTO messages VALUES (2, 1, 1, 0, 'a1', 1800000001000, 'inbound', 'text', 'customer', 'd', 'phone', x'6345db1a25660c327405a5ddbb7b18ec095220250f09f0b1ebc5521a16c97bdd', NULL, 1701573076, '{"type":"text","body":"hello"}', '15:capability-list,9:LIST,TIME,', NULL, NULL, NULL, NULL, NULL, NULL, 'code1', 1883803053, x'7b2274797065223a2274657874222c22626f6479223a2268656c6c6f227d');
INSERT INTO messages VALUES (4, 1, 2, 2, 'a2', 1800000002000, 'outbound', 'text', 'agent', '00000000-0000-4000-0000-00000000a001', 'console', x'688954aa51cec9d3b8d0cb0d6169cbe8931c9e45e0f914fb7b486f9448e329af', x'6f7103ce9681806682a96fe2446fa5784259dd46b6ab89e655082517e7d8ec87', 93532206, '{"type":"text","body":"Hi Mika, see the ', '9:source-id,9:urn:biz:1,6:x-note,7:a: b, c,', x'5b7b2272756c65223a2273686f7274227d5d', 'welcome', 1, x'7b226e616d65223a224d696b61227d', '64:92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b,5:a.png,9:image/png,1:9,', 'a1', NULL, 2395307117, x'7b2274797065223a2274657874222c22626f6479223a224869204d696b612c20736565207468652070696374757265227d');
INSERT INTO messages VALUES (8, 1, 3, 4, 'a3', 1800000003000, 'inbound', 'text', 'customer', 'd', 'phone', x'8c53e83195e18f036f3537433454e3afec420ac7f13ac35d16edaed55c42917a', NULL, 1636617807, '{"type":"text","body":"thanks"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 280166889, x'7b2274797065223a2274657874222c22626f6479223a227468616e6b73227d');
INSERT INTO messages VALUES (10, 1, 4, 8, 'a4', 1800000004000, 'inbound', 'text', 'customer', 'd', 'phone', x'fe6648d5d6afa0b47c552fac81e1e05db10054cecb3e1284386c031a2207fa07', NULL, 992275906, '{"type":"text","body":"line 4"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3286145559, x'7b2274797065223a2274657874222c22626f6479223a226c696e652034227d');
INSERT INTO messages VALUES (11, 1, 5, 10, 'a5', 1800000005000, 'inbound', 'text', 'customer', 'd', 'phone', x'a6e975cecf04ff5a4be3a8db8bd66362d50c2aafc0f361713bd1e4481b484e33', NULL, 278949497, '{"type":"text","body":"line 5"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2285207774, x'7b2274797065223a2274657874222c22626f6479223a226c696e652035227d');
INSERT INTO messages VALUES (12, 1, 6, 11, 'a6', 1800000006000, 'inbound', 'text', 'customer', 'd', 'phone', x'b3ec555661777b7f73ba0bbf7d239101448dca29d9511e15cc6a761197410c19', NULL, 1814948532, '{"type":"text","body":"line 6"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2257282649, x'7b2274797065223a2274657874222c22626f6479223a226c696e652036227d');
INSERT INTO messages VALUES (13, 1, 7, 12, 'a7', 1800000007000, 'inbound', 'text', 'customer', 'd', 'phone', x'045944c4f90cff4b240723860254d1ecfd5bb76ab35db6dc84daf21236fc0cb8', NULL, 1202284815, '{"type":"text","body":"line 7"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4057296498, x'7b2274797065223a2274657874222c22626f6479223a226c696e652037227d');
INSERT INTO messages VALUES (14, 1, 8, 13, 'a8', 1800000008000, 'inbound', 'text', 'customer', 'd', 'phone', x'03584b76465f30a4f9d5ffd8fa3a025e05200274748cdf06070612cc24aefbb9', NULL, 3439233031, '{"type":"text","body":"line 8"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 201392918, x'7b2274797065223a2274657874222c22626f6479223a226c696e652038227d');
INSERT INTO messages VALUES (15, 1, 9, 14, 'a9', 1800000009000, 'inbound', 'text', 'customer', 'd', 'phone', x'b22a0c310943cbd7fc4b10b3ea811ad2fe20fe8bcdcc820b157294730ee0a9c2', NULL, 3883535292, '{"type":"text","body":"line 9"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 349188627, x'7b2274797065223a2274657874222c22626f6479223a226c696e652039227d');
INSERT INTO messages VALUES (16, 1, 10, 15, 'a10', 1800000010000, 'inbound', 'text', 'customer', 'd', 'phone', x'c00b398a8029a91086be15ea731836866b597e322471f73c84ce10f451699978', NULL, 3503799317, '{"type":"text","body":"line 10"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 608974162, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203130227d');
INSERT INTO messages VALUES (17, 1, 11, 16, 'a11', 1800000011000, 'inbound', 'text', 'customer', 'd', 'phone', x'f416870452d716cb5b1fa5c717a5a8a71f50dc401882252f0e2792b7712943c7', NULL, 422819202, '{"type":"text","body":"line 11"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1388987330, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203131227d');
INSERT INTO messages VALUES (18, 1, 12, 17, 'a12', 1800000012000, 'inbound', 'text', 'customer', 'd', 'phone', x'f9bd5bda4f53500ec9020882167a3392c7c3bf945eb516c6bd751bb00b64b60f', NULL, 2171162325, '{"type":"text","body":"line 12"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2331203151, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203132227d');
INSERT INTO messages VALUES (19, 1, 13, 18, 'a13', 1800000013000, 'inbound', 'text', 'customer', 'd', 'phone', x'd95535f2fe8afc59e00a8624e3f03c31430807c53adc28aaa5eac141b8d04251', NULL, 1217218370, '{"type":"text","body":"line 13"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2824205585, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203133227d');
INSERT INTO messages VALUES (20, 1, 14, 19, 'a14', 1800000014000, 'inbound', 'text', 'customer', 'd', 'phone', x'ecf00e57ec4ecac0cad4ce924285279c286f9e75e4f9a8f1312bff582a26c51d', NULL, 4185063770, '{"type":"text","body":"line 14"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1385731582, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203134227d');
INSERT INTO messages VALUES (21, 1, 15, 20, 'a15', 1800000015000, 'inbound', 'text', 'customer', 'd', 'phone', x'daa7a2039b0a3dbe87ba1fcc0068ad3edc9325d1c52d64b4e4742a6d085ef9fd', NULL, 815204557, '{"type":"text","body":"line 15"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2715843079, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203135227d');
INSERT INTO messages VALUES (22, 1, 16, 21, 'a16', 1800000016000, 'inbound', 'text', 'customer', 'd', 'phone', x'4efa574c484e51f825a2926271c695e3d50dc11003e82b126704a85dcf034538', NULL, 843738170, '{"type":"text","body":"line 16"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 477938547, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203136227d');
INSERT INTO messages VALUES (23, 1, 17, 22, 'a17', 1800000017000, 'inbound', 'text', 'customer', 'd', 'phone', x'c2fe7956d2aa7d19fb086f21cb609d3645c51db7f1b042db4e404ad3f469f5ef', NULL, 4222510509, '{"type":"text","body":"line 17"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3406051308, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203137227d');
INSERT INTO messages VALUES (24, 1, 18, 23, 'a18', 1800000018000, 'inbound', 'text', 'customer', 'd', 'phone', x'dd558b6839cde4ac05c7c085975de9e08cd70903a1426f9e87550abe02b59ae4', NULL, 2478834148, '{"type":"text","body":"line 18"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1900686414, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203138227d');
INSERT INTO messages VALUES (25, 1, 19, 24, 'a19', 1800000019000, 'inbound', 'text', 'customer', 'd', 'phone', x'd710af7c2fae53cd7d6fad2b83d26320c028dff2e045648fdc7c409e174e20a8', NULL, 1512310899, '{"type":"text","body":"line 19"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2954584663, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203139227d');
INSERT INTO messages VALUES (26, 1, 20, 25, 'a20', 1800000020000, 'inbound', 'text', 'customer', 'd', 'phone', x'c240b168efbd1da9b6f0449d262f8660ed0ee0f5a22ec4f17dbf3b758481e783', NULL, 2481711579, '{"type":"text","body":"line 20"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1415252547, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203230227d');
INSERT INTO messages VALUES (27, 1, 21, 26, 'a21', 1800000021000, 'inbound', 'text', 'customer', 'd', 'phone', x'ed643677ca3b3d522014cf030bb40cba1c1aab0f0e90745b8c0fff121089ea2f', NULL, 1510989900, '{"type":"text","body":"line 21"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 634244536, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203231227d');
INSERT INTO messages VALUES (28, 1, 22, 27, 'a22', 1800000022000, 'inbound', 'text', 'customer', 'd', 'phone', x'1f6131e82ccda117bb75b96acd9421d2aa6e03c2e868010dfa165062baf82781', NULL, 97487876, '{"type":"text","body":"line 22"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3568775134, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203232227d');
INSERT INTO messages VALUES (29, 1, 23, 28, 'a23', 1800000023000, 'inbound', 'text', 'customer', 'd', 'phone', x'b91eeb242c58f8238c3568d4042167544952d931a9407df750a77c80c7138b44', NULL, 3425404307, '{"type":"text","body":"line 23"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1212263668, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203233227d');
INSERT INTO messages VALUES (30, 1, 24, 29, 'a24', 1800000024000, 'inbound', 'text', 'customer', 'd', 'phone', x'7b2de064cb23db3b87b990225f94fb3ca044ac8d0451770014a7ce0a617e7d27', NULL, 815139931, '{"type":"text","body":"line 24"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3722747181, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203234227d');
INSERT INTO messages VALUES (31, 1, 25, 30, 'a25', 1800000025000, 'inbound', 'text', 'customer', 'd', 'phone', x'96953257c0f2aa86a4f3c2b9ffedc05cc3916c8006e08b613d8e08449e1fe0eb', NULL, 4184999372, '{"type":"text","body":"line 25"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3524264299, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203235227d');
INSERT INTO messages VALUES (32, 1, 26, 31, 'a26', 1800000026000, 'inbound', 'text', 'customer', 'd', 'phone', x'994562f624d7b4d1fffc8ae28ff1327adc54cb913cf79bcb59fd36ae306de689', NULL, 2796710276, '{"type":"text","body":"line 26"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1817458221, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203236227d');
INSERT INTO messages VALUES (33, 1, 27, 32, 'a27', 1800000027000, 'inbound', 'text', 'customer', 'd', 'phone', x'3f4e1ae7522702690a257c071a5685bc456356704f97f9af8578289ab16e8b7a', NULL, 1867931667, '{"type":"text","body":"line 27"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3748151059, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203237227d');
INSERT INTO messages VALUES (34, 1, 28, 33, 'a28', 1800000028000, 'inbound', 'text', 'customer', 'd', 'phone', x'1b0ca6cf99bae8bedd4478224dffe1453bda693607da6c585f3cdf5386ae4d8c', NULL, 3231880005, '{"type":"text","body":"line 28"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 382978713, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203238227d');
INSERT INTO messages VALUES (35, 1, 29, 34, 'a29', 1800000029000, 'inbound', 'text', 'customer', 'd', 'phone', x'198881aba49a0f2dfb9d5637659851ac718b92c482ce6baff94c64f4a5b6d430', NULL, 155622098, '{"type":"text","body":"line 29"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1137706358, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203239227d');
INSERT INTO messages VALUES (36, 1, 30, 35, 'a30', 1800000030000, 'inbound', 'text', 'customer', 'd', 'phone', x'70d6bcba98c71f6a358111464c4428e1cace16cab39a41621f2ac95057d12cf3', NULL, 2902467937, '{"type":"text","body":"line 30"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1049527412, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203330227d');
INSERT INTO messages VALUES (37, 1, 31, 36, 'a31', 1800000031000, 'inbound', 'text', 'customer', 'd', 'phone', x'914a85e3601b1fd44f094e8c1f20886de0b24cefa180c6a100f608226c580722', NULL, 1692675318, '{"type":"text","body":"line 31"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1997063229, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203331227d');
INSERT INTO messages VALUES (38, 1, 32, 37, 'a32', 1800000032000, 'inbound', 'text', 'customer', 'd', 'phone', x'3a7dd25b483e3d32eef0325a19227025df5aebdb64b0f52b44273356b8aab324', NULL, 1183106783, '{"type":"text","body":"line 32"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 549473406, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203332227d');
INSERT INTO messages VALUES (39, 1, 33, 38, 'a33', 1800000033000, 'inbound', 'text', 'customer', 'd', 'phone', x'55772eeddc04f9f620dab900a17aff9a2696fed0077100882bbda9cd6ca7ef4d', NULL, 2405486408, '{"type":"text","body":"line 33"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1983232267, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203333227d');
INSERT INTO messages VALUES (40, 1, 34, 39, 'a34', 1800000034000, 'inbound', 'text', 'customer', 'd', 'phone', x'e92ced0bfc7b801e8bc195efec8854ee8faeb6a280f9ca5cdd91e6a5fa048b3c', NULL, 1050577232, '{"type":"text","body":"line 34"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2440448012, x'7b2274797065223a2274657874222c22626f6479223a226c696e65203334227d');
INSERT INTO messages VALUES (42, 2, 1, 0, 'b1', 1800000009000, 'inbound', 'text', 'customer', 'd', 'phone', x'1e50a255d4b9c26662cbb1a9b68eda9b49ff3b81aa4ab5f4c8a435b14e66d0ff', NULL, 2861703790, '{"type":"text","body":"こんにちは"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4147020221, x'7b2274797065223a2274657874222c22626f6479223a22e38193e38293e381abe381a1e381af227d');
INSERT INTO messages VALUES (47, 3, 1, 0, 'c1', 1800000009400, 'inbound', 'text', 'customer', 'd', 'phone', x'62dda803dd32924028299c77fef6321528689f4323d61669f5973234b6f5e9d6', NULL, 3933049980, '{"type":"text","body":"first"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2615028046, x'7b2274797065223a2274657874222c22626f6479223a226669727374227d');
INSERT INTO messages VALUES (48, 3, 2, 47, 'c2', 1800000009500, 'inbound', 'text', 'customer', 'd', 'phone', x'a809e0f94dc699f4589575b52acf334b38b1a06db5a8fe0645334e70c8c65218', NULL, 1545701808, '{"type":"text","body":"second"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3508574859, x'7b2274797065223a2274657874222c22626f6479223a227365636f6e64227d');
INSERT INTO pruned VALUES (0);
INSERT INTO conversation_counts VALUES (1, 'open', x'', 1);
INSERT INTO conversation_counts VALUES (1, 'open', x'0000000000004000000000000000a001', 1);
INSERT INTO conversation_counts VALUES (2, 'snoozed', x'', 1);
INSERT INTO gateway_links VALUES (1, x'0000000000004000000000000000f001', x'00000000000040000000000000000001', 'upstream', 'msp', x'7373737373737373737373737373737373737373737373737373737373737373', 'http://127.0.0.1:9/v1', x'7b7d', 1800000000000);
INSERT INTO mmcs_objects VALUES ('object1', x'00000000000040000000000000000001', x'92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b', x'6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b', 9, x'736967', 1800000000000, NULL);
INSERT INTO upstream_conversations VALUES (x'0000000000004000000000000000c003', x'0000000000004000000000000000f001');
INSERT INTO exchanges VALUES (1, x'0000000000004000000000000000f001', x'00000000000040000000000000000001', x'0000000000004000000000000000c001', 'a2', 'sent', 1800000000000, 12, 'POST', '/v1/message', '12:content-type,16:application/json,', x'7b2276223a317d', 7, 200, NULL, x'', 0, x'5b5d');
INSERT INTO event_stretches VALUES (1, 0);
INSERT INTO event_stretches VALUES (2, 0);
CREATE INDEX join_codes_by_locator ON join_codes (locator);
CREATE INDEX conversations_by_activity ON conversations (business, activity);
CREATE INDEX conversations_by_wake ON conversations (snoozed_until)
    WHERE snoozed_until IS NOT NULL;
CREATE INDEX notes_by_place ON notes (conversation, after_sequence);
CREATE INDEX sessions_by_subject ON sessions (subject_kind, subject);
CREATE INDEX deliveries_due ON deliveries (outbox, due_at, position)
    WHERE is_first AND state = 'pending';
CREATE INDEX deliveries_waiting ON deliveries (outbox, conversation, position)
    WHERE state = 'pending';
CREATE INDEX deliveries_by_state ON deliveries (outbox, state, position);
CREATE INDEX deliveries_by_end ON deliveries (state, tried_at) WHERE state != 'pending';
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
CREATE INDEX exchanges_by_link ON exchanges (link, number);
CREATE INDEX exchanges_by_business ON exchanges (business, number);
CREATE INDEX exchanges_by_conversation ON exchanges (conversation, number)
    WHERE conversation IS NOT NULL;
CREATE INDEX mmcs_objects_over ON mmcs_objects (kept_until) WHERE kept_until IS NOT NULL;
CREATE INDEX mmcs_objects_by_content ON mmcs_objects (content);
CREATE INDEX attachment_holds_by_attachment ON attachment_holds (attachment);
PRAGMA user_version = 11;
