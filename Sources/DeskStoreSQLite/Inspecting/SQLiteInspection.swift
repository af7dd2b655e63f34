import DeskModel
import DeskSQL
import DeskStore

extension InspectedEngine {
    /// Rows of conversations are written later than their messages.
    static let sqlite = InspectedEngine(
        settled: "SELECT position FROM settled", writesRowsAtOnce: false, stride: 500)
}

extension Inspection {
    /// Reads a little further in a database file.
    mutating func step(onFile connection: Connection) throws(StoreError) {
        let isOfFile = stage == .engine
        try step(on: connection.sql)
        if isOfFile, isStill { try readFile(on: connection) }
    }

    /// Has SQLite check the file's own order, while nothing is written; it needs one long
    /// transaction.
    private mutating func readFile(on connection: Connection) throws(StoreError) {
        let lines = try Self.unlessDamaged(on: connection.sql) { () throws(StoreError) in
            try connection.prepare("PRAGMA integrity_check(100)").all { $0.text() }
        }
        for line in lines ?? ["cannot be read"] where line != "ok" {
            note(Damage("file", name: SQLiteStore.fileName, reason: line))
        }
    }
}
