import DeskModel

/// How time passes for the script that is played.
protocol ScriptTime: Sendable {
    /// Nothing of before is the script's.
    var start: Timestamp { get }
    /// What time it is for what is stored.
    var now: Timestamp { get }
    /// The longest that one script runs, in real time.
    var longestRun: Duration { get }
    /// How long a step waits for the business, in real time, where the script does not say.
    var patience: Duration { get }
    /// Why a run whose task was cancelled ended.
    var interruption: String { get }

    /// Describes when something is tried again.
    func isTried(_ due: Timestamp) -> String

    /// Lets a length of time pass; false when a part of it was skipped.
    func pass(_ span: Duration) async -> Bool
}
