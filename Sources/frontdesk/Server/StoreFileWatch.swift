import DeskLog
import DeskStore
import Synchronization

/// Notices that the database file is no longer where the server opened it.
///
/// The open file can still be written, so all would seem well until the server ends, and what was acknowledged
/// would end with it.
final class StoreFileWatch: Sendable {
    private let path: String
    private let place: FilePlace
    private let log: Log
    private let isGone = Atomic(false)

    /// Watches the file that is at a path now.
    init(_ path: String, log: Log) throws(StoreError) {
        self.path = path
        self.log = log
        place = try FilePlace(of: path)
    }

    /// Whether the file was there when it was looked for last.
    var isThere: Bool { !isGone.load(ordering: .relaxed) }

    /// Looks each second until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            await look()
            // Safe: it fails only when cancelled, which the loop looks at.
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Looks once, and logs what is news.
    func look() async {
        let isKept: Bool
        do throws(StoreError) {
            isKept = try await place.isKept()
        } catch {
            // A disk that does not answer is found out by what is written to it.
            return
        }
        guard isKept != isThere else { return }
        isGone.store(!isKept, ordering: .relaxed)
        guard isKept else {
            return log.error("store_file_gone", ["file": .text(path)])
        }
        log.info("store_file_back", ["file": .text(path)])
    }
}
