package import DeskModel
import DeskStore

/// What the transaction that runs has read of what messages ask for: settings of their businesses, and who controls
/// their conversations.
///
/// The database may be a round trip away, and a transaction has many messages. It is true as long as the transaction
/// writes nothing that may be a setting.
package struct FoundSettings {
    /// Tables that have no row at all, so that nothing has to be read.
    package var emptyTables: EmptyTables = []
    private var bots = Found<BusinessID, [KnownBot]>()
    private var controls = Found<ConversationID, Control?>()
    private var automaticAnswers = Found<BusinessID, AutomaticAnswers>()
    private var hasServiceLevels = Found<BusinessID, Bool>()
    private var assignments = Found<BusinessID, AssignmentSettings>()
    private var assignsOnReply = Found<BusinessID, Bool>()

    /// Tables of settings; few installations have rows in all of them.
    package struct EmptyTables: OptionSet {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let bots = Self(rawValue: 1)
        static let automaticAnswers = Self(rawValue: 2)
        static let serviceLevels = Self(rawValue: 4)
        static let assignmentRules = Self(rawValue: 8)

        /// An expression of SQL that says which of them have no row.
        package static let sql =
            [
                (bots, "bots"), (automaticAnswers, "automatic_answers"),
                (serviceLevels, "service_levels"), (assignmentRules, "assignment_rules"),
            ]
            .map { table, name in
                "CASE WHEN EXISTS (SELECT 1 FROM \(name)) THEN 0 ELSE \(table.rawValue) END"
            }
            .joined(separator: " + ")
    }

    mutating func bots(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [KnownBot] {
        if emptyTables.contains(.bots) { return [] }
        return try bots.value(of: business) { () throws(StoreError) in
            try Bots.known(of: business, on: sql)
        }
    }

    mutating func control(
        of conversation: ConversationID, on sql: any SQLSession
    ) throws(StoreError) -> Control? {
        try controls.value(of: conversation) { () throws(StoreError) in
            try Controls.find(conversation, on: sql)
        }
    }

    mutating func automaticAnswers(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> AutomaticAnswers {
        if emptyTables.contains(.automaticAnswers) { return AutomaticAnswers() }
        return try automaticAnswers.value(of: business) { () throws(StoreError) in
            try AutomaticAnswerRows.find(of: business, on: sql)
        }
    }

    mutating func hasServiceLevels(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        if emptyTables.contains(.serviceLevels) { return false }
        return try hasServiceLevels.value(of: business) { () throws(StoreError) in
            try ServiceLevelRows.find(of: business, on: sql) != nil
        }
    }

    mutating func assignment(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> AssignmentSettings {
        if emptyTables.contains(.assignmentRules) { return AssignmentSettings([]) }
        return try assignments.value(of: business) { () throws(StoreError) in
            AssignmentSettings(try AssignmentRows.all(of: business, on: sql))
        }
    }

    mutating func assignsOnReply(
        _ business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        try assignsOnReply.value(of: business) { () throws(StoreError) in
            try Businesses.assignsOnReply(business, on: sql)
        }
    }

    /// Notes who controls some conversations; those of them that are not in the list have no controller.
    package mutating func note(_ found: [Control], of conversations: Set<ConversationID>) {
        for id in conversations { controls.note(nil, of: id) }
        for control in found { note(control) }
    }

    /// Notes who controls a conversation from now on.
    mutating func note(_ control: Control) { controls.note(control, of: control.conversation) }

    /// Forgets everything: it may be otherwise now.
    mutating func forget() {
        emptyTables = []
        bots.forget()
        controls.forget()
        automaticAnswers.forget()
        hasServiceLevels.forget()
        assignments.forget()
        assignsOnReply.forget()
    }
}

/// Values that were read, each once.
private struct Found<Key: Hashable, Value> {
    private var values: [Key: Value] = [:]

    mutating func value(
        of key: Key, or read: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        if let known = values[key] { return known }
        let found = try read()
        values.updateValue(found, forKey: key)
        return found
    }

    mutating func note(_ value: Value, of key: Key) { values.updateValue(value, forKey: key) }

    mutating func forget() {
        // Most are empty: to see that costs less than to remove nothing.
        if !values.isEmpty { values.removeAll(keepingCapacity: true) }
    }
}

extension RowChange {
    /// Whether what `FoundSettings` has read may be otherwise after it.
    var mayBeSetting: Bool {
        switch self {
        case .message, .event, .openConversation, .control, .putDueWork, .removeDueWork, .hold,
            .customerName, .attributeValues, .conversationMetadata:
            false
        default: true
        }
    }
}
