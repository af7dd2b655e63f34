public import DeskModel

/// The outboxes of delivery targets: how far each has read the log, and what it put into its queue.
public protocol OutboxCursors: Sendable {
    /// Begins an outbox whose events come after a position, or with nil after the newest event as of
    /// this commit; one that is known stays as it is.
    ///
    /// Nil and not the newest event that a process has published: that one may trail the log.
    func openOutbox(
        _ outbox: OutboxID, after position: Position?, author: Author
    ) async throws(StoreError)

    /// How far an outbox has read the log; nil when there is none.
    func findCursor(of outbox: OutboxID) async throws(StoreError) -> Position?

    /// Deletes an outbox and its deliveries.
    func closeOutbox(_ outbox: OutboxID, author: Author) async throws(StoreError)

    /// Adds new deliveries and moves their outbox's cursor, both or neither.
    ///
    /// Durable: on return both survive a power cut. A delivery at or before the cursor is left out,
    /// so that a repeated call adds nothing.
    /// - Throws: `superseded` when the lease is no longer the caller's; then nothing was stored.
    func enqueue(
        _ deliveries: [Delivery], of outbox: OutboxID, upTo end: Position, under lease: Lease
    ) async throws(StoreError)

    /// The first position whose event an outbox or another reader of the log may still need; nil when none needs any.
    ///
    /// `EventLog.prune` keeps it and all later ones.
    func firstNeeded() async throws(StoreError) -> Position?
}

/// The queue of each outbox: what to attempt next and what came of an attempt.
///
/// The holder of an outbox's lease alone attempts deliveries: it claims one, sends it and stores the
/// result. People requeue and reschedule without the lease, from any process.
public protocol DeliveryQueue: Sendable {
    /// What is attempted next: of each conversation only its earliest pending delivery.
    ///
    /// Order: by due time, moments to come included, then by position. Limit: 300. Those that are
    /// claimed are among them, with their claim.
    func nextDeliveries(of outbox: OutboxID, limit: Int) async throws(StoreError) -> [Delivery]

    /// Claims deliveries before they are sent, and returns the positions of those that it claimed.
    ///
    /// Left out are those that this lease has claimed already, that are not pending, and those of a
    /// conversation with an earlier pending one. A claim of an earlier term is void.
    /// Durable: on return it survives a power cut.
    /// - Throws: `superseded` when the lease is no longer the caller's; then nothing was claimed.
    func claim(
        _ positions: [Position], of outbox: OutboxID, under lease: Lease
    ) async throws(StoreError) -> Set<Position>

    /// Stores the result of an attempt and ends its claim; once it is final the conversation's next
    /// may be attempted.
    ///
    /// A receipt that came before stays: then whatever but `delivered` is stored as pending and due, so that
    /// the target sees the receipt at the next attempt. Durable: on return it survives a power cut.
    /// - Returns: the state stored; nil when the lease has no claim on the delivery, then nothing was.
    /// - Throws: `superseded` when the lease is no longer the caller's; then nothing was stored.
    func settle(_ delivery: Delivery, under lease: Lease) async throws(StoreError) -> Delivery
        .State?

    /// Keeps what a channel said of a message that it accepted, in place of what it said before; receipts come
    /// in any order and again, and none leads backwards.
    ///
    /// One about a delivery whose attempt is not stored yet, or failed since its answer was lost, is kept beside
    /// it, so that the attempt is not made again, and brings it forward to `time`, of which `followRetries`
    /// reports; `failed` is then `early`. Once a receipt is kept under a name, `sent` and `failed` under another
    /// are of an earlier attempt and are `known`.
    ///
    /// - Parameters:
    ///   - name: the message's name in the channel.
    ///   - reason: why it failed.
    func noteReceipt(
        _ receipt: DeliveryReceipt, of name: String, because reason: String?,
        at position: Position, of outbox: OutboxID, time: Timestamp
    ) async throws(StoreError) -> ReceiptResult

    /// Lets dead deliveries within a range of positions be attempted again from the first on.
    ///
    /// - Returns: how many there were.
    func requeue(
        _ range: ClosedRange<Position>, of outbox: OutboxID, due: Timestamp, author: Author
    ) async throws(StoreError) -> Int

    /// Brings forward what is due later than a moment, of those with as many attempts.
    func reschedule(
        attempts: Int, of outbox: OutboxID, to time: Timestamp, author: Author
    ) async throws(StoreError)

    /// Calls `listener` when deliveries were requeued or brought forward, so that the holder of the
    /// outbox's lease looks at its queue at once, with how many were requeued.
    ///
    /// Order: after the commit. Thread: a thread of the store, so it must be quick and must not wait.
    /// It wakes and promises nothing: what is due is in the rows, and the holder finds it at the latest
    /// with its next event or due time. In one process none is lost.
    func followRetries(_ listener: @escaping @Sendable (OutboxID, _ requeued: Int) -> Void)

    /// Deletes delivered and dead deliveries whose last attempt ended before two moments, and what waits for
    /// webhook endpoints that were disabled before the second.
    func pruneDeliveries(
        deliveredBefore delivered: Timestamp, deadBefore dead: Timestamp
    ) async throws(StoreError)
}

/// The deliveries of an outbox as people and programs list them.
public protocol DeliveryViews: Sendable {
    /// Lists an outbox's deliveries in a state beside a position.
    ///
    /// Order: by position. Limit: 300.
    func deliveries(
        of outbox: OutboxID, in state: Delivery.State, at edge: PageEdge<Position>, limit: Int
    ) async throws(StoreError) -> [Delivery]

    /// Finds an outbox's deliveries of stated events; those that are not known are left out.
    func deliveries(
        of outbox: OutboxID, at positions: [Position]
    ) async throws(StoreError) -> [Delivery]

    /// How many deliveries an outbox has in each state.
    func countDeliveries(of outbox: OutboxID) async throws(StoreError) -> [Delivery.State: Int]

    /// How many deliveries of each of some outboxes are pending, counted up to a number.
    func countPending(
        of outboxes: [OutboxID], upTo most: Int
    ) async throws(StoreError) -> [OutboxID: Int]
}

/// Everything about outboxes.
public typealias OutboxRegistry = OutboxCursors & DeliveryQueue & DeliveryViews
