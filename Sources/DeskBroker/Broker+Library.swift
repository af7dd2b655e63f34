public import DeskModel
import DeskStore

extension Broker {
    /// Adds a file to the library of its business, unless its bytes are there; answers with what the
    /// library has.
    ///
    /// - Throws: `notFound` or `unusable` as refusals.
    public func add(_ file: LibraryFile) async throws(BrokerError) -> LibraryFile {
        try await commit(AddLibraryFile(file))
    }

    /// Gives a file of a library another name.
    ///
    /// - Throws: `notFound` as a refusal.
    public func rename(
        _ file: LibraryFile, to name: String, by author: Author
    ) async throws(BrokerError) -> LibraryFile {
        try await commit(
            RenameLibraryFile(file.id, of: file.business, to: name, by: author, at: now()))
    }

    /// Removes a file from a library.
    ///
    /// - Throws: `notFound` as a refusal.
    public func remove(
        _ file: LibraryFile, by author: Author
    ) async throws(BrokerError) -> LibraryFile {
        try await commit(RemoveLibraryFile(file.id, of: file.business, by: author, at: now()))
    }
}
