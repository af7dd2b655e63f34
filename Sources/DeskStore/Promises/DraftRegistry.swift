public import DeskModel

/// What agents have begun to write and not sent.
///
/// A version decides between two devices of one agent: who saves or removes a draft names the version that
/// the device knows, 0 for none, and is given the stored draft where that is another one.
public protocol DraftRegistry: Sendable {
    /// Finds what an agent has begun to write in a conversation.
    func findDraft(
        of agent: AgentID, in conversation: ConversationID
    ) async throws(StoreError) -> Draft?
    /// Lists an agent's drafts, those saved last first, each without its content and with the first
    /// `Draft.shownCharacters` of its text.
    func drafts(of agent: AgentID, limit: Int) async throws(StoreError) -> [Draft]
    /// Saves a draft in place of the version that the agent's device knows, under a higher version.
    ///
    /// Limit: `most` drafts of an agent.
    func save(
        _ draft: Draft, over known: Int64, atMost most: Int
    ) async throws(StoreError) -> DraftOutcome
    /// Removes a draft of a version, or with nil of any version.
    func removeDraft(
        of agent: AgentID, in conversation: ConversationID, version: Int64?
    ) async throws(StoreError) -> DraftOutcome
    /// Deletes the drafts that were saved last before a moment.
    func pruneDrafts(before time: Timestamp) async throws(StoreError)
}

/// What became of an attempt to save or to remove a draft.
public enum DraftOutcome: Hashable, Sendable {
    /// It is stored under this version.
    case saved(Draft)
    /// It is removed.
    case removed
    /// There was none to remove.
    case missing
    /// Another version is stored, or with nil none any more; nothing was changed.
    case conflict(Draft?)
    /// The agent has as many drafts as there may be.
    case tooMany
}
