extension Migrations {
    // The widget that a business has in its own pages, and the secrets that vouch for customers there.
    static let widgets = """
        CREATE TABLE widgets (
            business BLOB PRIMARY KEY, settings TEXT, secrets BLOB);
        """
}
