extension Migrations {
    // Rules of businesses, and what they made of events.
    static let rules = """
        CREATE TABLE rules (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE,
            business BLOB NOT NULL, name TEXT NOT NULL, is_on INTEGER NOT NULL,
            place INTEGER NOT NULL, trigger_event TEXT NOT NULL, conditions BLOB NOT NULL,
            actions BLOB NOT NULL);
        CREATE INDEX rules_by_business ON rules (business, place);
        CREATE TABLE rule_acts (
            number INTEGER PRIMARY KEY AUTOINCREMENT, rule BLOB NOT NULL,
            position INTEGER NOT NULL, business BLOB NOT NULL, rule_name TEXT NOT NULL,
            conversation BLOB NOT NULL, trigger_event TEXT NOT NULL, root INTEGER NOT NULL,
            made_at INTEGER NOT NULL, outcome TEXT NOT NULL, data BLOB NOT NULL,
            UNIQUE (position, rule));
        CREATE INDEX rule_acts_by_business ON rule_acts (business, number);
        CREATE INDEX rule_acts_by_root ON rule_acts (root);
        """
}
