extension PostgresMigrations {
    // Bots and who controls conversations; programs of version 2 know neither, and treat every conversation as one
    // that people have.
    static let bots = """

        CREATE TABLE bots (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE,
            business bytea NOT NULL, name text COLLATE "C" NOT NULL, key bytea NOT NULL,
            webhook bytea, answer_seconds bigint NOT NULL, is_first boolean NOT NULL,
            intents text COLLATE "C" NOT NULL, is_retired boolean NOT NULL);
        CREATE INDEX bots_by_business ON bots (business);
        CREATE TABLE controls (
            conversation bytea PRIMARY KEY, business bytea NOT NULL,
            controller_kind text COLLATE "C", controller text COLLATE "C", since bigint NOT NULL,
            offer_kind text COLLATE "C", offer text COLLATE "C", answer_by bigint,
            metadata bytea NOT NULL);
        CREATE INDEX controls_by_answer ON controls (answer_by) WHERE answer_by IS NOT NULL;
        """
}
