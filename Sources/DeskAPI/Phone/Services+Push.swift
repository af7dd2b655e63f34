public import DeskDelivery
public import DeskHTTP
public import DeskTeam
import DeskWeb

extension Services {
    /// What sends to customers' browsers while its `run()` does.
    ///
    /// - Parameter client: its rules of addresses hold at every attempt.
    public func makePushSender(_ client: any OutgoingClient) -> PushSender {
        PushSender(
            key: pushKey, services: pushServices, store: store, client: client,
            contact: publicURL.origin, version: version, time: time, log: log, metrics: metrics)
    }

    /// What has a sender notify of the business's answers, wherever this process holds the reader's lease.
    public func makePushReader(
        _ sender: PushSender, mayWrite: @escaping @Sendable () -> Bool
    ) -> ReaderRunner {
        ReaderRunner(
            PushReader(of: store, by: sender, time: time), of: broker, time: time, log: log,
            metrics: metrics, mayWrite: mayWrite)
    }
}
