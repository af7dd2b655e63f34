import DeskModel

/// Ends a stream: after its life, and as soon as its reader may no longer read.
struct StreamClock: Sendable {
    /// Why a stream was ended.
    enum End: Sendable, Equatable {
        /// It lived its time; the reader comes back.
        case life
        /// The reader's credential is over.
        case notAllowed
        /// The task was cancelled.
        case cancelled
    }

    let services: Services
    let watch: PrincipalWatch

    /// Waits until the stream has to end; `tick` is called with each heartbeat and says whether to go on.
    func run(tick: () async -> Bool = { true }) async -> End {
        let limits = services.limits
        // Spread, so that streams begun together do not come back together.
        let life = Duration.seconds(limits.streamMinutes * 60) * Double.random(in: 0.8...1.2)
        let begin = services.time.instant()
        var checked = begin
        while true {
            let passed = begin.duration(to: services.time.instant())
            guard passed < life else { return .life }
            // Steps end where a look is due, so that a revocation never waits for a heartbeat.
            let unchecked = checked.duration(to: services.time.instant())
            let step = min(
                life - passed, .seconds(limits.heartbeatSeconds),
                max(.zero, .seconds(limits.recheckSeconds) - unchecked))
            do {
                try await services.time.sleep(step)
            } catch {
                return .cancelled
            }
            let now = services.time.instant()
            if checked.duration(to: now) >= .seconds(limits.recheckSeconds) {
                checked = now
                guard await watch.holds() else { return .notAllowed }
            }
            guard await tick() else { return .cancelled }
        }
    }
}
