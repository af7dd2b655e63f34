public import DeskModel
public import DeskStore

/// The rows of drafts.
package enum Drafts {
    package static let columns =
        "SELECT agent, business, conversation, version, saved_at, kind, text, content FROM drafts"

    package static func read(_ row: any SQLStatement) throws(StoreError) -> Draft {
        Draft(
            agent: AgentID(try row.id()), business: BusinessID(try row.id()),
            conversation: ConversationID(try row.id()), version: row.integer(),
            savedAt: row.time(), kind: row.text(), text: row.text(), content: row.bytesIfAny())
    }

    static func find(
        of agent: AgentID, in conversation: ConversationID, on sql: any SQLSession
    ) throws(StoreError) -> Draft? {
        let statement = try sql.statement("\(columns) WHERE agent = ? AND conversation = ?")
        try statement.bind(agent.value)
        try statement.bind(conversation.value)
        return try statement.first { row throws(StoreError) in try read(row) }
    }

    /// Adds a draft or replaces the one of its agent and conversation.
    package static func put(_ draft: Draft, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO drafts \
                (agent, business, conversation, version, saved_at, kind, text, content) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (agent, conversation) DO UPDATE SET \
                business = excluded.business, version = excluded.version, \
                saved_at = excluded.saved_at, kind = excluded.kind, text = excluded.text, \
                content = excluded.content
                """)
        try statement.bind(draft.agent.value)
        try statement.bind(draft.business.value)
        try statement.bind(draft.conversation.value)
        try statement.bind(draft.version)
        try statement.bind(draft.savedAt)
        try statement.bind(draft.kind)
        try statement.bind(draft.text)
        try statement.bind(draft.content)
        try statement.run()
    }

    /// Removes a draft, unless another version is stored.
    package static func remove(_ name: SentDraft, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM drafts WHERE agent = ? AND conversation = ? AND version = ?")
        try statement.bind(name.agent.value)
        try statement.bind(name.conversation.value)
        try statement.bind(name.version)
        try statement.run()
    }

    /// Removes what a person has begun to write for a business.
    static func remove(
        of agent: AgentID, in business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM drafts WHERE agent = ? AND business = ?")
        try statement.bind(agent.value)
        try statement.bind(business.value)
        try statement.run()
    }

    fileprivate static func count(
        of agent: AgentID, on sql: any SQLSession
    ) throws(StoreError) -> Int {
        let statement = try sql.statement(literal: "SELECT count(*) FROM drafts WHERE agent = ?")
        try statement.bind(agent.value)
        return Int(try statement.first { $0.integer() } ?? 0)
    }
}

extension SQLRegistries {
    /// Finds what an agent has begun to write in a conversation.
    public func findDraft(
        of agent: AgentID, in conversation: ConversationID
    ) async throws(StoreError) -> Draft? {
        try await readRegistry { sql throws(StoreError) in
            try Drafts.find(of: agent, in: conversation, on: sql)
        }
    }

    /// Lists an agent's drafts, those saved last first, without their content.
    public func drafts(of agent: AgentID, limit: Int) async throws(StoreError) -> [Draft] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                """
                SELECT agent, business, conversation, version, saved_at, kind, \
                substr(text, 1, \(Draft.shownCharacters)), NULL FROM drafts WHERE agent = ? \
                ORDER BY saved_at DESC, version DESC, conversation LIMIT ?
                """)
            try statement.bind(agent.value)
            try statement.bind(Int64(max(0, limit)))
            return try statement.all { row throws(StoreError) in try Drafts.read(row) }
        }
    }

    /// Saves a draft in place of the version that the agent's device knows.
    public func save(
        _ draft: Draft, over known: Int64, atMost most: Int
    ) async throws(StoreError) -> DraftOutcome {
        try await change(
            .contents(.saveDraft(of: draft.agent, in: draft.conversation)),
            author: .agent(draft.agent),
            where: { if case .saved = $0 { true } else { false } }
        ) { sql throws(StoreError) -> DraftOutcome in
            let stored = try Drafts.find(of: draft.agent, in: draft.conversation, on: sql)
            guard (stored?.version ?? 0) == known else { return .conflict(stored) }
            if stored == nil, try Drafts.count(of: draft.agent, on: sql) >= most {
                return .tooMany
            }
            // Above every version of before, also of a draft that was removed since.
            let saved = draft.versioned(max(known + 1, draft.savedAt.milliseconds))
            try Drafts.put(saved, on: sql)
            return .saved(saved)
        }
    }

    /// Removes a draft of a version, or with nil of any version.
    public func removeDraft(
        of agent: AgentID, in conversation: ConversationID, version: Int64?
    ) async throws(StoreError) -> DraftOutcome {
        try await change(
            .contents(.removeDraft(of: agent, in: conversation)), author: .agent(agent),
            where: { $0 == .removed }
        ) { sql throws(StoreError) -> DraftOutcome in
            guard let stored = try Drafts.find(of: agent, in: conversation, on: sql) else {
                return .missing
            }
            guard stored.version == version ?? stored.version else { return .conflict(stored) }
            try Drafts.remove(
                SentDraft(agent: agent, conversation: conversation, version: stored.version),
                on: sql)
            return .removed
        }
    }

    /// Deletes the drafts that were saved last before a moment.
    public func pruneDrafts(before time: Timestamp) async throws(StoreError) {
        try await change(.contents(.pruneDrafts(before: time)), author: .server) {
            sql throws(StoreError) in
            let statement = try sql.statement(literal: "DELETE FROM drafts WHERE saved_at < ?")
            try statement.bind(time)
            try statement.run()
        }
    }
}
