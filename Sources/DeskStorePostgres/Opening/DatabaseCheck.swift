import DeskSQL
import DeskStore

/// Whether a database can keep what a store promises; asked before anything is made in it.
struct DatabaseCheck {
    /// The oldest server, as libpq writes it.
    static let oldestServer = 150_000

    let connection: PostgresConnection
    /// Whether a move that is not finished may be there.
    var mayBeHalfMoved = false
    /// Whether the server has to keep what it was given after a power cut.
    var mustBeDurable = true

    /// Asks for everything at once.
    ///
    /// - Throws: `refused` with what was found and what to do, the first of what is wrong.
    func run() throws(StoreError) {
        if let why = Self.refusal(ofServer: connection.serverVersion) { throw refusal(why) }
        guard try setting("pg_is_in_recovery()") != "true" else {
            throw refusal(
                "it is a standby, which only reads: name the primary, or all servers together with "
                    + "target_session_attrs=read-write")
        }
        guard try setting("current_setting('transaction_read_only')") != "on" else {
            throw refusal(
                "its transactions only read: "
                    + "set default_transaction_read_only off for it or its role")
        }
        guard try setting("current_setting('server_encoding')") == "UTF8" else {
            throw refusal(
                "its encoding is not UTF8: make another one with "
                    + "createdb --encoding=UTF8 --template=template0")
        }
        if mustBeDurable { try checkDurability() }
        try checkSchema()
    }

    /// Why a server of a version, as libpq writes it, cannot be used; nil for one that can.
    static func refusal(ofServer version: Int) -> String? {
        guard version < oldestServer else { return nil }
        return
            "its server is PostgreSQL \(version / 10_000), and \(oldestServer / 10_000) or newer is needed: "
            + "upgrade the server"
    }

    private func checkDurability() throws(StoreError) {
        for name in ["fsync", "full_page_writes"]
        where try setting("current_setting('\(name)')") != "on" {
            throw refusal(
                "its server runs with \(name) off, and a power cut would lose acknowledged messages: "
                    + "ALTER SYSTEM SET \(name) = on, then SELECT pg_reload_conf()")
        }
        guard try setting("current_setting('data_checksums')") == "on" else {
            throw refusal(
                "its server keeps no data checksums, and would not notice a damaged disk: "
                    + "stop the server, run pg_checksums --enable, and start it")
        }
    }

    private func checkSchema() throws(StoreError) {
        guard let schema = try setting("current_schema()") else {
            throw refusal(
                "the search path of its role names no schema that is there and that it may use: "
                    + "CREATE SCHEMA frontdesk, or GRANT USAGE, CREATE ON SCHEMA frontdesk TO the role, "
                    + "then ALTER ROLE … SET search_path = frontdesk")
        }
        let rights = "has_schema_privilege(current_schema(), 'CREATE')"
        guard try setting(rights) == "true" else {
            throw refusal(
                "its role may not make tables in the schema \(schema): "
                    + "GRANT USAGE, CREATE ON SCHEMA \(schema) TO the role")
        }
        let isHalfMoved = try setting("to_regclass('moving') IS NOT NULL") == "true"
        guard mayBeHalfMoved || !isHalfMoved else {
            throw refusal(
                "a move into the schema \(schema) is not finished: give frontdesk move once more, "
                    + "or give it up with DROP SCHEMA \(schema) CASCADE")
        }
        try checkHome(schema)
        let others = """
            to_regclass('schema_version') IS NULL AND to_regclass('events') IS NOT NULL \
            OR to_regclass('schema_version') IS NOT NULL AND to_regclass('epochs') IS NULL
            """
        guard try setting(others) != "true" else {
            throw Self.hasOthers("the schema \(schema)")
        }
    }

    /// What is said of a schema in which other programs have tables.
    static func hasOthers(_ schema: String) -> StoreError {
        StoreError(
            .refused,
            "the database cannot be used: \(schema) has tables of something else: name an empty schema "
                + "with options=-csearch_path=NAME in the address")
    }

    /// Whether the data is still to be served from here.
    private func checkHome(_ schema: String) throws(StoreError) {
        guard try setting("to_regclass('moved') IS NULL") != "true" else { return }
        let note = try setting("(SELECT place || ' on ' || day FROM moved)") ?? "another place"
        throw refusal(
            "its data was moved to \(note), and is served from there: to serve what was left here "
                + "instead, DROP TABLE \(schema).moved")
    }

    private func refusal(_ why: String) -> StoreError {
        StoreError(.refused, "the database cannot be used: \(why)")
    }

    /// The value of an expression, as text; true and false are written so.
    private func setting(_ expression: String) throws(StoreError) -> String? {
        let statement = try connection.statement(once: "SELECT (\(expression))::text")
        return try statement.first { $0.textIfAny() } ?? nil
    }
}
