public import DeskModel

extension SQLiteStore {
    /// The limits of the store's files, which have no setting.
    public static let limits = [
        LimitRow(
            "LogCare.checkpointBytes", "\(LogCare.checkpointBytes)",
            bounds: "SQLite's write-ahead log",
            beyond: "it is moved into the database in parallel to writing"),
        LimitRow(
            "LogCare.maximumBytes", "\(LogCare.maximumBytes)",
            bounds: "SQLite's write-ahead log when a reader blocks its checkpoint",
            beyond: "nothing is written until it is moved"),
    ]
}
