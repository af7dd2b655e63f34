import DeskModel
import DeskStore

/// The statements behind lists of a label, a team or a priority.
///
/// Each reads one state, and one priority where priorities are asked for, from an index that has the
/// order of the list; the pages of several are merged.
struct NarrowQuery {
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

    private let sql: String
    private let bindings: [Binding]

    /// Whether a filter needs these statements.
    static func serves(_ filter: ConversationFilter) -> Bool {
        !filter.labels.isEmpty || !filter.priorities.isEmpty || filter.team != nil
    }

    /// The statements of a filter's list in one business.
    static func all(
        of filter: ConversationFilter, in business: Int64, before: Int64, limit: Int
    ) -> [NarrowQuery] {
        let states = filter.states ?? Set(ConversationState.allCases)
        let priorities = filter.priorities.map(Optional.some)
        return states.flatMap { state in
            (priorities.isEmpty ? [nil] : priorities).map { priority in
                NarrowQuery(filter, business, state, priority, before: before, limit: limit)
            }
        }
    }

    private init(
        _ filter: ConversationFilter, _ business: Int64, _ state: ConversationState,
        _ priority: Priority?, before: Int64, limit: Int
    ) {
        var bindings: [Binding] = []
        var conditions: [String] = []
        func demand(_ condition: String, _ values: Binding...) {
            conditions.append(condition)
            bindings += values
        }
        let source: String
        let order: String
        if let first = filter.labels.first {
            // The order of the tables is the one written: the label's own, in the list's order.
            source = "conversation_labels l CROSS JOIN conversations c ON c.number = l.conversation"
            order = "l.activity"
            demand(
                "l.business = ? AND l.label = ? AND l.state = ?", .integer(business),
                .text(first.text), .text(state.rawValue))
        } else {
            let index =
                switch (filter.team, priority) {
                case (.some(.some), _): "conversations_by_team"
                case (_, .some(.none)), (_, nil): "conversations_by_state"
                case (_, .some): "conversations_by_priority"
                }
            source = "conversations c INDEXED BY \(index)"
            order = "c.activity"
            demand("c.business = ? AND c.state = ?", .integer(business), .text(state.rawValue))
        }
        demand("\(order) < ?", .integer(before))
        for label in filter.labels.dropFirst() {
            demand(
                "EXISTS (SELECT 1 FROM json_each(c.labels) WHERE value = ?)", .text(label.text))
        }
        switch filter.team {
        case nil: break
        case .some(nil): demand("c.team IS NULL")
        case .some(let team?): demand("c.team = ?", .id(team.value))
        }
        switch priority {
        case nil: break
        case .some(.none): demand("c.priority IS NULL")
        case let other?: demand("c.priority = ?", .text(other.rawValue))
        }
        switch filter.care {
        case .all: break
        case .unassigned: demand("c.assignee IS NULL")
        case .mine(let agent): demand("c.assignee = ?", .id(agent.value))
        case .mentioning(let agent):
            demand(
                "c.id IN (SELECT conversation FROM mentions WHERE agent = ?)", .id(agent.value))
        }
        sql = """
            SELECT \(ConversationColumns.list) FROM \(source) \
            LEFT JOIN businesses b ON b.number = c.business \
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order) DESC LIMIT ?
            """
        self.bindings = bindings + [.integer(Int64(limit))]
    }

    /// The statement with its parameters.
    func statement(on connection: Connection) throws(StoreError) -> Statement {
        let statement = try connection.statement(sql)
        for binding in bindings { try binding.bind(to: statement) }
        return statement
    }

    /// What a list asks for beside its own order, as a condition on `conversations c`, and how it is
    /// bound, for those who wait.
    static func condition(of filter: ConversationFilter) -> (text: String, values: [Binding]) {
        var text = ""
        var values: [Binding] = []
        for label in filter.labels {
            text += " AND EXISTS (SELECT 1 FROM json_each(c.labels) WHERE value = ?)"
            values.append(.text(label.text))
        }
        switch filter.team {
        case nil: break
        case .some(nil): text += " AND c.team IS NULL"
        case .some(let team?):
            text += " AND c.team = ?"
            values.append(.id(team.value))
        }
        if !filter.priorities.isEmpty {
            let named = filter.priorities.filter { $0 != .none }
            let marks = named.map { _ in "?" }.joined(separator: ", ")
            let isNone = filter.priorities.contains(.none) ? " OR c.priority IS NULL" : ""
            text += " AND (c.priority IN (\(marks))\(isNone))"
            values += named.map { .text($0.rawValue) }
        }
        return (text, values)
    }
}
