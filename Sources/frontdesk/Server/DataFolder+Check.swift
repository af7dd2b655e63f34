import DeskStore
import Glibc

/// What can be said of a data directory from outside: nothing in it is opened, and nothing is made.
extension DataFolder {
    /// Why a directory could not be used.
    struct Obstacle {
        let path: String
        /// The system's error number.
        let number: Int32

        var reason: String { SystemWords.text(number) }
    }

    /// Refuses a directory that a start could neither use nor make.
    ///
    /// - Throws: with what stands in the way, in the words of ``make(_:)`` where it is missing.
    static func requireUsable(_ path: String) throws(Installation.Failure) {
        try requireName(path)
        var parent = path.hasPrefix("/") ? "/" : "."
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            guard unsafe access(made, F_OK) == 0 else {
                let isFolder = ShareFolders.isFolder(parent)
                let file = Obstacle(path: parent, number: ENOTDIR)
                if let found = isFolder ? obstacle(to: W_OK | X_OK, at: parent) : file {
                    throw Installation.Failure(
                        "the data directory \(path) cannot be made: \(made): \(found.reason)",
                        hint: "make it, and give it to the user whose server it is")
                }
                return
            }
            parent = made
        }
        guard ShareFolders.isFolder(path) else {
            throw Installation.Failure("the data directory \(path) cannot be made: it is a file")
        }
        guard let found = obstacle(to: R_OK | W_OK | X_OK, at: path) else { return }
        throw Installation.Failure(
            "the data directory \(path) cannot be used: \(found.reason)",
            hint: "give it to the user whose server it is, and check as that user")
    }

    /// Refuses an empty name, as of a variable of a shell that is not set.
    static func requireName(_ path: String) throws(Installation.Failure) {
        guard path.isEmpty else { return }
        throw Installation.Failure(
            "--data names no directory", hint: "name one, or leave --data out")
    }

    /// Refuses a directory without a store to a command that needs one.
    static func requireStore(_ folder: String, hint: String) throws(Installation.Failure) {
        guard !hasStore(folder) else { return }
        let rights = ShareFolders.isFolder(folder) ? X_OK : F_OK
        if let found = obstacle(to: rights, at: folder), found.number == EACCES {
            throw Installation.Failure(
                "the data in \(folder) cannot be read: \(found.reason)", hint: StoreFailure.owner)
        }
        throw Installation.Failure("there is no data in \(folder)", hint: hint)
    }

    /// Refuses a directory that has attachments and no database: a start would make an empty one, and
    /// its housekeeping would remove the attachments that it does not know.
    static func requireDatabase(besideBlobs folder: String) throws(Installation.Failure) {
        guard !hasStore(folder) else { return }
        // Safe: a directory that is missing or cannot be read is named by what opens the store.
        let names = (try? FileCalls.names(in: folder + "/blobs")) ?? []
        guard names.contains(where: { $0 != "incoming" }) else { return }
        throw Installation.Failure(
            "the data in \(folder) has attachments, but no database: frontdesk.sqlite is missing",
            hint:
                "put the file back, or restore a backup into an empty directory; to begin anew, move "
                + "\(folder)/blobs away")
    }

    /// The files of the store in a directory that this process may not read and write.
    static func obstacles(in folder: String) -> [Obstacle] {
        // Safe: a directory that cannot be read is named by ``requireUsable(_:)``.
        let names = (try? FileCalls.names(in: folder)) ?? []
        return names.sorted().filter(isOfStore).compactMap { name -> Obstacle? in
            let rights = name == "blobs" ? R_OK | W_OK | X_OK : R_OK | W_OK
            let found = obstacle(to: rights, at: folder + "/" + name)
            // A server that runs may have removed it meanwhile.
            return found?.number == ENOENT ? nil : found
        }
    }

    /// Whether users beside the owner and the group may read a directory or enter it.
    static func isOpenToEverybody(_ path: String) -> Bool {
        var facts = stat()
        // Safe: stat fills the struct that is lent for the call.
        guard unsafe stat(path, &facts) == 0 else { return false }
        return facts.st_mode & (S_IROTH | S_IXOTH) != 0
    }

    /// What keeps this process from a directory or file; nil when nothing does.
    static func obstacle(to rights: Int32, at path: String) -> Obstacle? {
        unsafe access(path, rights) == 0 ? nil : Obstacle(path: path, number: errno)
    }

    private static func isOfStore(_ name: String) -> Bool {
        name == "blobs" || name == "lock" || name.hasPrefix("frontdesk.sqlite")
            || name.hasPrefix("search.sqlite")
    }
}
