import DeskBroker
import DeskModel
import Synchronization
import TestSupport

/// A target that answers as a closure says, and remembers what it was sent.
final class ScriptedTarget: DeliveryTarget {
    typealias Script = @Sendable (String, Int) -> DeliveryResult

    let script: Mutex<Script>
    private let state = Mutex<[(ConversationID, String)]>([])
    private let attempts = Mutex<[String: Int]>([:])

    init(_ script: @escaping Script) { self.script = Mutex(script) }

    var names: [String] { state.withLock { $0.map(\.1) } }

    func received(in conversation: ConversationID) -> [String] {
        state.withLock { $0.filter { $0.0 == conversation }.map(\.1) }
    }

    func wants(_ event: Event) -> Bool { event.type == .messageAccepted }

    func deliver(_ event: Event, _ delivery: Delivery) async -> DeliveryResult {
        guard case .message(let message) = event.body, let conversation = event.conversation
        else { return .refused(status: nil, detail: "no message") }
        let name = message.id.text
        let attempt = attempts.withLock { attempts in
            attempts[name, default: 0] += 1
            return attempts[name] ?? 0
        }
        let answer = script.withLock { $0(name, attempt) }
        state.withLock { $0.append((conversation.id, name)) }
        return answer
    }

    /// Waits until as many attempts were made.
    func wait(for count: Int) async throws {
        try await Wait.until("\(count) attempts were made") { names.count >= count }
    }
}

/// A clock that moves when a test says so.
final class SteppedClock: Sendable {
    private struct State {
        var passed: Duration = .zero
        var sleepers: [(until: Duration, length: Duration, id: Int)] = []
        var next = 0
    }

    private let state = Mutex(State())
    private let start: Timestamp
    private let origin = ContinuousClock.now

    init(at start: Timestamp = dawn) { self.start = start }

    func advance(by duration: Duration) {
        state.withLock { $0.passed += duration }
    }

    /// Waits until a task sleeps for as long.
    func whenAsleep(for length: Duration) async throws {
        try await Wait.until("somebody sleeps for \(length)") {
            state.withLock { state in state.sleepers.contains { $0.length == length } }
        }
    }

    var source: TimeSource {
        TimeSource(
            now: { self.start.advanced(by: self.state.withLock { $0.passed }) },
            instant: { self.origin.advanced(by: self.state.withLock { $0.passed }) },
            sleep: { length in
                let id = self.state.withLock { state in
                    state.next += 1
                    state.sleepers.append((state.passed + length, length, state.next))
                    return state.next
                }
                defer { self.state.withLock { $0.sleepers.removeAll { $0.id == id } } }
                while self.state.withLock({ state in
                    state.sleepers.contains { $0.id == id && $0.until > state.passed }
                }) {
                    // Bounded: sleepers are cancelled.
                    try await Task.sleep(for: .milliseconds(1))
                }
            })
    }
}
