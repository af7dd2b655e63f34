import DeskDiagnosis
import DeskJSON
import DeskWeb
import Dispatch
import Synchronization

/// Examines texts beside the event loops, one at a time; a hostile one of 4 MiB needs some tenths
/// of a second, for which no other request waits.
///
/// Limit: ``maximumTexts`` are examined or wait; one more is answered 503.
final class DoctorQueue: Sendable {
    /// Most texts that are held at once.
    static let maximumTexts = 8
    /// Largest text in bytes that is examined in place; that costs less than the way over.
    private static let maximumBytesInPlace = 16 * 1_024

    private let queue = DispatchQueue(label: "frontdesk.doctor")
    private let held = Mutex(0)

    /// The diagnosis of a text as JSON.
    func diagnose(_ text: [UInt8]) async throws(Problem) -> [UInt8] {
        guard text.count > Self.maximumBytesInPlace else { return Self.report(on: text) }
        let hasRoom = held.withLock { held in
            guard held < Self.maximumTexts else { return false }
            held += 1
            return true
        }
        guard hasRoom else {
            var problem = Problem(.unavailable, "Too many texts are being examined.")
            problem.retryAfterSeconds = 2
            throw problem
        }
        defer { held.withLock { $0 -= 1 } }
        return await withCheckedContinuation { waiter in
            queue.async { waiter.resume(returning: Self.report(on: text)) }
        }
    }

    private static func report(on text: [UInt8]) -> [UInt8] {
        Doctor.examine(text).json().bytes()
    }
}
