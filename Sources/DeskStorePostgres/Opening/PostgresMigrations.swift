/// The history of the schema behind version 1: numbered, forward only, never edited.
///
/// A step reads nothing that may change after it landed: its statements are written out in it. `PostgresTables`
/// states what all of them lead to, for a new database; a test compares the two.
enum PostgresMigrations {
    /// One step.
    struct Step: Sendable {
        /// The schema version of the oldest program that may serve after the step: never the one that the step
        /// leads to, since nodes of the version before serve while a node of this one migrates.
        let oldestProgram: Int64
        /// What it does.
        let work: Work
    }

    /// What a step does.
    enum Work: Sendable {
        /// Statements, in one transaction, during which no other one writes.
        case statements(String)
        /// Indexes that are made outside of a transaction, while other nodes write.
        case indexes([Index])
    }

    /// An index that is made concurrently.
    struct Index: Sendable {
        let name: String
        /// What follows its name: `ON table (columns)`.
        let definition: String
        var isUnique = false
    }

    /// All steps in order; the n-th leads from version n to n + 1.
    static let all = [
        Step(oldestProgram: 1, work: .statements(oldestPrograms)),
        Step(
            oldestProgram: 1,
            work: .statements(
                scriptRuns + webhooks + keyLimits + suggestions + widgets + bots + metadata)),
        Step(oldestProgram: 2, work: .statements(channels + botCounts + searchedNotes)),
        Step(oldestProgram: 2, work: .statements(retention + secondFactors + identities)),
        Step(oldestProgram: 2, work: .statements(push)),
        Step(oldestProgram: 2, work: .statements(agentPush)),
        Step(oldestProgram: 2, work: .statements(passkeys)),
        Step(oldestProgram: 2, work: .statements(provisioning)),
        Step(oldestProgram: 2, work: .statements(approvals)),
        Step(oldestProgram: 2, work: .indexes([groups])),
        Step(oldestProgram: 2, work: .statements(legalHolds)),
    ]

    // Conversations by the group of the business that their customers came to.
    private static let groups = Index(
        name: "conversations_by_group",
        definition: "ON conversations (business, group_name, state, activity) "
            + "WHERE group_name IS NOT NULL")

    // Programs of version 1 do not read the column: running ones go on, and none starts.
    private static let oldestPrograms = """
        ALTER TABLE schema_version ADD COLUMN min_program bigint NOT NULL DEFAULT 1;
        """

    // Runs of scripts in the sandbox; programs of version 2 keep theirs in memory.
    private static let scriptRuns = """
        CREATE TABLE script_runs (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE,
            started_at bigint NOT NULL, ended_at bigint, customers bytea NOT NULL,
            document bytea NOT NULL, skipped_line bigint, is_stop_wanted boolean NOT NULL);

        """

    // Programs of version 2 note and attempt none of these deliveries, and leave them where they are.
    private static let webhooks = """
        ALTER TABLE deliveries ADD COLUMN milliseconds bigint;
        ALTER TABLE deliveries ADD COLUMN answer bytea;
        CREATE TABLE webhooks (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE,
            business bytea NOT NULL, url text COLLATE "C" NOT NULL,
            description text COLLATE "C" NOT NULL, signing text COLLATE "C" NOT NULL,
            settings text COLLATE "C" NOT NULL, secrets bytea NOT NULL,
            begins_after bigint NOT NULL, disabled text COLLATE "C", disabled_at bigint,
            failing_since bigint, handshake text COLLATE "C", created_at bigint NOT NULL);
        CREATE INDEX webhooks_by_business ON webhooks (business);

        """

    // Programs of version 2 find no key with scopes or addresses: its secret is hashed with them.
    private static let keyLimits = """
        ALTER TABLE keys ADD COLUMN addresses text COLLATE "C" NOT NULL DEFAULT '';
        ALTER TABLE keys ADD COLUMN expires_at bigint;
        ALTER TABLE keys ADD COLUMN predecessor bytea;
        CREATE TABLE key_requests (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key bytea NOT NULL,
            made_at bigint NOT NULL, operation text COLLATE "C" NOT NULL, status bigint NOT NULL,
            code text COLLATE "C" NOT NULL, milliseconds bigint NOT NULL,
            address text COLLATE "C" NOT NULL, request text COLLATE "C" NOT NULL);
        CREATE INDEX key_requests_by_key ON key_requests (key, number);
        CREATE INDEX conversations_by_intent ON conversations (business, intent, state, activity)
            WHERE intent IS NOT NULL;

        """

    // Suggested answers; programs of version 2 neither read nor write any.
    private static let suggestions = """
        CREATE TABLE suggestions (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE,
            business bytea NOT NULL, conversation bytea NOT NULL,
            author_kind text COLLATE "C" NOT NULL, author_name text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL, model text COLLATE "C", kind text COLLATE "C" NOT NULL,
            summary text COLLATE "C" NOT NULL, remark text COLLATE "C", payload bytea NOT NULL);
        CREATE INDEX suggestions_by_conversation ON suggestions (conversation);
        CREATE INDEX suggestions_by_age ON suggestions (created_at);

        """
}

extension [PostgresMigrations.Step] {
    /// The version that the steps lead to, which is that of a program that has them.
    var version: Int64 { Int64(count) + 1 }
}
