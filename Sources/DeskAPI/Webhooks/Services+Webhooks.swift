public import DeskDelivery

extension Services {
    /// What posts events to the endpoints of all businesses while its `run()` does.
    public func makeWebhookRunner(_ poster: WebhookPoster) -> WebhookRunner {
        WebhookRunner(
            broker: broker, webhooks: LoadedWebhooks(store: store), poster: poster,
            authorNames: authorNames, time: time, log: log, metrics: metrics)
    }
}
