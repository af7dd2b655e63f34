public import DeskModel
public import DeskStore

/// The rows of mentions: one for each note and person.
package enum Mentions {
    /// Brings the rows of a note up to what it says now; a person who was mentioned before has seen as
    /// much as before.
    package static func replace(
        of note: Note, in conversation: ConversationID, of business: BusinessID,
        on sql: any SQLSession
    ) throws(StoreError) {
        let known = try sql.statement(literal: "SELECT agent FROM mentions WHERE note = ?")
        try known.bind(note.id.value)
        let before = try known.all { row throws(StoreError) in AgentID(try row.id()) }
        for agent in before where !note.mentions.contains(agent) {
            let statement = try sql.statement(
                literal: "DELETE FROM mentions WHERE agent = ? AND note = ?")
            try statement.bind(agent.value)
            try statement.bind(note.id.value)
            try statement.run()
        }
        for agent in note.mentions where !before.contains(agent) {
            let statement = try sql.statement(
                literal: """
                    INSERT INTO mentions (agent, note, conversation, business, made_at) \
                    VALUES (?, ?, ?, ?, ?)
                    """)
            try statement.bind(agent.value)
            try statement.bind(note.id.value)
            try statement.bind(conversation.value)
            try statement.bind(business.value)
            try statement.bind(note.editedAt ?? note.time)
            try statement.run()
        }
    }
}

extension SQLRegistries {
    /// The conversations with mentions that an agent has not seen, those mentioned last first.
    public func unseenMentions(
        of agent: AgentID, in businesses: Set<BusinessID>
    ) async throws(StoreError) -> [ConversationID] {
        try await readRegistry { sql throws(StoreError) in
            // Without a limit: mentions in a business that the agent has left stay, and hide no others.
            let statement = try sql.statement(
                literal: """
                    SELECT conversation, business FROM mentions WHERE agent = ? \
                    AND seen_at IS NULL GROUP BY conversation, business \
                    ORDER BY max(made_at) DESC
                    """)
            defer { statement.reset() }
            try statement.bind(agent.value)
            var unseen: [ConversationID] = []
            while unseen.count < MentionBounds.maximumUnseen, try statement.step() {
                let id = ConversationID(try statement.id())
                if businesses.contains(BusinessID(try statement.id())) { unseen.append(id) }
            }
            return unseen
        }
    }

    /// Notes that an agent has seen the mentions in a conversation; returns whether any was new.
    public func markMentionsSeen(
        by agent: AgentID, in conversation: ConversationID, at time: Timestamp
    ) async throws(StoreError) -> Bool {
        // Most who read are not mentioned: that costs no commit.
        let isMentioned = try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT 1 FROM mentions WHERE agent = ? AND conversation = ? \
                    AND seen_at IS NULL LIMIT 1
                    """)
            try statement.bind(agent.value)
            try statement.bind(conversation.value)
            return try statement.first { $0.integer() } != nil
        }
        guard isMentioned else { return false }
        return try await change(
            .contents(.seeMentions(in: conversation)), author: .agent(agent), where: { $0 }
        ) { sql throws(StoreError) -> Bool in
            let statement = try sql.statement(
                literal: """
                    UPDATE mentions SET seen_at = ? WHERE agent = ? AND conversation = ? \
                    AND seen_at IS NULL
                    """)
            try statement.bind(time)
            try statement.bind(agent.value)
            try statement.bind(conversation.value)
            return try statement.runCounting() > 0
        }
    }
}
