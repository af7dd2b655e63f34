import DeskModel

/// How much the sending to browsers may have at once.
package enum PushBounds {
    /// Most attempts at once.
    package static let mostAtOnce = 16
    /// Most of them at one host: one that is slow leaves the others' to others.
    package static let mostOfHost = 8
    /// Most of them at one browser, of an agent with many conversations: one that hangs leaves the others' to others.
    package static let mostOfBrowser = 2
    /// Most messages that wait; the oldest is given up for one more.
    package static let mostWaiting = 10_000
    /// Most notifications of one agent in 60 s.
    package static let mostNotices = 10
}

/// Which message to a browser is sent next: what waits, of each key only the newest, and what runs.
struct PushQueue {
    /// One message to one browser.
    struct Job {
        let message: PushMessage
        let address: PushAddress
        /// Who is notified that it was attempted.
        let batch: PushBatch
        var attempts = 0
        var due: ContinuousClock.Instant
    }

    /// What waits for customers, of whom a browser has one message, and for agents, who come second.
    private var customers: [PushMessage.Key] = []
    private var agents: [PushMessage.Key] = []
    private var jobs: [PushMessage.Key: Job] = [:]
    private var running: [PushMessage.Key: String] = [:]

    /// How many wait or run.
    var count: Int { jobs.count + running.count }

    /// What became of a message that was added.
    struct Added {
        /// The one that it replaces, whose first attempt was not made.
        var replaced: Job?
        /// The one that is given up for it.
        var dropped: Job?
        /// Whether it waits for an earlier message of its key, which failed or is under way.
        var waits = false
    }

    /// Adds a message.
    mutating func add(_ job: Job) -> Added {
        let id = job.message.key
        if let old = jobs[id] {
            var next = job
            // What the push service asked to wait for is still to be waited for.
            (next.attempts, next.due) = (old.attempts, old.due)
            jobs[id] = next
            return old.attempts == 0
                ? Added(replaced: old, waits: running[id] != nil) : Added(waits: true)
        }
        var dropped: Job?
        if customers.count + agents.count >= PushBounds.mostWaiting {
            let oldest = agents.isEmpty ? customers.removeFirst() : agents.removeFirst()
            dropped = jobs.removeValue(forKey: oldest)
        }
        append(job)
        return Added(dropped: dropped, waits: running[id] != nil)
    }

    /// Puts a message back that is to be sent again later, unless a newer one waits.
    mutating func putBack(_ job: Job) {
        guard jobs[job.message.key] == nil else { return }
        append(job)
    }

    private mutating func append(_ job: Job) {
        switch job.message.subscription.owner {
        case .customer: customers.append(job.message.key)
        case .agent: agents.append(job.message.key)
        }
        jobs[job.message.key] = job
    }

    /// Begins what may run now, and returns it.
    mutating func take(at now: ContinuousClock.Instant) -> [Job] {
        var taken: [Job] = []
        var ofHost: [String: Int] = [:]
        var ofBrowser: [Digest: Int] = [:]
        for (id, host) in running {
            ofHost[host, default: 0] += 1
            ofBrowser[id.browser, default: 0] += 1
        }
        for id in [customers, agents].joined() where running.count < PushBounds.mostAtOnce {
            guard let job = jobs[id], job.due <= now, running[id] == nil,
                ofHost[job.address.host, default: 0] < PushBounds.mostOfHost,
                ofBrowser[id.browser, default: 0] < PushBounds.mostOfBrowser
            else { continue }
            ofHost[job.address.host, default: 0] += 1
            ofBrowser[id.browser, default: 0] += 1
            running[id] = job.address.host
            jobs[id] = nil
            taken.append(job)
        }
        if !taken.isEmpty {
            customers.removeAll { jobs[$0] == nil }
            agents.removeAll { jobs[$0] == nil }
        }
        return taken
    }

    /// Notes that an attempt ended.
    mutating func end(_ id: PushMessage.Key) { running[id] = nil }

    /// When the next one becomes due, of those that are not; nil when none does.
    func nextDue(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        jobs.values.lazy.map(\.due).filter { $0 > now }.min()
    }
}
