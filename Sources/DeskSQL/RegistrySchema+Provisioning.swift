extension RegistrySchema {
    // `name_key` is the name in small letters, so that no two differ in case alone.
    static func provisioning(_ d: Dialect) -> String {
        """
        CREATE TABLE provisioned_people (
            number \(d.rowNumber), business \(d.bytes) NOT NULL, agent \(d.bytes) NOT NULL,
            user_name \(d.text) NOT NULL, name_key \(d.text) NOT NULL, external_id \(d.text),
            given_name \(d.text), family_name \(d.text), role \(d.text) NOT NULL,
            created_at \(d.integer) NOT NULL, changed_at \(d.integer) NOT NULL,
            UNIQUE (business, agent), UNIQUE (business, name_key));
        CREATE TABLE provisioned_teams (
            number \(d.rowNumber), business \(d.bytes) NOT NULL, team \(d.bytes) NOT NULL,
            external_id \(d.text), created_at \(d.integer) NOT NULL,
            changed_at \(d.integer) NOT NULL, UNIQUE (business, team));

        """
    }
}
