public import DeskBroker
public import DeskDelivery
public import DeskModel

extension Services {
    /// What posts events to the endpoints of all businesses while its `run()` does.
    ///
    /// - Parameters:
    ///   - schedule: when what failed is posted again.
    ///   - time: the clocks by which is waited; nil for those of the services.
    public func makeWebhookRunner(
        _ poster: WebhookPoster, schedule: RetrySchedule = .standard, time: TimeSource? = nil
    ) -> WebhookRunner {
        WebhookRunner(
            broker: broker, webhooks: LoadedWebhooks(store: store), poster: poster,
            authorNames: authorNames, schedule: schedule, time: time ?? self.time, log: log,
            metrics: metrics)
    }
}
