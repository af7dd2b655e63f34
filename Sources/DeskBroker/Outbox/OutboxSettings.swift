/// What bounds an outbox.
public struct OutboxSettings: Sendable {
    /// When failed attempts are made again.
    public let schedule: RetrySchedule
    /// Attempts to one target at once, each for another conversation.
    public let attemptsAtOnce: Int
    /// Events looked at, and noted, in one step.
    public let page: Int
    /// How long to pause after the store refused a write, as when its disk is full.
    public let rest: Duration
    /// How long a delivered event stays in the list.
    public let keepsDelivered: Duration
    /// How long a dead one stays, to be looked at and tried again.
    public let keepsDead: Duration

    /// The defaults of delivery: four at once to a target, dead letters for 30 days.
    public init(
        schedule: RetrySchedule = .standard, attemptsAtOnce: Int = 4, page: Int = 300,
        rest: Duration = .seconds(1), keepsDelivered: Duration = .seconds(86_400 * 7),
        keepsDead: Duration = .seconds(86_400 * 30)
    ) {
        self.schedule = schedule
        self.attemptsAtOnce = attemptsAtOnce
        self.page = page
        self.rest = rest
        self.keepsDelivered = keepsDelivered
        self.keepsDead = keepsDead
    }
}
