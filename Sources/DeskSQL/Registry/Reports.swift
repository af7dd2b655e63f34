import DeskModel
import DeskStore

/// The rows of reports: counters, and what they are counted from.
enum Reports {
    private static let columns = ReportCounts.columns

    private static let upsert = """
        INSERT INTO report_counts (business, dimension, slot, member, \
        \(columns.joined(separator: ", ")), spans) \
        VALUES (?, ?, ?, ?, \(columns.map { _ in "?" }.joined(separator: ", ")), ?) \
        ON CONFLICT (business, dimension, slot, member) DO UPDATE SET \
        \(columns.map { "\($0) = report_counts.\($0) + excluded.\($0)" }.joined(separator: ", ")), \
        spans = coalesce(excluded.spans, report_counts.spans)
        """

    static func store(_ change: ReportChange, on sql: any SQLSession) throws(StoreError) {
        if change.isAnew {
            for table in ["report_counts", "report_conversations", "report_cards"] {
                try sql.statement("DELETE FROM \(table)").run()
            }
        }
        for (key, counts) in change.counts { try add(counts, to: key, on: sql) }
        for state in change.states { try put(state, on: sql) }
        for card in change.cards { try put(card, on: sql) }
        for name in change.finished { try remove(name, on: sql) }
    }

    private static func add(
        _ counts: ReportCounts, to key: ReportKey, on sql: any SQLSession
    ) throws(StoreError) {
        let spans = try spans(of: key, adding: counts.spans, on: sql)
        let statement = try sql.statement(upsert)
        try bind(key, to: statement)
        for value in counts.values { try statement.bind(value) }
        try statement.bind(spans?.text)
        try statement.run()
    }

    /// The distributions of a row with those that are added; nil where none is.
    private static func spans(
        of key: ReportKey, adding spans: ReportSpans, on sql: any SQLSession
    ) throws(StoreError) -> ReportSpans? {
        guard !spans.isEmpty else { return nil }
        let statement = try sql.statement(
            literal: """
                SELECT spans FROM report_counts WHERE business = ? AND dimension = ? \
                AND slot = ? AND member = ?
                """)
        try bind(key, to: statement)
        var all = spans
        all += ReportSpans(text: try statement.first { $0.text() } ?? "")
        return all
    }

    private static func bind(
        _ key: ReportKey, to statement: any SQLStatement
    ) throws(StoreError) {
        try statement.bind(key.business.value)
        try statement.bind(key.dimension.rawValue)
        try statement.bind(key.slot)
        try statement.bind(key.member)
    }

    private static func put(_ state: ReportState, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO report_conversations (conversation, business, begun_at, asks_since, \
                is_answered, waits_since, entry, team, labels, rating) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
                ON CONFLICT (conversation) DO UPDATE SET begun_at = excluded.begun_at, \
                asks_since = excluded.asks_since, is_answered = excluded.is_answered, \
                waits_since = excluded.waits_since, entry = excluded.entry, \
                team = excluded.team, labels = excluded.labels, rating = excluded.rating
                """)
        try statement.bind(state.conversation.value)
        try statement.bind(state.business.value)
        try statement.bind(state.begunAt)
        try statement.bind(state.asksSince)
        try statement.bind(state.isAnswered)
        try statement.bind(state.waitsSince)
        try statement.bind(state.entry)
        try statement.bind(state.team?.value)
        try statement.bind(state.labels.map(\.text).joined(separator: " "))
        try statement.bind(state.rating?.text)
        try statement.run()
    }

    private static func put(_ card: ReportCard, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO report_cards (conversation, message, kind, agent, slot, is_answered) \
                VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (conversation, message) DO UPDATE SET \
                is_answered = excluded.is_answered
                """)
        try statement.bind(card.name.conversation.value)
        try statement.bind(card.name.message.text)
        try statement.bind(card.kind.rawValue)
        try statement.bind(card.agent?.value)
        try statement.bind(card.slot)
        try statement.bind(card.isAnswered)
        try statement.run()
    }

    private static func remove(
        _ name: ReportCard.Name, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM report_cards WHERE conversation = ? AND message = ?")
        try statement.bind(name.conversation.value)
        try statement.bind(name.message.text)
        try statement.run()
    }

    static func state(
        of conversation: ConversationID, on sql: any SQLSession
    ) throws(StoreError) -> ReportState? {
        let statement = try sql.statement(
            literal: """
                SELECT business, begun_at, asks_since, is_answered, waits_since, entry, team, labels, \
                rating FROM report_conversations WHERE conversation = ?
                """)
        try statement.bind(conversation.value)
        return try statement.first { row throws(StoreError) in
            var state = ReportState(conversation, of: BusinessID(try row.id()))
            state.begunAt = row.timeIfAny()
            state.asksSince = row.timeIfAny()
            state.isAnswered = row.bool()
            state.waitsSince = row.timeIfAny()
            state.entry = row.textIfAny()
            state.team = row.idIfAny().map { TeamID($0) }
            state.labels = row.text().split(separator: " ").compactMap { LabelID($0) }
            state.rating = row.textIfAny().flatMap { MessageID($0) }
            return state
        }
    }

    static func card(
        _ name: ReportCard.Name, on sql: any SQLSession
    ) throws(StoreError) -> ReportCard? {
        let statement = try sql.statement(
            literal: """
                SELECT kind, agent, slot, is_answered FROM report_cards \
                WHERE conversation = ? AND message = ?
                """)
        try statement.bind(name.conversation.value)
        try statement.bind(name.message.text)
        return try statement.first { row throws(StoreError) in
            let kind = try row.value { MessageKind(rawValue: $0) }
            let agent = row.idIfAny().map { AgentID($0) }
            var card = ReportCard(name, kind, by: agent, slot: row.time())
            card.isAnswered = row.bool()
            return card
        }
    }

    /// The numbers of a row, from the next column on.
    static func counts(_ row: any SQLStatement) -> ReportCounts {
        ReportCounts { () throws(Never) in row.integer() }
    }

    static let slots = """
        SELECT slot, \(columns.joined(separator: ", ")), spans FROM report_counts WHERE business = ? \
        AND dimension = ? AND member = ? AND slot >= ? AND slot < ? ORDER BY slot
        """

    /// How long a time one read is about.
    private static let readAtOnce = Duration.seconds(7 * 86_400)

    /// A time in parts of a week at most, each of which is read by itself, so that others read in between: a year of a
    /// hundred members is many rows.
    static func weeks(from begin: Timestamp, until end: Timestamp) -> [(Timestamp, Timestamp)] {
        var weeks: [(Timestamp, Timestamp)] = []
        var start = begin
        while start < end {
            let next = min(end, start.advanced(by: readAtOnce))
            weeks.append((start, next))
            start = next
        }
        return weeks
    }

    // MARK: Members

    /// Most members of one read, those with most work.
    ///
    /// Others are not counted: only entry links have so many, when customers make up intents.
    private static let mostAtOnce: Int64 = 2_000

    /// The messages and beginnings of a member.
    static func work(_ counts: ReportCounts) -> Int64 {
        counts.begun + counts.received + counts.sent + counts.closed
    }

    /// What the members of a dimension have, by their names as bytes: strings that only look alike are equal.
    static func members(
        of business: BusinessID, _ dimension: ReportDimension, _ begin: Timestamp,
        _ end: Timestamp, on sql: any SQLSession
    ) throws(StoreError) -> [[UInt8]: ReportCounts] {
        func bound(_ text: String) throws(StoreError) -> any SQLStatement {
            let statement = try sql.statement(text)
            try statement.bind(business.value)
            try statement.bind(dimension.rawValue)
            try statement.bind(begin)
            try statement.bind(end)
            return statement
        }
        let sums = try bound(memberSums)
        try sums.bind(mostAtOnce)
        let rows = try sums.all { (Array($0.text().utf8), counts($0)) }
        var found = Dictionary(rows) { first, _ in first }
        _ = try bound(memberSpans).all { row in
            let member = Array(row.text().utf8)
            let spans = ReportSpans(text: row.text())
            found[member]?.spans += spans
        }
        return found
    }

    /// The distributions of each member of a dimension.
    private static let memberSpans = """
        SELECT member, spans FROM report_counts WHERE business = ? AND dimension = ? \
        AND slot >= ? AND slot < ? AND spans IS NOT NULL
        """

    // The sum of 64-bit numbers is another type in PostgreSQL.
    private static let memberSums = """
        SELECT member, \
        \(columns.map { "CAST(sum(\($0)) AS bigint)" }.joined(separator: ", ")) \
        FROM report_counts WHERE business = ? AND dimension = ? AND slot >= ? AND slot < ? \
        GROUP BY member ORDER BY sum(begun) + sum(received) + sum(sent) + sum(closed) DESC, member \
        LIMIT ?
        """
}
