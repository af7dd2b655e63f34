import DeskBytes
import Synchronization

/// Those of one process who wait for a lease, by its name: one of them at a time asks the store.
public final class LeaseLine: Sendable {
    /// Those who wait behind the first, by name.
    private let waiting = Mutex<[ByteString: [CheckedContinuation<Void, Never>]]>([:])

    /// An empty line.
    public init() {}

    /// Waits until the caller is the first under a name.
    ///
    /// Order: of the calls. Limit: each waiter is a request, and connections bound requests.
    func enter(_ name: String) async {
        let name = ByteString(name)
        await withCheckedContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                guard waiting[name] != nil else {
                    waiting[name] = []
                    return true
                }
                waiting[name]?.append(continuation)
                return false
            }
            if isFirst { continuation.resume() }
        }
    }

    /// Makes the caller the first under a name if there is none.
    func enterIfFree(_ name: String) -> Bool {
        let name = ByteString(name)
        return waiting.withLock { waiting in
            guard waiting[name] == nil else { return false }
            waiting[name] = []
            return true
        }
    }

    /// Lets the next under a name be the first.
    func leave(_ name: String) {
        let name = ByteString(name)
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard var line = waiting[name], !line.isEmpty else {
                waiting[name] = nil
                return nil
            }
            let first = line.removeFirst()
            waiting[name] = line
            return first
        }
        next?.resume()
    }
}
