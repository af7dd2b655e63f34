public import DeskModel

/// Files outside of the database, each written once under a name of its own and never changed.
public protocol ObjectStore: Sendable {
    /// Stores all bytes of a file; on return they are durable. The digest is theirs.
    ///
    /// - Throws: `unavailable` when it is not certain that they are stored.
    func put(_ name: String, _ file: BlobFile, digest: Digest) async throws(StoreError)

    /// Reads bytes that the object has; nil when there is none of that name.
    ///
    /// - Throws: `unavailable`, `damaged` when it has other bytes than it was stored with.
    func read(
        _ name: String, at offset: Int64, count: Int
    ) async throws(StoreError) -> [UInt8]?

    /// Removes an object, if it is there.
    ///
    /// - Throws: `unavailable` when it is not certain that it is gone.
    func remove(_ name: String) async throws(StoreError)
}
