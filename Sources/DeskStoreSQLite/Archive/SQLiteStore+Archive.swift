public import DeskModel
public import DeskStore

extension SQLiteStore {
    /// Hands over everything that one moment of the store holds, beside the writing.
    ///
    /// `begin` receives the head, then `take` each item, both on a thread of this call's own; an
    /// error that either throws ends it. Memory does not grow with the store. While it runs the
    /// write-ahead log is not shortened.
    /// - Throws: `damaged` with the first item that is not what was written, `failed`.
    public func archive(
        at time: Timestamp,
        begin: @escaping @Sendable (ArchiveHead) throws(StoreError) -> Void,
        take: @escaping @Sendable (ArchiveItem) throws(StoreError) -> Void
    ) async throws(StoreError) {
        let place = try requireDirectory()
        let hold = logHold
        let epoch = epoch
        try await flushRows()
        let result: Result<Void, StoreError> = await withCheckedContinuation { waiter in
            WorkerThread.start {
                do throws(StoreError) {
                    try hold.during { () throws(StoreError) in
                        let connection = try Connection(
                            path: SQLiteStore.file(in: place), for: .reading)
                        let reader = try ArchiveReader(
                            of: connection, blobs: place + "/blobs", epoch: epoch, time: time)
                        try begin(reader.head)
                        try reader.read(to: take)
                    }
                    waiter.resume(returning: .success(()))
                } catch {
                    waiter.resume(returning: .failure(error))
                }
            }
        }
        try result.get()
    }
}
