import DeskModel
import DeskScript
import DeskWeb

/// The time of an ephemeral gateway: it stands still, and a wait is a jump of the clock.
struct VirtualScriptTime: ScriptTime {
    let clock: VirtualClock

    var start: Timestamp { Timestamp(milliseconds: 0) }
    var now: Timestamp { clock.now }
    var longestRun: Duration { Simulation.longestRun }
    var patience: Duration { .seconds(10) }
    var interruption: String { "The gateway ends, or nobody waits for the script." }

    func isTried(_ due: Timestamp) -> String {
        "when the clock goes on by \(TimeSpan.text(max(.zero, due.since(now))))"
    }

    func pass(_ span: Duration) async -> Bool {
        clock.advance(by: span)
        return true
    }
}
