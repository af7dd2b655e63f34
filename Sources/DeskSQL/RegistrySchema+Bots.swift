extension RegistrySchema {
    // Who controls a conversation lies beside its row, so that programs of before go on with the row. `metadata` may
    // repeat what was said; `intents` has one in a line.
    static func bots(_ d: Dialect) -> String {
        """
        CREATE TABLE bots (
            number \(d.rowNumber), id \(d.bytes) NOT NULL UNIQUE, business \(d.bytes) NOT NULL,
            name \(d.text) NOT NULL, key \(d.bytes) NOT NULL, webhook \(d.bytes),
            answer_seconds \(d.integer) NOT NULL, is_first \(d.claim) NOT NULL,
            intents \(d.text) NOT NULL, is_retired \(d.claim) NOT NULL);
        CREATE INDEX bots_by_business ON bots (business);
        CREATE TABLE controls (
            conversation \(d.bytes) PRIMARY KEY, business \(d.bytes) NOT NULL,
            controller_kind \(d.text), controller \(d.text), since \(d.integer) NOT NULL,
            offer_kind \(d.text), offer \(d.text), answer_by \(d.integer),
            metadata \(d.bytes) NOT NULL);
        CREATE INDEX controls_by_answer ON controls (answer_by) WHERE answer_by IS NOT NULL;

        """
    }
}
