import DeskStore

/// The database file that the writer has open, and whether its path still leads to it.
///
/// It is asked before each commit: one `stat` of a path whose folders are in memory costs a microsecond or two, a commit a
/// flush. The open file itself can be written for as long as the process lives, whatever became of its name.
struct WrittenFile: Sendable {
    private let path: String
    private let identity: FileIdentity?

    /// Remembers the file that is at a path now.
    ///
    /// - Throws: `failed` when the file system does not say.
    init(_ path: String) throws(StoreError) {
        self.path = path
        identity = try FileCalls.identity(of: path)
    }

    /// Whether the file is where it was opened: false where it was removed, moved or replaced.
    var isThere: Bool {
        do throws(StoreError) {
            return try FileCalls.identity(of: path) == identity
        } catch {
            // A disk that does not answer is found out by what is written to it.
            return true
        }
    }
}
