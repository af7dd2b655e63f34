/// What came with assigning by itself, in the order of `Migrations.all`.
///
/// A landed step is never edited: the fixtures of every earlier version hold these statements to it.
extension Migrations {
    // How businesses and teams assign by themselves: of a business's own rule the team is empty. And at
    // which position of the log each agent was given a conversation last.
    static let assigning = """
        CREATE TABLE assignment_rules (
            business BLOB NOT NULL, team BLOB NOT NULL, strategy TEXT NOT NULL,
            is_sticky INTEGER NOT NULL, capacity INTEGER NOT NULL, give_back INTEGER,
            capacities TEXT NOT NULL, PRIMARY KEY (business, team)) WITHOUT ROWID;
        CREATE TABLE assignment_turns (
            business BLOB NOT NULL, agent BLOB NOT NULL, position INTEGER NOT NULL,
            PRIMARY KEY (business, agent)) WITHOUT ROWID;
        """

    // The participants of conversations, and those who follow them.
    static let participants = """
        ALTER TABLE conversations ADD COLUMN participants TEXT;
        ALTER TABLE conversations ADD COLUMN watchers TEXT;
        """
}
