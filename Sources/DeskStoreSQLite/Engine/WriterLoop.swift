import DeskModel
import DeskSQL
import DeskStore

/// What the writer's thread does with its jobs: one transaction, one flush, all answers.
struct WriterLoop {
    let session: WriteSession
    let feed: CommitFeed
    let memory: StoreMemory
    let failed: @Sendable (StoreError) -> Void
    private let counts: CommitCounts
    /// Nil for a database in memory, which has no write-ahead log.
    private var log: LogCare?
    /// The file that is written; nil for a database in memory.
    private let file: WrittenFile?
    private var failure: StoreError?

    init(
        session: WriteSession, log: LogCare?, file: WrittenFile?, feed: CommitFeed,
        memory: StoreMemory, counts: CommitCounts, failed: @escaping @Sendable (StoreError) -> Void
    ) {
        self.session = session
        self.log = log
        self.file = file
        self.feed = feed
        self.memory = memory
        self.counts = counts
        self.failed = failed
    }

    mutating func run(_ jobs: [LogJobs<WriteSession>.Job]) {
        if let failure {
            for job in jobs { job.fail(failure) }
            return
        }
        // What is written to a file without a name ends with the process: it must not be acknowledged.
        if let file, !file.isThere {
            let refusal = StoreError(.unavailable, "the database file is gone")
            for job in jobs { job.fail(refusal) }
            return
        }
        let begin = ContinuousClock.now
        let (finishes, error) = session.connection.alone { commit(jobs) }
        if let error {
            for finish in finishes { finish(error) }
            for job in jobs.dropFirst(finishes.count) { job.fail(error) }
            return
        }
        counts.record(jobs.count, since: begin)
        let (events, changes, entries) = session.finish()
        memory.commit(changes)
        session.recorder.committed(entries)
        feed.publish(events)
        for finish in finishes { finish(nil) }
        lookAfterLog()
    }

    /// Runs jobs in one transaction; with an error it was rolled back, and the jobs after those that
    /// finished never ran.
    private mutating func commit(_ jobs: [LogJobs<WriteSession>.Job]) -> (
        [LogJobs<WriteSession>.Finish], StoreError?
    ) {
        let before = session.newest
        var finishes: [LogJobs<WriteSession>.Finish] = []
        finishes.reserveCapacity(jobs.count)
        do {
            try session.begin()
            for job in jobs { finishes.append(try job.run(session)) }
            try session.commit()
            return (finishes, nil)
        } catch {
            giveUp(error, to: before)
            return (finishes, error)
        }
    }

    /// Leaves every row up to date.
    mutating func end() {
        guard failure == nil else { return }
        session.flushRows()
        run([])
    }

    private mutating func lookAfterLog() {
        do {
            try log?.look()
            // The content lies in the write-ahead log until that is emptied.
            if session.hasErased { session.hasErased = try log?.empty() == false }
        } catch {
            // With a full disk the log stays as it is, and commits find out for themselves.
            guard error.code != .full else { return }
            failure = error
            failed(error)
        }
    }

    /// Rolls a transaction back.
    ///
    /// A full or busy disk may recover; any other error is final: after a failed flush the content
    /// of the disk is unknown, so nothing more is acknowledged.
    private mutating func giveUp(_ error: StoreError, to newest: Int64) {
        var worst = error
        do {
            try session.rollback(to: newest)
        } catch {
            worst = StoreError(.failed, "rollback: \(error.detail)")
        }
        let mayGetBetter = worst.code == .full || worst.code == .busy
        guard !mayGetBetter else { return }
        failure = worst
        failed(worst)
    }
}
