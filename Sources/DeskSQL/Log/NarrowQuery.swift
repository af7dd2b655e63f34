import DeskModel
import DeskStore

/// The statements behind lists that are narrowed by more than a state and an assignee.
///
/// Each reads one state, and one priority where priorities are asked for, from an index that has the
/// order of the list; the pages of several are merged. What the index does not know is looked at in
/// each row.
struct NarrowQuery {
    private let text: (_ columns: String) -> String
    private let bindings: [RowConditions.Binding]

    /// Whether a filter needs these statements.
    static func serves(_ filter: ConversationFilter) -> Bool {
        !filter.labels.isEmpty || !filter.priorities.isEmpty || filter.team != nil
            || !filter.attributes.isEmpty || filter.language != nil || filter.channel != nil
            || filter.intent != nil || filter.group != nil || filter.among != nil
            || filter.order != .newest || filter.updatedAfter != nil
    }

    /// The statements of a filter's list in one business.
    ///
    /// - Parameter among: the rows that the filter's `among` has in the business.
    static func all(
        of filter: ConversationFilter, among: [Int64]?, in business: Int64, from place: Int64?,
        limit: Int, in dialect: Dialect
    ) -> [NarrowQuery] {
        let states = filter.states ?? Set(ConversationState.allCases)
        let priorities = filter.priorities.map(Optional.some)
        return states.flatMap { state in
            (priorities.isEmpty ? [nil] : priorities).map { priority in
                NarrowQuery(
                    filter, among, business, state, priority, from: place, limit: limit, dialect)
            }
        }
    }

    private init(
        _ filter: ConversationFilter, _ among: [Int64]?, _ business: Int64,
        _ state: ConversationState, _ priority: Priority?, from place: Int64?, limit: Int,
        _ dialect: Dialect
    ) {
        var conditions = RowConditions()
        let source: String
        var order = "c.activity"
        var rest = filter
        let join = dialect.orderedJoin
        // The order of the tables is the one written: from what there is least of, in the list's order.
        if let among {
            source = """
                \(dialect.boundNumbers) g \(join) conversations c ON c.number = g.value
                """
            conditions.values.append(.numbers(among))
            conditions.demand(
                "c.business = ? AND c.state = ?", .integer(business), .text(state.rawValue))
        } else if let first = filter.labels.first {
            rest.labels.removeFirst()
            source = "conversation_labels l \(join) conversations c ON c.number = l.conversation"
            order = "l.activity"
            conditions.demand(
                "l.business = ? AND l.label = ? AND l.state = ?", .integer(business),
                .text(first.text), .text(state.rawValue))
        } else if let (key, value) = filter.attributes.min(by: { $0.key < $1.key }) {
            rest.attributes[key] = nil
            source = """
                conversation_attributes a \(join) conversations c ON c.number = a.conversation
                """
            order = "a.activity"
            conditions.demand(
                "a.business = ? AND a.key = ? AND a.value = ? AND a.state = ?",
                .integer(business), .text(key), .text(value.stored), .text(state.rawValue))
        } else {
            let index = dialect.indexed(by: Self.index(of: filter, priority))
            source = "conversations c\(index)"
            conditions.demand(
                "c.business = ? AND c.state = ?", .integer(business), .text(state.rawValue))
        }
        rest.priorities = priority.map { [$0] } ?? []
        conditions.demand(rest, in: dialect)
        let isRising = filter.order == .oldest
        if let place {
            conditions.demand("\(order) \(isRising ? ">" : "<") ?", .integer(place))
        }
        switch filter.care {
        case .all: break
        case .unassigned: conditions.demand(BotRows.isUnassigned)
        case .withBot: conditions.demand(BotRows.hasBot)
        case .mine(let agent): conditions.demand("c.assignee = ?", .id(agent.value))
        case .mentioning(let agent): conditions.demandMention(of: agent)
        }
        let (wanted, sorted) = (conditions.text, "\(order) \(isRising ? "ASC" : "DESC")")
        text = { columns in
            """
            SELECT \(columns) FROM \(source) LEFT JOIN businesses b ON b.number = c.business \
            WHERE \(wanted) ORDER BY \(sorted) LIMIT ?
            """
        }
        bindings = conditions.values + [.integer(Int64(limit))]
    }

    private static func index(of filter: ConversationFilter, _ priority: Priority?) -> String {
        if filter.intent != nil { return "conversations_by_intent" }
        if filter.group != nil { return "conversations_by_group" }
        if case .some(.some) = filter.team { return "conversations_by_team" }
        if filter.language != nil { return "conversations_by_language" }
        if let priority, priority != .none { return "conversations_by_priority" }
        if case .mine = filter.care { return "conversations_by_assignee" }
        return "conversations_by_state"
    }

    /// The statement of the rows, with its parameters.
    func statement(on sql: any SQLSession) throws(StoreError) -> any SQLStatement {
        try bound(sql.statement(text(ConversationColumns.list)))
    }

    /// The statement that counts the rows, with its parameters.
    func counting(on sql: any SQLSession) throws(StoreError) -> any SQLStatement {
        try bound(sql.statement("SELECT count(*) FROM (\(text("1"))) r"))
    }

    private func bound(_ statement: any SQLStatement) throws(StoreError) -> any SQLStatement {
        for binding in bindings { try binding.bind(to: statement) }
        return statement
    }
}
