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
            || filter.among != nil || filter.order != .newest
    }

    /// The statements of a filter's list in one business.
    ///
    /// - Parameter among: the rows that the filter's `among` has in the business.
    static func all(
        of filter: ConversationFilter, among: [Int64]?, in business: Int64, from place: Int64?,
        limit: Int
    ) -> [NarrowQuery] {
        let states = filter.states ?? Set(ConversationState.allCases)
        let priorities = filter.priorities.map(Optional.some)
        return states.flatMap { state in
            (priorities.isEmpty ? [nil] : priorities).map { priority in
                NarrowQuery(filter, among, business, state, priority, from: place, limit: limit)
            }
        }
    }

    private init(
        _ filter: ConversationFilter, _ among: [Int64]?, _ business: Int64,
        _ state: ConversationState, _ priority: Priority?, from place: Int64?, limit: Int
    ) {
        var conditions = RowConditions()
        let source: String
        var order = "c.activity"
        var rest = filter
        // The order of the tables is the one written: from what there is least of, in the list's order.
        if let among {
            source = "json_each(?) g CROSS JOIN conversations c ON c.number = g.value"
            conditions.values.append(
                .text("[\(among.map(String.init).joined(separator: ","))]"))
            conditions.demand(
                "c.business = ? AND c.state = ?", .integer(business), .text(state.rawValue))
        } else if let first = filter.labels.first {
            rest.labels.removeFirst()
            source = "conversation_labels l CROSS JOIN conversations c ON c.number = l.conversation"
            order = "l.activity"
            conditions.demand(
                "l.business = ? AND l.label = ? AND l.state = ?", .integer(business),
                .text(first.text), .text(state.rawValue))
        } else if let (key, value) = filter.attributes.min(by: { $0.key < $1.key }) {
            rest.attributes[key] = nil
            source = """
                conversation_attributes a CROSS JOIN conversations c ON c.number = a.conversation
                """
            order = "a.activity"
            conditions.demand(
                "a.business = ? AND a.key = ? AND a.value = ? AND a.state = ?",
                .integer(business), .text(key), .text(value.stored), .text(state.rawValue))
        } else {
            source = "conversations c INDEXED BY \(Self.index(of: filter, priority))"
            conditions.demand(
                "c.business = ? AND c.state = ?", .integer(business), .text(state.rawValue))
        }
        rest.priorities = priority.map { [$0] } ?? []
        conditions.demand(rest)
        let isRising = filter.order == .oldest
        if let place {
            conditions.demand("\(order) \(isRising ? ">" : "<") ?", .integer(place))
        }
        switch filter.care {
        case .all: break
        case .unassigned: conditions.demand("c.assignee IS NULL")
        case .mine(let agent): conditions.demand("c.assignee = ?", .id(agent.value))
        case .mentioning(let agent):
            conditions.demand(
                "c.id IN (SELECT conversation FROM mentions WHERE agent = ?)", .id(agent.value))
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
        if case .some(.some) = filter.team { return "conversations_by_team" }
        if filter.language != nil { return "conversations_by_language" }
        if let priority, priority != .none { return "conversations_by_priority" }
        if case .mine = filter.care { return "conversations_by_assignee" }
        return "conversations_by_state"
    }

    /// The statement of the rows, with its parameters.
    func statement(on connection: Connection) throws(StoreError) -> Statement {
        try bound(connection.statement(text(ConversationColumns.list)))
    }

    /// The statement that counts the rows, with its parameters.
    func counting(on connection: Connection) throws(StoreError) -> Statement {
        try bound(connection.statement("SELECT count(*) FROM (\(text("1")))"))
    }

    private func bound(_ statement: Statement) throws(StoreError) -> Statement {
        for binding in bindings { try binding.bind(to: statement) }
        return statement
    }
}

/// Conditions on `conversations c` with the values of their parameters, all of which have to hold.
struct RowConditions {
    /// The value of a parameter.
    enum Binding {
        case integer(Int64)
        case text(String)
        case id(UniqueID)

        /// Binds it to the next parameter.
        func bind(to statement: Statement) throws(StoreError) {
            switch self {
            case .integer(let number): try statement.bind(number)
            case .text(let text): try statement.bind(text)
            case .id(let id): try statement.bind(id)
            }
        }
    }

    /// A customer's language, as the index on it says it.
    static let language = """
        lower(substr(c.locale, 1, instr(replace(c.locale, '-', '_') || '_', '_') - 1))
        """

    private var parts: [String] = []
    var values: [Binding] = []

    var text: String { parts.joined(separator: " AND ") }

    mutating func demand(_ condition: String, _ values: Binding...) {
        parts.append(condition)
        self.values += values
    }

    /// Demands what a filter asks for beside states, assignee and rows.
    mutating func demand(_ filter: ConversationFilter) {
        for label in filter.labels {
            demand("EXISTS (SELECT 1 FROM json_each(c.labels) WHERE value = ?)", .text(label.text))
        }
        for (key, value) in filter.attributes.sorted(by: { $0.key < $1.key }) {
            demand(
                """
                EXISTS (SELECT 1 FROM conversation_attributes v WHERE v.business = c.business \
                AND v.key = ? AND v.value = ? AND v.state = c.state \
                AND v.activity = c.activity AND v.conversation = c.number)
                """, .text(key), .text(value.stored))
        }
        switch filter.team {
        case nil: break
        case .some(nil): demand("c.team IS NULL")
        case .some(let team?): demand("c.team = ?", .id(team.value))
        }
        demand(filter.priorities)
        // That the locale is there lets the index be used.
        if let language = filter.language {
            demand("c.locale IS NOT NULL AND \(Self.language) = ?", .text(language))
        }
        if let channel = filter.channel {
            demand(
                """
                \(channel == .phone ? "NOT " : "")EXISTS \
                (SELECT 1 FROM upstream_conversations u WHERE u.conversation = c.id)
                """)
        }
    }

    private mutating func demand(_ priorities: Set<Priority>) {
        let named = priorities.filter { $0 != .none }
        switch (named.count, priorities.contains(.none)) {
        case (0, false): break
        case (0, true): demand("c.priority IS NULL")
        case (1, false):
            demand("c.priority = ?")
            values += named.map { .text($0.rawValue) }
        case (_, let hasNone):
            let marks = named.map { _ in "?" }.joined(separator: ", ")
            demand("(c.priority IN (\(marks))\(hasNone ? " OR c.priority IS NULL" : ""))")
            values += named.map { .text($0.rawValue) }
        }
    }
}
