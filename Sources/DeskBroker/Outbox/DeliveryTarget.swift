public import DeskModel

/// The result of an attempt to send to a delivery target.
public enum DeliveryResult: Hashable, Sendable {
    /// It accepted the event.
    case accepted(status: Int?, detail: String)
    /// It did not, and may another time; no sooner than it asked for.
    case failed(status: Int?, detail: String, retryAfter: Duration?)
    /// It never will.
    case refused(status: Int?, detail: String)
}

/// A webhook, a provider or an upstream gateway: it receives events over the network.
public protocol DeliveryTarget: Sendable {
    /// Whether it receives an event; asked once, when the event is noted.
    func wants(_ event: Event) -> Bool

    /// Makes one attempt, bounded in time by the target.
    ///
    /// Cancel: honoured; an attempt that was cut short may have reached the target, and is made again.
    func deliver(_ event: Event, _ delivery: Delivery) async -> DeliveryResult
}
