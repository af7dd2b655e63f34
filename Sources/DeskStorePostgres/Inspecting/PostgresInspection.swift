import DeskModel
import DeskSQL
import DeskStore

extension InspectedEngine {
    /// Each commit has the rows of its conversations, and says in a row of its own where the log ended.
    ///
    /// A step holds the messages that it reads in memory, payloads among them.
    static let postgreSQL = InspectedEngine(
        settled: """
            SELECT greatest((SELECT coalesce(max(position), 0) FROM events), \
            (SELECT coalesce(max(position), 0) FROM messages), \
            (SELECT coalesce(max(position), 0) FROM commits))
            """, writesRowsAtOnce: true, stride: 100)
}

/// What a database is called where a directory's file has a name.
enum PostgresName {
    static let database = "database"
}

extension PostgresTables {
    /// Refuses a schema that has no tables of ours, or others than this program reads.
    ///
    /// - Throws: `refused`, `tooNew`.
    static func requireReadable(on sql: any SQLSession) throws(StoreError) {
        let table = try sql.statement(
            literal: "SELECT to_regclass('schema_version') IS NOT NULL")
        guard try table.first({ $0.bool() }) == true else {
            throw StoreError(
                .refused,
                "the database has no data of Frontdesk's in the first schema of its search path: name "
                    + "another one, or another schema with options=-csearch_path=NAME in the address"
            )
        }
        let moving = try sql.statement("SELECT to_regclass('\(MoveMark.table)') IS NOT NULL")
        guard try moving.first({ $0.bool() }) != true else {
            throw StoreError(
                .refused, "a move into the database is not finished: give the same command again")
        }
        let newest = try sql.statement(literal: "SELECT max(version) FROM schema_version")
        let found = try newest.first { $0.integer() } ?? 0
        guard found >= version else {
            throw StoreError(
                .tooNew,
                "an older version of Frontdesk made it (its schema is \(found), this program reads "
                    + "\(version)); start a server once, which brings it up to date")
        }
        guard found > version else { return }
        let asked = try sql.statement(literal: "SELECT max(min_program) FROM schema_version")
        let oldest = try asked.first { $0.integer() } ?? found
        guard oldest <= version else { throw tooNew(oldestProgram: oldest, version: version) }
    }
}
