import DeskModel
import DeskStore

/// What a search looks for and for how long.
struct SearchLook: Sendable {
    let expression: String
    let businesses: Set<BusinessID>
    /// Only messages at these.
    let positions: Range<Int64>
    /// Whether it looks from the oldest of them to the newest.
    let isBackward: Bool
    let limit: Int
    /// When to stop between two tables.
    let until: ContinuousClock.Instant
}

/// Where messages lie that a search found, in the order in which it looked.
struct FoundPositions: Sendable {
    var positions: [Position] = []
    /// Behind which it is to go on; nil when everything was looked at.
    var rest: Position?
}

/// The index's file as its one reader knows it; touched on one thread only.
final class SearchFileReader {
    private let path: String
    private var connection: Connection?
    private var life = 0

    init(path: String) { self.path = path }

    /// Looks from table to table, as long as there is time.
    func find(_ look: SearchLook, life: Int) throws(StoreError) -> FoundPositions {
        try Self.find(look, on: connection(life))
    }

    /// Looks from table to table in a transaction of its own.
    static func find(
        _ look: SearchLook, on connection: Connection
    ) throws(StoreError) -> FoundPositions {
        try connection.statement(literal: "BEGIN").run()
        defer {
            // Safe: it ends a reading transaction, which has nothing to lose.
            try? connection.statement(literal: "COMMIT").run()
        }
        var businesses: [Int64] = []
        for business in look.businesses {
            if let number = try SearchBusinesses.number(of: business, on: connection) {
                businesses.append(number)
            }
        }
        var found = FoundPositions()
        guard !businesses.isEmpty, !look.positions.isEmpty else { return found }
        let shards = try shards(of: look, on: connection)
        for (place, shard) in shards.enumerated() {
            if place > 0, ContinuousClock.now >= look.until {
                found.rest = Position(
                    look.isBackward
                        ? shard.positions.lowerBound - 1 : shard.positions.upperBound + 1)
                return found
            }
            var positions: [Int64] = []
            for business in businesses {
                positions += try Self.positions(of: look, business, in: shard, on: connection)
            }
            positions.sort { ($0 < $1) == look.isBackward }
            let room = look.limit - found.positions.count
            found.positions += positions.prefix(room).map { Position($0) }
            let isFull = found.positions.count == look.limit
            let hasMore = positions.count > room || place < shards.count - 1
            if isFull, hasMore, let last = found.positions.last {
                found.rest = last
                return found
            }
        }
        return found
    }

    private static func shards(
        of look: SearchLook, on connection: Connection
    ) throws(StoreError) -> [SearchShard] {
        let names = try connection.statement(
            literal: """
                SELECT cast(substr(name, 7) AS INTEGER) FROM sqlite_schema \
                WHERE name GLOB 'words_[0-9]*' AND sql LIKE 'CREATE VIRTUAL%'
                """)
        let oldest = SearchShard(of: Position(look.positions.lowerBound))
        let newest = SearchShard(of: Position(look.positions.upperBound - 1))
        return try names.all { SearchShard(number: $0.integer()) }
            .filter { $0 >= oldest && $0 <= newest }.sorted { ($0 < $1) == look.isBackward }
    }

    private static func positions(
        of look: SearchLook, _ business: Int64, in shard: SearchShard, on connection: Connection
    ) throws(StoreError) -> [Int64] {
        let statement = try connection.statement(
            """
            SELECT rowid FROM \(shard.table) WHERE \(shard.table) MATCH ? \
            AND rowid BETWEEN ? AND ? ORDER BY rowid \(look.isBackward ? "ASC" : "DESC") LIMIT ?
            """)
        let first = max(shard.positions.lowerBound, look.positions.lowerBound)
        let last = min(shard.positions.upperBound, look.positions.upperBound - 1)
        try statement.bind(look.expression)
        try statement.bind(SearchRowNumber.number(of: first, business: business))
        try statement.bind(SearchRowNumber.number(of: last, business: business))
        try statement.bind(Int64(look.limit) + 1)
        return try statement.all { SearchRowNumber.position(of: $0.integer()) }
    }

    func connection(_ life: Int) throws(StoreError) -> Connection {
        if let connection, self.life == life { return connection }
        connection = nil
        let opened = try Connection(path: path, mayWrite: false)
        try opened.execute("PRAGMA cache_size = -16384; PRAGMA query_only = 1;")
        connection = opened
        self.life = life
        return opened
    }
}
