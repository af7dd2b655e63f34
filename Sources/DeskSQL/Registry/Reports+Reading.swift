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
        var slots: [ReportSlot] = []
        for (from, until) in Reports.weeks(from: begin, until: end) {
            slots += try await readRegistry { sql throws(StoreError) in
                let statement = try sql.statement(Reports.slots)
                try statement.bind(business.value)
                try statement.bind(dimension.rawValue)
                try statement.bind(member)
                try statement.bind(from)
                try statement.bind(until)
                return try statement.all { row in
                    let slot = row.time()
                    var counts = Reports.counts(row)
                    counts.spans = ReportSpans(text: row.text())
                    return ReportSlot(slot, counts)
                }
            }
        }
        return slots
    }

    /// What each member of a dimension has of a time.
    public func reportMembers(
        of business: BusinessID, _ dimension: ReportDimension,
        from begin: Timestamp, until end: Timestamp, limit: Int
    ) async throws(StoreError) -> [ReportMember] {
        var found: [[UInt8]: ReportCounts] = [:]
        for (from, until) in Reports.weeks(from: begin, until: end) {
            let part = try await readRegistry { sql throws(StoreError) in
                try Reports.members(of: business, dimension, from, until, on: sql)
            }
            for (member, counts) in part { found[member, default: ReportCounts()] += counts }
        }
        let byWork = found.map { (member: $0.key, counts: $0.value, work: Reports.work($0.value)) }
            .sorted {
                $0.work == $1.work
                    ? $0.member.lexicographicallyPrecedes($1.member) : $0.work > $1.work
            }
        return byWork.prefix(max(0, limit)).map {
            ReportMember(String(decoding: $0.member, as: UTF8.self), $0.counts)
        }
    }
}
