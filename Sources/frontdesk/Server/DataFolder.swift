import DeskStore
import Glibc

/// Makes the data directory.
enum DataFolder {
    /// Makes it and whatever leads to it, readable by its owner only; one that is there stays as it is.
    ///
    /// - Throws: with the first directory on the way that cannot be made, and why.
    static func make(_ path: String) throws(Installation.Failure) {
        try requireName(path)
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            guard unsafe mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let reason = errno
            // What is there already need not be makeable: a root that is only read, say.
            guard !ShareFolders.isFolder(made) else { continue }
            throw Installation.Failure(
                "the data directory \(path) cannot be made: \(made): \(SystemWords.text(reason))")
        }
        guard ShareFolders.isFolder(path) else {
            throw Installation.Failure("the data directory \(path) cannot be made: it is a file")
        }
    }
}
