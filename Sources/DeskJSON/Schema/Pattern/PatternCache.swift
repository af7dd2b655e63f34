import DeskBytes
import Synchronization

/// The patterns of one library, each compiled once however many schemas use it.
final class PatternCache: Sendable {
    private let known = Mutex<[ByteString: Pattern]>([:])

    /// The compiled pattern of a text.
    func pattern(_ source: String) throws(PatternError) -> Pattern {
        let key = ByteString(source)
        if let pattern = known.withLock({ $0[key] }) { return pattern }
        let made = try Pattern(source)
        known.withLock { $0[key] = made }
        return made
    }
}
