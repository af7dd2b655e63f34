public import DeskModel
public import DeskStore

/// Forgets the uploads that nothing named in their time: rows and files.
public struct UnnamedFiles: Sendable {
    private let store: any Store
    private let blobs: any BlobStore

    /// Removes from these rows and files.
    public init(store: any Store, blobs: any BlobStore) {
        self.store = store
        self.blobs = blobs
    }

    /// Forgets what ended before a moment.
    ///
    /// The store ends the uploads, then the files go, then the rows: what stops in between, by a
    /// crash too, continues the next time.
    public func forget(before time: Timestamp) async throws(StoreError) {
        while true {
            var gone: [AttachmentID] = []
            for file in try await store.expireUploads(before: time)
            where try await blobs.removeUnnamed(file) {
                gone.append(file)
            }
            guard !gone.isEmpty else { return }
            try await store.forgetUploads(of: gone)
        }
    }
}
