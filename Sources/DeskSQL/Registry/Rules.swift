public import DeskModel
public import DeskStore

/// The rows of rules and of what they made of events.
package enum Rules {
    package static let columns = """
        SELECT id, business, name, is_on, place, trigger_event, conditions, actions FROM rules
        """

    private static let actColumns = """
        SELECT number, rule, position, business, rule_name, conversation, trigger_event, root, \
        made_at, outcome, data FROM rule_acts
        """

    package static func read(_ row: any SQLStatement) throws(StoreError) -> TeamRule {
        let id = TeamRuleID(try row.id())
        let business = BusinessID(try row.id())
        let (name, isOn, order) = (row.text(), row.bool(), Int(row.integer()))
        let trigger = try row.value { TeamRule.Trigger(rawValue: $0) }
        return TeamRule(
            id: id, business: business, name: name, isOn: isOn, order: order, trigger: trigger,
            conditions: row.bytes(), actions: row.bytes())
    }

    package static func all(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [TeamRule] {
        let statement = try sql.statement(
            "\(columns) WHERE business = ? ORDER BY place, number")
        try statement.bind(business.value)
        return try statement.all { row throws(StoreError) in try read(row) }
    }

    /// Adds a rule, or replaces what may change of it.
    package static func save(_ rule: TeamRule, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO rules (id, business, name, is_on, place, trigger_event, conditions, \
                actions) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET \
                name = excluded.name, is_on = excluded.is_on, place = excluded.place, \
                trigger_event = excluded.trigger_event, conditions = excluded.conditions, \
                actions = excluded.actions
                """)
        try statement.bind(rule.id.value)
        try statement.bind(rule.business.value)
        try statement.bind(rule.name)
        try statement.bind(rule.isOn)
        try statement.bind(Int64(rule.order))
        try statement.bind(rule.trigger.rawValue)
        try statement.bind(rule.conditions)
        try statement.bind(rule.actions)
        try statement.run()
    }

    package static func remove(_ rule: TeamRuleID, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(literal: "DELETE FROM rules WHERE id = ?")
        try statement.bind(rule.value)
        try statement.run()
    }

    // MARK: What they did

    private static func readAct(_ row: any SQLStatement) throws(StoreError) -> NumberedRuleAct {
        let number = row.integer()
        let rule = TeamRuleID(try row.id())
        let name = RuleAct.Name(rule, on: Position(max(0, row.integer())))
        let business = BusinessID(try row.id())
        let ruleName = row.text()
        let conversation = ConversationID(try row.id())
        let trigger = try row.value { TeamRule.Trigger(rawValue: $0) }
        let root = Position(max(0, row.integer()))
        let time = row.time()
        let outcome = try row.value { RuleAct.Outcome(rawValue: $0) }
        return NumberedRuleAct(
            number,
            RuleAct(
                name, of: business, named: ruleName, in: conversation, trigger: trigger,
                root: root, at: time, outcome, data: row.bytes()))
    }

    package static func has(
        _ name: RuleAct.Name, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: "SELECT 1 FROM rule_acts WHERE position = ? AND rule = ?")
        try statement.bind(name.event.value)
        try statement.bind(name.rule.value)
        return try statement.first { $0.integer() } != nil
    }

    package static func add(_ act: RuleAct, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO rule_acts (rule, position, business, rule_name, conversation, \
                trigger_event, root, made_at, outcome, data) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.bind(act.name.rule.value)
        try statement.bind(act.name.event.value)
        try statement.bind(act.business.value)
        try statement.bind(act.ruleName)
        try statement.bind(act.conversation.value)
        try statement.bind(act.trigger.rawValue)
        try statement.bind(act.root.value)
        try statement.bind(act.time)
        try statement.bind(act.outcome.rawValue)
        try statement.bind(act.data)
        try statement.run()
    }

    /// Forgets what is beyond the bound; called where the cursor is behind all events of the rows.
    static func pruneActs(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                DELETE FROM rule_acts WHERE business = ?1 AND number <= (SELECT number \
                FROM rule_acts WHERE business = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
                """)
        try statement.bind(business.value)
        try statement.bind(Int64(RuleAct.mostOfBusiness))
        try statement.run()
    }

    fileprivate static func acts(
        of business: BusinessID, by rule: TeamRuleID?, at edge: PageEdge<Int64>, limit: Int,
        on sql: any SQLSession
    ) throws(StoreError) -> Page<NumberedRuleAct> {
        let limit = min(max(limit, 1), 300)
        let (beyond, order) = edge.isBackward ? (">", "ASC") : ("<", "DESC")
        // At most `RuleAct.mostOfBusiness` rows are looked through for those of one rule.
        let statement = try sql.statement(
            """
            \(actColumns) WHERE business = ? AND number \(beyond) ?\(rule == nil ? "" : " AND rule = ?") \
            ORDER BY number \(order) LIMIT ?
            """)
        try statement.bind(business.value)
        try statement.bind(edge.place ?? .max)
        if let rule { try statement.bind(rule.value) }
        try statement.bind(Int64(limit) + 1)
        let found = try statement.all { row throws(StoreError) in try readAct(row) }
        return edge.page(found, limit: limit)
    }
}

extension SQLRegistries {
    /// Lists a business's rules in the order in which they act.
    public func rules(of business: BusinessID) async throws(StoreError) -> [TeamRule] {
        try await readRegistry { sql throws(StoreError) in
            try Rules.all(of: business, on: sql)
        }
    }

    /// Lists what rules of a business made of events, newest first.
    public func ruleActs(
        of business: BusinessID, by rule: TeamRuleID?, at edge: PageEdge<Int64>, limit: Int
    ) async throws(StoreError) -> Page<NumberedRuleAct> {
        try await readRegistry { sql throws(StoreError) in
            try Rules.acts(of: business, by: rule, at: edge, limit: limit, on: sql)
        }
    }

    /// The last event of which rules made something, and those rules.
    public func lastRuleActs() async throws(StoreError) -> (
        event: Position, rules: Set<TeamRuleID>
    )? {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT position, rule FROM rule_acts \
                    WHERE position = (SELECT max(position) FROM rule_acts)
                    """)
            let found = try statement.all { row throws(StoreError) in
                (Position(max(0, row.integer())), TeamRuleID(try row.id()))
            }
            guard let last = found.first?.0 else { return nil }
            return (last, Set(found.map(\.1)))
        }
    }

    /// How many entries of the log an event that no rule made has led to.
    public func countRuleActs(of root: Position) async throws(StoreError) -> Int {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "SELECT count(*) FROM rule_acts WHERE root = ?")
            try statement.bind(root.value)
            return Int(try statement.first { $0.integer() } ?? 0)
        }
    }
}
