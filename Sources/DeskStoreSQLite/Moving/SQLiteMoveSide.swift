import CSQLite
package import DeskModel
package import DeskSQL
package import DeskStore
import Glibc

/// The catalogue of a SQLite file, for a move.
enum SQLiteTables {
    static func all(of connection: Connection) throws(StoreError) -> [TableShape] {
        let names = try connection.prepare(
            """
            SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' \
            ORDER BY name
            """
        ).all { $0.text() }
        let columns = try connection.prepare("SELECT name, type, pk FROM pragma_table_info(?)")
        return try names.map { name throws(StoreError) in
            try columns.bind(name)
            return TableShape(
                name: name,
                columns: try columns.all { row throws(StoreError) in
                    let (column, type) = (row.text(), row.text())
                    return TableShape.Column(
                        name: column, kind: try kind(type), keyPlace: Int(row.integer()))
                })
        }
    }

    private static func kind(_ type: String) throws(StoreError) -> TableShape.Kind {
        switch type {
        case "INTEGER": .integer
        case "TEXT": .text
        case "BLOB": .bytes
        default: throw StoreError(.refused, "a column has the type \(type)")
        }
    }

    static func lastNumbers(of connection: Connection) throws(StoreError) -> [String: Int64] {
        let rows = try connection.prepare("SELECT name, seq FROM sqlite_sequence")
            .all { ($0.text(), $0.integer()) }
        return Dictionary(rows) { $1 }
    }
}

/// A data directory that a move reads; no server may serve it until this object ends.
package final class SQLiteMoveSource: MoveSource {
    private let directory: String
    private let lock: DataLock
    private let connection: Connection

    package var sql: any SQLSession { connection.sql }

    /// Opens the store once as a server would, so that every row is written and its keys are there, then
    /// keeps servers from it; `newEpoch` names the store's life if it has none.
    ///
    /// - Throws: `busy` when a server serves it, `keyMissing`, `tooNew`, `failed`.
    package init(
        directory: String, keys: EncryptionKeySource?, newEpoch: Epoch
    ) async throws(StoreError) {
        var options = SQLiteStore.Options()
        options.keys = keys
        let store = try SQLiteStore(
            directory: directory, newEpoch: newEpoch, options: options)
        do throws(StoreError) {
            try await store.flushRows()
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        self.directory = directory
        lock = try DataLock(directory: directory)
        connection = try Connection(path: SQLiteStore.file(in: directory), for: .reading)
    }

    package func tables() throws(StoreError) -> [TableShape] {
        try SQLiteTables.all(of: connection)
    }

    package func lastNumbers() throws(StoreError) -> [String: Int64] {
        try SQLiteTables.lastNumbers(of: connection)
    }

    /// Reads everything through.
    package func verify() throws(StoreError) -> StoreVerification {
        try StoreVerification(reading: directory, isAlone: true)
    }

    package func note(_ note: MoveNote) throws(StoreError) {
        try FileCopy.write(
            Array("\(note.day)\n\(note.place)\n".utf8), to: directory + "/" + MoveNote.fileName)
        try FileCopy.flushDirectory(directory)
    }
}

extension SQLiteStore {
    /// Where the data of a directory went; nil when it is served from there.
    package static func moveNote(in directory: String) -> MoveNote? {
        let path = directory + "/" + MoveNote.fileName
        // Safe: a note that cannot be read is none; the data is there, and nothing is lost by serving it.
        guard let descriptor = try? FileCalls.open(path) else { return nil }
        defer { FileCalls.close(descriptor) }
        // Safe: as above.
        guard let bytes = try? FileCalls.read(descriptor, at: 0, atMost: 4_096) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2 else { return nil }
        return MoveNote(place: String(lines[1]), day: String(lines[0]))
    }
}

/// An empty data directory that a move fills; the store lies aside until it is whole.
package final class SQLiteMoveTarget: MoveTarget {
    private let fresh: FreshStore
    private var connection: Connection?
    /// Whether it accepts what is damaged, since the source has it so.
    private let acceptsDamage: Bool
    /// What reading the whole copy found; nil before `finish`.
    package private(set) var verification: StoreVerification?

    /// Makes the directory if it is missing, and goes on with what an earlier attempt left.
    ///
    /// - Throws: `refused` when there is anything else in it.
    package init(directory: String, acceptsDamage: Bool) throws(StoreError) {
        self.acceptsDamage = acceptsDamage
        fresh = try FreshStore(in: directory, keepsAttempt: true)
        let path = SQLiteStore.file(in: fresh.partial)
        let made = try Connection(path: path, mayWrite: true)
        // It is flushed as a whole when all is there.
        try made.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
        try Migrations.run(on: made)
        try made.execute("CREATE TABLE IF NOT EXISTS \(MoveMark.table) (mark TEXT NOT NULL)")
        guard unsafe frontdesk_disable_triggers(made.handle) == SQLITE_OK else {
            throw StoreError(.failed, "SQLite cannot disable triggers")
        }
        connection = made
    }

    /// Where attachments lie until all is there.
    package var blobs: String { fresh.partial + "/blobs" }

    package var sql: any SQLSession { open.sql }

    private var open: Connection {
        guard let connection else { preconditionFailure("the move is finished") }
        return connection
    }

    package func tables() throws(StoreError) -> [TableShape] { try SQLiteTables.all(of: open) }

    package func lastNumbers() throws(StoreError) -> [String: Int64] {
        try SQLiteTables.lastNumbers(of: open)
    }

    package func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        let connection = open
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try body()
            try connection.execute("COMMIT")
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }

    package func setLastNumbers(_ numbers: [String: Int64]) throws(StoreError) {
        let remove = try open.prepare("DELETE FROM sqlite_sequence WHERE name = ?")
        let add = try open.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)")
        for (name, number) in numbers {
            try remove.bind(name)
            try remove.run()
            try add.bind(name)
            try add.bind(number)
            try add.run()
        }
    }

    package func finish() throws(StoreError) {
        let connection = open
        try connection.execute(
            """
            UPDATE settled SET position = (SELECT coalesce(max(position), 0) FROM events);
            DROP TABLE \(MoveMark.table)
            """)
        _ = try connection.checkpoint(.empty)
        self.connection = nil
        verification = try fresh.place(acceptsDamage: acceptsDamage)
    }
}
