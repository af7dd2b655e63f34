import DeskModel
import DeskStore

/// Where a reader has to look for the events of its scope between two positions.
enum EventWay {
    /// Everywhere.
    case all(Int64, Int64)
    /// In the ranges of some businesses.
    case ranges(Int64, Int64, of: [Int64], on: any SQLSession)
    /// At some positions.
    case positions([Int64])

    /// Positions that are looked through faster than any index leads past them.
    static let near: Int64 = 1_024

    init(
        from start: Int64, to end: Int64, in scope: EventScope, limit: Int,
        ahead unflushed: UnflushedRows, on sql: any SQLSession
    ) throws(StoreError) {
        self = .all(start, end)
        guard end - start > Self.near else { return }
        switch scope {
        case .everything, .conversation: break
        case .businesses(let businesses):
            var numbers: [Int64] = []
            for business in businesses {
                guard let number = try Businesses.number(of: business, on: sql) else {
                    continue
                }
                numbers.append(number)
            }
            self = .ranges(start, end, of: numbers, on: sql)
        case .customer(let id):
            guard let one = try ConversationRows.find(id, ahead: unflushed, on: sql) else { return }
            let positions = try ThreadRows.positions(
                after: start, upTo: end, in: one, limit: limit, on: sql)
            // Without them the way is long and still leads there.
            guard let positions else { return }
            let erasures = try Self.erasures(
                after: start, upTo: end, in: one.number, limit: limit, on: sql)
            self = .positions(Array((positions + erasures).sorted().prefix(limit)))
        }
    }

    /// The first positions where a conversation's messages were erased.
    private static func erasures(
        after start: Int64, upTo end: Int64, in conversation: Int64, limit: Int,
        on sql: any SQLSession
    ) throws(StoreError) -> [Int64] {
        // The index of threads has every event but the messages.
        let statement = try sql.statement(
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
        case .ranges(let start, let end, let businesses, let sql):
            var place = start
            while place < end {
                let next = try EventRanges.next(
                    from: (place + 1) >> EventRanges.bits, of: businesses, on: sql)
                guard let next else { return }
                let first = next << EventRanges.bits
                let last = min(end, first + 1 << EventRanges.bits - 1)
                guard last > place, try look(max(place, first - 1), last) else { return }
                place = last
            }
        }
    }
}
