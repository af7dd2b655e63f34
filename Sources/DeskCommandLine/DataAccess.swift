/// How a command reaches the data that it works on.
package enum DataAccess: Sendable, CaseIterable {
    /// It touches no stored data.
    case nothing
    /// It opens the store and is the server.
    case serves
    /// Through the running server's admin socket, or on the store itself while no server runs.
    case serverOrStore
    /// Through the running server's admin socket alone.
    case server
    /// On the store itself, while no server runs on it.
    case store
    /// Reads the files themselves, whether a server runs on them or not.
    case files

    /// The words of docs/operations.md.
    package var summary: String {
        switch self {
        case .nothing: "nothing"
        case .serves: "the store; it is the server"
        case .serverOrStore: "the server's socket; the store while no server runs"
        case .server: "the server's socket"
        case .store: "the store; no server may run"
        case .files: "the files or the database; with or without a server"
        }
    }

    /// What a help page says about it; nil when there is nothing to say.
    package var sentence: String? {
        switch self {
        case .nothing: nil
        case .serves:
            "Opens the store itself; the other commands reach it by admin.socket in the data directory."
        case .serverOrStore:
            """
            Works through the socket of the server that runs on the data directory, or on the store
            itself while none runs; says on standard error which it was.
            """
        case .server:
            "Works through the socket of the server that runs on the data directory; one must run."
        case .store: "Works on the store itself; no server may run on the data directory."
        case .files: "Reads the files themselves; a server may run on them."
        }
    }
}
