/// How long to wait before each further attempt, and when to give up.
public struct RetrySchedule: Hashable, Sendable {
    /// The wait before the second attempt, before the third and so on; after the last one, no more.
    public let waits: [Duration]
    /// How far a wait may be off to either side, as a part of it: 0.2 is a fifth.
    public let jitter: Double
    /// The longest wait that an answer's `Retry-After` may ask for.
    public let longest: Duration

    /// Puts a schedule together.
    public init(waits: [Duration], jitter: Double, longest: Duration = .seconds(86_400)) {
        self.waits = waits
        self.jitter = jitter
        self.longest = longest
    }

    /// Ten attempts over 75 h 35 min 5 s, each wait up to a fifth shorter or longer.
    ///
    /// Source: Standard Webhooks, "Deliverability and reliability".
    public static let standard = RetrySchedule(
        waits: [
            .seconds(5), .seconds(300), .seconds(1_800), .seconds(7_200), .seconds(18_000),
            .seconds(36_000), .seconds(50_400), .seconds(72_000), .seconds(86_400),
        ], jitter: 0.2)

    /// The wait after so many attempts, all failed; nil when that was the last.
    ///
    /// What the answer asked for counts when it is longer, up to `longest`.
    public func wait(
        after attempts: Int, asked: Duration?, using random: inout some RandomNumberGenerator
    ) -> Duration? {
        guard attempts >= 1, attempts <= waits.count else { return nil }
        let factor = 1 + Double.random(in: -jitter...jitter, using: &random)
        let planned = waits[attempts - 1] * factor
        return max(planned, min(asked ?? .zero, longest))
    }

    /// No wait after so many attempts is longer than this.
    public func longestWait(after attempts: Int) -> Duration {
        guard attempts >= 1, attempts <= waits.count else { return .zero }
        return max(waits[attempts - 1] * (1 + jitter), longest)
    }
}
