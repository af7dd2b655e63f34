extension RegistrySchema {
    // `secrets` are encrypted, as `Secrets.columns` names it; `settings` is a JSON object's text.
    static func widgets(_ d: Dialect) -> String {
        """
        CREATE TABLE widgets (
            business \(d.bytes) PRIMARY KEY, settings \(d.text), secrets \(d.bytes));

        """
    }
}
