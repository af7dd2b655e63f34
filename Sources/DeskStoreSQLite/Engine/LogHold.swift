import Synchronization

/// Says that one moment of the store is read for long, as by a backup.
///
/// The write-ahead log cannot restart meanwhile; the writer lets it grow without waiting.
final class LogHold: Sendable {
    private let holders = Atomic(0)

    var isHeld: Bool { holders.load(ordering: .acquiring) > 0 }

    /// Runs something that reads for long.
    func during<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        holders.add(1, ordering: .acquiringAndReleasing)
        defer { holders.subtract(1, ordering: .acquiringAndReleasing) }
        return try body()
    }
}
