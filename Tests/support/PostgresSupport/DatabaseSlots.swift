/// How many databases the tests have open at once: each of their connections is a process of the server.
///
/// Tests begin all together, so without a bound their number would be that of the tests. A test that needs
/// several acquires them together: with one each, tests would wait for each other's second.
package actor DatabaseSlots {
    package static let shared = DatabaseSlots(8)

    private let all: Int
    private var free: Int
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    private init(_ count: Int) {
        all = count
        free = count
    }

    /// Waits for so many slots; their holder gives them back.
    package func acquire(_ count: Int = 1) async {
        precondition(count <= all, "\(count) of \(all) databases for one test")
        guard waiting.isEmpty, free >= count else {
            await withCheckedContinuation { waiting.append((count, $0)) }
            return
        }
        free -= count
    }

    /// Gives slots to who has waited longest, and then to the next ones.
    package func release(_ count: Int = 1) {
        free += count
        while let next = waiting.first, next.count <= free {
            free -= next.count
            waiting.removeFirst()
            next.continuation.resume()
        }
    }
}
