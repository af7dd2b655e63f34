import DeskModel
import DeskStore

/// The statements behind the conversation lists.
enum ListQuery {
    // ?2 is the states as `,open,closed,` or null; ?3 the agent of `mine` or null; ?4 whether only
    // those that nobody looks after.
    private static let states = "(?2 IS NULL OR instr(?2, ',' || c.state || ',') > 0)"
    private static let care = "(NOT ?5 OR c.assignee = ?3) AND (NOT ?4 OR c.assignee IS NULL)"

    static let page = """
        SELECT \(ConversationColumns.list) FROM \(ConversationColumns.source) \
        WHERE b.id = ?1 AND \(states) AND \(care) AND c.activity < ?6 \
        ORDER BY c.activity DESC LIMIT ?7
        """

    static let counts = """
        SELECT count(*), coalesce(sum(c.assignee IS NULL), 0), coalesce(sum(c.assignee = ?3), 0) \
        FROM \(ConversationColumns.source) WHERE b.id = ?1 AND \(states)
        """

    /// The states as the statements take them.
    static func states(of filter: ConversationFilter) -> String? {
        filter.states.map { "," + $0.map(\.rawValue).joined(separator: ",") + "," }
    }

    /// Binds the second to fifth parameter of `page`.
    static func bind(_ filter: ConversationFilter, to statement: Statement) throws(StoreError) {
        try statement.bind(states(of: filter))
        switch filter.care {
        case .mine(let agent):
            try statement.bind(agent.value)
            try statement.bind(false)
            try statement.bind(true)
        case .unassigned:
            try statement.bindNull()
            try statement.bind(true)
            try statement.bind(false)
        case .all:
            try statement.bindNull()
            try statement.bind(false)
            try statement.bind(false)
        }
    }
}
