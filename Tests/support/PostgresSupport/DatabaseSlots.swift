/// How many databases the tests have open at once: each of their connections is a process of the server.
///
/// Tests begin all together, so without a bound their number would be that of the tests.
package actor DatabaseSlots {
    package static let shared = DatabaseSlots(8)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private init(_ count: Int) { free = count }

    /// Waits for a slot; its holder gives it back.
    package func acquire() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Gives a slot to who has waited longest.
    package func release() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }
}
