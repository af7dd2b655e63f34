import DeskModel
import DeskWeb

/// Knows when a stream has to end: after its life, and as soon as its reader may no longer read.
struct StreamClock: Sendable {
    /// Why a stream was ended.
    enum End: Sendable, Equatable {
        /// It lived its time; the reader comes back.
        case life
        /// The reader's credential has expired or was revoked.
        case notAllowed
        /// Nothing can be read now; the reader comes back until it can.
        case paused
    }

    private let services: Services
    private let watch: PrincipalWatch
    private let look: StreamLease.Look?
    private let begin: ContinuousClock.Instant
    private let life: Duration
    private var checked: ContinuousClock.Instant

    /// Starts now; `look` says when the reader's permission is checked before its time.
    init(services: Services, watch: PrincipalWatch, look: StreamLease.Look? = nil) {
        self.services = services
        self.watch = watch
        self.look = look
        begin = services.time.instant()
        checked = begin
        // Spread, so that streams begun together do not come back together.
        life =
            Duration.seconds(services.limits.web.streamMinutes * 60) * Double.random(in: 0.8...1.2)
    }

    /// Checks the time and, when that is due, the reader's permission; nil when the stream
    /// continues.
    mutating func judge() async -> End? {
        let now = services.time.instant()
        guard begin.duration(to: now) < life else { return .life }
        let isDemanded = look?.take() ?? false
        guard !services.streams.isPaused else { return .paused }
        guard isDemanded || checked.duration(to: now) >= recheck else { return nil }
        checked = now
        return await watch.holds() ? nil : .notAllowed
    }

    /// How long the stream may rest before the next look is due.
    var rest: Duration {
        let now = services.time.instant()
        return max(
            .milliseconds(1),
            min(life - begin.duration(to: now), recheck - checked.duration(to: now)))
    }

    private var recheck: Duration { .seconds(services.limits.web.recheckSeconds) }
}
