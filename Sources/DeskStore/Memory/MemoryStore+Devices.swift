public import DeskModel

extension MemoryStore: DeviceRegistry {
    /// Remembers that an agent signed in with a device; those used least lately make room.
    public func rememberDevice(
        _ token: Digest, of agent: AgentID, at time: Timestamp, atMost most: Int
    ) async throws(StoreError) {
        try edit { state in
            let key = MemoryState.DeviceKey(token: token, agent: agent)
            state.devices[key] = time
            let others = state.devices.filter { $0.key.agent == agent && $0.key != key }
                .sorted { $0.value > $1.value }
            for (beyond, _) in others.dropFirst(max(0, most - 1)) { state.devices[beyond] = nil }
        }
    }

    /// The agents who signed in with a device at a moment or later.
    public func agents(
        knownOn token: Digest, since time: Timestamp
    ) async throws(StoreError) -> [AgentID] {
        try look { state in
            state.devices.filter { $0.key.token == token && $0.value >= time }.map(\.key.agent)
        }
    }

    /// Forgets every device of an agent.
    public func forgetDevices(of agent: AgentID) async throws(StoreError) {
        try edit { state in state.devices = state.devices.filter { $0.key.agent != agent } }
    }

    /// Forgets the devices that nobody signed in with since a moment.
    public func pruneDevices(before time: Timestamp) async throws(StoreError) {
        try edit { state in state.devices = state.devices.filter { $0.value >= time } }
    }
}
