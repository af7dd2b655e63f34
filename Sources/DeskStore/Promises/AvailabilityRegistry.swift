public import DeskModel

/// What agents chose of being there.
///
/// Whether an agent is there is never stored: it is known of the pages that are open.
public protocol AvailabilityRegistry: Sendable {
    /// What an agent chose last; online before the first choice.
    func availability(of agent: AgentID) async throws(StoreError) -> ChosenAvailability
    /// Keeps an agent's choice under a version higher than that before it.
    func choose(
        _ state: Availability, by agent: AgentID
    ) async throws(StoreError) -> ChosenAvailability
}
