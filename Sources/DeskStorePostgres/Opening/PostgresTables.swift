import DeskSQL
import DeskStore

/// The tables of an installation in a PostgreSQL database, in the first schema of the search path.
enum PostgresTables {
    /// The version that this program makes and reads.
    static var version: Int64 { PostgresMigrations.all.version }

    /// What makes all of it as the newest version, which `PostgresMigrations` leads to from earlier ones.
    ///
    /// A row of `schema_version` is for each step, and `min_program` the oldest program that may serve after it.
    /// `log_turn` has no rows: a writer of the log locks it, and a writer of registries alone shares it, so
    /// that no group is decided by what is changed meanwhile. A row of `commits` says that a group of a
    /// writer was committed: what a writer asks for whose connection broke while it committed.
    static let statements = """
        CREATE TABLE schema_version (
            version bigint PRIMARY KEY, made_at timestamptz NOT NULL DEFAULT now(),
            min_program bigint NOT NULL DEFAULT 1);
        INSERT INTO schema_version (version, min_program)
            VALUES (\(version), \(PostgresMigrations.all.map(\.oldestProgram).max() ?? 1));
        CREATE TABLE log_turn (nothing bigint);
        CREATE TABLE commits (
            writer bigint NOT NULL, number bigint NOT NULL, position bigint NOT NULL,
            made_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (writer, number));
        CREATE FUNCTION instr(bytea, bytea) RETURNS integer LANGUAGE sql IMMUTABLE
            AS 'SELECT position($2 IN $1)';

        """ + RegistrySchema.statements(for: .postgreSQL) + LogSchema.statements(for: .postgreSQL)
        + LogTriggers.statements + PostgresLeases.tables + CredentialRows.tables + BlobRows.tables
        + SearchRows.tables + SearchNoteRows.tables

    /// The codes for a table, an index, a type or a function whose name another has.
    private static let namesInUse = ["42P07", "42710", "42723"]

    /// Makes them, within the transaction of a connection.
    ///
    /// - Throws: `refused` with what to do where other programs have tables of such names.
    static func make(on connection: PostgresConnection) throws(StoreError) {
        do throws(StoreError) {
            try connection.execute(statements)
        } catch {
            guard namesInUse.contains(where: { error.detail == "postgres \($0)" }) else {
                throw error
            }
            // The check that comes before looks for the likeliest name alone.
            throw DatabaseCheck.hasOthers("its schema")
        }
    }

    /// The refusal of a program that the database has left behind.
    static func tooNew(oldestProgram: Int64, version: Int64) -> StoreError {
        StoreError(
            .tooNew,
            "its tables are for programs of schema version \(oldestProgram) or newer, and this one has "
                + "version \(version)")
    }
}
