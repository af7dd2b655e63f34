extension Signal {
    /// Whether a page of an agent is in use or idle, or with `offline` is closed.
    public static func page(
        of agent: AgentID, in business: BusinessID, _ state: State
    ) -> Signal {
        Signal(
            kind: .availability, business: business, conversation: nil, who: .agent(agent),
            state: state)
    }

    /// What an agent chose, for those who combine it with the agent's pages.
    public static func choice(_ chosen: ChosenAvailability, in business: BusinessID) -> Signal {
        let state: State =
            switch chosen.state {
            case .online: .online
            case .away: .away
            case .busy: .busy
            case .invisible: .invisible
            }
        return Signal(
            kind: .choice, business: business, conversation: nil, who: .agent(chosen.agent),
            state: state, version: chosen.version)
    }
}
