extension PostgresMigrations {
    // The widgets of businesses; programs of version 2 have none, and serve none.
    static let widgets = """
        CREATE TABLE widgets (
            business bytea PRIMARY KEY, settings text COLLATE "C", secrets bytea);
        """
}
