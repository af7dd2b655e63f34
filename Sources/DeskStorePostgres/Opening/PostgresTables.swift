import DeskSQL

/// The tables of an installation in a PostgreSQL database, in the first schema of the search path.
enum PostgresTables {
    /// The version that this program makes and reads.
    static let version: Int64 = 1

    /// What makes all of it; nothing is stored when a part fails.
    ///
    /// `log_turn` has no rows: a writer of the log locks it, and a writer of registries alone shares it, so
    /// that no group is decided by what is changed meanwhile. A row of `commits` says that a group of a
    /// writer was committed: what a writer asks for whose connection broke while it committed.
    static let statements = """
        CREATE TABLE schema_version (
            version bigint PRIMARY KEY, made_at timestamptz NOT NULL DEFAULT now());
        INSERT INTO schema_version (version) VALUES (\(version));
        CREATE TABLE log_turn (nothing bigint);
        CREATE TABLE commits (
            writer bigint NOT NULL, number bigint NOT NULL, position bigint NOT NULL,
            made_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (writer, number));
        CREATE FUNCTION instr(bytea, bytea) RETURNS integer LANGUAGE sql IMMUTABLE
            AS 'SELECT position($2 IN $1)';

        """ + RegistrySchema.statements(for: .postgreSQL) + LogSchema.statements(for: .postgreSQL)
        + LogTriggers.statements + PostgresLeases.tables + CredentialRows.tables + BlobRows.tables
        + SearchRows.tables

    /// Acquired before the tables are made or changed; any number that no other program uses will do.
    static let lock = "SELECT pg_advisory_xact_lock(7305452213487129)"
}
