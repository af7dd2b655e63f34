import DeskModel
import Synchronization
import Testing

@testable import DeskAPI

/// A clock on the wall that anybody may set, beside one that only goes on.
private final class SettableTime: Sendable {
    private let wall = Atomic<Int64>(1_900_000_000_000)
    private let passed = Atomic<Int64>(0)
    private let origin = ContinuousClock.now

    var source: TimeSource {
        TimeSource(
            now: { Timestamp(milliseconds: self.wall.load(ordering: .relaxed)) },
            instant: {
                self.origin + .milliseconds(self.passed.load(ordering: .relaxed))
            },
            sleep: { _ in })
    }

    func set(by milliseconds: Int64) { wall.add(milliseconds, ordering: .relaxed) }

    func pass(_ milliseconds: Int64) {
        wall.add(milliseconds, ordering: .relaxed)
        passed.add(milliseconds, ordering: .relaxed)
    }
}

struct ForwardTimeTests {
    private static let hour: Int64 = 3_600_000
    private static let days: Int64 = 400 * 24 * hour

    @Test(arguments: [hour, days])
    func `what ends at a time goes on when the clock is set back`(step: Int64) {
        let time = SettableTime()
        let source = time.source
        let begin = source.latest()
        time.set(by: -step)
        #expect(source.latest() == begin)
        time.pass(60_000)
        #expect(source.latest() == begin.advanced(by: .seconds(60)))
        #expect(source.now() < begin)
    }

    @Test(arguments: [hour, days])
    func `it follows the clock forward and stays there`(step: Int64) {
        let time = SettableTime()
        let source = time.source
        let begin = source.latest()
        time.set(by: step)
        #expect(source.latest() == begin.advanced(by: .milliseconds(step)))
        time.set(by: -step)
        #expect(source.latest() == begin.advanced(by: .milliseconds(step)))
        #expect(source.now() == begin)
    }
}
