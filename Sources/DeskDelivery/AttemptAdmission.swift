package import DeskModel

/// Decides which endpoint may be sent an attempt now, so that sick endpoints do not delay healthy ones.
///
/// An endpoint is sick when its last attempt failed or lasted longer than 2 s, and while one that runs has
/// lasted that long; one that was not attempted yet is healthy. Sick ones share a part of all attempts.
package struct AttemptAdmission: Sendable {
    /// What an endpoint is answered.
    package enum Answer: Hashable, Sendable {
        /// The attempt runs from now on, until `end`.
        case admitted
        /// As many attempts of the endpoint run as it may have.
        case endpointIsFull
        /// The endpoint is sick, and sick ones have all that they share.
        case sickShareIsFull
        /// As many attempts run as there may be.
        case allIsFull
    }

    private struct Endpoint {
        var running: [ContinuousClock.Instant] = []
        var isSick = false
    }

    /// From which duration on an attempt makes its endpoint sick.
    package static let slow = Duration.seconds(2)

    /// Most attempts at once.
    private let most: Int
    /// Most of them for sick endpoints.
    private let mostSick: Int
    private var endpoints: [WebhookID: Endpoint] = [:]
    private var running = 0

    /// Admits 64 attempts at once, 16 of them for sick endpoints.
    package init(most: Int = 64, mostSick: Int = 16) {
        precondition((1...most).contains(mostSick), "\(mostSick) of \(most) attempts")
        self.most = most
        self.mostSick = mostSick
    }

    /// How many attempts run.
    package var count: Int { running }

    /// Whether an endpoint is sick at a moment.
    package func isSick(_ id: WebhookID, at now: ContinuousClock.Instant) -> Bool {
        endpoints[id].map { isSick($0, at: now) } ?? false
    }

    /// Begins an attempt, unless there are too many.
    package mutating func admit(
        _ id: WebhookID, concurrency: Int, at now: ContinuousClock.Instant
    ) -> Answer {
        guard running < most else { return .allIsFull }
        var endpoint = endpoints[id] ?? Endpoint()
        guard endpoint.running.count < concurrency else { return .endpointIsFull }
        if isSick(endpoint, at: now), sickRunning(at: now) >= mostSick { return .sickShareIsFull }
        endpoint.running.append(now)
        endpoints[id] = endpoint
        running += 1
        return .admitted
    }

    /// Ends an attempt that was admitted at a moment.
    package mutating func end(
        _ id: WebhookID, admittedAt begin: ContinuousClock.Instant, failed: Bool,
        at now: ContinuousClock.Instant
    ) {
        guard var endpoint = endpoints[id], let place = endpoint.running.firstIndex(of: begin)
        else { preconditionFailure("an attempt ended that was not admitted") }
        endpoint.running.remove(at: place)
        endpoint.isSick = failed || begin.duration(to: now) > Self.slow
        running -= 1
        endpoints[id] = endpoint
    }

    /// Notes that an endpoint failed before this process knew it.
    package mutating func noteFailing(_ id: WebhookID) {
        endpoints[id, default: Endpoint()].isSick = true
    }

    /// Forgets how an endpoint fared; attempts that run go on.
    package mutating func forget(_ id: WebhookID) {
        guard let endpoint = endpoints[id] else { return }
        if endpoint.running.isEmpty {
            endpoints[id] = nil
        } else {
            endpoints[id]?.isSick = false
        }
    }

    private func isSick(_ endpoint: Endpoint, at now: ContinuousClock.Instant) -> Bool {
        endpoint.isSick || endpoint.running.contains { $0.duration(to: now) > Self.slow }
    }

    // Only endpoints with attempts under way count: at most as many as there are attempts.
    private func sickRunning(at now: ContinuousClock.Instant) -> Int {
        endpoints.values.reduce(0) { count, endpoint in
            endpoint.running.isEmpty || !isSick(endpoint, at: now)
                ? count : count + endpoint.running.count
        }
    }
}
