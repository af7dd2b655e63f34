import DeskStore

/// Why a store cannot be used, and what to do, in words for the terminal.
enum StoreFailure {
    /// The sentence for what opening the store of a directory threw.
    static func opening(_ error: StoreError, _ folder: String) -> Installation.Failure {
        switch error.code {
        case .busy:
            Installation.Failure(
                "another Frontdesk serves the data in \(folder)",
                hint: "end it first, or name another directory with --data")
        case .keyMissing:
            Installation.Failure(
                "the data in \(folder) cannot be opened: \(error.detail)",
                hint: "put the file with the key back, or name it with --encryption-key-file; "
                    + "when it is lost: frontdesk secrets forget")
        case .tooNew:
            Installation.Failure(
                "the data in \(folder) was made by a newer version of Frontdesk (\(error.detail))",
                hint: "run that version, or restore a backup of before the update")
        case .refused, .full, .failed, .unknown, .unavailable, .closed, .damaged, .overloaded,
            .superseded:
            Installation.Failure(
                "the data in \(folder) cannot be opened: \(words(error))", hint: hint(error))
        }
    }

    /// What happened, as the end of a sentence: the codes of the engines say little to a person.
    static func words(_ error: StoreError) -> String {
        let detail = error.detail
        if detail.isEmpty { return plain(error.code) }
        if let code = sqliteCode(detail) { return "\(sqlite(code)) (SQLite's code \(code))" }
        // What libpq says stands behind our word for it.
        if detail.hasPrefix("postgres: ") { return String(detail.dropFirst("postgres: ".count)) }
        guard detail.hasPrefix("postgres ") else { return detail }
        let state = detail.dropFirst("postgres ".count)
        guard state.utf8.count == 5 else { return "\(state) to the database" }
        return "the database's server refused a statement (SQLSTATE \(state)); its log says more"
    }

    /// What happened, and what to do on a line of its own where that is known: for answers of a server.
    static func sentence(_ error: StoreError) -> String {
        words(error) + (hint(error).map { "\n  \($0)" } ?? "")
    }

    /// What to do about it; nil where that is not known.
    static func hint(_ error: StoreError) -> String? {
        switch sqliteCode(error.detail).map({ $0 == 4874 ? 13 : $0 & 0xFF }) {
        case 1?: "name another directory with --data, or restore a backup into an empty one"
        case 3?, 8?, 14?: owner
        case 10?: "look at the disk and at the kernel's log"
        case 13?: "make room on the disk"
        case nil where error.detail.hasSuffix("Permission denied"): owner
        default: error.code == .damaged ? damaged : DatabaseFailure.hint(error.detail)
        }
    }

    static let owner =
        "run it as the user whose server it is, who has to own the directory and all that is in it"

    private static let damaged =
        "frontdesk verify says what is damaged; look at the disk, and restore a backup into an empty directory"

    /// SQLite's extended code, which the store's error has as its detail.
    private static func sqliteCode(_ detail: String) -> Int? {
        guard detail.hasPrefix("sqlite ") else { return nil }
        return Int(detail.dropFirst("sqlite ".count))
    }

    /// What a code means (sqlite.org/rescode.html).
    private static func sqlite(_ code: Int) -> String {
        // The index of the write-ahead log could not be made larger (SQLITE_IOERR_SHMSIZE).
        if code == 4874 { return sqlite(13) }
        return switch code & 0xFF {
        case 1: "the database file has not the tables of a store"
        case 3: "the database file may not be opened"
        case 5, 6: "another process works on the database file"
        case 7: "there was no memory"
        case 8: "the database file may not be written"
        case 10: "the disk failed to read or write the database file"
        case 11: "the database file is damaged"
        case 13: "the disk is full"
        case 14: "the database file cannot be opened"
        case 26: "the database file is no database"
        default: "the database file cannot be used"
        }
    }

    private static func plain(_ code: StoreError.Code) -> String {
        switch code {
        case .busy: "another process works on it"
        case .full: "the disk is full"
        case .failed: "a write or flush failed"
        case .unknown: "the connection broke during a commit, so it may be stored or not"
        case .unavailable: "the database cannot be reached"
        case .closed: "it was closed"
        case .damaged: "it is damaged"
        case .keyMissing: "its encryption key is missing"
        case .tooNew: "a newer version of Frontdesk made it"
        case .overloaded: "too much waits already"
        case .refused: "it was refused"
        case .superseded: "another process does this by now"
        }
    }
}
