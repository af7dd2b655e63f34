public import DeskLog
public import DeskModel
@_exported public import DeskSQL
public import DeskStore

/// A store in a PostgreSQL database, which any number of processes may write at once.
///
/// Each process has one connection that writes the log, one that writes registries, a few that read, and one
/// that follows what the others write.
public final class PostgresStore: Sendable {
    /// The life of the store.
    public let epoch: Epoch

    let registries: PostgresRegistries
    let feed: PostgresFeed
    let tail: PostgresTail
    private let health: PostgresHealth
    let jobs: LogJobs<PostgresLogSession>
    /// Receives what readers find damaged; on any thread.
    public let damaged: @Sendable (Damage) -> Void
    private let following: Task<Void, Never>
    /// Reads what others write: a report that keeps the readers busy does not hold it up.
    private let follower: PostgresThreads
    private let retries: PostgresRetries?
    let lookups: ConversationLookups

    /// Opens the store in the first schema of the address's search path, and makes its tables when there
    /// are none.
    ///
    /// Commits and queues are counted in `metrics`.
    /// `newEpoch` names the store's life if this begins one. `damaged` is called on any thread for each
    /// damaged row that is met, as often as it is met. `ended` is called once when the database cannot be used any
    /// more, with the reason: the process should end.
    /// - Throws: `unavailable` when the server cannot be reached, `tooNew`, `busy` and `refused` with a sentence
    ///   when the tables cannot be changed or the database is none for this, `failed` without libpq.
    public init(
        _ options: PostgresRegistries.Options, newEpoch: Epoch, metrics: Metrics = Metrics(),
        damaged: @escaping @Sendable (Damage) -> Void = { _ in },
        ended: @escaping @Sendable (PostgresStoreEnd) -> Void = { _ in }
    ) async throws(StoreError) {
        let registries = PostgresRegistries(options)
        let opened: PostgresOpening
        do throws(StoreError) {
            opened = try await registries.open(newEpoch: newEpoch)
        } catch {
            await registries.close()
            throw error
        }
        epoch = opened.epoch
        retries = options.retries
        self.registries = registries
        self.damaged = damaged
        let feed = PostgresFeed(newest: opened.newest, oldest: opened.oldest)
        let health = PostgresHealth()
        let writer = Int64.random(in: 1...Int64.max)
        let tail = PostgresTail(feed, health, besideWriter: writer)
        self.health = health
        self.feed = feed
        self.tail = tail
        jobs = LogJobs(limit: options.waiting)
        let (epoch, recorder) = (opened.epoch, registries.registryRecorder)
        let (version, counts) = (options.migrations.version, CommitCounts(metrics))
        jobs.start(atMost: options.jobsPerCommit) { take in
            var loop = PostgresWriterLoop(
                options, as: writer, in: epoch, recorder: recorder, feed: feed, health: health,
                counts: counts)
            while let jobs = take() { loop.run(jobs) }
            loop.end()
        }
        let follower = PostgresThreads(options, for: .following, threads: 1)
        self.follower = follower
        lookups = ConversationLookups(options)
        following = Task {
            await tail.run(
                reading: { last, limit, look throws(StoreError) in
                    switch look {
                    case .quick:
                        try await follower.runOne { connection throws(StoreError) in
                            try Self.page(
                                from: last, limit: limit, epoch: epoch, damaged: damaged,
                                on: connection)
                        }
                    case .whole(let looksAtStandby):
                        try await follower.run { connection throws(StoreError) in
                            try Self.page(
                                from: last, limit: limit, epoch: epoch, version: version,
                                damaged: damaged, looksAtStandby: looksAtStandby,
                                on: connection)
                        }
                    }
                },
                ended: { history in
                    switch history {
                    case .same: break
                    case .wentBack:
                        await Self.beginEpoch(after: epoch, in: registries)
                        ended(.logReplaced)
                    case .ended: ended(.logReplaced)
                    case .tooNew(let why): ended(.schemaTooNew(why))
                    }
                })
        }
        metrics.showLog { feed.newest }
        metrics.show(.writer) { [jobs] in jobs.waiting }
        metrics.show(.readers) { registries.waitingReads }
    }

    /// Begins another epoch, as often as it takes: a process that ended without one would forget that the log
    /// went back.
    private static func beginEpoch(after epoch: Epoch, in registries: PostgresRegistries) async {
        let next = Epoch(.random(in: 1...UInt64.max))
        while !Task.isCancelled {
            do throws(StoreError) {
                return try await registries.beginEpoch(next, after: epoch)
            } catch {
                guard error.code != .closed else { return }
            }
            // Safe: cancelled, the loop ends.
            try? await Task.sleep(for: PostgresTail.interval)
        }
    }

    /// Whether the database answered within the last 2 s, and no commit has been waiting for over 5 s.
    public var isReachable: Bool { health.isReachable }

    /// Finishes the accepted work, then refuses; returns when everything is closed.
    public func close() async {
        await jobs.close()
        following.cancel()
        await following.value
        await follower.close()
        await lookups.close()
        await registries.close()
    }
}

// MARK: Registries

extension PostgresStore: SQLRegistries {
    /// What sees every change of the registries.
    public var registryRecorder: RegistryRecorder { registries.registryRecorder }

    /// What encrypts the secrets in the tables.
    public var encryptionKeys: EncryptionKeys { registries.encryptionKeys }

    /// Those of this process who wait for a lease.
    public var leaseLine: LeaseLine { registries.leaseLine }

    /// Runs a read in a transaction that sees one state of everything.
    public func readRegistry<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await registries.readRegistry(body)
    }

    /// Runs a write in a serializable transaction, never beside one that writes the log.
    public func writeRegistry<Value: Sendable>(
        _ body:
            @escaping @Sendable (
                any SQLSession, inout [RegistryEntry]
            ) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await registries.writeRegistry(body)
    }

    /// The newest event of the log, as of the transaction of `sql`.
    public func newestPosition(on sql: any SQLSession) throws(StoreError) -> Position {
        let statement = try sql.statement(
            literal: "SELECT coalesce(max(position), 0) FROM events")
        defer { statement.reset() }
        guard try statement.step() else { return .start }
        return Position(statement.integerIfAny() ?? 0)
    }

    /// Acquires a lease that is free or whose life has ended; nil while another holds it.
    public func acquireLease(
        _ name: String, life: Duration
    ) async throws(StoreError) -> Lease? {
        try await registries.acquireLease(name, life: life)
    }

    /// Acquires a lease as `acquireLease` does, and says for how long another holds it.
    public func attemptLease(
        _ name: String, life: Duration
    ) async throws(StoreError) -> LeaseAttempt {
        try await registries.attemptLease(name, life: life)
    }

    /// Lets a lease live on; false when it was released or acquired by another since.
    public func renewLease(_ lease: Lease, life: Duration) async throws(StoreError) -> Bool {
        try await registries.renewLease(lease, life: life)
    }

    /// Gives a lease back, unless another acquired it since.
    public func releaseLease(_ lease: Lease) async throws(StoreError) {
        try await registries.releaseLease(lease)
    }

    /// Reports what this process does under a lease.
    public func note(_ lease: Lease, isHeld: Bool) { registries.note(lease, isHeld: isHeld) }

    /// Refuses what is written under a lease that was released or acquired by another since.
    public func requireCurrent(_ lease: Lease, on sql: any SQLSession) throws(StoreError) {
        try registries.requireCurrent(lease, on: sql)
    }
}

// MARK: Outboxes

extension PostgresStore {
    /// Calls `listener` when deliveries were requeued or brought forward by any node.
    public func followRetries(_ listener: @escaping @Sendable (OutboxID, Int) -> Void) {
        retries?.follow(listener)
        registries.followRetries { [retries] outbox, requeued in
            listener(outbox, requeued)
            retries?.announce(outbox, requeued)
        }
    }
}

// MARK: The log

extension PostgresStore: SQLLog, Store {
    /// The newest position that this process has handed over.
    public var newest: Position { feed.newest }

    /// The oldest position that a cursor may have.
    public var oldest: Position { feed.oldest }

    /// Finds a conversation by its name.
    public func findConversation(_ id: ConversationID) async throws(StoreError) -> Conversation? {
        try await lookups.find(id)?.conversation
    }

    /// Stores groups, each whole or not at all; durable on return.
    ///
    /// - Throws: `unknown` when the database did not say within 10 s whether a commit is stored.
    public func append<Last: WriteStep>(
        _ groups: [WriteGroup<Last>]
    ) async throws(StoreError) -> [Result<Last.Answer, Refusal>] {
        do throws(StoreError) {
            let (answers, entries) = try await jobs.append(groups)
            if !entries.isEmpty { await registryRecorder.publish(entries) }
            return try answers.get()
        } catch {
            // It may be stored: who was removed is looked up again, here as on every node.
            if error.code == .unknown, groups.contains(where: Self.changesMember) {
                await registryRecorder.publishUnknown()
            }
            throw error
        }
    }

    /// Whether a group may end what a member or a key may do.
    private static func changesMember<Last: WriteStep>(_ group: WriteGroup<Last>) -> Bool {
        func changesMember(_ step: Write) -> Bool {
            if case .member = step { true } else { false }
        }
        return group.last is MemberChange || (group.last as? Write).map(changesMember) ?? false
            || group.first.contains(where: changesMember)
    }

    /// Hands events to a listener, set once before the first append: every one once and in order.
    public func follow(_ listener: @escaping @Sendable ([Event]) -> Void) {
        feed.follow(listener)
    }

    /// Whether a position was ever reached, waiting for what other processes wrote.
    ///
    /// A process that is behind for longer than the limit asks the database, and says no only when that has
    /// no such event either.
    /// - Throws: when the database does not answer.
    public func reach(_ position: Position, within limit: Duration) async throws(StoreError) -> Bool
    {
        let end = ContinuousClock.now + limit
        while feed.newest < position {
            tail.look()
            guard ContinuousClock.now < end, !Task.isCancelled else {
                do throws(StoreError) {
                    let isStored = try await stored(upTo: position)
                    // What others wrote may have come meanwhile.
                    return isStored || feed.newest >= position
                } catch {
                    guard feed.newest >= position else { throw error }
                    return true
                }
            }
            // Safe: a sleep that was cut short is looked at above.
            try? await Task.sleep(for: .milliseconds(5))
        }
        return true
    }

    /// Returns once a standby has all that was read before, where commits wait for one.
    ///
    /// - Throws: as of `append`.
    public func confirmReads() async throws(StoreError) {
        try await jobs.ask { $0.restOnStored() }
    }

    /// Whether the database has events up to a position.
    private func stored(upTo position: Position) async throws(StoreError) -> Bool {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "SELECT coalesce(max(position), 0) FROM events")
            return try statement.first { $0.integer() } ?? 0 >= position.value
        }
    }

    /// Forgets events up to a position for replay; messages stay.
    public func prune(upTo position: Position) async throws(StoreError) {
        // The newest event stays: the log goes on behind it.
        let needed = try await firstNeeded().map { max(0, $0.value - 1) } ?? .max
        let last = Position(min(position.value, max(0, newest.value - 1), needed))
        guard last > oldest else { return }
        feed.forget(upTo: last)
        _ = try await jobs.run { session, _ throws(StoreError) in
            try EventPruning.prune(upTo: last.value, on: session.sql)
        }
    }
}

// MARK: Maintenance

extension PostgresStore: Maintenance {
    private static let ownMeans = """
        A store in PostgreSQL is backed up by PostgreSQL's own programs: pg_basebackup and pg_verifybackup
        """

    /// Refuses: PostgreSQL's own programs back it up.
    public func backUp(
        to directory: String, at time: Timestamp, leaving freeBytes: Int64
    ) async throws(StoreError) -> StoreBackup {
        throw StoreError(.refused, Self.ownMeans)
    }

    /// Hands over one moment of the database, in one transaction of a connection of its own.
    ///
    /// - Throws: `damaged` with the first item that is not what was written, `unavailable`, `failed`.
    public func archive(
        with blobs: any BlobStore, at time: Timestamp,
        begin: @escaping @Sendable (ArchiveHead) throws(StoreError) -> Void,
        take: @escaping @Sendable (ArchiveItem) throws(StoreError) -> Void
    ) async throws(StoreError) {
        try await PostgresArchive.read(
            registries.options, with: blobs, at: time, begin: begin, take: take)
    }

    /// Begins another epoch; every process that runs on the database ends then.
    public func beginEpoch(_ next: Epoch) async throws(StoreError) {
        try await registries.beginEpoch(next, after: epoch)
    }

    /// Makes a reader of the database, on a connection of its own.
    public func makeWatch(with blobs: any BlobStore) -> any StoreWatch {
        PostgresWatch(registries.options, blobs)
    }

    /// The database's disk is none of this machine's to measure.
    public var disk: DiskGauge? { nil }
}
