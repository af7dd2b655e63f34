extension Migrations {
    // What identity providers keep of people and teams.
    static let provisioning = """
        CREATE TABLE provisioned_people (
            number INTEGER PRIMARY KEY, business BLOB NOT NULL, agent BLOB NOT NULL,
            user_name TEXT NOT NULL, name_key TEXT NOT NULL, external_id TEXT,
            given_name TEXT, family_name TEXT, role TEXT NOT NULL,
            created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL,
            UNIQUE (business, agent), UNIQUE (business, name_key));
        CREATE TABLE provisioned_teams (
            number INTEGER PRIMARY KEY, business BLOB NOT NULL, team BLOB NOT NULL,
            external_id TEXT, created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL,
            UNIQUE (business, team));
        """
}
