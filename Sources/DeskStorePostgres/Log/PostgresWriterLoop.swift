import DeskModel
import DeskSQL
import DeskStore
import Glibc

/// What the thread that writes the log does with its jobs: one transaction, one flush, all answers.
struct PostgresWriterLoop {
    typealias Job = LogJobs<PostgresLogSession>.Job
    typealias Finish = LogJobs<PostgresLogSession>.Finish

    /// How often a transaction is run again that failed for another one's sake or with its connection.
    private static let maximumRepeats = 3
    /// The longest that it is tried to find out whether a commit was stored, from its beginning on.
    private static let patience: Duration = .seconds(10)
    /// Microseconds between two tries of that.
    private static let pause: UInt32 = 100_000
    /// Commits after which the names of old ones are removed.
    private static let sweepInterval: Int64 = 4_096

    let options: PostgresRegistries.Options
    let epoch: Epoch
    let recorder: RegistryRecorder
    let feed: PostgresFeed
    let health: PostgresHealth
    private let counts: CommitCounts
    /// Where changes that may revoke are recorded for the other processes; nil when there are none.
    private let credentials: PostgresCredentialFeed?
    private let writer: Int64
    private var number: Int64 = 0
    private var session: PostgresLogSession?

    init(
        _ options: PostgresRegistries.Options, as writer: Int64, in epoch: Epoch,
        recorder: RegistryRecorder, feed: PostgresFeed, health: PostgresHealth, counts: CommitCounts
    ) {
        self.writer = writer
        self.options = options
        self.epoch = epoch
        self.recorder = recorder
        self.feed = feed
        self.health = health
        self.counts = counts
        credentials = options.credentials as? PostgresCredentialFeed
    }

    /// Runs jobs in one transaction; where one of them fails it, each by itself.
    mutating func run(_ jobs: [Job]) {
        health.beginCommit()
        defer { health.endCommit() }
        switch commit(jobs) {
        case .done: break
        case .failed(let error, let isOfOne):
            guard isOfOne, jobs.count > 1 else {
                for job in jobs { job.fail(error) }
                return
            }
            for job in jobs {
                if case .failed(let error, _) = commit([job]) { job.fail(error) }
            }
        }
        if number % Self.sweepInterval == 1 { sweep() }
    }

    /// Closes the connection.
    mutating func end() { session = nil }

    private enum Outcome {
        /// Every caller has an answer.
        case done
        /// Nothing is stored and no caller has an answer; one of the jobs may be the reason.
        case failed(StoreError, isOfOne: Bool)
    }

    private mutating func commit(_ jobs: [Job]) -> Outcome {
        var left = Self.maximumRepeats
        var looksForRepeats = false
        number += 1
        // What is counted has the wait for the log's turn in it, and every repeat.
        let begin = ContinuousClock.now
        let name = CommitName(writer: writer, number: number)
        while true {
            var hasBegun = false
            do throws(StoreError) {
                let session = try beginning()
                hasBegun = true
                session.looksForRepeats = looksForRepeats
                try session.fetch(jobs.lazy.flatMap(\.conversations))
                var finishes: [Finish] = []
                finishes.reserveCapacity(jobs.count)
                for job in jobs { finishes.append(try job.run(session)) }
                guard try session.finishRows(name) else {
                    publish(session, finishes, since: begin)
                    if !session.rollBack() { self.session = nil }
                    return .done
                }
                if let record = credentials?.record(session.entries) {
                    session.connection.beforeCommit(record)
                }
                let end = ContinuousClock.now + Self.patience
                do throws(StoreError) {
                    try session.connection.commit()
                } catch {
                    // What was sent ahead may be answered only now.
                    guard error.code == .unavailable, !PostgresState.hasRefused(error) else {
                        throw error
                    }
                    let (events, entries) = session.finish()
                    if try settle(name, until: end) {
                        publish(events, entries, finishes, since: begin)
                        return .done
                    }
                    // Nothing is stored: it is written again.
                    guard left > 0 else { throw error }
                    left -= 1
                    continue
                }
                publish(session, finishes, since: begin)
                return .done
            } catch {
                let isLost = session.map { !$0.connection.isConnected } ?? true
                let hasConflict = session?.connection.hasConflict ?? false
                let hasDuplicate = session?.connection.hasDuplicate ?? false
                if let session, !session.rollBack() { self.session = nil }
                if hasDuplicate, !looksForRepeats {
                    looksForRepeats = true
                    continue
                }
                guard hasConflict || isLost && error.code == .unavailable, left > 0 else {
                    let isOfOne =
                        [.refused, .damaged, .failed].contains(error.code)
                        || hasBegun && PostgresState.hasRefusedOne(error)
                    return .failed(error, isOfOne: isOfOne)
                }
                left -= 1
            }
        }
    }

    /// Finds out whether a commit was stored whose confirmation is lost.
    ///
    /// The question is asked with the log's turn, so that the connection which may have committed has ended.
    /// - Throws: `unknown` when the database does not answer in time.
    private mutating func settle(
        _ name: CommitName, until end: ContinuousClock.Instant
    ) throws(StoreError) -> Bool {
        session = nil
        while true {
            do throws(StoreError) {
                let session = try beginning()
                guard try session.confirm(name) else {
                    if !session.rollBack() { self.session = nil }
                    return false
                }
                // Where commits wait for a standby, this one waits until it has that one, too.
                try session.connection.commit()
                return true
            } catch {
                session = nil
                guard error.code == .unavailable, ContinuousClock.now < end else {
                    throw StoreError(.unknown, error.detail)
                }
                usleep(Self.pause)
            }
        }
    }

    /// The connection in a new transaction; one that was lost while idle is replaced once.
    private mutating func beginning() throws(StoreError) -> PostgresLogSession {
        if let known = session {
            do throws(StoreError) {
                try known.begin()
                return known
            } catch {
                // Others keep the turn: on another connection it would be waited for a second time.
                guard !known.connection.isTurnKept else { throw error }
                // libpq may not have noticed yet that the server has ended the connection.
                session = nil
                guard error.code == .unavailable else { throw error }
            }
        }
        let connection = try PostgresConnection(
            address: options.address, library: options.library)
        try connection.execute(PostgresSettings.ofTurn)
        try connection.execute(PostgresSettings.ofLog)
        let made = PostgresLogSession(on: connection, in: epoch, recorder: recorder)
        session = made
        try made.begin()
        return made
    }

    private func publish(
        _ session: PostgresLogSession, _ finishes: [Finish], since begin: ContinuousClock.Instant
    ) {
        let (events, entries) = session.finish()
        publish(events, entries, finishes, since: begin)
    }

    private func publish(
        _ events: [Event], _ entries: [RegistryEntry], _ finishes: [Finish],
        since begin: ContinuousClock.Instant
    ) {
        counts.record(finishes.count, since: begin)
        recorder.committed(entries)
        feed.publish(events)
        for finish in finishes { finish(nil) }
    }

    /// Removes the names of commits that are not asked for any more.
    ///
    /// Nothing is lost when it is undone, so that it waits for no standby, and the writer not for long.
    private mutating func sweep() {
        guard let connection = session?.connection else { return }
        do throws(StoreError) {
            try connection.begin(
                "BEGIN; SET LOCAL synchronous_commit = off; SET LOCAL statement_timeout = '5s'")
            // In portions: one that does not end within the time would begin with more at each try.
            try connection.execute(
                """
                DELETE FROM commits WHERE ctid = ANY (ARRAY(SELECT ctid FROM commits \
                WHERE made_at < now() - interval '1 hour' LIMIT 10000))
                """)
            try connection.commit()
        } catch {
            // The next sweep finds them.
            session = nil
        }
    }
}
