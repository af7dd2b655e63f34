import DeskStore

/// Keeps the write-ahead log short: most of a checkpoint runs on a thread of its own.
///
/// A checkpoint beside a busy writer never catches up, and a log that is not wholly moved only grows.
/// So the thread moves and flushes nearly all, then the writer moves the few pages that came
/// meanwhile, between two commits, and its next commit restarts the log.
///
/// Thread: the writer's.
struct LogCare {
    /// Bytes of the log at which a checkpoint begins.
    static let checkpointBytes = 4_194_304
    /// Bytes of the log at which the writer does all of the checkpoint and waits for readers: as many
    /// as the largest commit writes.
    static let maximumBytes = CommitSize.maximumBytes
    /// Pages at which a checkpoint begins.
    static let beginPages = checkpointBytes / 4_096
    /// Pages at which the writer does all of it.
    static let maximumPages = maximumBytes / 4_096
    /// Pages that the writer moves itself; for more the thread is sent once again.
    static let restPages = 256

    private let connection: Connection
    private let pool: ConnectionPool
    private let hold: LogHold
    /// The outcome of the pass that was sent: pages moved, or nil when a checkpoint ran already.
    private let ended = WorkQueue<Result<Int?, StoreError>>(limit: 1)
    private var isSent = false
    /// Pages at which to act next, and how many there were last.
    private var due = beginPages
    private var pages = 0
    /// How often the writer waited for readers.
    private(set) var waits = 0

    init(
        of connection: Connection, on pool: ConnectionPool, holding hold: LogHold = LogHold()
    ) {
        self.hold = hold
        self.connection = connection
        self.pool = pool
        connection.followLog()
    }

    /// Looks after the log; call it between two transactions.
    ///
    /// - Throws: what a checkpoint met; the log still holds everything then.
    mutating func look() throws(StoreError) {
        let before = pages
        pages = connection.logPages
        // The log restarted.
        if pages < before { due = Self.beginPages }
        guard pages >= due else { return }
        // The log cannot restart while one moment of it is read; the writer does not wait for that.
        let isHeld = hold.isHeld
        let isFull = pages >= Self.maximumPages && !isHeld
        guard isSent else { return try isFull ? finish(.restart) : send() }
        guard let result = isFull ? ended.take(atMost: 1)?.first : ended.takeIfAny() else { return }
        isSent = false
        if let moved = try result.get(), pages - moved <= Self.restPages {
            try finish(.passive)
        } else if isHeld {
            due = pages + Self.beginPages
        } else {
            try isFull ? finish(.restart) : send()
        }
    }

    /// Moves everything and empties the log, so that nothing erased is left in it; false when a reader
    /// or another checkpoint kept it from that.
    func empty() throws(StoreError) -> Bool {
        // A copy of the store is being read: the writer does not wait for its end.
        guard !hold.isHeld else { return false }
        return try connection.checkpoint(.empty) != nil
    }

    private mutating func finish(_ kind: Connection.Checkpoint) throws(StoreError) {
        if case .restart = kind { waits += 1 }
        _ = try connection.checkpoint(kind)
        // A reader may still keep the log from restarting; then there is time.
        due = pages + Self.beginPages
    }

    private mutating func send() {
        isSent = pool.offer { [ended] connection in
            let result: Result<Int?, StoreError>
            do throws(StoreError) {
                result = .success(try connection.checkpoint(.passive))
            } catch {
                result = .failure(error)
            }
            let reception = ended.offer(result)
            precondition(reception == .taken, "two passes ended before one was looked at")
        }
    }
}
