public import DeskDelivery
import DeskModel
import DeskStore
public import DeskTeam
import DeskWeb

extension Services {
    /// What has a sender notify customers of the business's answers, wherever this process holds the reader's lease.
    public func makePushReader(
        _ sender: PushSender, mayWrite: @escaping @Sendable () -> Bool
    ) -> ReaderRunner {
        ReaderRunner(
            PushReader(of: store, by: sender, time: time), of: broker, time: time, log: log,
            metrics: metrics, mayWrite: mayWrite)
    }

    /// What has a sender notify agents who use no console, wherever this process holds the reader's lease.
    public func makeAgentPushReader(
        _ sender: PushSender, mayWrite: @escaping @Sendable () -> Bool
    ) -> ReaderRunner {
        let (store, zones) = (store, timeZones)
        return ReaderRunner(
            AgentPushReader(
                of: broker, by: sender, handling: handlingRoles, time: time
            ) { agent throws(StoreError) in
                let preferences = try await store.findPreferences(of: agent)
                return ConsoleChoices(stored: preferences.console).notices(in: zones)
            }, of: broker, time: time, log: log, metrics: metrics, mayWrite: mayWrite)
    }
}
