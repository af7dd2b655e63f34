package import DeskModel

/// A blob store as a thread of its own uses it that blocks: the task that started it reads for it.
package final class LentBlobs: Sendable {
    /// Bytes of one reading.
    private static let pieceBytes = 1_048_576

    private enum Request: Sendable {
        case open(AttachmentID)
        case read(Int64)
    }

    private enum Answer: Sendable {
        case opened(Int64?)
        case bytes([UInt8])
    }

    private let requests: AsyncStream<Request>
    private let ask: AsyncStream<Request>.Continuation
    private let answers = WorkQueue<Result<Answer, StoreError>>(limit: 1)

    private init() {
        (requests, ask) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Runs a closure on a thread of its own and returns what it returns.
    ///
    /// Cancel: its next question for a blob throws `closed`.
    package static func run<Value: Sendable>(
        of blobs: any BlobStore,
        _ body: @escaping @Sendable (LentBlobs) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let lent = LentBlobs()
        let result = await withTaskGroup { group -> Result<Value, StoreError> in
            group.addTask { await lent.answer(by: blobs) }
            return await withCheckedContinuation { waiter in
                WorkerThread.start {
                    let result: Result<Value, StoreError>
                    do throws(StoreError) {
                        result = .success(try body(lent))
                    } catch {
                        result = .failure(error)
                    }
                    lent.ask.finish()
                    waiter.resume(returning: result)
                }
            }
        }
        return try result.get()
    }

    // MARK: On the thread

    /// Opens a blob and returns how many bytes it has; nil when there is none of that name.
    package func open(_ id: AttachmentID) throws(StoreError) -> Int64? {
        guard case .opened(let byteCount) = try wait(for: .open(id)) else { return nil }
        return byteCount
    }

    /// Reads the next bytes of the blob that was opened last, a megabyte at most; none behind its end.
    ///
    /// - Throws: `damaged` when they are not what was stored, `refused` when the blob was removed since.
    package func read(at offset: Int64) throws(StoreError) -> [UInt8] {
        guard case .bytes(let bytes) = try wait(for: .read(offset)) else { return [] }
        return bytes
    }

    private func wait(for request: Request) throws(StoreError) -> Answer {
        ask.yield(request)
        guard let answer = answers.take(atMost: 1)?.first else { throw StoreError(.closed) }
        return try answer.get()
    }

    // MARK: In the task

    private func answer(by blobs: any BlobStore) async {
        var file: BlobFile?
        for await request in requests {
            let result: Result<Answer, StoreError>
            do throws(StoreError) {
                switch request {
                case .open(let id):
                    file = try await blobs.openBlob(id)
                    result = .success(.opened(file?.byteCount))
                case .read(let offset):
                    let bytes = try await file?.read(at: offset, atMost: Self.pieceBytes)
                    result = .success(.bytes(bytes ?? []))
                }
            } catch {
                result = .failure(error)
            }
            // One question at a time: there is room for its answer.
            _ = answers.offer(result)
        }
        answers.close()
    }
}
