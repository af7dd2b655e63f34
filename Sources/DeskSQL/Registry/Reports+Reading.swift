public import DeskModel
public import DeskStore

extension SQLRegistries {
    /// What the counters know of some conversations.
    public func reportStates(
        of conversations: [ConversationID]
    ) async throws(StoreError) -> [ReportState] {
        try await readRegistry { sql throws(StoreError) in
            var states: [ReportState] = []
            for conversation in conversations {
                if let state = try Reports.state(of: conversation, on: sql) { states.append(state) }
            }
            return states
        }
    }

    /// The cards of some names.
    public func reportCards(
        _ names: [ReportCard.Name]
    ) async throws(StoreError) -> [ReportCard] {
        try await readRegistry { sql throws(StoreError) in
            var cards: [ReportCard] = []
            for name in names {
                if let card = try Reports.card(name, on: sql) { cards.append(card) }
            }
            return cards
        }
    }

    /// What happened in each slot from a moment until before another one.
    public func reportSlots(
        of business: BusinessID, _ dimension: ReportDimension, _ member: String,
        from begin: Timestamp, until end: Timestamp
    ) async throws(StoreError) -> [ReportSlot] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(Reports.slots)
            try statement.bind(business.value)
            try statement.bind(dimension.rawValue)
            try statement.bind(member)
            try statement.bind(begin)
            try statement.bind(end)
            return try statement.all { row in
                let slot = row.time()
                var counts = Reports.counts(row)
                counts.spans = ReportSpans(text: row.text())
                return ReportSlot(slot, counts)
            }
        }
    }

    /// What each member of a dimension has of a time.
    public func reportMembers(
        of business: BusinessID, _ dimension: ReportDimension,
        from begin: Timestamp, until end: Timestamp, limit: Int
    ) async throws(StoreError) -> [ReportMember] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(Reports.members)
            try statement.bind(business.value)
            try statement.bind(dimension.rawValue)
            try statement.bind(begin)
            try statement.bind(end)
            try statement.bind(Int64(max(0, limit)))
            let found = try statement.all { ReportMember($0.text(), Reports.counts($0)) }
            return try Self.addSpans(to: found, of: business, dimension, begin, end, on: sql)
        }
    }

    private static func addSpans(
        to members: [ReportMember], of business: BusinessID, _ dimension: ReportDimension,
        _ begin: Timestamp, _ end: Timestamp, on sql: any SQLSession
    ) throws(StoreError) -> [ReportMember] {
        let statement = try sql.statement(Reports.memberSpans)
        try statement.bind(business.value)
        try statement.bind(dimension.rawValue)
        try statement.bind(begin)
        try statement.bind(end)
        var spans: [String: ReportSpans] = [:]
        for (member, text) in try statement.all({ ($0.text(), $0.text()) }) {
            spans[member, default: ReportSpans()] += ReportSpans(text: text)
        }
        return members.map { one in
            var counts = one.counts
            counts.spans = spans[one.member] ?? ReportSpans()
            return ReportMember(one.member, counts)
        }
    }
}
