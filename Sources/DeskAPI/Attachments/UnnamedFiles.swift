public import DeskModel
public import DeskStore

/// Forgets the uploads that nothing named in their time: rows and files.
public struct UnnamedFiles: Sendable {
    private let store: any Store
    private let blobs: any BlobStore

    /// Takes the rows and the files.
    public init(store: any Store, blobs: any BlobStore) {
        self.store = store
        self.blobs = blobs
    }

    /// Forgets what ended before a moment.
    ///
    /// The store gives the uploads up, then the files go, then the rows: what ends in between, by a
    /// crash too, is taken up again the next time.
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
