public import DeskModel

/// What is to be done at a moment to come; it is added and finished by steps of the log.
public protocol DueWorkRegistry: Sendable {
    /// Finds work by its name, refused work included.
    func findDueWork(_ name: DueWork.Name) async throws(StoreError) -> DueWork?
    /// Lists the work of a kind in a conversation, refused work included, by when it is due.
    ///
    /// Limit: 300.
    func dueWork(
        _ kind: DueWork.Kind, in conversation: ConversationID
    ) async throws(StoreError) -> [DueWork]
    /// Lists the work that is due by a moment and was not refused, by when it is due.
    func dueWork(until time: Timestamp, limit: Int) async throws(StoreError) -> [DueWork]
    /// When the next work is due that was not refused; nil when there is none.
    func nextDueTime() async throws(StoreError) -> Timestamp?
    /// Deletes refused work that was due before a moment.
    func pruneDueWork(dueBefore time: Timestamp) async throws(StoreError)
}

/// What agents chose for their own work.
public protocol PreferenceRegistry: Sendable {
    /// Finds an agent's choices; what holds without any where there are none.
    func findPreferences(of agent: AgentID) async throws(StoreError) -> AgentPreferences
    /// Changes an agent's choices as they are stored, so that two devices lose nothing of each other's.
    ///
    /// - Returns: what is stored then.
    func changePreferences(
        of agent: AgentID, _ apply: @escaping @Sendable (inout AgentPreferences) -> Void
    ) async throws(StoreError) -> AgentPreferences
}
