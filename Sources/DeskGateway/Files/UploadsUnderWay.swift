import Synchronization

/// The upload addresses whose bytes are coming now, each at most once.
final class UploadsUnderWay: Sendable {
    private let objects = Mutex<Set<String>>([])

    /// Whether an object's upload may begin: false while another one runs.
    func begin(_ object: String) -> Bool { objects.withLock { $0.insert(object).inserted } }

    /// Ends an upload, whatever its outcome.
    func end(_ object: String) { _ = objects.withLock { $0.remove(object) } }
}
