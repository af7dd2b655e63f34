/// The tables of suggested answers and of drafts.
extension RegistrySchema {
    // `summary`, `remark` and `payload` hold words for a customer.
    static func suggestions(_ d: Dialect) -> String {
        """
        CREATE TABLE suggestions (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            conversation \(d.bytes) NOT NULL, author_kind \(d.text) NOT NULL,
            author_name \(d.text) NOT NULL, created_at \(d.integer) NOT NULL, model \(d.text),
            kind \(d.text) NOT NULL, summary \(d.text) NOT NULL, remark \(d.text),
            payload \(d.bytes) NOT NULL);
        CREATE INDEX suggestions_by_conversation ON suggestions (conversation);
        CREATE INDEX suggestions_by_age ON suggestions (created_at);

        """
    }

    // `text` and `content` hold an agent's words to a customer.
    static func drafts(_ d: Dialect) -> String {
        """
        CREATE TABLE drafts (
            agent \(d.bytes) NOT NULL, business \(d.bytes) NOT NULL,
            conversation \(d.bytes) NOT NULL, version \(d.integer) NOT NULL,
            saved_at \(d.integer) NOT NULL, kind \(d.text) NOT NULL, text \(d.text) NOT NULL,
            content \(d.bytes), PRIMARY KEY (agent, conversation));
        CREATE INDEX drafts_by_age ON drafts (saved_at);

        """
    }
}
