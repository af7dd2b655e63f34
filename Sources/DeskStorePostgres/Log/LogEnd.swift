import DeskModel
import DeskSQL
public import DeskStore

/// By what an event is recognised when the database has another history than this process has seen.
struct EventMark: Equatable, Sendable {
    let position: Position
    private let type: EventType
    private let time: Timestamp
    private let business: BusinessID
    private let message: MessageID?

    /// The mark of an event; nil for one that is not what was written.
    init?(_ event: Event) {
        guard event.type != .eventDamaged else { return nil }
        position = event.id.position
        type = event.type
        time = event.time
        business = event.business
        message = if case .message(let message) = event.body { message.id } else { nil }
    }
}

/// Why a process can use its database no more, and should end.
public enum PostgresStoreEnd: Sendable {
    /// The database has another log than the one that was opened, as after a failover to a standby that was behind.
    case logReplaced
    /// Its tables were changed so that programs of this version cannot use them; says which can.
    case schemaTooNew(StoreError)
}

/// Whether the log in the database is the one that this process has followed so far.
///
/// A standby that was behind when it became the primary, or a backup that was restored, has less than was read
/// before, and gives the same positions to other events.
enum LogHistory: Equatable, Sendable {
    /// It is.
    case same
    /// Events that were handed over are not there, or others are in their places.
    case wentBack
    /// Another process found that out and has begun another epoch.
    case ended
    /// It is, in tables that this program may not use any more.
    case tooNew(StoreError)

    /// Compares the end of the log with the last event that was handed over.
    ///
    /// - Parameter seen: the event that the database has at that position.
    init(
        epoch: Epoch, of stored: Epoch, newest: Position, pruned: Position,
        last: PostgresFeed.Last, seen: Event?
    ) {
        guard epoch == stored else {
            self = .ended
            return
        }
        guard newest >= last.position else {
            self = .wentBack
            return
        }
        // What was forgotten cannot be compared.
        guard last.position > pruned, let mark = last.mark else {
            self = .same
            return
        }
        guard let seen else {
            self = .wentBack
            return
        }
        // Nor can what is damaged.
        let found = EventMark(seen)
        self = found == nil || found == mark ? .same : .wentBack
    }
}

extension PostgresRegistries {
    /// Begins another epoch, so that every cursor of before is answered with a reset; nothing when another process
    /// has begun one.
    func beginEpoch(_ next: Epoch, after epoch: Epoch) async throws(StoreError) {
        try await prepare { connection throws(StoreError) in
            try connection.execute("LOCK TABLE log_turn IN EXCLUSIVE MODE")
            let statement = try connection.statement(
                literal: """
                    INSERT INTO epochs (epoch, first_position) \
                    SELECT ?1, (SELECT coalesce(max(position), 0) FROM events) + 1 \
                    WHERE (SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1) = ?2
                    """)
            try statement.bind(Int64(bitPattern: next.value))
            try statement.bind(Int64(bitPattern: epoch.value))
            try statement.run()
        }
    }
}
