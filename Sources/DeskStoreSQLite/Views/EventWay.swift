import DeskModel
import DeskSQL
import DeskStore

/// Ranges of the log that have every event of a business.
///
/// A reader of a small business that resumes from far back looks at these and not at the
/// events of all businesses.
enum EventRanges {
    /// Positions of a range, as a power of two.
    static let bits: Int64 = 6

    /// Notes that a business has events in the range of a position.
    static func note(
        _ position: Int64, of business: Int64, on connection: Connection
    ) throws(StoreError) {
        let statement = try connection.statement(
            literal: "INSERT OR IGNORE INTO event_stretches VALUES (?, ?)")
        try statement.bind(business)
        try statement.bind(position >> bits)
        try statement.run()
    }

    /// Forgets the ranges that end before a position.
    static func forget(before position: Int64, on connection: Connection) throws(StoreError) {
        let statement = try connection.statement(
            literal: "DELETE FROM event_stretches WHERE stretch < ?")
        try statement.bind(position >> bits)
        try statement.run()
    }

    /// The first range from one on where any of the businesses has events.
    static func next(
        from range: Int64, of businesses: [Int64], on connection: Connection
    ) throws(StoreError) -> Int64? {
        var next: Int64?
        for business in businesses {
            let statement = try connection.statement(
                literal: """
                    SELECT stretch FROM event_stretches WHERE business = ? AND stretch >= ? \
                    ORDER BY stretch LIMIT 1
                    """)
            try statement.bind(business)
            try statement.bind(range)
            guard let found = try statement.first({ $0.integer() }) else { continue }
            next = min(next ?? found, found)
        }
        return next
    }
}

/// Where a reader has to look for the events of its scope between two positions.
enum EventWay {
    /// Everywhere.
    case all(Int64, Int64)
    /// In the ranges of some businesses.
    case ranges(Int64, Int64, of: [Int64], on: Connection)
    /// At some positions.
    case positions([Int64])

    /// Positions that are looked through faster than any index leads past them.
    static let near: Int64 = 1_024

    init(
        from start: Int64, to end: Int64, in scope: EventScope, limit: Int,
        ahead unflushed: [ConversationID: ConversationRow], on connection: Connection
    ) throws(StoreError) {
        self = .all(start, end)
        guard end - start > Self.near else { return }
        switch scope {
        case .everything, .conversation: break
        case .businesses(let businesses):
            var numbers: [Int64] = []
            for business in businesses {
                guard let number = try Businesses.number(of: business, on: connection.sql) else {
                    continue
                }
                numbers.append(number)
            }
            self = .ranges(start, end, of: numbers, on: connection)
        case .customer(let id):
            let row = try unflushed[id] == nil ? SQLiteStore.find(id, on: connection) : nil
            guard let one = unflushed[id] ?? row else { return }
            let positions = try ThreadRows.positions(
                after: start, upTo: end, in: one, limit: limit, on: connection)
            // Without them the way is long and still leads there.
            guard let positions else { return }
            let erasures = try Self.erasures(
                after: start, upTo: end, in: one.number, limit: limit, on: connection)
            self = .positions(Array((positions + erasures).sorted().prefix(limit)))
        }
    }

    /// The first positions where a conversation's messages were erased.
    private static func erasures(
        after start: Int64, upTo end: Int64, in conversation: Int64, limit: Int,
        on connection: Connection
    ) throws(StoreError) -> [Int64] {
        // The index of threads has every event but the messages.
        let statement = try connection.statement(
            literal: """
                SELECT position FROM events WHERE conversation = ? AND position > ? \
                AND position <= ? AND type != 'message.accepted' AND type = 'message.erased' \
                ORDER BY position LIMIT ?
                """)
        for value in [conversation, start, end, Int64(limit)] { try statement.bind(value) }
        return try statement.all { $0.integer() }
    }

    /// Calls a closure for each part to look through, as long as it says so.
    func follow(
        _ look: (_ after: Int64, _ last: Int64) throws(StoreError) -> Bool
    ) throws(StoreError) {
        switch self {
        case .all(let start, let end): _ = try look(start, end)
        case .positions(let positions):
            for position in positions { _ = try look(position - 1, position) }
        case .ranges(let start, let end, let businesses, let connection):
            var place = start
            while place < end {
                let next = try EventRanges.next(
                    from: (place + 1) >> EventRanges.bits, of: businesses, on: connection)
                guard let next else { return }
                let first = next << EventRanges.bits
                let last = min(end, first + 1 << EventRanges.bits - 1)
                guard last > place, try look(max(place, first - 1), last) else { return }
                place = last
            }
        }
    }
}
