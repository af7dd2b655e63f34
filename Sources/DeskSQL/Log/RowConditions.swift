import DeskModel
import DeskStore

/// Conditions on `conversations c` with the values of their parameters, all of which have to hold.
struct RowConditions {
    /// The value of a parameter.
    enum Binding {
        case integer(Int64)
        case text(String)
        case id(UniqueID)
        /// For `Dialect.boundNumbers`.
        case numbers([Int64])

        /// Binds it to the next parameter.
        func bind(to statement: any SQLStatement) throws(StoreError) {
            switch self {
            case .integer(let number): try statement.bind(number)
            case .text(let text): try statement.bind(text)
            case .id(let id): try statement.bind(id)
            case .numbers(let numbers):
                try statement.bind("[\(numbers.map(String.init).joined(separator: ","))]")
            }
        }
    }

    private var parts: [String] = []
    var values: [Binding] = []

    var text: String { parts.joined(separator: " AND ") }

    mutating func demand(_ condition: String, _ values: Binding...) {
        parts.append(condition)
        self.values += values
    }

    /// Demands that a row is one of some.
    mutating func demand(among numbers: [Int64], in dialect: Dialect) {
        demand("c.number IN (SELECT value FROM \(dialect.boundNumbers) g)", .numbers(numbers))
    }

    /// Demands that a note mentions an agent.
    mutating func demandMention(of agent: AgentID) {
        demand("c.id IN (SELECT conversation FROM mentions WHERE agent = ?)", .id(agent.value))
    }

    /// Demands what a filter asks for beside states, assignee and rows.
    mutating func demand(_ filter: ConversationFilter, in dialect: Dialect) {
        for label in filter.labels {
            demand(
                "EXISTS (SELECT 1 FROM \(dialect.texts(of: "c.labels")) WHERE value = ?)",
                .text(label.text))
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
        if let position = filter.updatedAfter { demand("c.activity > ?", .integer(position.value)) }
        if let intent = filter.intent { demand("c.intent = ?", .text(intent)) }
        if let group = filter.group { demand("c.group_name = ?", .text(group)) }
        // That the locale is there lets the index be used.
        if let language = filter.language {
            demand(
                "c.locale IS NOT NULL AND \(dialect.language(of: "c.locale")) = ?", .text(language))
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
