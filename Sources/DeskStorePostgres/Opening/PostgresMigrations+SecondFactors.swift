extension PostgresMigrations {
    // Programs of version 4 ask for no second factor: a person signs in at them by password alone.
    static let secondFactors = """
        CREATE TABLE second_factors (
            agent bytea PRIMARY KEY, secret bytea, recovery bytea NOT NULL, used_step bigint NOT NULL,
            created_at bigint NOT NULL, confirmed_at bigint);
        ALTER TABLE businesses ADD COLUMN requires_second_factor boolean NOT NULL DEFAULT FALSE;

        """
}
