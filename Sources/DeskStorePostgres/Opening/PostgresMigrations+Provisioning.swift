extension PostgresMigrations {
    // What identity providers keep of people and teams; programs of version 8 know none of it, and need none.
    static let provisioning = """
        CREATE TABLE provisioned_people (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, business bytea NOT NULL,
            agent bytea NOT NULL, user_name text COLLATE "C" NOT NULL,
            name_key text COLLATE "C" NOT NULL, external_id text COLLATE "C",
            given_name text COLLATE "C", family_name text COLLATE "C",
            role text COLLATE "C" NOT NULL, created_at bigint NOT NULL,
            changed_at bigint NOT NULL, UNIQUE (business, agent), UNIQUE (business, name_key));
        CREATE TABLE provisioned_teams (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, business bytea NOT NULL,
            team bytea NOT NULL, external_id text COLLATE "C", created_at bigint NOT NULL,
            changed_at bigint NOT NULL, UNIQUE (business, team));

        """
}
